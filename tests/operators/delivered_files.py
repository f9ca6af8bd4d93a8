"""What tests of deliveries look at, and a disk that is full."""

from __future__ import annotations

import errno
from pathlib import Path


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def copy_a_part(source: Path, target: Path) -> None:
    """Copy as far as the disk has room: for ``shutil.copyfile``."""
    target.write_bytes(b"a part of it")
    raise OSError(errno.ENOSPC, "No space left on device")
