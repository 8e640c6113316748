"""The step of the build that compiles the catalogues."""

import gettext
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import PoFileError

from spoof_tui.text.build_catalogues import CATALOGUES, BuildCatalogues, compile_catalogue

ROOT = Path(__file__).resolve().parents[3]

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def compiled(folder: Path, text: str) -> gettext.GNUTranslations:
    """The contents of a compiled catalogue."""
    source = folder / "spoof.po"
    source.write_text(HEADER + text, "utf-8")
    compile_catalogue(source)
    with source.with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_what_is_translated_and_looked_over_is_found_and_the_rest_stays_english(
    tmp_path: Path,
) -> None:
    text = 'msgid "ready"\nmsgstr "готово"\n\nmsgid "leave"\nmsgstr ""\n'
    catalogue = compiled(tmp_path, text + '\n#, fuzzy\nmsgid "call"\nmsgstr "геть"\n')
    words = [catalogue.gettext(word) for word in ("ready", "leave", "call")]
    assert words == ["готово", "leave", "call"]


def test_a_catalogue_that_is_broken_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(PoFileError):
        compiled(tmp_path, "what no catalogue says\n")


def test_the_project_names_this_step_and_it_finds_the_catalogues() -> None:
    assert [path.parts[-3] for path in CATALOGUES.glob("*/LC_MESSAGES/*.po")] == ["uk"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    named = project["tool"]["setuptools"]["cmdclass"]["build_py"]
    assert named == f"{BuildCatalogues.__module__}.{BuildCatalogues.__qualname__}"
