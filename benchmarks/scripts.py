"""How many scripts with a planted fault the check catches, and how many honest ones it refuses: docs/build/scripts.md.

    .venv/bin/python benchmarks/scripts.py [--set second|held_back|fourth|fifth|sentences] [--findings]

The scripts are in tests/provider/scripts/measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from pathlib import Path

from airflow_video_creation.provider.scripts.check import check_script

sys.path.append(str(Path(__file__).parents[1] / "tests" / "provider" / "scripts"))

from measured_scripts import SETS, cases, sentences

HONEST = "none: honest"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=[*SETS, "sentences"], default="first", help="which scripts")
    parser.add_argument(
        "--findings", action="store_true", help="print what is missed and what is wrongly refused"
    )
    asked = parser.parse_args()
    found: dict[str, list[bool]] = defaultdict(list)
    began = time.process_time()
    for case in sentences() if asked.set == "sentences" else cases(SETS[asked.set]):
        findings = check_script(case.script, case.article).findings
        found[case.fault or HONEST].append(bool(findings))
        if asked.findings and bool(findings) != bool(case.fault):
            print(f"{case.name}: {'; '.join(map(str, findings)) or 'missed'}")
    spent = time.process_time() - began
    print("| fault | scripts | refused |\n|---|---|---|")
    for fault, refused in sorted(found.items(), key=lambda pair: (pair[0] == HONEST, pair[0])):
        print(f"| {fault} | {len(refused)} | {sum(refused)} ({sum(refused) / len(refused):.0%}) |")
    planted = [refused for fault, each in found.items() if fault != HONEST for refused in each]
    print(f"| all faults | {len(planted)} | {sum(planted)} ({sum(planted) / len(planted):.0%}) |")
    print(f"\n{1000 * spent / sum(map(len, found.values())):.0f} ms of CPU a script")


if __name__ == "__main__":
    main()
