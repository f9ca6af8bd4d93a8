"""Which connection reads a storyboard's private media (source: the interface, "Rules for the connection")."""

from __future__ import annotations

from ..errors import InvalidRequestError, Problem
from ..models.storyboard import Storyboard


def with_connection(
    storyboard: Storyboard, default_connection_id: str | None, conn_id: str
) -> tuple[Storyboard, list[str]]:
    """Give a storyboard with private media the Airflow connection's default, where it names none.

    Scenes that name a connection of their own need none.

    :param storyboard: the checked request.
    :param default_connection_id: the connection's extra ``aws_connection_id``.
    :param conn_id: the Airflow connection, for messages.
    :return: the storyboard to send, and warnings to log.
    :raises InvalidRequestError: a scene has an ``s3://`` background and no connection is known.
    """
    private, perhaps_private = storyboard.bucket_scenes()
    if storyboard.aws_connection_id or not (private or perhaps_private):
        return storyboard, []
    if default_connection_id:
        return storyboard.model_copy(update={"aws_connection_id": default_connection_id}), []
    advice = (
        "set awsConnectionId on the storyboard or on the scene, or extra aws_connection_id on the Airflow connection "
        f"{conn_id!r}"
    )
    if private:
        problems = [
            Problem(
                f"scenes[{index}].backgroundUri",
                repr(storyboard.scenes[index].background_uri),
                f"is private media, which needs a connection: {advice}",
            )
            for index in private
        ]
        raise InvalidRequestError(storyboard.subject, problems)
    scenes = ", ".join(f"scenes[{index}]" for index in perhaps_private)
    return storyboard, [f"Background in a bucket: {scenes}. If it is private, {advice}."]
