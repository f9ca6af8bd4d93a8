"""The scripts that the check is measured by: honest ones, and some of them with a fault planted."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from airflow_video_creation.provider.articles.page import Article
from airflow_video_creation.provider.scripts.script import VideoScript

SETS = {
    "first": Path(__file__).with_name("measured"),
    "second": Path(__file__).with_name("measured") / "second",
    "held_back": Path(__file__).with_name("measured") / "held_back",
    "fourth": Path(__file__).with_name("measured") / "fourth",
    "fifth": Path(__file__).with_name("measured") / "fifth",
    "sixth": Path(__file__).with_name("measured") / "sixth",
    "seventh": Path(__file__).with_name("measured") / "seventh",
    "eighth": Path(__file__).with_name("measured") / "eighth",
}
"""By the first the check was made; by the others it was mended, after it had been measured by them."""
SENTENCES = Path(__file__).with_name("measured") / "sentences.yaml"
_SAYS_NOTHING = {
    "de": "So war es.",
    "en": "It happened.",
    "es": "Así fue.",
    "fr": "C'est ainsi.",
    "it": "È così.",
    "ja": "そうです。",
    "nl": "Zo is het.",
    "pl": "Tak jest.",
    "pt": "É assim.",
    "sv": "Så är det.",
}
"""For the parts of a script that no sentence stands in."""


class Case(NamedTuple):
    """A script, its article, and the fault that was planted; empty: it is honest."""

    name: str
    fault: str
    script: VideoScript
    article: Article


def cases(folder: Path) -> list[Case]:
    """All scripts of a folder, the honest ones first.

    :param folder: with articles.yaml, honest.yaml and faulty.yaml.
    """
    articles, honest, faulty = (
        yaml.safe_load((folder / f"{name}.yaml").read_text("utf-8"))
        for name in ("articles", "honest", "faulty")
    )
    made = [Case(name, "", *_made(script, articles)) for name, script in honest.items()]
    for number, fault in enumerate(faulty):
        planted = _planted(honest[fault["script"]], fault)
        named = f"{fault['script']} {fault['kind']} {number}"
        made.append(Case(named, fault["kind"], *_made(planted, articles, fault.get("inject"))))
    return made


def sentences() -> list[Case]:
    """Scripts of one sentence each, as sentences.yaml has them."""
    made = []
    for name, told in yaml.safe_load(SENTENCES.read_text("utf-8")).items():
        nothing = _SAYS_NOTHING[told["language"]]
        for fault in ("honest", "faulty"):
            for number, text in told[fault]:
                script = {
                    "article": name,
                    **dict.fromkeys(("title", "hook", "closing"), nothing),
                    "scenes": [{"text": text if number else told["title"], "from": number or 1}],
                }
                if not number:
                    script["hook"] = text
                case = Case(
                    f"{name} {text}", "" if fault == "honest" else fault, *_made(script, {name: told})
                )
                made.append(case)
    return made


def _planted(script: dict[str, Any], fault: dict[str, Any]) -> dict[str, Any]:
    planted = {**script, **fault.get("language", {})}
    if "old" in fault:
        old, new = fault["old"], fault["new"]
        for key in ("title", "hook", "closing"):
            planted[key] = planted[key].replace(old, new)
        planted["scenes"] = [{**s, "text": s["text"].replace(old, new)} for s in planted["scenes"]]
        if {**planted, "scenes": 0} == {**script, "scenes": 0} and planted["scenes"] == script["scenes"]:
            raise ValueError(f"{old!r} is not in the script")
    if "add" in fault:
        planted["scenes"] = [*planted["scenes"], fault["add"]]
    return planted


def _made(
    script: dict[str, Any], articles: dict[str, Any], inject: str | None = None
) -> tuple[VideoScript, Article]:
    told = articles[script["article"]]
    sentences = [line for line in told["text"] if line != "¶"]
    space = "" if told["language"] == "ja" else " "
    paragraphs = [space.join(part.split("\n")) for part in "\n".join(told["text"]).split("\n¶\n")]
    if inject:
        paragraphs.insert(2, inject)
    scenes = [
        {"text": s["text"], "source": s.get("source") or sentences[s["from"] - 1]} for s in script["scenes"]
    ]
    article = Article.from_dict(
        {
            "url": f"https://news.example.com/{script['article']}",
            "title": told["title"],
            "language": told["language"],
            "text": "\n".join(paragraphs),
        }
    )
    return VideoScript.read({**script, "scenes": scenes}), article
