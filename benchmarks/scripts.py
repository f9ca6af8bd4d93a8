"""How many scripts with a planted fault the check catches, and how many honest ones it refuses: docs/scripts.md.

    .venv/bin/python benchmarks/scripts.py [--set second|held_back] [--findings]

The scripts are in tests/provider/scripts/measured; those of the folder second were written
after the check was first done, those of held_back after the last change to it.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from airflow_video_creation.provider.articles.page import Article
from airflow_video_creation.provider.scripts.check import check_script
from airflow_video_creation.provider.scripts.report import Finding
from airflow_video_creation.provider.scripts.script import VideoScript

MEASURED = Path(__file__).parents[1] / "tests" / "provider" / "scripts" / "measured"


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


def caught(case: Case) -> tuple[Finding, ...]:
    """What the check finds.

    :param case: to check.
    """
    return check_script(case.script, case.article).findings


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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--set", choices=("first", "second", "held_back"), default="first", help="which scripts"
    )
    parser.add_argument(
        "--findings", action="store_true", help="print what is missed and what is wrongly refused"
    )
    asked = parser.parse_args()
    found: dict[str, list[bool]] = defaultdict(list)
    began = time.process_time()
    for case in cases(MEASURED if asked.set == "first" else MEASURED / asked.set):
        findings = caught(case)
        found[case.fault or "none: honest"].append(bool(findings))
        if asked.findings and bool(findings) != bool(case.fault):
            print(f"{case.name}: {'; '.join(map(str, findings)) or 'missed'}")
    spent = time.process_time() - began
    print("| fault | scripts | refused |\n|---|---|---|")
    for fault, refused in sorted(found.items(), key=lambda pair: (pair[0] == "none: honest", pair[0])):
        print(f"| {fault} | {len(refused)} | {sum(refused)} ({sum(refused) / len(refused):.0%}) |")
    planted = [refused for fault, each in found.items() if fault != "none: honest" for refused in each]
    print(f"| all faults | {len(planted)} | {sum(planted)} ({sum(planted) / len(planted):.0%}) |")
    print(f"\n{1000 * spent / sum(map(len, found.values())):.0f} ms of CPU a script")


if __name__ == "__main__":
    main()
