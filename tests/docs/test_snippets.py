"""What the pages show, without running it: commands that bash reads, and data that can be read.

Python and commands are run by test_dags_of_pages.py, test_python_of_pages.py and test_commands_of_pages.py.
"""

from __future__ import annotations

import configparser
import json
import subprocess
from typing import Any

import pytest
import yaml

from airflow_video_creation import StoryboardTemplate

from .code_blocks import BLOCKS, block, blocks

SHOWN_AS_TEXT = {"text", "nginx"}
"""Messages and files, which other tests compare where they are ours; and what nginx alone reads."""


def each(language: str) -> list[Any]:
    return [pytest.param(found.text, id=found.name) for found in blocks(language)]


def test_every_language_is_known() -> None:
    assert {found.language for found in BLOCKS} == {"python", "sh", "json", "yaml", "ini", *SHOWN_AS_TEXT}


@pytest.mark.parametrize("text", each("sh"))
def test_the_shell_reads_a_command(text: str) -> None:
    told = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("text", each("yaml"))
def test_yaml_can_be_read(text: str) -> None:
    assert yaml.safe_load(text)


@pytest.mark.parametrize("text", each("json"))
def test_json_can_be_read(text: str) -> None:
    assert json.loads(text)


@pytest.mark.parametrize("text", each("ini"))
def test_an_option_of_airflow_can_be_read(text: str) -> None:
    parser = configparser.ConfigParser()
    parser.read_string(text)
    assert parser.has_option("video_creation", "record_folder")


def test_the_template_of_the_page_is_right() -> None:
    template = StoryboardTemplate.read(block("docs/sources/templates.md", "seconds_per_scene: 12\nmax"))
    assert template.max_scenes == 8
