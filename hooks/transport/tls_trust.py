"""Which certificates are trusted, the same on the worker and in the triggerer."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import certifi

from ...provider.errors import ConfigurationError


def tls_context(verify: bool | str) -> ssl.SSLContext | bool:
    """What a transport needs to check the server's certificate; reads files.

    :param verify: False for no check, the path of a CA file or folder, or True for what requests would
        trust: the environment's CA file, else the one of certifi.
    :raises ConfigurationError: the CA file cannot be used.
    """
    if verify is False:
        return False
    if verify is True:
        verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or certifi.where()
    folder = Path(verify).is_dir()
    try:
        return ssl.create_default_context(
            cafile=None if folder else verify, capath=verify if folder else None
        )
    except OSError as error:
        why = error.strerror or getattr(error, "reason", None) or "it holds no certificate"
        raise ConfigurationError(
            f"The CA file {verify!r} cannot be used ({why}): set the connection's extra verify to the path of a "
            "PEM file that this machine can read, or remove it. Nothing was sent."
        ) from None
