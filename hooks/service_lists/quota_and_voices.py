"""What the hook asks before anything is paid for, if the connection names the paths: the quota and the voices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...provider.errors import InvalidRequestError
from ..airflow.errors import airflow_errors
from ..service_hook import BaseServiceHook

if TYPE_CHECKING:
    from ...provider.service_lists.voices import Voices
    from .speaker_check import SpeakerCheck

LONGEST_LOOK = 20.0
"""Seconds that reading the voices may hold up a video (ours)."""


class BaseQuotaAndVoicesHook(BaseServiceHook):
    """Reads the quota and the voices, and refuses a speaker that the service does not have."""

    def get_voices(self) -> list[dict[str, Any]]:
        """List the service's voices, where extra ``paths.voices`` names their path (source: ours).

        Reads the first page only, and says in the log if there are others.

        :return: the entries as the service lists them.
        :raises ConfigurationError: the connection names no such path, or cannot be used.
        :raises ServiceError: any other error of the request.
        """
        from ...provider.service_lists.listing import read_list
        from ...provider.service_lists.voices import list_voices

        with airflow_errors():
            listed = self._client.make(list_voices(self.profile), partial(read_list, plural="voices"))
        if not listed.is_whole:
            self.log.warning(
                "The service has more voices than these %d, since only one page is read.", len(listed.entries)
            )
        return [dict(entry) for entry in listed.entries]

    def get_quota(self) -> float:
        """Read how many minutes of video are left, where extra ``paths.quota`` names the path (source: ours).

        :return: the minutes; 0 or less where nothing is left.
        :raises ConfigurationError: the connection names no such path, or cannot be used; or the reply holds no minutes.
        :raises ServiceError: any other error of the request.
        """
        from ...provider.service_lists import quota

        with airflow_errors():
            read = partial(quota.read_quota, path=self.profile.reply_fields.get("quota_minutes"))
            minutes, field = self._client.make(quota.get_quota(self.profile), read)
        self.log.info("The service says that %s minutes are left (field %s)", f"{minutes:,.1f}", field)
        return minutes

    def check_speaker(self, storyboard: Mapping[str, Any]) -> None:
        """Refuse a storyboard whose speaker the service does not list, if extra ``paths.voices`` names the list. A list
        that cannot be read, or is not complete, refuses nothing, and the log says so (source: ours).

        :param storyboard: as it is sent.
        :raises InvalidRequestError: names the nearest voices; nothing was sent.
        """
        from ...provider.service_lists.voices import speaker_of

        speaker = speaker_of(storyboard) if "voices" in self.profile.paths else None
        if speaker is None:
            return
        with airflow_errors():
            if problem := self._speakers.problem(speaker):
                raise InvalidRequestError("storyboard", [problem])

    @cached_property
    def _speakers(self) -> SpeakerCheck:
        from .kept_voices import KeptVoices
        from .speaker_check import SpeakerCheck

        profile = self.profile
        subject = (
            *(profile.base_url, profile.client_id, self.user_id or profile.user_id),
            *(profile.paths["voices"], profile.reply_fields.get("voice")),
        )
        return SpeakerCheck(KeptVoices(subject, self._clock), self._ask_voices, self.log)

    def _ask_voices(self) -> Voices:
        from ...provider.service_lists.listing import read_list
        from ...provider.service_lists.voices import Voices, list_voices

        listed = self._client.make(
            list_voices(self.profile),
            partial(read_list, plural="voices"),
            repeat_on=(),
            until=self._clock() + LONGEST_LOOK,
        )
        return Voices.of(listed, self.profile.reply_fields.get("voice"))
