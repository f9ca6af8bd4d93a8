"""Temporary folders that belong to one task, so that its next try can clear away what a killed one has left."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def own_name(context: Mapping[str, Any]) -> str:
    """How names of temporary folders begin that belong to this task in this run, in each of its tries (source: ours).

    :param context: of the task.
    """
    ti: Any = context.get("ti")
    task = [ti.dag_id, ti.task_id, ti.run_id, ti.map_index] if ti else [str(uuid.uuid4())]
    return f".video-creation-{hashlib.sha256(json.dumps(task).encode()).hexdigest()[:24]}-"


@contextmanager
def own_folder(parent: Path, own: str) -> Iterator[Path]:
    """A temporary folder; those of earlier tries, left there if a worker was killed, are removed (source: ours).

    :param parent: where it is made.
    :param own: from ``own_name``.
    """
    for left in parent.glob(f"{own}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=own) as folder:
        yield Path(folder)
