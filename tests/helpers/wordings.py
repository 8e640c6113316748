"""Everything that the program says by rote, as texts: results, rulebooks, findings, keys, plain
lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from protocol.encoding.framing import frame
from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.house import Pronouncement
from protocol.rules.options import PRESETS, BiddingRules, Rules
from protocol.rules.words import Bid, Drink, Ending, Offence, Word
from protocol.table.fold import Phase
from protocol.table.statements import AwardFine, Elect, Gesture, LiftFine, Measure, Order
from protocol.table.verify import Flaw, LogFault, verify
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui.acts.act import KeyAct, caption, key_acts
from spoof_tui.acts.key_lists import all_keys, table_keys
from spoof_tui.acts.lobby import LOBBY, lobby_keys
from spoof_tui.acts.table import TABLE
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.plain.answers import game_lines, lobby_help
from spoof_tui.runtime.notices import CodeChange, SeatState
from spoof_tui.telling import rule_options, sentences, verify_report
from spoof_tui.telling.counts import moved, stamp
from spoof_tui.telling.findings import told as finding_told
from spoof_tui.telling.gestures import gesture_help, gesture_name, gesture_note, gesture_words
from spoof_tui.telling.measures import Proposal, measure_help, measure_name
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.notices import code_renewed
from spoof_tui.telling.pronouncements import wordings
from spoof_tui.telling.rulebook import rulebook
from spoof_tui.ui.dialogs.help import help_page
from spoof_tui.ui.history.screen import HISTORY, Tab
from spoof_tui.ui.lesson.steps import Lesson, lesson, script
from spoof_tui.ui.replay.player import REPLAY
from spoof_tui.ui.rulebook import RULEBOOK
from spoof_tui.ui.table.dialogs.dialogs import why_page
from spoof_tui.ui.table.dialogs.rounds import page as rounds_page
from spoof_tui.ui.table.dialogs.slate import is_chairman
from spoof_tui.ui.table.dialogs.slate import lines as slate_lines
from spoof_tui.ui.table.scene import Scene
from tests.helpers import history_pages, sayings
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.notation.games import SCHOOL
from tests.protocol.stories import Story
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, picture, place, player, walk
from tests.spoof_tui.ui.table.scenes import MOMENTS, at, pay, seen
from tests.spoof_tui.ui.table.schools import a_school, by_call

NAMES: Final = ("Ann", "Bob", "Cem")
WHERE: Final = Address("192.168.1.20", 7763)

_RULES: Final = (
    *PRESETS, "milan cap=5", "milan zero=first-action", "bid-spoof stake=drinks",
    "hollywood impossible=refuse", "hollywood impossible=allow", "hollywood first_caller=toss",
)  # fmt: skip


def texts() -> Mapping[str, str]:
    """Every text by name, in the current language."""
    return {name: "\n".join(lines()) + "\n" for name, lines in _TEXTS.items()}


def _rounds() -> Iterator[PlayedRound]:
    """A round of three, opened by Ann, for every verdict."""
    for hands, words, rules in (
        ((1, 2, 0), (Bid(3), Ending.CALL), "milan"),
        ((1, 1, 0), (Bid(3), Ending.CALL), "milan"),
        ((1, 2, 0), (Bid(3), Ending.CLIFF), "milan"),
        ((1, 2, 0), (Bid(3), Ending.CLIFF), "bid-spoof"),
        ((1, 1, 0), (Bid(3), Ending.CLIFF), "milan"),
        ((3, 3, 3), (Bid(3), Ending.SPOOF), "milan"),
        ((3, 3, 2), (Bid(3), Ending.SPOOF), "milan"),
        ((0, 0, 0), (Ending.ZERO,), "milan"),
        ((0, 1, 0), (Ending.ZERO,), "milan"),
    ):
        yield _played(hands, words, rules)
    running = BiddingRound(BiddingRules.parse("milan"), (3, 3, 3), 0, words=((0, Ending.SPOOF),))
    yield PlayedRound(running, {0: 1, 1: 1}, running.void(2))


def _played(hands: tuple[int, ...], words: tuple[Word, ...], rules: str) -> PlayedRound:
    said = tuple((place % 3, word) for place, word in enumerate(words))
    running = BiddingRound(BiddingRules.parse(rules), (3, 3, 3), 0, words=said)
    opened = dict(enumerate(hands))
    return PlayedRound(running, opened, running.count(opened))


def _results() -> Iterator[str]:
    for played in _rounds():
        yield f"{stamp(played)[0]} · {moved(played, NAMES)}"
        yield from (sentences.outcome(played, NAMES, me) for me in (None, 0, 1))
        yield sentences.the_count(played, NAMES, tuple(played.hands))


def _refusals() -> Iterator[str]:
    for reason in Reason:
        if reason.is_plain:
            yield sentences.forbidden(Illegal(reason), NAMES)
    yield sentences.forbidden(Illegal(Reason.NOT_YOUR_TURN, speaker=1), NAMES)
    yield sentences.forbidden(Illegal(Reason.HAND_TOO_BIG, coins=2), NAMES)
    for flaw in Flaw:
        if flaw is not Flaw.FORBIDDEN:
            names = ("held", "length", "most", "why", "position", "theirs", "own", "epoch")
            yield sentences.fault(LogFault(7, flaw, dict.fromkeys(names, 1)), NAMES)
    yield sentences.broken("…", "~/games/x.log")
    yield sentences.broken("…", None)


def _ways_in() -> Iterator[str]:
    yield from (f"{state.value}: {sentences.link_state(state)}" for state in LinkState)
    for why in Farewell:
        yield f"{why.value}: {sentences.farewell(why)}"
        yield f"  {sentences.turned_away(why, '192.168.1.20:7763')}"
        yield f"  {sentences.code_asked(why)} / {sentences.not_let_in(why)}"
    yield from (code_renewed(why, "K7M4Q") for why in CodeChange)
    yield sentences.cannot_open(OSError(98, "Address already in use"))


def _books() -> Iterator[str]:
    for text in _RULES:
        rules = Rules.parse(text)
        book = rulebook(rules)
        yield f"# {rule_options.rules_title(rules)}: {book.about}"
        for chapter in (*book.chapters, book.customs):
            for clause in chapter.clauses:
                yield f"{clause.mark} {clause.text} {' | '.join(clause.differs)}".rstrip()


def _options() -> Iterator[str]:
    for preset, rules in PRESETS.items():
        yield f"# {rule_options.preset_words(preset)}"
        for option in rules.options:
            yield f"{rule_options.option_label(option)}: {rule_options.option_help(option)}"
            for value in rule_options.option_values(option):
                label, words = (
                    rule_options.value_label(option, value),
                    rule_options.option_words(option, value),
                )
                yield f"  {label} · {words}"


def _findings() -> Iterator[str]:
    for code in Code:
        words = finding_told(
            Finding(code, Severity.PROBLEM, WHERE, ("wlan0", "10.0.0.0/8"), 0.5, "9 (9.9)")
        )
        yield f"# {words.means}"
        yield from (words.seen, words.todo)


def _house() -> Iterator[str]:
    for what in Pronouncement:
        for is_guessing in (False, True):
            yield from wordings(what, is_guessing=is_guessing)


def _order() -> Iterator[str]:
    view = MemoryTable(3).clients[0].view
    for measure in Measure:
        yield f"{measure_name(measure)}: {measure_help(Proposal(measure, view.seats[1].key), view)}"
        yield f"  {verify_report.asked(measure, 'Ann', 'Bob')} {verify_report.carried(measure)}"
    for gesture in Gesture:
        yield f"{gesture_name(gesture)} · {gesture_note(gesture)} · {gesture_words(gesture, 'Bob')}"
        yield f"  {gesture_help(gesture, view)}"
    yield from map(sentences.offence_name, Offence)
    yield from map(sentences.drink_name, Drink)


def _keys() -> Iterator[str]:
    pages = [(f"history, {page.value}", key_acts(HISTORY, page)) for page in Tab]
    for name, acts in (
        ("lobby", lobby_keys()), ("replay", key_acts(REPLAY, None)),
        ("rulebook", key_acts(RULEBOOK, None)), *pages,
    ):  # fmt: skip
        yield from (f"# {name}", *_told(acts))
    for rules in ("milan", "hollywood"):
        for moment in MOMENTS:
            for number, client in enumerate(at(moment, rules=rules).clients[:2], 1):
                yield f"# {rules}, {moment}, {number}"
                is_host = number == 1
                code = "K7M4Q" if is_host else None
                address = "192.168.1.20:7763" if is_host else ""
                known = SeatState(is_host=is_host)
                scene = Scene(view=client.view, known=known, code=code, address=address)
                yield from _told(table_keys(scene))


def _told(acts: Iterable[KeyAct]) -> Iterator[str]:
    return (f"{act.caption}: {act.words}" for act in acts)


def _verdict() -> Iterator[str]:
    for rules in ("milan", "milan stake=drinks"):
        story = Story(3, rules).start(0, 1, 2).toss(0, 1, 2).play_on()
        yield from verify_report.report(verify([frame(each.blob) for each in story.entries]))
    for heading, said in verify_report.explanation():
        yield from (f"# {heading}", *said)


def _plain() -> Iterator[str]:
    yield from (*game_lines(), *lobby_help())
    for rules in ("milan", "hollywood", "three-coins stake=drinks"):
        table = MemoryTable(3, rules, seed=4)
        reader = Reader(table)
        yield from (f"# {rules}", *reader.first)
        table.ready()
        yield from reader.look()
        while table.host.table.phase is not Phase.GATHERING:
            _play_one(table)
            yield from reader.look()
        yield from reader.type("rounds")


def _play_one(table: MemoryTable) -> None:
    """All fists, or one word: bids rise until somebody calls."""
    owing = [each.view.my_seat for each in table.clients if each.view.own_fist_due]
    if owing:
        first = len(table.clients[0].view.past)
        hands = (
            min(place % 3, seat.coins if seat else 0) for place, seat in enumerate(owing, first)
        )
        table.choose(*hands)
        return
    view = table.speaker().view
    if view.is_guessing:
        table.say(Bid(view.free[len(view.past) % 3]))
    elif view.standing is None:
        table.say(Bid(1))
    else:
        table.say(Bid(view.standing[1] + 1) if view.standing[1] < 3 else Ending.CALL)


def _commands() -> Iterator[str]:
    for moment in ("gathering", "choosing", "answering", "over"):
        for act in TABLE:
            if act.name is not None:
                yield from (f"# {moment}, {act.id}", *Reader(at(moment)).type(act.id))


_ENDINGS: Final = (
    ("milan", (1, 1, 1), (Bid(3), Ending.CALL)), ("milan", (1, 1, 0), (Bid(3), Ending.CALL)),
    ("milan", (1, 1, 1), (Bid(3), Ending.CLIFF)), ("milan", (1, 1, 0), (Bid(3), Ending.CLIFF)),
    ("bid-spoof", (1, 1, 1), (Bid(3), Ending.CLIFF)),
    ("milan cap=5", (1, 1, 1), (Bid(3), Ending.CLIFF)),
    ("milan", (3, 3, 3), (Ending.SPOOF,)), ("milan", (3, 3, 2), (Bid(1), Ending.SPOOF)),
    ("milan stake=drinks", (0, 0, 0), (Ending.ZERO,)),
    ("milan", (0, 0, 0), (Ending.ZERO,)), ("milan", (0, 0, 1), (Ending.ZERO,)),
    ("three-coins", (0, 0, 0), (Ending.ZERO,)), ("hollywood", (1, 1, 1), (Bid(3), Bid(4), Bid(9))),
    ("hollywood first_caller=toss", (1, 1, 1), (Bid(5), Bid(4), Bid(6))),
    ("hollywood", (0, 0, 0), (Bid(0), Bid(4), Bid(5))),
    ("hollywood", (0, 0, 0), (Bid(3), Bid(4), Bid(5))),
)  # fmt: skip
"""Rules, hands and words of rounds that end in every way."""


def _why() -> Iterator[str]:
    for rules in PRESETS:
        for moment in MOMENTS:
            for number, client in enumerate(at(moment, rules=rules).clients[:2], 1):
                yield from (f"# {rules}, {moment}, {number}", why_page(seen(client), 78).plain)
    for rules, hands, words in _ENDINGS:
        table = MemoryTable(3, rules, start_when=3)
        table.ready()
        table.choose(*hands)
        scene = seen(table.clients[0])
        table.say(*words)
        pay(seen(table.clients[0], scene))
        yield f"# {rules}: {hands}, {' '.join(map(str, words))}"
        yield from (why_page(scene, 78).plain, rounds_page(scene, 78).plain)


def _slates() -> Iterator[str]:
    table = a_school()
    chairman = next(each for each in table.clients if is_chairman(each.view))
    other = next(each for each in table.clients if each is not chairman)
    yield from _slate("fresh", chairman)
    for offence in (Offence.GLOATING, Offence.REFUSING):
        fine = AwardFine(other.guest.key, offence)
        table.act(chairman, chairman.guest.state(fine))
    table.act(chairman, chairman.guest.state(LiftFine(0)))
    yield from _slate("fined", chairman)
    for client in table.clients[:2]:
        table.act(client, client.guest.state(Elect(other.guest.key)))
    yield from _slate("elected", chairman)
    yield from _slate("by the house", a_school((3, 3, 3), 0, 4, 5).clients[0])
    over = a_school((1, 1), 2, 3)
    first = by_call(over)[0]
    yield from _slate("over", first)
    over.act(first, first.guest.state(Order(Drink.ALIEN_SNOT)))
    yield from _slate("ordered", first)
    for moment in ("choosing", "over"):
        yield from _slate(moment, at(moment, rules="milan stake=drinks").clients[0])


def _slate(name: str, client: SeatedGuest) -> Iterator[str]:
    yield f"# {name}"
    view = client.view
    yield from (line.text.plain.rstrip() for line in slate_lines(view, seat_names(view), 72))


def _replays() -> Iterator[str]:
    for record in (TWO_GAMES, FAULTY, SCHOOL, _ENDS):
        shown = player(record)
        for _scene in walk(shown):
            yield from (f"# {place(shown)}", *(line for line in picture(shown) if line))


_ENDS: Final = """\
[Rules "milan"]
[Seats "S:Svitlana D:Dmytro"]
[Crap "D"]
[Result "*"]

1. Smax (S3 D3) . = S3 D3
2. S0 (S1 D0) S- = S2 D3
"""
"""Rounds that are ended by spoof and by zero."""


def _lessons() -> Iterator[str]:
    """The answer to each key that does not lead on, by steps."""
    for number in (1, 2):
        for step in range(len(script(number))):
            yield f"# lesson {number}, step {step}"
            answers: dict[str, list[str]] = {}
            for key in (*"0123456789clszpmtqho?", "enter", "space", "up", "f5", "escape"):
                taught = Lesson(script(number), step, lesson(number).known)
                taught.press(key)
                remark = taught.remark
                said = remark if isinstance(remark, str) else sentences.forbidden(remark, NAMES)
                answers.setdefault(said or "…", []).append(key)
            yield from (f"{' '.join(keys)}: {said}" for said, keys in answers.items())


def _help() -> Iterator[str]:
    yield help_page(tuple(lobby_keys()), 78).plain
    yield help_page(tuple(table_keys(Scene(view=at("answering").speaker().view))), 78).plain


_TEXTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "results": _results, "refusals": _refusals, "ways-in": _ways_in, "rulebooks": _books,
    "options": _options, "findings": _findings, "house": _house, "order": _order, "keys": _keys,
    "why": _why, "replays": _replays, "help": _help, "slates": _slates,
    "verdict": _verdict, "plain": _plain, "plain-commands": _commands,
    "history": history_pages.told, "lessons": _lessons,
    **sayings.TEXTS,
}  # fmt: skip


def keys_page(text: str) -> str:
    """The page of keys in the current language, with the present rows of the acts."""
    lobby = [(caption(act.key), act.about()) for act in LOBBY if act.key]
    tables = iter((list(all_keys()), lobby))
    lines = []
    for line in text.splitlines():
        if not line.startswith("| `"):
            lines.append(line)
        if line.startswith("|--"):
            lines += [f"| `{key}` | {words} |" for key, words in next(tables)]
    return "\n".join(lines) + "\n"
