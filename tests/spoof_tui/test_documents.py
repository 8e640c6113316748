"""The README and the manual: everything they name exists, and everything they show is true."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from protocol import version
from protocol.rules.options import BIDDING_OPTIONS, GUESSING_OPTIONS, PRESETS
from spoof_tui.commands import help, summaries
from spoof_tui.commands.host import parser as host_parser
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.door import program, visitors
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.text.documents import TOPICS, Block, Definition, ManualPage, page
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.ui.canvas.palette import BUILT_IN, Colours
from spoof_tui.ui.themes import read_own
from tests.helpers import moments

ROOT: Final = Path(__file__).parents[2]
README: Final = ROOT.joinpath("README.md").read_text("utf-8")
MANUAL: Final = {
    (topic, language): ROOT.joinpath(f"spoof_tui/docs/{language}/{topic}.md").read_text("utf-8")
    for topic in TOPICS
    for language in LANGUAGES
}
TEXTS: Final = {"README": README, **{" ".join(key): text for key, text in MANUAL.items()}}


def command_lines(text: str) -> Iterator[str]:
    """The words after `spoof` that a text tells the reader to type in a shell."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`([^`]+)`", prose):
        yield from re.findall(r"(?:^|\(|\s)spoof(?: ([^|)]*))?", " ".join(code.split()))


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_line_is_understood(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line in command_lines(TEXTS[name]):
        first, *words = shlex.split(line) or ["play"]
        parser = summaries.parser()
        if first.startswith("-"):
            words = [first, *words]
        else:
            command = "play" if first in ("COMMAND", "КОМАНДА") else first
            assert command in COMMANDS
            parser = import_module(f"spoof_tui.commands.{command}").parser()
        try:
            parser.parse_args(words or ["--help"])
        except SystemExit as stop:
            assert stop.code == 0, (line, capsys.readouterr().err)


def test_the_page_of_commands_names_all_of_them() -> None:
    for language in LANGUAGES:
        named = {line.split()[0] for line in command_lines(MANUAL["commands", language]) if line}
        assert named - {"--plain", "COMMAND", "КОМАНДА"} == set(COMMANDS)


# Pages


def shape(block: Block) -> tuple[str, frozenset[str]]:
    """The parts of a page that must be the same in every language."""
    text = block.name if isinstance(block, Definition) else ""
    return type(block).__name__, frozenset(re.findall(r"--[a-z]+|[a-z_]+\.?[a-z]+/?", text))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_tells_the_same_in_every_language(topic: str) -> None:
    pages = [page(topic, language) for language in LANGUAGES]
    assert all(each.names[0] and each.about for each in pages)
    kinds = [[shape(block)[0] for block in each.blocks] for each in pages]
    assert len(kinds[0]) > 3 and all(each == kinds[0] for each in kinds)
    if topic not in ("playing", "keys", "hosting"):
        assert [shape(block) for block in pages[0].blocks] == [shape(b) for b in pages[1].blocks]


def test_every_page_is_listed_and_no_two_share_a_name() -> None:
    for language in LANGUAGES:
        files = {each.stem for each in (ROOT / "spoof_tui/docs" / language).iterdir()}
        names = [name for topic in TOPICS for name in page(topic, language).names]
        assert files == set(TOPICS) and len(set(names)) == len(names)


def test_a_word_is_found_on_every_page_that_has_it() -> None:
    lines = list(help.found("HOTSPOT", 80))
    assert lines[0].startswith("network: ") and any("no internet access" in each for each in lines)
    assert not list(help.found("poker", 80))


def test_a_word_in_a_heading_brings_the_whole_section_and_nothing_after_it() -> None:
    told = " ".join(help.found("cheat?", 80))
    assert "DID SOMEBODY CHEAT?" in told and "judges a saved log offline" in told
    told = " ".join(help.found("phone's hotspot", 80))
    assert "mobile data may stay off" in told and "unsteady" not in told


def test_a_word_in_the_title_of_a_page_that_begins_with_a_heading_brings_the_page() -> None:
    assert (
        "a table that is resumed gets its bots back"
        in " ".join(help.found("changelog", 80)).lower()
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_sends_the_reader_to_the_source(language: str) -> None:
    for topic in TOPICS:
        assert not re.search(r"protocol/\w|spoof_tui/", MANUAL[topic, language]), topic


def rows(topic: str, language: str) -> list[Definition]:
    found: ManualPage = page(topic, language)
    return [each for each in found.blocks if isinstance(each, Definition)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_rules_has_every_preset_and_every_option_with_its_values(language: str) -> None:
    options = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}
    fixed = {name for name, values in options.items() if values and len(values) == 1}
    told = {row.name: row.text for row in rows("rules", language)}
    assert set(told) == {*PRESETS, *options} - fixed
    for name, values in options.items():
        if name not in {*fixed, "cap", "zero_starter"}:
            assert all(str(value.value) in told[name] for value in values or ()), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_hosting_has_options_of_the_command(language: str) -> None:
    for row in rows("hosting", language):
        host_parser().parse_args(shlex.split(row.name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_on_the_pages_are_those_of_the_program(language: str) -> None:
    ssh = MANUAL["ssh", language]
    assert str(DEFAULT_PORT) in README and str(DEFAULT_PORT) in MANUAL["network", language]
    assert f"-p {program.DEFAULT_PORT} " in ssh
    assert f" {visitors.MAX_VISITORS} " in ssh and f" {visitors.MAX_OF_ADDRESS} " in ssh
    assert f"\n## {version.PROGRAM} (" in MANUAL["changes", language]
    colours = [field.name for field in fields(Colours) if field.type == "str"]
    named = re.findall(r"`(\w+)`", MANUAL["themes", language])
    assert len(colours) > 20 and {*BUILT_IN, *colours} <= set(named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_themes_on_the_page_are_themes(language: str) -> None:
    [block] = re.findall(r"```json\n(.*?)```", MANUAL["themes", language], re.DOTALL)
    own, trouble = read_own(json.loads(block))
    assert len(own) == 2 and not trouble


@pytest.mark.parametrize("name", ["README", "platforms en", "platforms uk"])
def test_the_versions_of_python_that_were_tried_are_those_of_the_classifiers(name: str) -> None:
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    tried = re.findall(r":: (3\.\d+)", " ".join(project["classifiers"]))
    assert re.findall(r"Python (?:від )?(3\.\d+) (?:to|до) (3\.\d+)", TEXTS[name]) == [
        (tried[0], tried[-1])
    ]


# The README


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.encode()) < 7500
    paths = re.findall(r"\]\(([^)#]+)", README)
    assert len(paths) > 8 and [path for path in paths if not (ROOT / path).exists()] == []


def test_the_drawing_in_the_readme_is_drawn_by_the_program() -> None:
    [drawing] = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    frame = list(moments.a_round())[-2].sheet
    assert drawing in "\n".join(row.strip().text.rstrip() for row in frame.rows)


def test_the_keys_in_the_readme_are_keys() -> None:
    table = README.partition("## Ten keys")[2].partition("## ")[0]
    named = set(re.findall(r"`([a-z?])`", table))
    known = " ".join(row.name for row in rows("keys", "en"))
    assert len(named) > 8 and named <= set(known.split())
