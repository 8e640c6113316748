"""Rule sets in words: what a preset is, and what an option's value means."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import Malformed
from protocol.rules.options import (
    BIDDING_OPTIONS,
    GUESSING_OPTIONS,
    MAX_PLAYERS,
    PRESETS,
    START_COINS,
    Rules,
    UnfitRules,
    no_preset,
    written,
)
from spoof_tui.telling.titles import preset_name
from spoof_tui.text.i18n import _, respelt
from spoof_tui.text.parsing import meant
from spoof_tui.text.texts import texts


def preset_words(preset: str) -> str:
    """A sentence that describes a preset."""
    return _text("presets", preset)


def rules_title(rules: Rules) -> str:
    """The preset, with its changes in words: "Milan, but cap 5, played for drinks"."""
    name = preset_name(rules.preset)
    if not rules.changes:
        return name
    changes = ", ".join(option_words(*change) for change in rules.changes.items())
    return _("{preset}, but {changes}").format(preset=name, changes=changes)


def option_values(option: str) -> Sequence[str]:
    """Every value that can be chosen for `option`, as written in rules; for an upper limit, every
    number up to all coins of a table."""
    kinds = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}[option]
    if kinds is None:
        most = MAX_PLAYERS * START_COINS
        return [written(None), *(str(cap) for cap in range(START_COINS, most + 1))]
    return [written(kind) for kind in kinds]


def read_rules(text: str) -> Rules:
    """Read `PRESET [option=value ...]`; raises `Malformed` with a sentence for the player.

    The preset may be written as screens name it, such as "Three Coins".
    """
    words = text.split()
    place = next((n for n, word in enumerate(words) if "=" in word), len(words))
    # What stands alone after a known preset is no part of its name: a change that lacks its value.
    for end in range(place, 0, -1):
        if (preset := _preset_called(" ".join(words[:end]))) is not None:
            try:
                return Rules.parse(" ".join([preset, *map(str.casefold, words[end:])]))
            except UnfitRules as error:
                raise Malformed(error.told(_)) from error
    name = " ".join(words[:place])
    hint = meant(name, [*PRESETS, *map(preset_name, PRESETS)])
    raise Malformed(f"{no_preset(name).told(_)}. {hint}".rstrip(". "))


def read_preset(text: str) -> str:
    """Read the bare name of a preset, with no changes added; raises `Malformed`."""
    rules = read_rules(text)
    if rules.changes:
        raise Malformed(
            _("give only the name of a preset, without changes: {preset}").format(
                preset=rules.preset
            )
        )
    return rules.preset


def _preset_called(name: str) -> str | None:
    wanted = _letters(name)
    for preset in PRESETS:
        if wanted in (_letters(preset), _letters(preset_name(preset))):
            return preset
    return None


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def is_change(rules: Rules, option: str) -> bool:
    """Whether the value of `option` differs from that of the preset."""
    return bool(getattr(rules, option) != getattr(PRESETS[rules.preset], option))


def option_words(option: str, value: str) -> str:
    """A changed option as part of a sentence: "cap 5", "zero as first word"."""
    return _of_value("words", option, value)


def option_label(option: str) -> str:
    """The label of an option: what it decides."""
    return _text("labels", option)


def value_label(option: str, value: str) -> str:
    """A value of an option, as an answer to `option_label`."""
    return _of_value("values", option, value)


def option_help(option: str) -> str:
    """A sentence that explains an option, with its clause if there is one."""
    return _text("help", option)


def _text(section: str, name: str) -> str:
    text = texts("options").point(section, name)
    # What an option says of tokens stays as it is, whatever is played with.
    return text if name.startswith("token") else respelt(text)


def _of_value(section: str, option: str, value: str) -> str:
    is_number = option == "cap" and value != "none"
    text = _text(section, option if is_number else f"{option}={value}")
    return text.format(value=value)
