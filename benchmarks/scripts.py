"""How many scripts with a planted fault the check catches, and how many honest scripts it refuses.

The scripts are in tests/provider/scripts/measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from figures_kept import Measuring, Result, end
from figures_pages import table

from airflow_video_creation.provider.scripts.check import check_script

sys.path.append(str(Path(__file__).parents[1] / "tests" / "provider" / "scripts"))

from measured_scripts import SETS, cases, sentences

HONEST = "none: honest"
SENTENCES = "sentences"
SAID = {
    "first": "first: written before the check, which was made with it",
    "second": "second",
    "held_back": "third",
    "fourth": "fourth, by somebody who had not seen the check",
    "fifth": "fifth, in the same way",
    "sixth": "sixth, in the same way",
    "seventh": "seventh, in the same way",
    "eighth": "eighth, in the same way; nothing was corrected with it yet",
    SENTENCES: "single sentences in ten languages, made to be hard",
}
SETS_HEAD = [
    "set",
    "caught at first sight",
    "honest ones refused then",
    "caught now",
    "honest ones refused now",
]
FIRST_SIGHT = {
    "held_back": ("17 of 20", "2 of 20"),
    "fourth": ("33 of 40", "12 of 40"),
    "fifth": ("32 of 40", "9 of 40"),
    "sixth": ("34 of 40", "7 of 40"),
    "seventh": ("33 of 40", "6 of 40"),
    "eighth": ("32 of 40", "5 of 40"),
}
"""What the check of that day made of a set before it was corrected with it: faults caught, honest ones refused."""


def parts(result: Result) -> Mapping[str, str]:
    """A table of the sets, and one of the faults."""
    found = result.found["refused"]
    planted = {
        name: [each for fault in faults if fault != HONEST for each in faults[fault]]
        for name, faults in found.items()
    }
    of_sets = [
        [SAID[name], *FIRST_SIGHT.get(name, ("", "")), _share(planted[name]), _share(faults[HONEST])]
        for name, faults in found.items()
    ]
    of_scripts = {name: faults for name, faults in found.items() if name != SENTENCES}
    kinds = sorted({fault for faults in of_scripts.values() for fault in faults} - {HONEST})
    of_faults = [[kind, *(_count(faults.get(kind, [])) for faults in of_scripts.values())] for kind in kinds]
    cpu = f"It takes {result.found['milliseconds']:.0f} ms of CPU a script."
    return {
        "scripts-sets": f"{table(SETS_HEAD, *of_sets)}\n\n{cpu}",
        "scripts-faults": table(
            ["fault", *(name.replace("held_back", "third") for name in of_scripts)], *of_faults
        ),
    }


def _count(refused: list[bool]) -> str:
    return f"{sum(refused)} of {len(refused)}"


def _share(refused: list[bool]) -> str:
    return f"{_count(refused)} ({sum(refused) / len(refused):.0%})"


def main() -> None:
    """Check them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--findings", choices=SAID, help="print what is missed and what is wrongly refused of a set"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring, began = Measuring(), time.process_time()
    found: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in SAID}
    for name in SAID:
        for case in sentences() if name == SENTENCES else cases(SETS[name]):
            findings = check_script(case.script, case.article).findings
            found[name][case.fault or HONEST].append(bool(findings))
            if chosen.findings == name and bool(findings) != bool(case.fault):
                print(f"{case.name}: {'; '.join(map(str, findings)) or 'missed'}")
    scripts = sum(len(each) for faults in found.values() for each in faults.values())
    milliseconds = 1000 * (time.process_time() - began) / scripts
    end(measuring.ended({"refused": found, "milliseconds": milliseconds}), parts, chosen.keep)


if __name__ == "__main__":
    main()
