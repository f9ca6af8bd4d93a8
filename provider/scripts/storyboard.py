"""A script -> a storyboard request with a report of its check, or what is made instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypedDict

from ..articles.page import Article
from ..articles.template import StoryboardTemplate
from ..errors import InvalidRequestError, ScriptError
from ..quoting import quotable
from ..speech_rate import seconds_to_say
from ..text.text_file import TextFile
from .check import check_script
from .report import METADATA_KEY, OF_ARTICLE, WHOLE, ScriptReport
from .script import VideoScript

OnUnsupported = Literal["fall_back", "drop", "fail"]
"""What to do with a script that the article does not support."""
_MAX_REASON = 500
_MAX_TOLD = 4000
"""Of a reason in an error: an answer may have a thousand faults."""


class StoryboardAndMetadata(TypedDict):
    """A storyboard request and the metadata of its video, as ``CreateVideosOperator`` takes them."""

    storyboard: dict[str, Any]
    metadata: dict[str, Any]


def storyboard_from_script(
    script: VideoScript | Mapping[str, Any] | str,
    article: Article | Mapping[str, Any],
    template: StoryboardTemplate | Mapping[str, Any] | TextFile | str | None = None,
    *,
    seconds: float | None = None,
    on_unsupported: OnUnsupported = "fall_back",
) -> StoryboardAndMetadata:
    """Compare a script with its article, and make a storyboard of what the article supports (source: ours).

    Nothing is asked and nothing paid here. docs/sources/scripts.md says what is compared, and how well that was
    measured.

    :param script: what ``@task.llm(output_type=VideoScript)`` returned.
    :param article: that it was written for, or its fields as a mapping.
    :param template: how the video looks, as for ``storyboard_from_article``.
    :param seconds: how long the video was to be; None: the template's ``max_seconds``, else any length.
    :param on_unsupported: what to do with a script that the article does not support. ``fall_back``: make the video of
        the article's own text, as ``storyboard_from_article`` does. ``drop``: leave out the scenes that were found at
        fault. ``fail``: raise.
    :return: a dict of ``storyboard`` and ``metadata``, as ``CreateVideosOperator`` takes it; ``metadata["script"]``
        says what was compared and found.
    :raises ScriptError: the script cannot be used, and nothing may take its place.
    :raises ArticleError: the article has no address, title or text.
    :raises ConfigurationError: the extra ``[ai]`` or ``[articles]`` is not installed.
    """
    if not isinstance(article, Article):
        article = Article.from_dict(article)
    template = StoryboardTemplate.read(template or {})
    seconds = seconds or template.max_seconds
    try:
        script = VideoScript.read(script)
    except InvalidRequestError as error:
        return without_script(
            f"The answer of the model is no script: {error}", article, template, seconds, on_unsupported
        )
    report = check_script(script, article, seconds=seconds)
    if report.passed:
        return _made_of(script, report, article, template, "script")
    if on_unsupported == "drop" and (rest := _rest(script, report, article, seconds)):
        return _made_of(rest, report, article, template, "rest of the script")
    found = "\n".join(f"  - {finding}" for finding in report.findings)
    return without_script(
        f"The article does not say what the script says:\n{found}",
        article,
        template,
        seconds,
        on_unsupported,
        report,
    )


def without_script(
    reason: str,
    article: Article,
    template: StoryboardTemplate,
    seconds: float | None,
    on_unsupported: OnUnsupported,
    report: ScriptReport | None = None,
) -> StoryboardAndMetadata:
    """Make the storyboard of the article's own text where that is allowed (source: ours).

    :param reason: why there is no script.
    :param article: with its text.
    :param template: how the video looks.
    :param seconds: how long it may be.
    :param on_unsupported: as of ``storyboard_from_script``.
    :param report: what was found in the script, if there was one.
    :raises ScriptError: it is not ``fall_back``.
    """
    if on_unsupported != "fall_back":
        raise ScriptError(
            f"There is no script for {quotable(article.url)} that can be used. {reason[:_MAX_TOLD]}\n"
            "Nothing was sent, and no "
            "video was paid for. Clear the task that writes the script to have it written again, or let the article's "
            "own text take its place with on_unsupported='fall_back'."
        )
    if seconds and template.max_seconds is None:
        template = template.changed(max_seconds=seconds)
    told = {
        "video_of": OF_ARTICLE,
        "reason": reason[:_MAX_REASON],
        "findings": report.to_dict() if report else [],
    }
    return {"storyboard": template.storyboard_of(article), "metadata": {METADATA_KEY: told}}


def _made_of(
    script: VideoScript, report: ScriptReport, article: Article, template: StoryboardTemplate, video_of: str
) -> StoryboardAndMetadata:
    lines = [" ".join(text.split()) for _, text in script.spoken() if text]
    storyboard = template.storyboard_of(replace(article, text="\n".join(lines)), title=script.title)
    told = {
        "video_of": video_of,
        "findings": report.to_dict(),
        "sources": [{"text": scene.text, "source": scene.source} for scene in script.scenes],
    }
    return {"storyboard": storyboard, "metadata": {METADATA_KEY: told}}


def _rest(
    script: VideoScript, report: ScriptReport, article: Article, seconds: float | None
) -> VideoScript | None:
    """The script without what was found; None where nothing of it may stay."""
    wrong = {finding.place for finding in report.findings}
    if WHOLE in wrong and not _is_too_long_only(report):
        return None
    rest = script.model_copy(
        update={
            "title": article.title if "title" in wrong else script.title,
            "hook": "" if "hook" in wrong else script.hook,
            "closing": "" if "closing" in wrong else script.closing,
            "scenes": tuple(
                scene for number, scene in enumerate(script.scenes) if f"scenes[{number}]" not in wrong
            ),
        }
    )
    while WHOLE in wrong and seconds and _spoken_seconds(rest, article) > seconds and len(rest.scenes) > 1:
        rest = rest.model_copy(update={"scenes": rest.scenes[:-1]})
    return rest if rest.scenes else None


def _is_too_long_only(report: ScriptReport) -> bool:
    return all(finding.kind == "length" for finding in report.findings if finding.place == WHOLE)


def _spoken_seconds(script: VideoScript, article: Article) -> float:
    return sum(seconds_to_say(text, article.language) for _, text in script.spoken())
