"""Where is …? Twenty-odd questions of a newcomer: each answer is where it is said to be."""

import ast
import re
from pathlib import Path

import pytest

from tests.helpers.sources import tree

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "spoof_tui" / "README.md"

WHERE = {
    "What does a preset consist of?": "protocol/rules/options.py:PRESETS",
    "Which words may be said, and how is a right cliff counted?": (
        "protocol/rules/bidding.py:BiddingRound"
    ),
    "What does everybody do with an entry?": "protocol/table/fold.py:fold",
    "When is a call fined?": "protocol/rules/guessing.py:GuessingRound",
    "Who has how many chips, and who pays the round?": "protocol/rules/stakes.py:Stakes",
    "What does the house pronounce, and when?": "protocol/rules/house.py:House",
    "How is a hand sealed?": "protocol/crypto/seals.py:SealedHand",
    "How does the lot fall?": "protocol/crypto/seals.py:draw_lot",
    "Who draws the join code?": "protocol/host/admission.py:Admission",
    "What is allowed in which phase?": "protocol/table/fold.py:TRANSITIONS",
    "Which statements are the host's alone?": "protocol/table/announcements.py:HOSTS",
    "What happens to the turn of a player who is away?": (
        "protocol/table/transitions/play_on.py:play_on"
    ),
    "When may a table have another host?": "protocol/table/transitions/succession.py:supports",
    "What goes along to a new table?": "protocol/table/continuation.py:draft",
    "What may one seat see?": "protocol/viewer.py:view_of",
    "How long may anything be that comes from others?": "protocol/limits.py:MAX_FRAME",
    "When does a silent link count as lost?": "protocol/timing.py:LOST_DELAY",
    "Is this log genuine?": "protocol/table/verify.py:verify",
    "Is this record right?": "protocol/notation/checking.py:check",
    "What happens when a link falls silent?": "spoof_tui/runtime/session.py:Session",
    "Where is a lost table looked for?": "spoof_tui/network/locator.py:TableLocator",
    "Which tables does the lobby list?": "spoof_tui/network/discovery.py:Browser",
    "Why does a table not appear?": "spoof_tui/network/diagnosis/judging.py:judge",
    "Who serves a table?": "spoof_tui/runtime/hosting.py:HostedTable",
    "How does a player come to a table?": "spoof_tui/runtime/arrival.py:Arrival",
    "How does a host leave its table?": "spoof_tui/runtime/departure.py:Departure",
    "Which tables can be continued?": "spoof_tui/runtime/saved_tables.py:continuable",
    "Where is my hand kept?": "spoof_tui/storage/seat_store.py:DiskSeatStore",
    "What if a file of our own is not one?": "spoof_tui/storage/reading.py:opened",
    "What goes on while the terminal stands still?": (
        "spoof_tui/runtime/background.py:BackgroundLoop"
    ),
    "What does a bot think?": "spoof_tui/bots/player.py:BotMind",
    "What did a bot learn?": "spoof_tui/bots/learned.py:Taught",
    "How do the last two of a school call?": "spoof_tui/bots/last_two.py:CallPlan",
    "How does a character differ from its level?": "spoof_tui/bots/characters.py:CharacterMind",
    "How does somebody else's program play?": "spoof_tui/runtime/engine.py:Engine",
    "Which games were played, and what do they say?": "spoof_tui/history/index.py:consult",
    "What does one game add to the statistics?": "spoof_tui/history/facts.py:facts_of",
    "Who plays in an arena, and how?": "spoof_tui/runtime/arena.py:Cast",
    "What does a key do?": "spoof_tui/ui/table/controls.py:Controls",
    "What is done when it is pressed?": "spoof_tui/ui/table/acts.py:TableActs",
    "How is an evening played without a screen?": "spoof_tui/plain/evening.py:Evening",
    "What does a typed line mean?": "spoof_tui/plain/typed.py:meaning",
    "How long is a gesture seen?": "spoof_tui/ui/table/gestures.py:Gestures",
    "Who may gloat, and who did not?": "protocol/rules/gloating.py:Gloats",
    "When may a count be shown?": "spoof_tui/ui/table/presentation.py:Presentation",
    "What is a terminal sent for a change?": "spoof_tui/ui/sequences.py:written",
    "When is a player called who looks elsewhere?": "spoof_tui/ui/table/attention.py:Attention",
    "What may a visitor do who comes by ssh?": "spoof_tui/door/session.py:Session",
    "What may a visitor's program do to this machine?": "spoof_tui/door/confinement.py:confine",
    "Whose folder is given away when too many visitors come?": "spoof_tui/door/folders.py:Stay",
    "Why may I not say that?": "spoof_tui/ui/table/why.py:why",
    "How is a round put into words?": "spoof_tui/ui/wording/sentences.py:outcome",
    "Where does foreign text become harmless?": "spoof_tui/text/safe_text.py:show",
    "What happens when the program is told to end?": "spoof_tui/system.py:on_termination",
}
"""What one asks, and the file and the name that answer it."""


def names(path: Path) -> set[str]:
    """What a module defines at its top."""
    found = set()
    for node in tree(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


@pytest.mark.parametrize("question", WHERE)
def test_the_answer_is_where_it_is_said_to_be(question: str) -> None:
    file, _, name = WHERE[question].partition(":")
    assert name in names(ROOT / file)


def test_the_page_gives_the_same_answers() -> None:
    rows = re.findall(r"^\| (.*\?) \| `(\S+)`, `(\w+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {question: f"{file}:{name}" for question, file, name in rows} == WHERE


def test_every_path_that_the_page_names_is_there() -> None:
    paths = re.findall(r"`((?:protocol|spoof_tui|tests)/[\w./]*)`", PAGE.read_text("utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []
