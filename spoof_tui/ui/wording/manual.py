"""What there is to know, by topics: short, and true of every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from spoof_tui.text.i18n import _, pgettext


def how_a_round_goes() -> tuple[str, ...]:
    """What happens before the words that end a round."""
    return (
        _("Everybody owns three coins and hides some of them, or none, in a fist."),
        _(
            "In turn, each player says one word: a bid on how many coins all the fists hold "
            "together, always higher than the last; or a word that opens the fists:"
        ),
    )


def ending_meanings() -> tuple[tuple[str, str], ...]:
    """The words that open the fists, and what each claims and costs."""
    return (
        (_("call"), _("the bid is too high; the player who is wrong loses a coin")),
        (_("cliff"), _("the bid is exact; right: you win a coin, wrong: you lose one")),
        (_("spoof"), _("every coin is in a fist; right: nobody loses, wrong: you lose a coin")),
        (_("zero"), _("every fist is empty; right: everybody else loses a coin")),
    )


def how_it_ends() -> str:
    """How a game ends."""
    return _("Without coins you are out; the last one left wins.")


@dataclass(frozen=True, slots=True)
class Entry:
    """Something by its name, and what it is."""

    name: str
    text: str


Block = str | Entry
"""A paragraph, or one line of a list."""


def topic_names() -> dict[str, str]:
    """What every topic is called in the language that is spoken, by its English name."""
    return {
        "playing": pgettext("topic", "playing"),
        "rules": pgettext("topic", "rules"),
        "hosting": pgettext("topic", "hosting"),
        "network": pgettext("topic", "network"),
        "privacy": pgettext("topic", "privacy"),
        "keys": pgettext("topic", "keys"),
        "plain": pgettext("topic", "plain"),
        "bots": pgettext("topic", "bots"),
        "files": pgettext("topic", "files"),
    }


def topic_about(topic: str) -> str:
    """What a topic tells."""
    return {
        "playing": _("what the game is, and how to begin"),
        "rules": _("the presets, and where every rule is"),
        "hosting": _("a table of your own, and who may come"),
        "network": _("how tables are found, and what helps when they are not"),
        "privacy": _("what others learn of you and of your hand"),
        "keys": _("what the keys do"),
        "plain": _("without a screen: screen readers, serial lines, pipes"),
        "bots": _("programs that play"),
        "files": _("what is kept on your disk, and where"),
    }[topic]


def topic_blocks(
    topic: str, folder: str, has_wall: bool | None = None, keys: Iterable[tuple[str, str]] = ()
) -> list[Block]:
    """What is told about a topic; `folder` is where this program keeps its files.

    `keys` are those of a table, with what they do.

    `has_wall` says whether visitors can be kept from them; None where there are no doors.
    """
    if topic == "keys":
        by_place = _("Keys go by their place, so that a Cyrillic layout works unchanged.")
        return [*(Entry(*each) for each in keys), by_place]
    blocks = _files(folder) if topic == "files" else _TOPICS[topic]()
    return [*blocks, _wall(has_wall)] if topic == "privacy" and has_wall is not None else blocks


def _playing() -> list[Block]:
    return [
        *how_a_round_goes(),
        *(Entry(word, f"{meaning}.") for word, meaning in ending_meanings()),
        how_it_ends(),
        _("spoof opens the lobby. Enter plays at once against bots, and so does spoof play. "
          "spoof learn is a first game of about three minutes."),
        _("At a table, everybody presses Enter to be ready. Hide a hand by a digit, bid with "
          "Enter, call with c. w tells you at any moment what you may say, and why not the rest."),
    ]  # fmt: skip


def _rules() -> list[Block]:
    from spoof_tui.ui.wording.options import preset_words

    return [
        *(Entry(preset, preset_words(preset)) for preset in _presets()),
        _("spoof rules PRESET prints a whole rulebook, spoof rules compares them, and h shows the "
          "rules of a table. An option is changed behind the preset: milan cap=5."),
    ]  # fmt: skip


def _presets() -> tuple[str, ...]:
    from protocol.rules.options import PRESETS

    return tuple(PRESETS)


def _hosting() -> list[Block]:
    return [
        _("n in the lobby, or spoof host, opens a table on this computer. Others on your network "
          "see it in their lobbies; they are asked once for the join code on your screen."),
        Entry("--open", _("let anybody in, without a join code")),
        Entry("--headless", _("without a screen or a seat of your own")),
        Entry("--bots N", _("have N bots sit down at once")),
        Entry("--resume", _("continue a table hosted here: the last one, or the last with that "
                            "name")),
        _("When you leave, you can hand the table to another player. If your computer dies, "
          "another player’s program takes the table over, if more than half of the seats are "
          "left."),
    ]  # fmt: skip


def _network() -> list[Block]:
    return [
        _("Everything happens on your own network: no server on the internet, no account. Tables "
          "are found by Zeroconf and by a beacon; TCP and UDP port 7763 is used if it is free."),
        _("If a table does not appear, join by the address on the host’s screen: spoof join "
          "192.168.1.20."),
        _("spoof doctor looks for four seconds and says what is in the way, with the command for "
          "the firewall of your system; x does the same in the lobby and at a table."),
        _("A network that keeps its devices apart, as in hotels: use the hotspot of one phone, or "
          "let everybody log in to one computer by ssh."),
    ]  # fmt: skip


def _privacy() -> list[Block]:
    return [
        _("Nobody sees your hand before the fists open, not even the host: your program sends a "
          "seal of it, and the hand itself only after the ending word."),
        _("Every word is signed and every entry of the log is checked by everybody. spoof verify "
          "judges a saved log, and says what no log can prove."),
        _("Connections are encrypted. The others learn your name, your address on the network, and "
          "what you say at the table; nothing goes to the internet."),
        _("Ctrl+L covers the screen at once. With covered keys (o) your fingers tell nothing, and "
          "in plain lines your hand is read without echo and never printed."),
    ]  # fmt: skip


def _wall(has_wall: bool) -> str:
    """What keeps those who come by ssh from the files of this user."""
    if has_wall:
        return _(
            "If you open a door for ssh, this system walls the program of every visitor in "
            "(Landlock, seccomp): it has a folder of its own, and reaches no other file of yours, "
            "no other program and no other visitor. Opened as root, it is another user as well."
        )
    return _(
        "If you open a door for ssh: this system has no wall around the program of a visitor "
        "(Linux has one, with Landlock and seccomp). If a fault in it let a visitor run code, that "
        "code could read what you can. Open a door to people you trust, or as a user of its own."
    )


def _plain() -> list[Block]:
    return [
        _("spoof --plain plays in appended lines with a prompt: no drawing, no cursor movement, "
          "nothing is written twice. It also stands before or behind play, host and join."),
        _("A terminal with TERM=dumb gets it by itself. The command lines in its lobby, or the "
          "options of the screen, make it the usual way; --no-plain is for a screen once more."),
        _("Type what you say, and press Enter: 9, call, cliff, spoof, zero, say hello. The letter "
          "of a key on the screens does the same, and ? tells what can be typed now."),
        _("Your hand is read without echo. The bell rings when it is your turn. Every line begins "
          "with who speaks, and a count is told fist by fist."),
        _("Two things need a screen: the guided lesson, for which learn tells the game in ten "
          "lines here, and the QR code, for which invite tells the line to type."),
        _("From a pipe, each line is a command, and the end of the input is a polite goodbye."),
    ]  # fmt: skip


def _bots() -> list[Block]:
    return [
        _("The menu (m) of your own table adds a bot; spoof bot --count 2 --level hard adds them "
          "from any computer. --as mixed makes people of them."),
        _("No bot sees a hand that is shut: they know what you know."),
        _("spoof bot --engine 'python3 player.py' plays a program of your own, and spoof arena has "
          "bots and programs play thousands of games against each other."),
    ]  # fmt: skip


def _files(folder: str) -> list[Block]:
    return [
        _("Everything is in {folder}, or wherever SPOOF_STATE points.").format(folder=folder),
        Entry("games/*.spoof", _("the record of every finished game: spoof replay, review, check")),
        Entry("games/*.log", _("its table’s signed log: spoof verify")),
        Entry("tables/", _("the logs of the tables where you sat, and your own sealed hands")),
        Entry("identities/", _("the secret keys that your seats belong to")),
        Entry("settings.json", _("your name and options")),
        Entry("themes.json", _("themes of your own")),
    ]


_TOPICS: Final[Mapping[str, Callable[[], list[Block]]]] = {
    "playing": _playing,
    "rules": _rules,
    "hosting": _hosting,
    "network": _network,
    "privacy": _privacy,
    "plain": _plain,
    "bots": _bots,
}
