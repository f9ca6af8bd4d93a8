"""All routers of the emulator."""

from .admin import admin
from .job_operations import job_operations
from .look_ups import look_ups
from .media import media
from .pages import pages
from .registration_operations import registration_operations
from .token_endpoint import token_endpoint

ROUTERS = (job_operations, look_ups, registration_operations, token_endpoint, media, pages, admin)
