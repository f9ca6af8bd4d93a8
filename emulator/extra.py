"""The packages of extra `[emulator]`: said by name when they are missing, before anything imports them."""

from __future__ import annotations

from importlib.util import find_spec

PACKAGES = {
    "av": "av",
    "fontpkg_noto_sans": "fontpkg-noto-sans",
    "fontTools": "fonttools",
    "numpy": "numpy",
    "PIL": "Pillow",
    "sentencex": "sentencex",
    "uvicorn": "uvicorn",
}
"""Module that is imported -> package that brings it; espeakng-loader may be missing, and videos are silent then."""


class MissingExtraError(ImportError):
    """The extra `[emulator]` is not installed."""


def require_extra() -> None:
    """Check that all packages of the extra are there.

    :raises MissingExtraError: with the line that installs them
    """
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"The emulator needs {', '.join(missing)}, which the extra [emulator] brings. Install it: "
            "pip install 'airflow-provider-video-creation[emulator]'"
        )
