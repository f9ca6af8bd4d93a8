"""The base of the decorated operators, whose function returns what they send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import DecoratedOperator, context_merge, determine_kwargs

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context


class BaseCalledFunctionOperator(DecoratedOperator):
    """The base of the operators behind ``@task.storyboard`` and ``@task.storyboards``."""

    def called(self, context: Context) -> Any:
        """What the author's function returns, called with its rendered arguments.

        :param context: the task's context.
        """
        context_merge(context, self.op_kwargs)
        arguments = determine_kwargs(self.python_callable, self.op_args, context)
        return self.python_callable(*self.op_args, **arguments)
