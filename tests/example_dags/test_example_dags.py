"""Every example DAG can be parsed by Airflow, and nothing of ours warns while it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(
    path.name for path in ROOT.joinpath("example_dags").glob("*.py") if path.name != "__init__.py"
)

PARSE = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        from airflow.dag_processing.dagbag import DagBag
    except ImportError:
        from airflow.models.dagbag import DagBag
    bag = DagBag(dag_folder=sys.argv[1])
warned = [{"file": w.filename, "message": str(w.message)} for w in caught]
print(json.dumps({"errors": bag.import_errors, "dags": list(bag.dags), "warnings": warned}))
"""


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_parsed_without_warnings_from_our_code(example, tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", PARSE, str(ROOT / "example_dags" / example)],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["errors"] == {}
    assert found["dags"]
    foreign = ("site-packages", "/lib/python")
    assert [w for w in found["warnings"] if not any(part in w["file"] for part in foreign)] == []
