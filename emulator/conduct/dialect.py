"""Reply dialects: every form that a service of this kind may give its replies.

Source: ours.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ABSURD_LIFETIME = -1

HTML_ERROR = "<html><head><title>{status}</title></head><body><h1>{status}</h1><hr>proxy</body></html>"


class Dialect(BaseModel):
    """How this service words its replies; the defaults are the simplest forms.

    :param success_status: of an accepted submission, connection or track; with 204 there is no body
    :param job_id: where a job's id is
    :param envelope: whether a job's fields are in `data`
    :param state_words: our word for a state -> the service's word
    :param storyboard_status: whether a finished storyboard says that it is finished
    :param failure: how a failed job is told: by its status, by `success: false` with the error in `data`, or with
        the error in `error`
    :param error_code: whether error codes are words or numbers
    :param unknown_job: status of the reply to a poll for a job which is not known
    :param preview: name of the preview's field
    :param render_settings: name of the settings' field
    :param video: name of the video's field
    :param share: name of the share page's field
    :param progress: name of the progress field, or none
    :param errors: how error bodies are written
    :param expires_in: what a token reply says of the token's lifetime
    :param token_prefix: the word before the token in `Authorization`, such as `Bearer`
    :param user_id_header: name of the header with the user id; None: there are no users, and no header is looked at
    :param decodes_text: whether the entities of a text without SSML are decoded; otherwise `AT&amp;T` is seen as such
    :param list_envelope: where the items of a list stand: in `data`, in `items`, in a field named after them such as
        `voices`, or nowhere: the list is the whole reply, and does not say whether there are more pages
    :param list_fields: name of a field in lists and in the quota -> the service's own name; a dot in it leads into an
        object
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    success_status: Literal[200, 201, 202, 204] = 200
    job_id: Literal["job_id", "jobId", "data.job_id", "data.jobId"] = "job_id"
    envelope: bool = True
    state_words: dict[Literal["in-progress", "completed", "failed", "cleaned"], str] = Field(
        default_factory=dict
    )
    storyboard_status: bool = True
    failure: Literal["status", "data", "error"] = "status"
    error_code: Literal["word", "number"] = "word"
    unknown_job: Literal[200, 404] = 404
    preview: Literal["preview", "previewUrl", "preview_url"] = "preview"
    render_settings: Literal["render_settings", "renderParams", "renderSettings"] = "render_settings"
    video: Literal["videoURL", "video_url", "videoUrl", "url"] = "videoURL"
    share: Literal["shareVideoURL", "videoShareURL"] = "shareVideoURL"
    progress: Literal["renderProgress", "progress", "none"] = "renderProgress"
    errors: Literal["fields", "message", "error", "html", "empty"] = "fields"
    expires_in: Literal["seconds", "absent", "absurd"] = "seconds"
    token_prefix: Annotated[str, Field(pattern=r"^[A-Za-z]*$")] = ""
    user_id_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]+$")] | None = "X-Service-User-Id"
    decodes_text: bool = True
    list_envelope: Literal["data", "items", "plural", "bare"] = "data"
    list_fields: dict[str, str] = Field(default_factory=dict)

    def submission(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Word the reply to a submission.

        :param reply: in the first form: `job_id`, `success`
        """
        return self._with_job_id(reply["job_id"], {"success": reply["success"]})

    def job(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Word a job.

        :param reply: in the first form: `job_id`, `success`, `data`
        """
        data = dict(reply["data"])
        status = data.pop("status")
        named = {self._field(name): value for name, value in data.items() if self._field(name) != "none"}
        if status == "failed" and self.error_code == "number":
            named["error_code"] = 500
        if status == "failed" and self.failure == "error":
            return self._with_job_id(reply["job_id"], {"success": False, "error": named})
        says_status = self.failure == "status" if status == "failed" else True
        if "render_settings" in data:
            says_status = self.storyboard_status
        if says_status:
            named = {"status": self.state_words.get(status, status), **named}
        body = {"success": reply["success"], "data": named} if self.envelope else named
        return self._with_job_id(reply["job_id"], body)

    def listed(self, plural: str, items: list[dict[str, Any]], more: dict[str, Any] | None = None) -> Any:
        """Word a list.

        :param plural: what is listed, such as `voices`
        :param items: with our names of fields
        :param more: other fields beside the list
        """
        named = [self._with_own_fields(item) for item in items]
        if self.list_envelope == "bare":
            return named
        return {plural if self.list_envelope == "plural" else self.list_envelope: named, **(more or {})}

    def quota(self, quota: dict[str, Any]) -> dict[str, Any]:
        """Word the quota.

        :param quota: with our names of fields
        """
        named = self._with_own_fields(quota)
        return named if self.list_envelope == "bare" else {"data": named}

    def _with_own_fields(self, item: dict[str, Any]) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for name, value in item.items():
            *outer, last = self.list_fields.get(name, name).split(".")
            place = named
            for field in outer:
                place = place.setdefault(field, {})
            place[last] = value
        return named

    def error(self, status: int, body: dict[str, Any]) -> dict[str, Any] | str | None:
        """Word an error: an object, a page as text, or nothing. One told in a 200 says so in `error`.

        :param status: HTTP status
        :param body: in the form `code`, `message`, `fields`
        """
        form = self.errors if status >= 400 else "error"
        if form == "message":
            return {"message": body["message"]}
        if form == "error":
            code = status if self.error_code == "number" else body["code"]
            return {"success": False, "error": {"error_code": code, "error_message": body["message"]}}
        if form == "html":
            return HTML_ERROR.format(status=status)
        return None if form == "empty" else body

    def token(self, token: str, lifetime: float) -> dict[str, Any]:
        """Word the reply of the token endpoint.

        :param token: the new token
        :param lifetime: how long it is valid, in seconds
        """
        reply: dict[str, Any] = {"access_token": token}
        if self.expires_in != "absent":
            reply["expires_in"] = int(lifetime) if self.expires_in == "seconds" else ABSURD_LIFETIME
        return reply

    def bare_token(self, authorization: str) -> str:
        """Take the prefix off an `Authorization` header; a header without it yields nothing.

        :param authorization: the header's value
        """
        if not self.token_prefix:
            return authorization
        prefix, _, token = authorization.partition(" ")
        return token if prefix == self.token_prefix else ""

    def _with_job_id(self, job_id: str, body: dict[str, Any]) -> dict[str, Any]:
        place, _, inner = self.job_id.partition(".")
        if not inner:
            return {place: job_id, **body}
        return {**body, "data": {inner: job_id, **body.get("data", {})}}

    def _field(self, name: str) -> str:
        renamed = {
            "preview": self.preview,
            "render_settings": self.render_settings,
            "videoURL": self.video,
            "shareVideoURL": self.share,
            "renderProgress": self.progress,
        }
        return renamed.get(name, name)
