"""Asks a language model for a script, and once more where the article does not support what it says."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..provider.articles.page import Article
from ..provider.errors import ConfigurationError, ScriptError, ScriptModelError
from ..provider.extras import ai_extra
from ..provider.quoting import quotable
from ..provider.scripts.check import check_script
from ..provider.scripts.instructions import INSTRUCTIONS, script_instructions, script_prompt
from ..provider.scripts.script import VideoScript
from ..provider.text.text_file import TextFile, text_of

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.agent import AgentRunResult

log = logging.getLogger(__name__)

_NOTHING_PAID = "Nothing was sent to the video service, and no video was paid for."
_BUSY = (408, 409, 425, 429)
_SERVER_ERROR = 500
_IS_NO_JSON = "JSON"
"""What pydantic-ai's errors name where an answer cannot be read, whatever the client."""


def written_script(
    article: Article,
    *,
    llm_conn_id: str,
    seconds: float,
    model_id: str | None = None,
    instructions: str | TextFile | None = None,
    model_settings: Mapping[str, Any] | None = None,
) -> VideoScript:
    """Have a model write a script, and once more with what was found wrong; the better one comes back (source: ours).

    :param article: with its text.
    :param llm_conn_id: the connection of the model.
    :param seconds: how long the script is to be.
    :param model_id: a model in place of the connection's.
    :param instructions: a text or a path, in place of those that ship.
    :param model_settings: of pydantic-ai.
    :raises ScriptError: the model answered with no script.
    :raises ScriptModelError: the model could not be asked.
    :raises ConfigurationError: the connection, the instructions or the installation is wrong.
    """
    if instructions is not None and not isinstance(instructions, str):
        instructions = text_of(instructions, "instructions for scripts", "instructions.txt")
    told = script_instructions(seconds, language=article.language, instructions=instructions or INSTRUCTIONS)
    agent = _agent(llm_conn_id, model_id, told, model_settings)
    first = _answer(agent, llm_conn_id, script_prompt(article))
    found = check_script(first.output, article, seconds=seconds)
    if found.passed:
        return first.output
    log.info("The script goes back to the model:\n%s", "\n".join(map(str, found.findings)))
    try:
        second = _answer(agent, llm_conn_id, found.for_model(), first.all_messages())
    except ScriptError as error:
        log.warning("The model did not write it again, so the first script is kept: %s", error)
        return first.output
    found_again = check_script(second.output, article, seconds=seconds)
    log.info("Written again: %s", "\n".join(map(str, found_again.findings)) or "nothing was found")
    return second.output if len(found_again.findings) <= len(found.findings) else first.output


def _agent(
    llm_conn_id: str, model_id: str | None, instructions: str, model_settings: Mapping[str, Any] | None
) -> Agent[object, VideoScript]:
    with ai_extra():
        from airflow.providers.common.ai.hooks.pydantic_ai import PydanticAIHook
        from pydantic_ai.exceptions import UserError
    hook = PydanticAIHook.get_hook(llm_conn_id, hook_params={"model_id": model_id})
    try:
        # An answer that is no script goes back once, too.
        agent: Agent[object, VideoScript] = hook.create_agent(
            output_type=VideoScript,
            instructions=instructions,
            model_settings=dict(model_settings) if model_settings else None,
            retries={"output": 1},
        )
        return agent
    # A key, a model or the package of its maker is missing: each library says it by an error of its own.
    except (UserError, ValueError, TypeError, ImportError) as error:
        raise ConfigurationError(
            f"The model of connection {llm_conn_id!r} cannot be used ({quotable(str(error))}): correct the connection, "
            f"or install what it names. {_NOTHING_PAID}"
        ) from error


def _answer(
    agent: Agent[object, VideoScript], llm_conn_id: str, prompt: str, history: Any = None
) -> AgentRunResult[VideoScript]:
    from pydantic_ai.exceptions import AgentRunError, UnexpectedModelBehavior, UserError

    try:
        return agent.run_sync(prompt, message_history=history)
    except UnexpectedModelBehavior as error:
        raise ScriptError(
            f"The model of connection {llm_conn_id!r} answered with no script ({quotable(_reason(error))})."
        ) from error
    # A time limit, a broken connection and several models that all failed have errors of their own.
    except (AgentRunError, UserError, OSError, ExceptionGroup) as error:
        status = getattr(error, "status_code", None)
        if isinstance(error, UserError) or (status and status < _SERVER_ERROR and status not in _BUSY):
            raise ConfigurationError(
                f"The model of connection {llm_conn_id!r} refuses the request ({quotable(str(error))}): check the key "
                f"and the model of the connection. {_NOTHING_PAID}"
            ) from error
        if status is None and _IS_NO_JSON in str(error):
            raise ScriptModelError(
                f"The model of connection {llm_conn_id!r} answered with something that is no JSON "
                f"({quotable(str(error))}): check the host of the connection, which may have sent a login page. "
                f"{_NOTHING_PAID}"
            ) from error
        raise ScriptModelError(
            f"The model of connection {llm_conn_id!r} did not answer ({quotable(str(error))}): a retry asks it again. "
            f"{_NOTHING_PAID}"
        ) from error


def _reason(error: Exception) -> str:
    """What pydantic-ai says, and what pydantic found in the answer: that alone tells what to change."""
    from pydantic import ValidationError

    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return f"{error}: {cause}" if cause else str(error)
    found = (
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in cause.errors(include_input=False)
    )
    return f"{'; '.join(found)}; {error}"
