"""In a mapped task, Jinja renders what is written in the DAG file, and never what another task returned."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import BaseOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

FUNCTION_ARGUMENTS = "op_kwargs"
"""The name under which Airflow keeps the arguments of a decorated function."""


class MappedDataMixin(BaseOperator):
    """Leaves another task's result literal, however the task is mapped over it (source: ours).

    Airflow says so itself: "If a field is marked as being templated and is mapped, it will not be templated" (Airflow's
    documentation, "Dynamic Task Mapping"). Two ways get around its rule, and an article's text could then read a
    password. After ``expand_kwargs`` Airflow no longer knows which values were results. And it knows a result by its
    identity, which is lost if an operator turns a model into a dict.

    So after ``expand_kwargs`` over a result, only the values that are known to come from the DAG file are rendered:
    those in ``partial`` and in ``default_args``. A template that a subclass passes to its base is not among them.
    """

    _data: Mapping[int, Any] | None = None
    """What must stay literal, by its id; it is kept here, so that no other object gets its id."""
    _originals: Mapping[int, Any] = {}

    def made_of(self, made: Any, given: Any) -> Any:
        """Remember what a value was made of, and return it.

        :param made: what the operator keeps.
        :param given: what it was given.
        """
        self._originals = {**self._originals, id(made): given}
        return made

    def with_dicts(self, given: Any) -> Any:
        """A list of requests in a form that Jinja can render: a model in it becomes a dict; anything else is returned
        as it is.

        :param given: as the author gave it.
        """
        if not isinstance(given, list | tuple):
            return given
        dicts = [item.to_dict() if hasattr(item, "to_dict") else item for item in given]
        return self.made_of(dicts, given)

    def render_template(
        self,
        content: Any,
        context: Context,
        jinja_env: Any = None,
        seen_oids: set[int] | None = None,
    ) -> Any:
        """Render what is not data, as Airflow does."""
        if self._data is None:
            self._data = {id(value): value for value in self._mapped_data(context, seen_oids or ())}
        if id(content) in self._data:
            return content
        if _stands_for_result(content):
            # Airflow assumes that one in a dict of expand_kwargs([...]) is resolved, and would leave it as it is.
            seen_oids = None
        return super().render_template(content, context, jinja_env, seen_oids)

    def _mapped_data(self, context: Context, resolved: Collection[int]) -> Iterator[Any]:
        mapped: Any = dag.task_dict.get(self.task_id) if (dag := self.get_dag()) else None
        if mapped is None or not mapped.is_mapped:
            return
        maps_result = _maps_result(mapped, context)
        in_dag_file = {id(value) for value in _values_in_dag_file(mapped)}
        for value in self._template_values():
            given = self._originals.get(id(value), value)
            if _stands_for_result(given):
                continue
            if id(given) in resolved or (maps_result and id(given) not in in_dag_file):
                yield value

    def _template_values(self) -> Iterator[Any]:
        for name in self.template_fields:
            value = getattr(self, name)
            # Each argument of a decorated function is a separate value: some are mapped, some are not.
            yield from value.values() if name == FUNCTION_ARGUMENTS else (value,)


def _stands_for_result(value: Any) -> bool:
    return hasattr(value, "iter_references")


def _maps_result(mapped: Any, context: Context) -> bool:
    """Whether this map index gets its arguments from another task, and not from a dict in the DAG file."""
    # Airflow keeps those of a decorated function elsewhere.
    expanded = getattr(mapped, "op_kwargs_expand_input", mapped.expand_input).value
    if isinstance(expanded, Sequence):
        ti: Any = context["ti"]
        expanded = expanded[ti.map_index]
    # With ``expand``, which has a dict of arguments, Airflow itself knows which are results.
    return not isinstance(expanded, Mapping)


def _values_in_dag_file(mapped: Any) -> Iterator[Any]:
    yield from mapped.partial_kwargs.values()
    yield from mapped.partial_kwargs.get(FUNCTION_ARGUMENTS, {}).values()
    yield from mapped.dag.default_args.values()
    yield from mapped.task_group.default_args.values() if mapped.task_group else ()
