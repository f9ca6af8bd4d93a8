"""Which addresses the emulator may connect to by itself."""

import pytest

from airflow_video_creation.emulator.outgoing import is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2600::1", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("fe80::1", False),
    ],
)
def test_only_public_hosts(address, public):
    assert is_public(address) is public
