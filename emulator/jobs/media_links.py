"""Where media lie in the folder, and the signed links under which they are served."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path


class MediaLinks:
    """Makes and checks links to media: whoever holds one may read the file, as with a service's signed URLs.

    :param folder: the emulator's folder
    :param key: signing key
    """

    def __init__(self, folder: Path, key: bytes) -> None:
        self.folder = folder / "media"
        self._key = key

    def url(self, base_url: str, job_id: str, file_name: str) -> str:
        """Return the signed address of a file.

        :param base_url: of this emulator, as the caller knows it
        :param job_id: whose file it is
        :param file_name: such as `video.mp4`
        """
        return f"{base_url}/media/{job_id}/{file_name}?signature={self._signature(job_id, file_name)}"

    def is_signed(self, job_id: str, file_name: str, signature: str) -> bool:
        """Tell whether a link was made here.

        :param job_id: from the path
        :param file_name: from the path
        :param signature: from the query
        """
        return hmac.compare_digest(signature.encode(), self._signature(job_id, file_name).encode())

    def folder_of(self, job_id: str) -> Path:
        """Return the folder of a finished job's files.

        :param job_id: a job's id
        """
        return self.folder / job_id

    def _signature(self, job_id: str, file_name: str) -> str:
        return hmac.new(self._key, f"{job_id}/{file_name}".encode(), hashlib.sha256).hexdigest()[:32]
