"""``airflow video-creation``: the same commands on Airflow's own command line."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from airflow_video_creation.__main__ import main
from airflow_video_creation.provider.info import get_provider_info

cli_parser = import_module("airflow.cli.cli_parser")
if "video-creation" not in cli_parser.ALL_COMMANDS_DICT:
    pytest.skip("Airflow reads commands of providers from 3.2 on", allow_module_level=True)

WRONG = "videoName: nightly\nscenes:\n  - textColour: red\n"
RIGHT = "videoName: nightly\nscenes:\n  - text: Hello\n"


def airflow(*arguments: str) -> int:
    """Run a command as Airflow's ``main`` does; its status."""
    parsed = cli_parser.get_parser().parse_args(["video-creation", *arguments])
    try:
        parsed.func(parsed)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.fixture
def python_m(monkeypatch: pytest.MonkeyPatch):
    """Run the same command as ``python -m`` does; its status."""

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["airflow_video_creation", *arguments])
        return main()

    return run


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check", "right.yaml"], 0),
        (["check", "right.yaml", "--kind", "storyboard"], 0),
        (["check", "wrong.yaml"], 1),
        (["check", "not-there.yaml"], 2),
        (["private-media", "role-name", "Acme"], 0),
        (["private-media", "permissions-policy", "one-bucket", "two-bucket"], 0),
        (["private-media", "trust-policy", "123"], 2),
        (["job", "j-1", "--conn", "nowhere"], 1),
    ],
)
def test_it_prints_and_ends_as_python_m_does(
    arguments: list[str], status: int, python_m, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("right.yaml").write_text(RIGHT)
    Path("wrong.yaml").write_text(WRONG)

    assert airflow(*arguments) == status
    by_airflow = capsys.readouterr()
    assert python_m(*arguments) == status
    assert capsys.readouterr() == by_airflow


def test_airflow_finds_the_function_that_provider_info_names() -> None:
    [path] = get_provider_info()["cli"]
    module, _, name = path.rpartition(".")

    [group] = getattr(import_module(module), name)()

    assert (group.name, [command.name for command in group.subcommands]) == (
        "video-creation",
        ["check", "job", "private-media"],
    )


def test_a_wrong_choice_is_refused_by_the_parser() -> None:
    with pytest.raises(SystemExit):
        cli_parser.get_parser().parse_args(["video-creation", "check", "a.yaml", "--kind", "poem"])


def test_naming_the_commands_loads_only_what_names_them() -> None:
    """Every ``airflow`` command pays for it."""
    code = (
        "import sys, airflow.cli.cli_config, airflow_video_creation.provider.info\n"
        "before = set(sys.modules)\n"
        "from airflow_video_creation.commands.airflow_cli import get_airflow_commands\n"
        "get_airflow_commands()\n"
        "print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    ours = {name for name in loaded.split() if name.startswith("airflow_video_creation.")}

    assert {name.split(".")[1] for name in ours} == {"commands"}
