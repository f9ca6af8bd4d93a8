import sys

import pytest

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.emulator.__main__ import main
from airflow_video_creation.emulator.extra import MissingExtraError

INSTALL = "pip install 'airflow-provider-video-creation[emulator]'"


@pytest.fixture
def without_av(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)


@pytest.mark.usefixtures("without_av")
def test_an_emulator_without_its_packages_says_the_install_line() -> None:
    with pytest.raises(MissingExtraError, match="needs av") as raised:
        Emulator()
    assert INSTALL in str(raised.value)


@pytest.mark.usefixtures("without_av")
def test_the_command_line_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert INSTALL in capsys.readouterr().err
