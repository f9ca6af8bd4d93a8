"""The base of the operators whose job a person can name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...hooks.airflow.template import is_template

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...provider.submission.adoption import Adoption


class AdoptingMixin:
    """Arguments that name a job which was found at the service.

    A template names it for one run; a value written in the DAG names it for every later run too.
    """

    _literal_adoptions: frozenset[str] = frozenset()

    def take_adoptions(self, **given: Any) -> None:
        """Keep the arguments, before Airflow renders them.

        :param given: each argument as the author gave it, None for none.
        """
        for name, value in given.items():
            setattr(self, name, value)
        literal = (name for name, value in given.items() if value is not None and not is_template(value))
        self._literal_adoptions = frozenset(literal)

    def adoption(self, argument: str, context: Context) -> Adoption:
        """The job that an argument names.

        :param argument: its name.
        :param context: the task's context.
        """
        from ...provider.submission.adoption import Adoption

        is_literal = argument in self._literal_adoptions
        adoption = Adoption(getattr(self, argument), argument, is_literal=is_literal)
        ti: Any = context.get("ti")
        return replace(adoption, run_id=ti.run_id, map_index=map_index_of(ti)) if ti else adoption


def map_index_of(ti: Any) -> int:
    """The map index of a task instance, -1 for one that is not mapped.

    :param ti: Airflow's task instance.
    """
    index = getattr(ti, "map_index", None)
    return -1 if index is None else int(index)
