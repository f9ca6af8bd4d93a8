"""The operator that has a language model write the script of a video, and compares it with the article."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..hooks.airflow.template import is_template
from ..provider.errors import ScriptError, ScriptModelError
from ..provider.rendered_text import is_none
from .base.fixed_words import FixedWordsMixin
from .base.strict_argument import number_above_zero

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.articles.template import StoryboardTemplate
    from ..provider.scripts.storyboard import StoryboardAndMetadata
    from ..provider.text.text_file import TextFile

OnUnsupported = Literal["fall_back", "drop", "fail"]


class WriteScriptOperator(FixedWordsMixin, MappedDataMixin):
    """Has a language model write a script for an article, compares it with the article, and returns a storyboard.

    It needs the extra ``[ai]``: the model is any that ``apache-airflow-providers-common-ai`` speaks to. What the
    article does not say goes back to the model once, with the reasons. What is still wrong then is not made:
    ``on_unsupported`` says what is made instead. Nothing is sent to the video service (source: ours;
    docs/sources/scripts.md).

    :param article: what ``FetchArticlesOperator`` returned for one article. Its text is never rendered. Templated.
    :param llm_conn_id: the connection of the model. Templated.
    :param model_id: a model in place of the connection's. Templated.
    :param template: how the video looks, as for ``storyboard_from_article``; or a list of templates, whose rules
        replace those of the templates before it.
    :param seconds: how long the video is to be; None: the template's ``max_seconds``, else 60. Templated.
    :param on_unsupported: what to do with a script that the article does not support, and with an answer that is no
        script. ``fall_back``: make the video of the article's own text, as ``storyboard_from_article`` does. ``drop``:
        leave out the scenes that were found at fault. ``fail``: fail the task.
    :param instructions: a text or a path of your own instructions in place of those that ship.
    :param model_settings: of pydantic-ai, such as ``{"temperature": 0.2}``.
    :return: a dict of ``storyboard`` and ``metadata``, as ``CreateVideosOperator`` and ``PlanVideosOperator`` take it;
        ``metadata["script"]`` says what was compared and found.
    :raises ScriptError: the script cannot be used, and nothing may take its place.
    :raises ScriptModelError: the model could not be asked.
    :raises ArticleError: the article has no address, title or text.
    :raises ConfigurationError: an argument, the connection of the model or the installation is wrong.
    """

    template_fields: Sequence[str] = ("article", "llm_conn_id", "model_id", "seconds")
    template_fields_renderers = {"article": "json"}  # noqa: RUF012 - Airflow declares it this way
    ui_color = "#f6ead8"
    fixed_words = {"on_unsupported": OnUnsupported}  # noqa: RUF012 - as Airflow declares such

    def __init__(
        self,
        *,
        article: XComArg | Mapping[str, Any],
        llm_conn_id: str,
        model_id: str | None = None,
        template: StoryboardTemplate
        | Mapping[str, Any]
        | TextFile
        | str
        | Sequence[Mapping[str, Any] | TextFile | str]
        | None = None,
        seconds: float | str | None = None,
        on_unsupported: OnUnsupported = "fall_back",
        instructions: str | TextFile | None = None,
        model_settings: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.article: Any = article
        self.llm_conn_id = llm_conn_id
        self.model_id = model_id
        self.template = template
        self.seconds = seconds
        self.on_unsupported = on_unsupported
        self.instructions = instructions
        self.model_settings = model_settings
        with airflow_errors():
            self.require_fixed_words()
            if not is_template(seconds):
                self._seconds()

    @telling_failures
    def execute(self, context: Context) -> StoryboardAndMetadata:
        """Have it written, compare it, and make the storyboard."""
        from ..hooks.article_text import article_with_text
        from ..hooks.script_model import written_script
        from ..provider.articles.page import Article
        from ..provider.articles.template import StoryboardTemplate
        from ..provider.scripts.instructions import DEFAULT_SECONDS
        from ..provider.scripts.storyboard import storyboard_from_script, without_script

        with airflow_errors():
            template = StoryboardTemplate.read(self.template or {})
            seconds = self._seconds() or template.max_seconds or DEFAULT_SECONDS
            article = Article.from_dict(article_with_text(self.article))
            try:
                script = written_script(
                    article,
                    llm_conn_id=self.llm_conn_id,
                    seconds=seconds,
                    model_id=self.model_id,
                    instructions=self.instructions,
                    model_settings=self.model_settings,
                )
            except ScriptModelError:
                raise
            except ScriptError as error:
                made = without_script(str(error), article, template, seconds, self.on_unsupported)
            else:
                made = storyboard_from_script(
                    script, article, template, seconds=seconds, on_unsupported=self.on_unsupported
                )
            told = made["metadata"]["script"]
            self.log.info("The video is made of the %s. %s", told["video_of"], told.get("reason", ""))
        return made

    def _seconds(self) -> float | None:
        return None if is_none(self.seconds) else number_above_zero(self.task_id, "seconds", self.seconds)
