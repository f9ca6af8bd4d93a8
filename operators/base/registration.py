"""The base of the operators that register something under a unique name, and keep its id for other DAGs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ...hooks.airflow.errors import airflow_errors
from ...hooks.airflow.failure_xcom import telling_failures
from ...provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    RegistrationNotKeptError,
    RequestRefusedError,
    ServiceError,
    ServiceFailureError,
)
from ...provider.quoting import sentence
from .request import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...provider.models.request_model import RequestModel
    from ...provider.registrations.kind import RegistrationKind
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.task_try import OnAmbiguous

IfExists = Literal["fail", "return"]
CONFLICT = 409


class BaseRegistrationOperator(BaseRequestOperator):
    """The base of the operators that register something under a unique name.

    The interface shows no way to ask the service what is registered. With ``variable=`` the Airflow Variable of that
    name keeps the service's reply as JSON: another DAG reads it with ``{{ var.json.NAME.FIELD }}``, and a task that
    finds it there sends nothing and returns it. Where the service has a list, and the connection names its path,
    ``if_exists="return"`` looks there first, and again after an answer that leaves a doubt. What is not in the list can
    be sent again: the service accepts a name once, so nothing is registered twice.

    Subclasses name the ``operation`` for messages and the ``kind``, and make the request in ``paid_request``.

    :param variable: an Airflow Variable that keeps the reply; None for none.
    :param if_exists: when the service has one of that name already: ``fail`` with the service's own message, or
        ``return`` that one.
    :param on_ambiguous: what a retry does when an earlier try may have registered it: ``fail`` or ``resubmit``. With
        ``if_exists="return"`` it looks in the list, and registers what is not there.
    :raises ConfigurationError: ``if_exists`` is another word.
    """

    operation: ClassVar[str]
    kind: ClassVar[RegistrationKind]
    template_fields: Sequence[str] = ("variable", *BaseRequestOperator.template_fields)

    def __init__(
        self,
        *,
        variable: str | None = None,
        if_exists: IfExists = "fail",
        on_ambiguous: OnAmbiguous = "fail",
        **kwargs: Any,
    ) -> None:
        # So that `task.output["connectionId"]` is the reply's field.
        super().__init__(**{"multiple_outputs": True, **kwargs})
        if if_exists not in ("fail", "return"):
            with airflow_errors():
                raise ConfigurationError(f"if_exists must be 'fail' or 'return', not {if_exists!r}.")
        self.variable = variable
        self.if_exists: IfExists = if_exists
        self.on_ambiguous: OnAmbiguous = on_ambiguous

    @property
    def id_field(self) -> str:
        """The reply's field that identifies what was registered."""
        return self.kind.id_field

    def paid_request(self, request: Any) -> PaidRequest[dict[str, Any]]:
        """The checked request as the hook sends it.

        :param request: the model.
        """
        raise NotImplementedError

    @telling_failures
    def execute(self, context: Context) -> dict[str, Any]:
        """Register it, unless the Variable says that it is registered."""
        from ...provider import models

        model: type[RequestModel] = getattr(models, self.request_model)
        with airflow_errors():
            given = getattr(self, self.request_field)
            self.require_rendered(given, model.subject)
            request: Any = model.read(given)
            if kept := self._kept(request.name):
                return kept
            reply = self._registered(context, request)
            self._keep(reply, request.name)
        return reply

    def _registered(self, context: Context, request: Any) -> dict[str, Any]:
        """The reply to the request, or the one that an earlier try got, or what is there already."""
        from ...provider.submission.decision import Submit
        from ...provider.submission.subject import Subject
        from ...provider.submission.submission_request import SubmissionRequest
        from ..submission.submissions import Submissions

        looks = self.if_exists == "return"
        submissions = Submissions(context, self.log, on_ambiguous="resubmit" if looks else self.on_ambiguous)
        subject = Subject("registration", request.name, {"name": request.name})
        asked = SubmissionRequest(self.operation, request.to_wire(), subject=subject)
        if looks and not submissions.has_job(asked) and (there := self._there(request)):
            return there
        decision = submissions.decide(asked, self.hook)
        if not isinstance(decision, Submit):
            return dict(decision.record.reply or {})
        try:
            registration = submissions.send(self.hook, asked, decision.record, self.paid_request(request))
        except (AmbiguousSubmissionError, RequestRefusedError) as error:
            if looks and (there := self._there(request)):
                return there
            if looks and (isinstance(error, AmbiguousSubmissionError) or error.status == CONFLICT):
                raise self._not_there_yet(request.name, error) from error
            raise
        return dict(registration.record.reply or {})

    def _there(self, request: Any) -> dict[str, Any] | None:
        """What the service lists under the request's name.

        :raises ConfigurationError: that differs from the request; or the connection names no list, or the service does
            not list all.
        """
        there = self.hook.find_registered(self.kind, request.to_wire())
        if there:
            self.log.info(
                "According to the service's list, the %s %r is already registered as %s. It is returned, and not "
                "registered again",
                *(self.kind.noun, request.name, there[self.id_field]),
            )
        return there

    def _not_there_yet(self, name: str, error: ServiceError) -> ServiceFailureError:
        """The error after which a retry checks the list again, since a list may lag behind."""
        answered = "no answer came" if error.status is None else f"the service answered {error.status}"
        return ServiceFailureError(
            f"{sentence(self.operation)} {name!r}: {answered}, so it may be registered, but the list does not name it "
            "(yet). A retry checks the list again, and registers it if it is still not there: the service accepts a "
            "name once, so it cannot be registered twice.",
            operation=self.operation,
            status=error.status,
            code=error.code,
            service_message=error.service_message,
            request_id=error.request_id,
        )

    def _kept(self, name: str) -> dict[str, Any] | None:
        if not self.variable:
            return None
        from airflow.providers.common.compat.sdk import Variable

        from ...provider.submission.registration import kept_registration

        text = Variable.get(self.variable, None)
        kept = kept_registration(text, variable=self.variable, name=name, id_field=self.id_field)
        if kept:
            self.log.info(
                "%r is already registered as %s, according to the Airflow Variable %r. Nothing is sent. To "
                "register again, delete the Variable and choose another name: the service accepts a name once",
                name,
                kept[self.id_field],
                self.variable,
            )
        return kept

    def _keep(self, reply: dict[str, Any], name: str) -> None:
        if not self.variable:
            return
        from airflow.providers.common.compat.sdk import Variable

        from ...provider.submission.registration import example, to_keep

        if reply.get(self.id_field) in (None, ""):
            raise RegistrationNotKeptError(
                f"{name!r} was registered, but the service's reply names no {self.id_field}. Look it up at the "
                f"service, and set the Airflow Variable {self.variable!r} to {example(name, self.id_field)}."
            )
        text = to_keep(reply, name)
        failed: Exception | None = None
        try:
            Variable.set(self.variable, text, description=f"Kept by {self.dag_id}.{self.task_id}")
            # Airflow 3.1 and 3.2 only log what went wrong when they set a Variable.
            is_kept = Variable.get(self.variable, None) == text
        # Airflow's API may be down, or refuse; either way the id must not be lost.
        except Exception as error:
            is_kept, failed = False, error
        if not is_kept:
            why = type(failed).__name__ if failed else "it does not hold what was set"
            value = example(name, self.id_field, reply[self.id_field])
            raise RegistrationNotKeptError(
                f"{name!r} was registered, but the Airflow Variable {self.variable!r} could not be set ({why}). "
                "A retry sets it if a record is kept (docs/operate/record-folder.md). Otherwise set it to "
                f"{value}, and clear this task."
            ) from failed
        self.log.info(
            "%r is registered as %s, kept in the Airflow Variable %r",
            name,
            reply[self.id_field],
            self.variable,
        )
