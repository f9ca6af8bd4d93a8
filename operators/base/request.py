"""The base of the operators whose argument is a request: a model, a dict, a text, a file, another task's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ...hooks.airflow.errors import airflow_errors
from ...hooks.airflow.template import is_template
from ...provider.errors import ConfigurationError
from ...provider.spending.given_name import given_name
from .video_creation import BaseVideoCreationOperator

if TYPE_CHECKING:
    from ...provider.models.request_model import RequestModel


class BaseRequestOperator(BaseVideoCreationOperator):
    """The base of the operators whose argument is a request: a model, a dict, a text, a file, another task's result.

    Subclasses name the argument in ``request_field`` and its class in ``request_model``.
    """

    request_field: ClassVar[str]
    request_model: ClassVar[str]

    @property
    def video_name(self) -> str | None:  # type: ignore[override]  # read from the request as it is rendered
        """The video's name, where the request has one that can be read; for messages."""
        return given_name(getattr(self, self.request_field, None))

    def take_request(self, request: Any) -> Any:
        """A request in a form that Jinja can render, checked at once if it holds no template.

        A model becomes the dict that it can be read from again. Everything else is returned as it is: Airflow
        recognizes another task's result by its identity, and does not render it.

        :param request: as given to the operator.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        if hasattr(request, "to_dict"):
            return self.made_of(request.to_dict(), request)
        if isinstance(request, Mapping) and not is_template(request):
            from ...provider import models

            kind: type[RequestModel] = getattr(models, self.request_model)
            with airflow_errors():
                kind.read(request)
        return request

    def resolve_template_files(self) -> None:
        """Read a request given as the name of a JSON or YAML file, where Airflow looks for template files.

        ``template_ext`` would do this for every text within the request too: a scene whose text ends in ``.json`` would
        be taken for a file.

        :raises ConfigurationError: there is no such file.
        """
        super().resolve_template_files()
        name = getattr(self, self.request_field, None)
        if not isinstance(name, str) or "\n" in name:
            return
        from ...provider.models.request_text import FILE_ENDINGS

        if not name.endswith(FILE_ENDINGS):
            return
        from jinja2 import TemplateNotFound

        environment = self.get_template_env()
        try:
            assert environment.loader is not None
            text = environment.loader.get_source(environment, name)[0]
        except TemplateNotFound:
            with airflow_errors():
                raise ConfigurationError(
                    f"{self.request_field}= of task {self.task_id!r} names the file {name!r}, which was not found "
                    "beside the DAG file or in the DAG's template_searchpath."
                ) from None
        setattr(self, self.request_field, text)
