"""How lineage names what videos are made of, and the videos: pages, stored objects, files, jobs at the service."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from ..models.media import bucket_and_key, is_web_url

_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}
"""Other names of a storage -> the one that OpenLineage uses."""


class DatasetName(NamedTuple):
    """A dataset as OpenLineage knows it, by a name within a namespace.

    It never holds what could open something: no user name, password, query or fragment of an address, and no
    Airflow connection.
    """

    namespace: str
    name: str


def stored_at(address: str) -> DatasetName | None:
    """The name of a page, an object or a file; None where the address cannot be read (source: ours).

    Names follow OpenLineage's "Naming conventions": ``s3://bucket`` and the key, ``file`` and the absolute path,
    for a page ``https://host`` and the path. An object's https URL and its ``s3://`` URL are one dataset.

    :param address: an http(s) URL, a URL of ObjectStoragePath such as ``s3://conn_id@bucket/key``, or a path.
    """
    scheme, separator, rest = address.partition("://")
    if not separator or scheme == "file":
        path = rest if separator else address
        return DatasetName("file", path) if path.startswith("/") else None
    if scheme in ("http", "https"):
        return _page(address)
    container, _, key = rest.partition("?")[0].partition("/")
    container = container.rpartition("@")[2]
    return DatasetName(f"{_SCHEMES.get(scheme, scheme)}://{container}", key) if container and key else None


def job_at_service(base_url: str, job_id: str) -> DatasetName:
    """The name of what a job made, while it is at the service (source: ours).

    :param base_url: of the service.
    :param job_id: the job.
    """
    return DatasetName(f"video-creation://{_authority(base_url)}", job_id)


def _page(url: str) -> DatasetName | None:
    if not is_web_url(url):
        return None
    if found := bucket_and_key(url):
        return DatasetName(f"s3://{found[0]}", found[1])
    parts = urlsplit(url)
    return DatasetName(f"{parts.scheme}://{_authority(url)}", parts.path or "/")


def _authority(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2].lower()
