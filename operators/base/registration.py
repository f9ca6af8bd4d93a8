"""What the operators have in common that register something under a unique name, and leave its id for other DAGs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ...hooks.airflow.errors import airflow_errors
from ...hooks.airflow.failure_xcom import telling_failures
from .request import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...provider.models.request_model import RequestModel
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.task_try import OnAmbiguous


class BaseRegistrationOperator(BaseRequestOperator):
    """The base of the operators whose request registers something that has a unique name.

    The service can be asked neither what is registered nor to forget it. With ``variable=`` the Airflow Variable of
    that name keeps the service's reply as JSON: another DAG reads it with ``{{ var.json.NAME.FIELD }}``, and a task
    that finds it there sends nothing and returns it.

    Subclasses name the ``operation`` for messages and the reply's ``id_field``, and make the request in
    ``paid_request``.

    :param variable: an Airflow Variable that keeps the reply; None for none.
    :param on_ambiguous: what a retry does when an earlier try may have registered it: ``fail`` or ``resubmit``.
    """

    operation: ClassVar[str]
    id_field: ClassVar[str]
    template_fields: Sequence[str] = ("variable", *BaseRequestOperator.template_fields)

    def __init__(
        self, *, variable: str | None = None, on_ambiguous: OnAmbiguous = "fail", **kwargs: Any
    ) -> None:
        # So that `task.output["connectionId"]` is the reply's field, as it reads.
        super().__init__(**{"multiple_outputs": True, **kwargs})
        self.variable = variable
        self.on_ambiguous: OnAmbiguous = on_ambiguous

    def paid_request(self, request: Any) -> PaidRequest[dict[str, Any]]:
        """The checked request as the hook sends it.

        :param request: the model.
        """
        raise NotImplementedError

    @telling_failures
    def execute(self, context: Context) -> dict[str, Any]:
        """Register it, unless the Variable says that it is."""
        from ...provider import models

        kind: type[RequestModel] = getattr(models, self.request_model)
        with airflow_errors():
            request: Any = kind.read(getattr(self, self.request_field))
            if kept := self._kept(request.name):
                return kept
            reply = self._registered(context, request)
            self._keep(reply, request.name)
        return reply

    def _registered(self, context: Context, request: Any) -> dict[str, Any]:
        """The reply to the request, or the one that an earlier try got."""
        from ...provider.submission.decision import Submit
        from ...provider.submission.subject import Subject
        from ...provider.submission.submission_request import SubmissionRequest
        from ..submission.submissions import Submissions

        submissions = Submissions(context, self.log, on_ambiguous=self.on_ambiguous)
        subject = Subject("registration", request.name, {"name": request.name})
        asked = SubmissionRequest(self.operation, request.to_wire(), subject=subject)
        decision = submissions.decide(asked, self.hook)
        if isinstance(decision, Submit):
            paid = self.paid_request(request)
            registration = submissions.send(self.hook, asked, decision.record, paid)
        else:
            registration = decision
        return dict(registration.record.reply or {})

    def _kept(self, name: str) -> dict[str, Any] | None:
        if not self.variable:
            return None
        from airflow.providers.common.compat.sdk import Variable

        from ...provider.submission.registration import kept_registration

        text = Variable.get(self.variable, None)
        kept = kept_registration(text, variable=self.variable, name=name, id_field=self.id_field)
        if kept:
            self.log.info(
                "%r is registered as %s, says the Airflow Variable %r; nothing is sent. To register again, delete it "
                "and choose another name: the service takes a name once",
                name,
                kept[self.id_field],
                self.variable,
            )
        return kept

    def _keep(self, reply: dict[str, Any], name: str) -> None:
        if not self.variable:
            return
        from airflow.providers.common.compat.sdk import Variable

        from ...provider.errors import RegistrationNotKeptError
        from ...provider.submission.registration import example, to_keep

        if reply.get(self.id_field) in (None, ""):
            raise RegistrationNotKeptError(
                f"{name!r} was registered, and the service's reply names no {self.id_field}. Look there for it, and "
                f"set the Airflow Variable {self.variable!r} to {example(name, self.id_field)}."
            )
        text = to_keep(reply, name)
        failed: Exception | None = None
        try:
            Variable.set(self.variable, text, description=f"Kept by {self.dag_id}.{self.task_id}")
            # Airflow 3.1 and 3.2 only log what went wrong when they set a Variable.
            is_kept = Variable.get(self.variable, None) == text
        # Airflow's API may be away, or refuse; either way the id must not be lost.
        except Exception as error:
            is_kept, failed = False, error
        if not is_kept:
            why = type(failed).__name__ if failed else "it does not hold what was set"
            value = example(name, self.id_field, reply[self.id_field])
            raise RegistrationNotKeptError(
                f"{name!r} was registered, and the Airflow Variable {self.variable!r} could not be set ({why}). "
                "A retry sets it, where a record is kept (docs/reliability.md); or set it to "
                f"{value}, and clear this task."
            ) from failed
        self.log.info(
            "%r is registered as %s, kept in the Airflow Variable %r",
            name,
            reply[self.id_field],
            self.variable,
        )
