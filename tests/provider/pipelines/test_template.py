"""The rules of a pipeline's scenes: those of its template, those that stand in its settings, and their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.pipelines.template import check_pipeline, template_of

RIGHT = "feed_url: https://www.example.com/feed.xml\ndelivery: {destination: /videos/}\n"


def refused(text: str, file: Path) -> list[str]:
    with pytest.raises(InvalidRequestError) as raised:
        check_pipeline(text, file, Path)
    return [str(problem) for problem in raised.value.problems]


def test_a_rule_in_the_settings_takes_the_place_of_the_templates(tmp_path: Path) -> None:
    (tmp_path / "style.yaml").write_text("max_scenes: 5\nseconds_per_scene: 12\n")

    settings = check_pipeline(
        RIGHT + "template: style.yaml\nrules: {max_scenes: 3}", tmp_path / "a.yaml", Path
    )

    template = template_of(settings, Path)
    assert (template.max_scenes, template.seconds_per_scene) == (3, 12)


def test_without_a_template_the_rules_are_all_there_is(tmp_path: Path) -> None:
    settings = check_pipeline(RIGHT + "rules: {voices: {en: {speaker: Joan}}}", tmp_path / "a.yaml", Path)

    assert template_of(settings, Path).voices["en"].speaker == "Joan"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules: {max_scene: 3}", "rules.max_scene: is not a rule of a template; did you mean 'max_scenes'?"),
        (
            "rules: {voices: {en: {speker: J}}}",
            "rules.voices.en.speker: is not a field of the interface; did you mean",
        ),
        (
            "rules: {words_per_scene: 3, seconds_per_scene: 3}",
            "rules: has both words_per_scene and seconds_per_scene",
        ),
        (
            "template: gone.yaml",
            "template: is no file that can be read; a relative path begins at this file (given:",
        ),
        ("template: wrong.yaml", "template wrong.yaml, max_scene: is not a rule of a template; did you mean"),
        ("template: broken.yaml", "template broken.yaml: is text that is neither JSON nor YAML"),
        (
            "script: {llm_conn_id: m, instructions: gone.txt}",
            "script.instructions: is no file that can be read; a relative path begins at this file",
        ),
        (
            "script:\n  llm_conn_id: m\n  instructions: |\n    $second\n    seconds",
            "script.instructions: The instructions for scripts have a place that cannot be filled in",
        ),
        (
            "template: words.yaml\nrules: {seconds_per_scene: 12}",
            "rules: has both words_per_scene and seconds_per_scene: give one of them",
        ),
    ],
)
def test_a_mistake_is_told_with_its_path(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "wrong.yaml").write_text("max_scene: 3\n")
    (tmp_path / "broken.yaml").write_text("max_scenes: [\n")
    (tmp_path / "words.yaml").write_text("words_per_scene: 20\n")

    [problem] = refused(RIGHT + text, tmp_path / "a.yaml")

    assert problem.startswith(said)


def test_mistakes_of_the_settings_the_rules_and_the_template_are_told_together(tmp_path: Path) -> None:
    told = refused("feed_url: ''\ntemplate: gone.yaml\nrules: {max_scene: 3}", tmp_path / "a.yaml")

    assert [line.partition(":")[0] for line in told] == [
        "feed_url",
        "delivery",
        "rules.max_scene",
        "template",
    ]
