"""Which proxy a request goes through: the connection's alone, or the environment's."""

from __future__ import annotations

import pytest

from airflow_video_creation.hooks.transport.proxies import proxy_for
from airflow_video_creation.provider.connection.profile import ServiceProfile

OURS, THEIRS = "http://ours.example.com:3128", "http://theirs.example.com:3128"


@pytest.mark.parametrize(
    ("proxies", "environment", "proxy"),
    [
        (None, {}, None),
        (None, {"https_proxy": THEIRS}, THEIRS),
        (None, {"http_proxy": THEIRS}, None),
        (None, {"all_proxy": THEIRS}, THEIRS),
        (None, {"https_proxy": THEIRS, "no_proxy": ".example.com"}, None),
        ({"https": OURS}, {"https_proxy": THEIRS}, OURS),
        ({"https": OURS}, {"no_proxy": ".example.com"}, OURS),
        ({"all": OURS}, {}, OURS),
        ({"http": OURS}, {"https_proxy": THEIRS}, None),
    ],
)
def test_the_environment_counts_only_where_the_connection_names_no_proxies(
    monkeypatch: pytest.MonkeyPatch,
    proxies: dict[str, str] | None,
    environment: dict[str, str],
    proxy: str | None,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    profile = ServiceProfile("https://video.example.com", "s", proxies=proxies)

    assert proxy_for("https://video.example.com/x", profile) == proxy
