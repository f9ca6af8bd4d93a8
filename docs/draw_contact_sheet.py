"""Draws docs/images/emulator-sheet.jpg: frames of videos that the emulator made, each with what it was asked for."""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import fontpkg
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from airflow_video_creation.emulator.jobs.studio import Studio

SHEET = Path(__file__).with_name("images") / "emulator-sheet.jpg"
COLUMNS, TILE, GAP, CAPTION = 4, (400, 225), 12, 34
PAPER, INK = "#F4F2EE", "#22272B"

BUCKET = "sample-media"
LONG_TEXT = (
    "The council voted on Tuesday to plant ten thousand trees along the river, in the school yards and on the market "
    "square, because the summers have become hotter and shade is what the people of Lindental asked for most often. "
    "The first oaks go to the river bank, where volunteers have dug the holes since March."
)

LANDSCAPE: list[tuple[str, float, dict[str, Any]]] = [
    (
        "the defaults, keywords highlighted",
        0.5,
        {"text": "Lindental plants 10,000 trees before the first frost comes."},
    ),
    (
        "a picture from s3://, a half-clear panel",
        0.5,
        {
            "text": "The first oaks go to the river bank.",
            "backgroundUri": f"s3://{BUCKET}/river.png",
            "textBackgroundColor": "rgba(10,40,30,0.6)",
        },
    ),
    (
        "serif, centred, a shadow, no panel",
        0.5,
        {
            "text": "A tree costs €48.",
            "fontFamily": "Georgia",
            "fontSize": 48,
            "textBackgroundColor": "rgba(0,0,0,0)",
            "textShadowColor": "#000000C0",
            "verticalAlignment": "center",
            "horizontalAlignment": "center",
            "keywordColor": "#9CF0C4",
        },
    ),
    (
        "monospaced, bold, right, colours of its own",
        0.5,
        {
            "text": "tree_id = 10_000",
            "fontFamily": "Courier New",
            "fontWeight": "bold",
            "textColor": "#1A2B3C",
            "textBackgroundColor": "#FFE9A8",
            "keywordColor": "#B3261E",
            "verticalAlignment": "center",
            "horizontalAlignment": "right",
        },
    ),
    (
        "a font from fontUrl",
        0.5,
        {
            "text": "Oak, beech and lime – and a café under them.",
            "fontUrl": f"https://{BUCKET}.s3.us-east-2.amazonaws.com/italic.ttf",
            "fontSize": 36,
            "verticalAlignment": "top",
        },
    ),
    ("a long text wraps and shrinks", 0.5, {"text": LONG_TEXT, "fontSize": 40, "minimumDuration": 20}),
    (
        "split at periods: its first part over a video ...",
        0.4,
        {
            "text": "The digger starts at nine. At noon the tree stands.",
            "splitTextOnPeriod": True,
            "backgroundUri": f"s3://{BUCKET}/sun.mp4#t=1",
        },
    ),
    ("... and its second, where the video goes on", 0.5, {}),
    (
        "a video that loops, from its 5th second",
        0.9,
        {
            "text": "Again and again.",
            "backgroundUri": f"s3://{BUCKET}/sun.mp4#t=4",
            "loopBackgroundVideo": True,
            "muteBackgroundVideo": True,
        },
    ),
    ("letters that no font has are boxes", 0.5, {"text": "Trees: 树 木 ✓ – Bäume, drzewa, δέντρα, дерева"}),
]
"""What is said of a frame, which part of its scene it is from, and the scene; an empty one goes on."""

OTHER_SIZES = (
    ("portrait", ("540", "960"), {"backgroundUri": f"s3://{BUCKET}/river.png"}),
    ("square", ("720", "720"), {"verticalAlignment": "center", "horizontalAlignment": "center"}),
)


def main() -> None:
    """Make the videos and draw the sheet."""
    with tempfile.TemporaryDirectory() as folder:
        tiles = list(asyncio.run(_tiles(Path(folder))))
    rows = -(-len(tiles) // COLUMNS)
    width, height = TILE[0] + GAP, TILE[1] + CAPTION + GAP
    sheet = Image.new("RGB", (COLUMNS * width + GAP, rows * height + GAP), PAPER)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.truetype(fontpkg.path("Noto Sans"), 17)
    for number, (caption, frame) in enumerate(tiles):
        left, top = GAP + number % COLUMNS * width, GAP + number // COLUMNS * height
        frame.thumbnail(TILE, Image.Resampling.LANCZOS)
        sheet.paste(frame, (left + (TILE[0] - frame.width) // 2, top))
        pen.text((left, top + TILE[1] + 6), caption, INK, font)
    sheet.save(SHEET, quality=82, optimize=True)


async def _tiles(folder: Path) -> list[tuple[str, Image.Image]]:
    _make_media(folder / BUCKET)
    studio = Studio(1, allow_private_networks=False, media_folder=folder)
    logo = {"url": f"https://{BUCKET}.s3.us-east-2.amazonaws.com/logo.png", "width": "9%"}
    about = {"autoHighlightKeywords": True, "awsConnectionId": "sample", "brandLogo": logo}
    try:
        scenes = [{"minimumDuration": 6, **_silent(scene)} for _, _, scene in LANDSCAPE if scene]
        board = {"videoName": "trees", "scenes": scenes, **about}
        frames = await _frames(studio, board, [part for _, part, _ in LANDSCAPE], folder / "landscape")
        tiles = [(caption, frame) for (caption, _, _), frame in zip(LANDSCAPE, frames, strict=True)]
        for name, (width, height), scene in OTHER_SIZES:
            scene = {"text": "Lindental plants 10,000 trees.", **_silent(scene)}
            board = {
                "videoName": name,
                "videoWidth": width,
                "videoHeight": height,
                "scenes": [scene],
                **about,
            }
            frames = await _frames(studio, board, [0.5], folder / name)
            tiles.append((f"{name}, {width} x {height}", next(frames)))
        return tiles
    finally:
        studio.close()


def _silent(scene: dict[str, Any]) -> dict[str, Any]:
    return {"voiceOver": False, **scene}


async def _frames(
    studio: Studio, storyboard: dict[str, Any], parts: list[float], folder: Path
) -> Iterator[Image.Image]:
    """One frame of each scene, decoded from the .mp4."""
    preview = await studio.make_preview(storyboard, folder / "preview", lambda _part: None)
    await studio.make_film(storyboard, folder / "film", lambda _part: None)
    start = 0.0
    moments = []
    for scene, part in zip(preview.scenes, parts, strict=True):
        moments.append(start + part * scene["seconds"])
        start += scene["seconds"]
    return _decoded(folder / "film" / "video.mp4", moments)


def _decoded(path: Path, moments: list[float]) -> Iterator[Image.Image]:
    wanted = iter(moments)
    moment = next(wanted, None)
    with av.open(str(path)) as film:
        for frame in film.decode(video=0):
            if moment is not None and frame.time is not None and frame.time >= moment:
                yield Image.fromarray(frame.to_ndarray(format="rgb24"))
                moment = next(wanted, None)


def _make_media(folder: Path) -> None:
    """A picture, a video, a logo and a font, all made here except the font's letters."""
    folder.mkdir()
    _river().save(folder / "river.png")
    (folder / "sun.mp4").write_bytes(_sun())
    logo = Image.new("RGBA", (300, 300))
    pen = ImageDraw.Draw(logo)
    pen.ellipse((10, 10, 290, 210), fill="#F2F7F2")
    pen.rectangle((130, 190, 170, 295), fill="#F2F7F2")
    pen.ellipse((60, 55, 240, 175), fill="#3C8D5A")
    logo.save(folder / "logo.png")
    (folder / "italic.ttf").write_bytes(fontpkg.path("Noto Serif", style="italic").read_bytes())


def _river() -> Image.Image:
    y, x = np.mgrid[0:900, 0:1600] / (900, 1600)[0]
    hills = 0.45 + 0.06 * np.sin(x * 5) + 0.03 * np.sin(x * 13 + 1)
    meadow = 0.62 + 0.03 * np.sin(x * 4 + 2)
    river = np.abs(x - 0.95 - 0.25 * np.sin(y * 6)) < 0.05 + 0.35 * (y - 0.6).clip(0)
    colours = np.empty((900, 1600, 3))
    colours[:] = np.array([150, 195, 225]) + 60 * (1 - y[..., None])
    colours[y > hills] = (92, 128, 120)
    colours[y > meadow] = (112, 158, 88)
    colours[river & (y > meadow)] = (120, 170, 205)
    return Image.fromarray(colours.clip(0, 255).astype(np.uint8))


def _sun() -> bytes:
    """Eight seconds of a sun that crosses the sky."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", 12)
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for index in range(96):
            part = index / 95
            picture = Image.new("RGB", (640, 360), (40 + round(90 * np.sin(part * np.pi)), 90, 150))
            pen = ImageDraw.Draw(picture)
            middle = (60 + 520 * part, 300 - 220 * np.sin(part * np.pi))
            pen.ellipse((middle[0] - 45, middle[1] - 45, middle[0] + 45, middle[1] + 45), fill="#FFD76A")
            pen.rectangle((0, 300, 640, 360), fill="#2F4F3A")
            frame = av.VideoFrame.from_ndarray(np.asarray(picture), "rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 12)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


if __name__ == "__main__":
    main()
