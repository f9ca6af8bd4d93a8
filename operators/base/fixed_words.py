"""Arguments that are one of a few words, checked while the DAG file is read, of a mapped task too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from airflow.providers.common.compat.sdk import BaseOperator

from ...hooks.airflow.errors import airflow_errors
from .strict_argument import one_of


class FixedWordsMixin(BaseOperator):
    """Checks arguments that are one of a few words (source: ours).

    Airflow makes the operator of a mapped task only when it runs: a mistake in ``partial`` would fail every
    map index, hours later. Values in ``default_args``, and mapped values, are checked then.
    """

    fixed_words: Mapping[str, Any] = {}
    """Argument -> the ``Literal`` of its words. Each is no template field, and an attribute of the same name."""

    @classmethod
    def partial(cls, *, task_id: str, **arguments: Any) -> Any:
        """What is to be mapped, as Airflow makes it.

        :param task_id: of the task.
        :param arguments: the operator's.
        :raises ConfigurationError: an argument is none of its words.
        """
        with airflow_errors():
            for name, words in cls.fixed_words.items():
                if name in arguments:
                    one_of(task_id, name, arguments[name], words)
        return super().partial(task_id=task_id, **arguments)

    def require_fixed_words(self) -> None:
        """Check the attributes.

        :raises ConfigurationError: one is none of its words.
        """
        for name, words in self.fixed_words.items():
            one_of(self.task_id, name, getattr(self, name), words)
