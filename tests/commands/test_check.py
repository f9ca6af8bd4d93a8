"""``check FILE``: the same messages as a task would give, and nothing is sent."""

import sys

import pytest

from airflow_video_creation.__main__ import main

GOOD = "videoName: nightly\nvideoWidth: 1920\nscenes:\n  - text: Hello\n"
VOICE = """
name: n
service: aws
engine: neural
language: en-US
voiceId: v
accent: a
age: Adult
gender: Male
"""
CONNECTION = "name: n\nawsAccountId: '012345678901'\nawsRegion: us-east-2\nenabled: true\n"


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["airflow_video_creation", *map(str, arguments)])
        status = main()
        return status, capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("name", "text", "kind", "said"),
    [
        ("a.yaml", GOOD, "storyboard", "a valid storyboard with 1 scene"),
        ("a.json", '{"videoName": "v", "scenes": [{"text": "a"}, {"text": "b"}]}', "storyboard", "2 scenes"),
        ("voice.yaml", VOICE, "voiceover", "a valid voiceover track"),
        ("style.yaml", "max_scenes: 5", "template", "a valid storyboard template"),
        (
            "aws.yaml",
            CONNECTION,
            "aws-connection",
            "a valid AWS connection",
        ),
    ],
)
def test_a_right_file(command, tmp_path, name, text, kind, said):
    path = tmp_path / name
    path.write_text(text)
    status, output = command("check", path, "--kind", kind)
    assert status == 0
    assert said in output.out


def test_a_wrong_file_names_every_problem(command, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(GOOD.replace("text: Hello", "{text: Hello, textColour: red}").replace("1920", "wide"))
    status, output = command("check", path)
    assert status == 1
    assert "scenes[0].textColour" in output.err
    assert "did you mean 'textColor'?" in output.err
    assert "videoWidth" in output.err


@pytest.mark.parametrize(
    ("text", "kind"),
    [(VOICE, "voiceover"), (CONNECTION, "aws-connection"), ("intro: Hi\nmax_scenes: 5\n", "template")],
)
def test_a_file_of_another_kind_says_which(command, tmp_path, text, kind):
    path = tmp_path / "other.yaml"
    path.write_text(text)
    status, output = command("check", path)
    assert status == 1
    assert f"if that is what it is, add --kind {kind}." in output.err


@pytest.mark.parametrize("options", [[], ["--kind", "storyboard"]], ids=["guessed", "given"])
def test_a_wrong_storyboard_says_nothing_of_kinds(command, tmp_path, options):
    path = tmp_path / "wrong.yaml"
    path.write_text(GOOD.replace("1920", "wide"))
    status, output = command("check", path, *options)
    assert status == 1
    assert "videoWidth" in output.err
    assert "--kind" not in output.err


@pytest.mark.parametrize("text", ["", "just words", "- a\n- b\n", "a: [", "{'a':"])
def test_a_file_that_is_no_request(command, tmp_path, text):
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    status, output = command("check", path)
    assert status == 1
    assert "storyboard" in output.err


def test_a_file_that_is_not_there(command, tmp_path):
    status, output = command("check", tmp_path / "gone.yaml")
    assert status == 2
    assert "cannot be read: No such file" in output.err


def test_what_a_task_would_warn_of_is_printed(command, tmp_path):
    path = tmp_path / "warned.yaml"
    path.write_text(GOOD + "language: ''\naudio: {aiVoiceOver: {speed: 300}}\n")
    status, output = command("check", path)
    assert status == 0
    assert "a valid storyboard" in output.out
    assert (
        "warning: The storyboard has empty texts in optional fields, which are not sent: language"
        in output.err
    )
    assert "warning: audio.aiVoiceOver.speed is 300" in output.err


def test_a_known_field_in_extra_fields_is_wrong_without_the_flag(command, tmp_path):
    path = tmp_path / "extra.yaml"
    path.write_text(GOOD + "extra_fields: {language: [en]}\n")
    status, output = command("check", path)
    assert status == 1
    assert "add override_known_fields: true" in output.err
    path.write_text(GOOD + "extra_fields: {language: [en], override_known_fields: true}\n")
    assert command("check", path)[0] == 0


PIPELINE = """
feed_url: https://www.example.com/feed.xml
schedule: 0 3 * * *
timezone: Europe/Berlin
template: style.yaml
delivery: {destination: videos/}
"""


def test_a_pipeline_is_told_from_a_storyboard_by_its_keys(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE)
    (tmp_path / "style.yaml").write_text("max_scenes: 5\n")
    status, output = command("check", path)
    assert status == 0
    assert "a valid pipeline: DAG news, from feed_url, runs at 0 3 * * * (Europe/Berlin)" in output.out


def test_a_wrong_pipeline_names_every_problem(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE.replace("feed_url", "feed_ulr").replace("0 3 * * *", "nightly"))
    status, output = command("check", path)
    assert status == 1
    assert "feed_ulr: is not a key here; did you mean 'feed_url'?" in output.err
    assert "schedule: must be a cron expression" in output.err
    assert "template: is no file that can be read" in output.err


def test_a_pipeline_that_no_clock_starts(command, tmp_path):
    path = tmp_path / "texts.yaml"
    path.write_text("files: texts/\ndelivery: {destination: /videos/}\n")
    assert "DAG texts, from files, runs only when triggered" in command("check", path)[1].out


def test_a_pipeline_that_its_feed_starts(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE.replace("template: style.yaml\n", "watch: true\n"))
    said = command("check", path)[1].out
    assert "runs when the feed publishes something and at 0 3 * * * (Europe/Berlin)" in said


def test_a_secret_that_everybody_would_see_is_warned_of(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE.replace("feed.xml", "feed.xml?token=hush").replace("template: style.yaml\n", ""))
    status, output = command("check", path)
    assert status == 0
    assert "warning: feed_url seems to hold a secret" in output.err
    assert "hush" not in output.err


def test_a_pipeline_whose_dag_needs_a_provider_that_is_not_installed(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE.replace("template: style.yaml\n", "tell: {slack_webhook_conn_id: slack}\n"))
    status, output = command("check", path)
    assert status == 0
    assert "its DAG cannot be imported here until what it needs is installed" in output.out
    assert "pip install -c airflow.txt apache-airflow-providers-slack" in output.err


def test_a_pipeline_that_is_no_yaml_is_still_called_a_pipeline(command, tmp_path):
    path = tmp_path / "news.yaml"
    path.write_text(PIPELINE.replace("0 3 * * *", "* 3 * * *"))
    said = command("check", path)[1].err
    assert "The pipeline" in said
    assert "line 3, column 12" in said
    assert "needs quotes" in said
