"""Whether a file is a complete .mp4, judged by its boxes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple


def mp4_state(path: Path) -> Literal["whole", "cut", "foreign"]:
    """Tell a complete .mp4 from an incomplete one, and from other files.

    Source: ISO/IEC 14496-12, "Object structure".

    :param path: of the file.
    """
    boxes = _boxes(path)
    if not boxes or boxes[0].kind != b"ftyp":
        return "foreign"
    kinds = {box.kind for box in boxes}
    if boxes[-1].end > path.stat().st_size or b"moov" not in kinds or not kinds & {b"mdat", b"moof"}:
        return "cut"
    return "whole"


class _Box(NamedTuple):
    kind: bytes
    end: int


def _boxes(path: Path) -> list[_Box]:
    boxes: list[_Box] = []
    size_of_file = path.stat().st_size
    position = 0
    with path.open("rb") as file:
        while position + 8 <= size_of_file:
            file.seek(position)
            header = file.read(16)
            size = int.from_bytes(header[:4], "big")
            if size == 1:
                size = int.from_bytes(header[8:16], "big")
            elif size == 0:
                size = size_of_file - position
            if size < 8:
                break
            position += size
            boxes.append(_Box(header[4:8], position))
    return boxes
