"""What there is to know, by topics."""

import re
from importlib import import_module

import pytest

from protocol.rules.options import PRESETS
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.ui.table.controls import ENDING_KEYS, Act
from spoof_tui.ui.wording.manual import Entry, topic_about, topic_blocks, topic_names

TOPICS = tuple(topic_names())


def text_of(topic: str) -> str:
    blocks = topic_blocks(topic, "~/state")
    return "\n".join(f"{b.name}: {b.text}" if isinstance(b, Entry) else b for b in blocks)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_short_and_has_a_line_about_it(topic: str) -> None:
    assert topic_about(topic) and text_of(topic)
    assert len(text_of(topic)) < 1800


@pytest.mark.parametrize("topic", TOPICS)
def test_every_command_and_option_that_a_topic_names_is_there(topic: str) -> None:
    for name in re.findall(r"spoof ([a-z]+)", text_of(topic)):
        assert name in COMMANDS or name in ("opens",), name
    parsers = [import_module(f"spoof_tui.commands.{name}").parser() for name in COMMANDS]
    known = {flag for parser in parsers for flag in parser._option_string_actions}
    assert set(re.findall(r"--[a-z-]+", text_of(topic))) <= known


def test_privacy_says_whether_visitors_are_walled_in() -> None:
    said = [str(topic_blocks("privacy", "", wall)[-1]) for wall in (True, False)]
    assert "walls the program" in said[0] and "has no wall" in said[1]
    assert not any("door" in str(block) for block in topic_blocks("privacy", ""))


def test_every_key_that_is_named_means_something_at_a_table() -> None:
    keys = [block.name for block in topic_blocks("keys", "") if isinstance(block, Entry)]
    known = {act.value for act in Act} | set(ENDING_KEYS) | {"d", "?"}
    letters = {key for name in keys for key in name.split() if len(key) == 1 and key.isalpha()}
    assert letters <= known


def test_the_rules_and_the_port_are_the_true_ones() -> None:
    assert all(preset in text_of("rules") for preset in PRESETS)
    assert str(DEFAULT_PORT) in text_of("network")
    assert "~/state" in text_of("files")
