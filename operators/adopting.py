"""What the operators have whose job a person can name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .template import is_template

if TYPE_CHECKING:
    from ..provider.submission.adoption import Adoption


class AdoptingMixin:
    """Arguments that name a job which was found at the service.

    A template names it for one run; what stands in the DAG as it is names it for every later run too.
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

    def adoption(self, argument: str) -> Adoption:
        """The job that an argument names.

        :param argument: its name.
        """
        from ..provider.submission.adoption import Adoption

        return Adoption(getattr(self, argument), argument, is_literal=argument in self._literal_adoptions)
