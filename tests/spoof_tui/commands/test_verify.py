"""`spoof verify`: its lines, streams and exit codes."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import Away, Decide, GameStarted
from protocol.table.continuation import draft, sign, signed
from protocol.table.fold import fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry
from protocol.table.statements import Leave, Measure, Say, Sit, Speak, Vote
from spoof_tui.commands.verify import main
from spoof_tui.ui.wording.verify_report import fingerprint
from tests.protocol.stories import Story, signing_key

HOLDS = "  Verdict: everything holds together."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


Caught = pytest.CaptureFixture[str]


def save(path: Path, story: Story, *more: Entry) -> bytes:
    data = b"".join(frame(entry.blob) for entry in [*story.entries, *more])
    path.write_bytes(data)
    return data


def game() -> Story:
    return Story(2, "three-coins").start(0, 1).play_on()


def lied(story: Story, said: object) -> Entry:
    """One more entry, signed by the host, that nobody can check before it is signed."""
    return Entry.sign(story.host_key, 0, story.table.head, story.table.time, said)  # type: ignore[arg-type]


def test_a_log_that_holds_tells_who_played_and_what(here: Path, capsys: Caught) -> None:
    story = game()
    save(here / "a.log", story)
    assert main(["a.log"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[:3] == [
        "a.log",
        "  Table: Table (three-coins)",
        f"  Opened: 2023-11-14 22:13:20 UTC by the host’s clock [{fingerprint(story.table.id)}]",
    ]
    assert f"  Host: [{fingerprint(story.host_key.public)}]" in lines
    assert f"  Player: Player1 [{fingerprint(signing_key(1).public)}]" in lines
    assert "  Game 1: P:Player0 Pl:Player1" in lines
    assert sum(line.startswith("    ") and "(" in line for line in lines) > len(story.game.past)
    assert lines[-3].endswith("has won: nobody else owns a coin (R13).")
    assert lines[-2:] == ["  The log ends after game 1.", HOLDS]


def test_who_played_by_ssh_is_told(here: Path, capsys: Caught) -> None:
    story = Story(1).tell(1, Sit(ForeignText("Bo"), through_door=True)).tell(1, Leave())
    save(here / "a.log", story)
    assert main(["a.log"]) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index(f"  Player: Bo [{fingerprint(signing_key(1).public)}]")
    assert [line.startswith("    came by ssh") for line in lines[place - 1 : place + 3]] == [
        False, False, True, False,
    ]  # fmt: skip
    main(["--json", "a.log"])
    players = json.loads(capsys.readouterr().out)["logs"][0]["players"]
    assert [each["through_door"] for each in players] == [False, True]


def test_how_far_a_log_goes_is_said(here: Path, capsys: Caught) -> None:
    save(here / "a.log", game().start(0, 1))
    save(here / "b.log", Story(2))
    assert main(["a.log", "b.log"]) == 0
    out = capsys.readouterr().out
    assert "  The log ends in the middle of game 2.\n" in out
    assert "  The log ends before the first game.\n" in out


def test_a_school_tells_who_pays(here: Path, capsys: Caught) -> None:
    save(here / "a.log", Story(3, "hollywood").start(0, 1, 2).play_on())
    assert main(["a.log"]) == 0
    assert "is honoured to pay (H12)." in capsys.readouterr().out


def test_a_flipped_bit_is_one_verdict_and_1(here: Path, capsys: Caught) -> None:
    data = bytearray(save(here / "a.log", game()))
    data[-1] ^= 1
    (here / "a.log").write_bytes(data)
    assert main(["a.log"]) == 1
    out, err = capsys.readouterr()
    last = len(game().entries) - 1
    assert err == "" and HOLDS not in out
    assert out.splitlines()[-3:] == [
        f"  Verdict: entry {last} does not follow: "
        "the host’s signature does not match these bytes.",
        f"  The {last} entries before it hold together.",
        "  Anyone who had the file could have done this: it proves nothing against the host "
        "or a player.",
    ]


def test_a_torn_end_is_said_and_is_1(here: Path, capsys: Caught) -> None:
    data = save(here / "a.log", game())
    (here / "a.log").write_bytes(data[:-5])
    assert main(["a.log"]) == 1
    out = capsys.readouterr().out
    last = len(game().entries) - 1
    assert f"  Verdict: the file ends in the middle of entry {last}, after " in out
    assert "A program stopped in the middle of writing" in out


def test_evidence_names_the_entry_its_author_and_the_rule(here: Path, capsys: Caught) -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 1)
    silent = next(who for who in (0, 1) if who != story.speaker)
    lie = lied(story, story.intent(silent, Speak(Bid(2))))
    save(here / "a.log", story, lie)
    assert main(["a.log"]) == 1
    verdict, before, word, host = capsys.readouterr().out.splitlines()[-4:]
    assert verdict == (
        f"  Verdict: entry {lie.position} does not follow: the rules forbid it: "
        f"“It is not your turn: Player{story.speaker} speaks. (R4)”."
    )
    assert before == f"  The {lie.position} entries before it hold together."
    assert word.startswith(f"  It holds the word of Player{silent} [")
    assert word.endswith("], whose signature holds: word 2.")
    assert host.startswith("  The host’s signature holds")


def test_two_stories_are_said_to_be_two(here: Path, capsys: Caught) -> None:
    story = Story(2)
    said = story.intent(0, Say(ForeignText("hm")), seen=Head(2, bytes(32)))
    save(here / "a.log", story, lied(story, said))
    assert main(["a.log"]) == 1
    assert "its author saw another log of 2 entries: two stories are told." in (
        capsys.readouterr().out
    )


def test_a_false_announcement_is_the_hosts_own(here: Path, capsys: Caught) -> None:
    story = Story(2)
    save(here / "a.log", story, lied(story, GameStarted(())))
    assert main(["a.log"]) == 1
    assert "  It is an announcement of the host: game-started.\n" in capsys.readouterr().out


def test_what_no_game_tells_is_told(here: Path, capsys: Caught) -> None:
    key = signing_key(0).public
    story = Story(2).tell(None, Away(key)).tell(1, Leave())
    save(here / "a.log", story)
    assert main(["a.log"]) == 0
    out = capsys.readouterr().out
    assert "  Entry 4: Player1 left the table.\n" in out
    assert "  The host lost the connection to Player0 once.\n" in out


def test_measures_are_told_with_what_they_did(here: Path, capsys: Caught) -> None:
    bad = signing_key(2).public
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).tell(None, Decide(Measure.MUTE, bad))
    story.fists(1, 1, 1).tell(0, Vote(Measure.BAR, bad, True)).tell(1, Vote(Measure.BAR, bad, True))
    save(here / "a.log", story.say(Bid(1), Ending.CALL).open())
    assert main(["a.log"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "    Removed: Pla (G5)." in lines
    told = [line.partition(": ")[2] for line in lines]
    for sentence in (
        "the host wants Player2 to be muted (G5).",
        "Player2 is muted from now on (G5).",
        "Player1 wants Player2 to be banned (G5).",
        "Player2 may not sit here any more (G5).",
        "Player2 is to go when this round is over (G5).",
        "Player2 is removed from the table (G5).",
    ):
        assert sentence in told


def test_a_game_goes_on_without_who_was_removed(here: Path, capsys: Caught) -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 1, 1).say(Bid(1), Ending.CALL).open()
    story.tell(None, Decide(Measure.REMOVE, signing_key(2).public)).play_on()
    save(here / "a.log", story)
    assert main(["a.log"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  Game 1: P:Player0 Pl:Player1 Pla:Player2" in lines
    assert "  Game 1 goes on: P:Player0 Pl:Player1" in lines
    assert lines[-1] == HOLDS


def test_a_game_that_was_called_off_is_said_to_be(here: Path, capsys: Caught) -> None:
    story = Story(2).start(0, 1).tell(None, Decide(Measure.REMOVE, signing_key(1).public))
    save(here / "a.log", story)
    assert main(["a.log"]) == 0
    assert "    The game was called off (G5).\n" in capsys.readouterr().out


def test_two_players_of_one_name_are_told_apart(here: Path, capsys: Caught) -> None:
    save(here / "a.log", Story(0).tell(0, Sit(ForeignText("Ann"))).tell(1, Sit(ForeignText("Ann"))))
    assert main(["a.log"]) == 0
    assert "Player: Ann 2 [" in capsys.readouterr().out


def test_an_empty_file_is_no_log(here: Path, capsys: Caught) -> None:
    (here / "a.log").touch()
    assert main(["a.log"]) == 1
    assert capsys.readouterr().out == "a.log\n  Verdict: there is nothing in this file.\n"


def test_a_file_that_cannot_be_read_is_2_and_the_others_are_judged(
    here: Path, capsys: Caught
) -> None:
    save(here / "a.log", Story(2))
    (here / "b.log").touch()
    assert main(["none", ".", "a\0b", "b.log", "a.log"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == HOLDS
    assert err.splitlines()[0] == "none: cannot be read: No such file or directory"
    assert len(err.splitlines()) == 3


def test_a_dash_is_the_standard_input(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Caught
) -> None:
    data = save(here / "a.log", game())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["-"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == HOLDS


def test_no_files_and_unknown_options_are_2(capsys: Caught) -> None:
    assert main([]) == 2
    assert "name a file" in capsys.readouterr().err
    assert main(["--nothing", "x"]) == 2
    assert main(["--help"]) == 0


def test_nothing_in_a_file_or_its_name_reaches_the_terminal_as_a_command(
    here: Path, capsys: Caught
) -> None:
    name = "\x1b[2J\u202e.log"
    bad = ForeignText("\x1b]0;x\x07\u202e\x9b2J\u200d")
    story = Story(0).tell(0, Sit(bad)).tell(1, Sit(bad)).start(0, 1).play_on()
    story.tell(0, Say(bad))
    save(here / name, story, lied(story, story.intent(1, Sit(bad))))
    assert main([name]) == 1
    assert main(["--json", name]) == 1
    assert main([name, name + "2"]) == 2
    assert main(["--" + name]) == 2
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable()


def test_json_holds_the_same_for_programs(here: Path, capsys: Caught) -> None:
    story = game()
    save(here / "a.log", story, lied(story, GameStarted(())))
    save(here / "b.log", Story(3, "hollywood").start(0, 1, 2).play_on().tell(0, Leave()))
    assert main(["--json", "a.log", "none", "b.log"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("none: ")
    first, second = json.loads(out)["logs"]
    assert (first["file"], first["holds"], first["entries"]) == ("a.log", False, len(story.entries))
    assert first["table"]["id"] == story.table.id.hex()
    assert first["games"][0]["winner"] in first["games"][0]["players"]
    (record,) = first["games"][0]["records"]
    assert record["seats"] == "P:Player0 Pl:Player1" and record["removed"] is None
    assert len(record["rounds"]) == len(story.game.past)
    assert first["fault"]["flaw"] == "forbidden" and first["fault"]["blame"] == "host"
    assert (first["fault"]["entry"], first["fault"]["clause"]) == (len(story.entries), "G6")
    assert second["holds"] and second["fault"] is None and second["running"] is None
    assert second["games"][0]["payer"] in second["games"][0]["players"]
    assert second["happenings"][0]["what"] == "leave"


def test_json_of_what_is_no_log_has_no_table(here: Path, capsys: Caught) -> None:
    (here / "a.log").write_bytes(frame(b"hello"))
    assert main(["--json", "a.log"]) == 1
    (log,) = json.loads(capsys.readouterr().out)["logs"]
    assert (log["table"], log["players"], log["games"]) == (None, [], [])
    assert (log["fault"]["entry"], log["fault"]["flaw"]) == (0, "no-opening")


def test_the_explanation_needs_no_file(capsys: Caught, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["--explain"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 60
    whole = " ".join(text.split())
    for part in ("Seals:", "What a log cannot prove", "neighbour’s screen", "shorter log", "clock"):
        assert part in whole


def test_the_explanation_follows_the_verdicts(here: Path, capsys: Caught) -> None:
    (here / "a.log").touch()
    assert main(["a.log", "--explain"]) == 1
    out = capsys.readouterr().out
    assert out.index("Verdict: ") < out.index("What is checked")


def test_what_a_terminal_cannot_write_is_escaped(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(here / "гра", Story(0).tell(0, Sit(ForeignText("Олена"))))
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, "ascii", write_through=True))
    assert main(["гра", "--explain"]) == 0
    assert output.getvalue().startswith(b"\\u0433\\u0440\\u0430\n")


# A new table that goes on from an old one (G8)


def continued(old: Story, salt: bytes = b"n" * 32, coins: int | None = None) -> Story:
    """A new table of the first two, hosted by the first; with other coins than are right."""
    drafted = draft(
        old.table, {signing_key(who).public for who in (0, 1)}, signing_key(0).public, salt
    )
    if coins is not None:
        first, *others = drafted.seats
        drafted = replace(drafted, seats=(replace(first, coins=coins), *others))
    by = {signing_key(who).public: sign(signing_key(who), drafted) for who in (0, 1)}
    new = Story(2)
    entry = Entry.sign(signing_key(0), 0, EMPTY, old.table.time, signed(drafted, by))
    new.table, new.entries, new.host_key = fold(None, entry), [entry], signing_key(0)
    return new


@pytest.fixture
def old(here: Path, monkeypatch: pytest.MonkeyPatch) -> Story:
    monkeypatch.setenv("SPOOF_STATE", str(here / "state"))
    return Story(5).start(*range(5)).toss(*range(5))


def test_a_new_table_says_where_it_goes_on_from(here: Path, capsys: Caught, old: Story) -> None:
    save(here / "new.log", continued(old))
    assert main(["new.log"]) == 0
    out = capsys.readouterr().out
    said = (
        f"Goes on from table [{fingerprint(old.table.id)}] after its entry {len(old.entries) - 1}"
    )
    assert said in out and "    Player0 goes along with 3 coins, and has signed that.\n" in out
    assert "The old table’s log is not at hand" in out and HOLDS in out


def test_the_old_log_beside_it_bears_it_out(here: Path, capsys: Caught, old: Story) -> None:
    save(here / "new.log", continued(old))
    save(here / "old.log", old.fists(1, 1, 1, 1, 1))
    assert main(["new.log"]) == 0
    assert "The old table’s log bears it out: id, entry, coins" in capsys.readouterr().out


def test_an_old_log_that_is_too_short_is_told_of(here: Path, capsys: Caught, old: Story) -> None:
    new = continued(old)
    old.entries.pop()
    save(here / "new.log", new)
    save(here / "old.log", old)
    assert main(["new.log", "old.log"]) == 0
    assert "does not have that entry" in capsys.readouterr().out


def test_coins_that_do_not_follow_from_the_old_log_are_found_out(
    here: Path, capsys: Caught, old: Story
) -> None:
    save(here / "new.log", continued(old, coins=9))
    save(here / "before", old)
    assert main(["new.log", "before"]) == 1
    assert "The old table’s log contradicts it" in capsys.readouterr().out
    assert main(["new.log", "before", "--json"]) == 1
    first, _ = json.loads(capsys.readouterr().out)["logs"]
    assert first["holds"] and first["continues"]["old_log"] == "other-game"
