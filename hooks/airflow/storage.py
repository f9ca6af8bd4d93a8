"""Opens a place in any storage that Airflow can reach; where it cannot, says whether to install, correct or wait."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...provider.errors import ConfigurationError, VideoCreationError
from ...provider.quoting import quotable

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import ObjectStoragePath

PACKAGES = {
    "abfs": "apache-airflow-providers-microsoft-azure",
    "abfss": "apache-airflow-providers-microsoft-azure",
    "gcs": "apache-airflow-providers-google",
    "gs": "apache-airflow-providers-google",
    "s3": "apache-airflow-providers-amazon[s3fs]",
    "s3a": "apache-airflow-providers-amazon[s3fs]",
}
"""What brings a protocol's file system to Airflow."""
_NO_RETRY_MENDS = (
    ImportError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    FileNotFoundError,
    PermissionError,
)


def storage_path(place: str, *, named: str, away: type[VideoCreationError]) -> ObjectStoragePath:
    """Return a place as a path of Airflow's object storage, with its file system open (source: ours).

    :param place: a URL such as ``s3://conn_id@bucket/a``, or a path on the worker's disk.
    :param named: what messages call it.
    :param away: the error to raise if the storage, or its Airflow connection, cannot be opened now; retryable.
    :raises ConfigurationError: there is no such storage, its package is missing, or its connection is wrong.
    """
    from airflow.providers.common.compat.sdk import ObjectStoragePath

    # Airflow 3.1 takes a relative path from the root.
    url = place if "://" in place else f"file://{Path(place).absolute()}"
    try:
        path = ObjectStoragePath(url)
        _ = path.fs
    # Every file system has its own errors.
    except _NO_RETRY_MENDS as error:
        package = PACKAGES.get(url.partition("://")[0])
        install = f"; if it is not installed: pip install '{package}'" if package else ""
        raise ConfigurationError(
            f"{named} cannot be used ({_reason(error)}): check its address and the connection in it{install}."
        ) from error
    except Exception as error:
        raise away(
            f"{named} cannot be reached ({_reason(error)}): check the connection in its address, or try again later."
        ) from error
    return path


def _reason(error: Exception) -> str:
    return quotable(str(error)) or type(error).__name__
