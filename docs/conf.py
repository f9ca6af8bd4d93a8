"""How Sphinx makes the documentation site of docs/ and of the docstrings. Run by ``make docs``."""

from __future__ import annotations

import inspect
import logging
import os
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.inspect import stringify_signature

from airflow_video_creation.provider.info import VERSION

# Importing operators imports Airflow, which writes its settings into its home.
os.environ["AIRFLOW_HOME"] = str(Path(__file__).parents[1] / "build" / "docs-airflow")
for name in ("airflow.configuration", "airflow.settings"):
    logging.getLogger(name).setLevel(logging.WARNING)

project = "Videos from Airflow"
author = "the contributors"
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]

html_theme = "furo"
html_title = "Videos from Airflow"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["tables.css"]
# The repository has no public address yet.
html_theme_options = {"top_of_page_buttons": []}

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
toc_object_entries = False

copybutton_exclude = ".linenos, .gp, .go"


def module_docstrings_as_written(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Ours hold trees and tables that are no reStructuredText."""
    if what == "module" and any(lines[1:]):
        lines[:] = [lines[0], "", "::", "", *(f"    {line}" for line in lines[1:]), ""]


def task_group_docstring(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """A task group is the function that it was made of."""
    if group := getattr(obj, "function", None):
        lines[:] = [*(inspect.getdoc(group) or "").splitlines(), ""]


def task_group_signature(
    app: Sphinx, what: str, name: str, obj: object, options: object, signature: str, returns: str
) -> tuple[str, str] | None:
    """The same for its arguments."""
    group = getattr(obj, "function", None)
    return (stringify_signature(inspect.signature(group), show_annotation=False), "") if group else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", module_docstrings_as_written)
    app.connect("autodoc-process-docstring", task_group_docstring)
    app.connect("autodoc-process-signature", task_group_signature)
