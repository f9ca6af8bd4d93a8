"""The name of an article's video, which is a file's name too."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from .file_names import without_invisible

# Letters that Unicode does not take apart into an ASCII letter and an accent.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
)


def video_name(title: str, url: str) -> str:
    """Return a name that is safe as a file's name everywhere and never the same for two addresses.

    Never a name that Windows reserves, since it ends with a hash; a changed title changes the name's start only.

    :param title: what people know the video by; its letters and digits, as ASCII, become the name's start.
    :param url: the article's address, or what else tells it from all others, such as a file's path or an id;
        a hash of it becomes the name's end.
    :return: at most 100 of ``a-z``, ``0-9`` and ``-`` (source: the interface, "Storyboard request").
    """
    plain = unicodedata.normalize("NFKD", without_invisible(title)).lower().translate(_LETTERS)
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    words = re.sub(r"[^a-z0-9]+", "-", re.sub("['\u02bc\u2019]", "", letters)).strip("-")[:80].strip("-")
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{words or 'article'}-{digest}"
