"""What is said in moments that no screen and no evening shows: waiting, votes, notices, reasons."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from protocol.encoding.codec import Message
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Malformed, Reason
from protocol.guest.effects import HandedOver, WentOn
from protocol.rules.options import PRESETS, Rules
from protocol.rules.stakes import Stakes
from protocol.rules.words import Bid, Drink, Ending, Offence
from protocol.table.fold import Origin, Phase
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Away,
    Back,
    Decide,
    Elect,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Order,
    Say,
    Sit,
    Speak,
    Vacated,
    Vote,
)
from protocol.table.verify import Flaw, Happening, LogFault, verify
from protocol.views import LinkState, TableView, view_of
from protocol.wire.messages import Farewell, Offer, OtherVersion
from spoof_tui.acts.act import caption
from spoof_tui.acts.key_lists import all_keys
from spoof_tui.acts.lobby import LOBBY
from spoof_tui.acts.table import TABLE
from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime import notices
from spoof_tui.runtime.notices import CodeChange, SeatState
from spoof_tui.storage.identity import Holder
from spoof_tui.telling import (
    absence,
    connection,
    doors,
    durations,
    findings,
    leaving,
    measures,
    practice,
    sentences,
    verify_report,
)
from spoof_tui.telling.absence import missed
from spoof_tui.telling.explanations import why
from spoof_tui.telling.findings import told as finding_told
from spoof_tui.telling.gestures import gesture_help
from spoof_tui.telling.leaving import Parting
from spoof_tui.telling.measures import Proposal, veto_words
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.notices import note
from spoof_tui.telling.rule_options import rules_title
from spoof_tui.telling.table_state import TableState
from spoof_tui.ui.table.dialogs.dialogs import invitation_page, why_page
from spoof_tui.ui.table.dialogs.inviting import how_to_come, in_the_way
from spoof_tui.ui.table.dialogs.rounds import page as rounds_page
from spoof_tui.ui.table.dialogs.signs import signs_on_show
from spoof_tui.ui.table.panel import hints
from spoof_tui.ui.table.scene import Hint, Scene
from spoof_tui.ui.table.screen.attention import title
from tests.helpers import history_pages, pages
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import playing
from tests.protocol.stories import Story, signing_key
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    catch_up,
    pay,
    play_zeros,
    seen,
    with_a_shut_fist,
)

NAMES: Final = ("Ann", "Ben", "Cleo")
GRACE: Final = 60_000


def _waiting() -> Iterator[str]:
    """The player whom the table waits for goes away, or does not answer."""
    for moment, rules in (
        ("choosing", "milan"), ("speaking", "milan"), ("answering", "milan"),
        ("choosing", "hollywood"), ("speaking", "hollywood"),
    ):  # fmt: skip
        table, client = away_from(moment, rules)
        for after in (-1000, 42_000, GRACE - 1, GRACE, 4_000_000):
            yield f"# {rules}, {moment}, {after} ms"
            yield from _absence(client.view, since(client.view) + after)
        table.time += 61
        for due in absence.votes_due(client.view, client.view.time + GRACE):
            table.act(client, client.guest.propose(Vote(due.measure, due.seat, yes=True)))
        yield f"# {rules}, {moment}, voted"
        yield from _absence(client.view, since(client.view) + GRACE)
        yield from _absence(table.add(sit=False).view, since(client.view) + GRACE)
    yield from _shut()
    lot = replace(at("choosing").clients[0].view, phase=Phase.LOT)
    yield absence.consequence(lot.seats[1], lot)
    for seconds in (-3, 0, 59.9, 60, 3599, 3600, 7200, 86_400 * 2 - 1, 86_400 * 3, 10**7):
        told = (durations.duration, durations.short_duration, durations.ago)
        yield f"{seconds}: {' · '.join(each(seconds) for each in told)}"
    idle = MemoryTable(3).clients[0].view
    yield from (absence.idle_words(idle, idle.time + each) or "-" for each in (GRACE - 1, GRACE))


def away_from(moment: str, rules: str = "milan") -> tuple[MemoryTable, GuestSide]:
    """A table of three; the player whom it waits for goes away, and another one looks on."""
    table = at(moment, rules=rules)
    gone = table.clients[0] if moment == "choosing" else table.speaker()
    if moment == "choosing":
        for client in table.clients[1:]:
            table.act(client, client.guest.choose(1, table.entropy()))
    table.cut(gone)
    return table, next(client for client in table.clients if client is not gone)


def since(view: TableView) -> int:
    """When somebody went away."""
    return next(seat.away_since for seat in view.seats if seat.away_since is not None)


def _absence(view: TableView, now: int) -> Iterator[str]:
    yield from absence.waiting_words(view, now)
    yield f"  {absence.too_soon(view, now)}"
    for seat in view.seats:
        if seat.away_since is not None:
            yield f"  {absence.away_note(seat, now)}"


def _shut() -> Iterator[str]:
    """A fist that is not opened, by a player who is away and by a program that is here."""
    table = at("answering")
    gone = next(client for client in table.clients if not client.view.my_turn)
    table.cut(gone)
    table.say(Ending.CALL)
    view = next(client for client in table.clients if client is not gone).view
    here = replace(view, seats=tuple(replace(seat, away_since=None) for seat in view.seats))
    began = next(seat.waits_since for seat in view.seats if seat.waits_since is not None)
    for told, after in itertools.product((view, here), (3_000, GRACE + 9_000)):
        yield f"# shut, {after} ms"
        yield from _absence(told, began + after)


def _links() -> Iterator[str]:
    """Without a link to the host, or beside one that hears nobody: what is known, and tried."""
    table = MemoryTable(4)
    me = table.clients[2].view
    seats = tuple(replace(seat, coins=3) for seat in me.seats)
    view = replace(me, host=table.clients[0].guest.key, phase=Phase.SPEAKING, seats=seats)
    yield f"# {absence.moved_words(view)}"
    tried = tuple(Address(f"10.0.0.{number}", 7763) for number in (1, 2, 3))
    near = (Address("127.0.0.1", 7763),)
    second, third, *_ = (seat.key for seat in view.seats[1:])
    enough = SeatState(tried=tried, heard=frozenset({second}), can_move=True, could_move=True)
    for link, seconds, known in (
        (LinkState.DOWN, 9, SeatState(tried=tried, has_network=False)),
        (LinkState.UP, 9, SeatState(unheard_since=1)),
        (LinkState.UP, 9, SeatState(unheard_since=1, has_network=False)),
        (LinkState.DOWN, 9, replace(enough, tried=tried[:2])),
        (LinkState.MOVING, 4, enough),
        (LinkState.DOWN, 1, replace(enough, heir=second)),
        (LinkState.DOWN, 1, replace(enough, heir=third)),
        (LinkState.DOWN, 9, replace(enough, heir=second, tried=tried[:1])),
        (LinkState.DOWN, 1, SeatState(tried=near)),
        (LinkState.DOWN, 1, replace(enough, can_move=False)),
        (LinkState.DOWN, 15, SeatState(could_move=True)),
        (LinkState.DOWN, 16, SeatState(could_move=True, tried=(*near, *tried))),
    ):
        state = TableState(view=replace(view, link=link), known=known, cut_off_at=1)
        state.wall = 1 + seconds * 1000
        state.is_standing = known.can_move and seconds == 9 and known.heir is None
        yield f"{state.claim.name if state.claim else '-'}: {' '.join(state.of_connection)}"
        yield f"  {connection.promise(state.silence, state.claim)}"
    nobody = TableState(view=replace(view, link=LinkState.DOWN, host=b""), cut_off_at=1)
    yield nobody.of_connection[0]
    yield absence.moved_words(replace(view, host=table.clients[2].guest.key))


def _measures() -> Iterator[str]:
    """Votes as they stand, what they lead to, and what may be done about whom."""
    yield from _possible("before", MemoryTable(4))
    table = at("choosing", 4)
    table.choose(1, 1, 1, 1)
    for measure in Measure:
        about = table.clients[1].guest.key
        seat = NO_ONE if measure in _OF_THE_TABLE else about
        for voter in (table.clients[0], table.clients[2]):
            proposal, before = Proposal(measure, seat), voter.view
            yield f"{measure.value}: {measures.tally(proposal, before)}"
            try:
                table.act(voter, voter.guest.propose(Vote(measure, seat, yes=True)))
            except Illegal as error:
                yield f"  {error.reason.name}"
            yield from (f"  {measures.motion_words(each, voter.view)}" for each in voter.view.votes)
        if measure is Measure.MUTE:
            yield from _possible("voting", table)
        before = table.clients[0].view
        if measure not in (Measure.PLAY_ON, Measure.BAN_WOBBLE):
            table.decide(measure, seat)
        yield from (f"  = {each}" for each in measures.happened(before, table.clients[0].view))
    yield from _possible("after", table)
    view = table.clients[3].view
    hosting = replace(view, host=view.seats[0].key)
    yield ", ".join(each.value for each in measures.possible(hosting, hosting.host))
    table = MemoryTable(2)
    mover = table.clients[1]
    table.act(mover, mover.guest.propose(Vote(Measure.BAN_WOBBLE, NO_ONE, yes=True)))
    yield from (veto_words(each.view) for each in (*table.clients, MemoryTable(3).clients[0]))
    left = MemoryTable(2)
    game = at("choosing")
    for client in game.clients[1:]:
        before = game.clients[0].view
        game.decide(Measure.REMOVE, client.guest.key)
        yield from measures.happened(before, game.clients[0].view)
    shut, away = with_a_shut_fist()
    shut.pass_time(GRACE / 1000 + 1)
    before = shut.clients[0].view
    shut.decide(Measure.REMOVE, away.guest.key)
    yield from measures.happened(before, shut.clients[0].view)
    before = left.clients[0].view
    left.act(left.clients[1], left.clients[1].guest.propose(Leave()))
    yield from measures.happened(before, left.clients[0].view)


_OF_THE_TABLE: Final = frozenset(
    {Measure.PAUSE, Measure.GO_ON, Measure.LOCK, Measure.UNLOCK, Measure.BAN_WOBBLE}
)


def _possible(name: str, table: MemoryTable) -> Iterator[str]:
    for number, client in enumerate(table.clients, 1):
        view = client.view
        for key in measures.concerned(view):
            what = ", ".join(each.value for each in measures.possible(view, key))
            yield f"{name}, {number} about {measures.subject(view, key)}: {what}"
        motion = measures.motion_to_answer(view)
        yield f"{name}, {number} may join: {motion.measure.value if motion else '-'}"


def _stakes() -> Iterator[str]:
    """Stakes: everybody's balance, who pays, and the names of rules."""
    for rules in ("milan", "milan stake=drinks", "milan stake=none", "hollywood"):
        view = _over(at("over", rules=rules).clients[0])
        names = seat_names(view)
        yield f"# {rules}"
        told = (sentences.score(view, seat) for seat in range(3))
        yield from (sentences.standing(view, names), sentences.result(view, names), *told)
        yield sentences.own(view)
        yield sentences.result(replace(view, stakes=Stakes()), names)
    mine = at("over").clients[0].view
    for chips in (0, 1, 4, -2):
        key = mine.seats[mine.me or 0].key
        yield f"{chips}: {sentences.own(replace(mine, stakes=Stakes({key: chips})))}"
        yield sentences.signed(chips)
    for rules in (
        "milan", "hollywood first_caller=toss", "milan cap=5 zero=first-action",
        "bid-spoof cap=none stake=drinks",
    ):  # fmt: skip
        yield rules_title(Rules.parse(rules))
    for rules in ("milan", "milan gloating=fined", "hollywood"):
        yield gesture_help(Gesture.GLOAT, at("speaking", rules=rules).clients[0].view)


def _over(client: GuestSide) -> TableView:
    scene = seen(client)
    catch_up(scene)
    assert scene.view
    return scene.view


def _practice(view: TableView) -> Iterator[str]:
    """What is said while a seat waits at a silent table."""
    yield f"{practice.leave_question(None)} {practice.leave_meaning(None)}"
    there = TableState(view=replace(view, table_name=ForeignText("The Crown")))
    yield f"{practice.leave_question(there)} {practice.leave_meaning(there)}"
    closed = sentences.farewell(Farewell.CLOSED)
    for link, over in ((LinkState.DOWN, ""), (LinkState.UP, ""), (LinkState.UP, closed)):
        there.view, there.over = replace(there.view or view, link=link), over
        yield " | ".join(practice.heard_words(there))
        if there.silence is None:
            told = practice.heard_again(there)
            yield f"  {told.title}: {' '.join(told.lines)}"


def _partings() -> Iterator[str]:
    """What leaving means, and how others come."""
    for moment, hosts in itertools.product(("gathering", "speaking"), (False, True)):
        view = at(moment).clients[0].view
        keys = frozenset(seat.key for seat in view.seats)
        yield f"# {moment}, {'host' if hosts else 'guest'}"
        for way in leaving.ways(view, keys, hosts=hosts):
            yield f"{leaving.words(way, view)}: {leaving.meaning(way, view)}"
    yield leaving.words(Parting(), at("speaking").clients[0].view)
    yield from _practice(at("speaking").clients[0].view)
    problem = Finding(Code.OWN_FIREWALL, Severity.PROBLEM, machine="oak")
    note, address = Finding(Code.QUIET, Severity.NOTE), "192.168.1.20:7763"
    door = DoorOpened(2222, "SHA256:abc")
    view = MemoryTable(1).clients[0].view
    for name, scene in (
        ("nobody's", Scene()), ("open", Scene(address=address)),
        ("with a code", Scene(address=address, code="K7M4Q")),
        ("with a door", Scene(address=address, code="K7M4Q", door=door)),
        ("in trouble", Scene(address=address, code="K7M4Q", findings=(problem, note))),
        ("quiet", Scene(address=address, findings=(note,), trouble="Nobody hears of it.")),
    ):  # fmt: skip
        yield f"# {name}"
        yield from (*how_to_come(scene, view), *in_the_way(scene))
        if scene.address:
            yield from (invitation_page(scene, width).plain for width in (36, 73))


def _notices() -> Iterator[str]:
    """How every notice changes what is shown."""
    full, port = OSError(errno.ENOSPC, "No space left on device"), 7763
    opened = notices.Opened(port, "a firewall", "K7M4Q", "10.0.0.7:7763")
    at_home = Path.home() / "games" / "1.spoof"
    nowhere, forged = Address("10.0.0.9", port), Malformed("no entry at all")
    view = at("speaking").clients[1].view
    host = at("speaking").host
    card, entry = host.card, host.log[0]
    told: list[tuple[object, ...]] = [
        (opened,), (notices.Opened(None, None, None),), (notices.Moved(me=True), opened),
        (opened, notices.Moved(me=False)), (notices.Standing(), notices.Moved(me=True)),
        (opened, notices.DoorChanged(DoorOpened(2222, "SHA256:x"))),
        (notices.DoorChanged(DoorFailed("no such library")),),
        (opened, notices.DoorChanged(DoorOpened(2222, "SHA256:x")), notices.DoorChanged(None)),
        (notices.Explained(()),),
        (opened, notices.AddressesChanged("192.168.7.9:7763", None)),
        (notices.Moved(me=True), notices.AddressesChanged("192.168.7.9:7763", None)),
        (opened, notices.AddressesChanged("10.0.0.7:7763", "Nobody hears of it.")),
        (opened, notices.NewCode("X2X2X", CodeChange.GUESSED)),
        (notices.NotAllowed(Illegal(Reason.NO_SEAT)),),
        (notices.Saved(at_home),), (notices.Saved(Path("/elsewhere/1.spoof")),),
        (notices.NotSaved(full),), (notices.NotSaved(OSError("no")),),
        *((notices.DiskTrouble(error, is_host),)
          for error in (full, OSError(errno.EROFS, "Read-only")) for is_host in (False, True)),
        (notices.DiskTrouble(full, False), notices.DiskTrouble(None, False)),
        (notices.NotKept(is_host=True),), (notices.NotKept(is_host=False),), (notices.Standing(),),
        (opened, notices.OpenElsewhere(ForeignText("Krona\x1b[2J"))),
        *((HandedOver(seat.key),) for seat in view.seats), (HandedOver(view.host),),
        (notices.TurnedAway(Farewell.IMPOSTOR),), (notices.Ended(Farewell.CLOSED),),
        (notices.Ended(Farewell.CLOSED), notices.Reopened()), (WentOn(entry),),
        (notices.CannotOpen(full),), (notices.CannotOpen(notices.KeyInUse()),),
        (notices.CannotOpen(notices.KeyInUse(Holder(4711, "/dev/pts/3"))),),
        (notices.CannotOpen(OtherVersion(99, "9.9")),),
        (notices.CannotOpen(Malformed("a name has 1 to 64 bytes")),),
        *((notices.CannotOpen(ProbeFailed(nowhere, each)),) for each in Failure),
        (notices.TakenOver(Holder(4711, "")),), (notices.ContinuedAt(nowhere, card, entry),),
        (notices.Broken(forged, Path.home() / "x.log", LogFault(7, Flaw.FORGED)),),
        (notices.Broken(forged, None),), (notices.ViewChanged(view),),
    ]  # fmt: skip
    for those in told:
        scene = seen(at("speaking").clients[1], Scene())
        before = _fields(scene)
        for notice in those:
            scene.take(note(notice, scene))
        yield f"# {', '.join(type(each).__name__ for each in those)}"
        yield from (f"{key}: {value}" for key, value in _fields(scene).items()
                    if value != before[key])  # fmt: skip


def _fields(scene: Scene) -> dict[str, object]:
    told = (
        "remark", "disk", "news_title", "news", "over_title", "over", "turned_away", "code",
        "code_news", "address", "trouble", "is_practice", "record",
        "door", "is_standing", "reopened", "events",
    )  # fmt: skip
    shown: dict[str, object] = {name: getattr(scene, name) for name in told}
    return shown | {"continued": scene.continued is not None, "findings": len(scene.findings)}


def _titles() -> Iterator[str]:
    """The title of the window, in front and behind others."""
    for rules, moment in itertools.product(("milan", "hollywood"), MOMENTS):
        for number, client in enumerate(at(moment, rules=rules).clients, 1):
            scene = seen(client)
            told = (title(scene, is_in_front=is_front) for is_front in (True, False))
            yield f"{rules}, {moment}, {number}: {' / '.join(told)}"
    yield title(Scene(), is_in_front=False)
    yield title(Scene(over="It is over."), is_in_front=False)


def _hints() -> Iterator[str]:
    """Hints, tips, and the sentences of a file that somebody else wrote."""
    yield from map(hints.hint_words, Hint)
    yield hints.hint_words(Hint.CLIFF, 3)
    for bid in range(10):
        table = at("speaking")
        table.say(*map(Bid, (bid,) if bid else ()))
        scene = seen(table.speaker(), Scene(is_practice=True, is_slow=True))
        yield f"{bid}: {hints.tip(scene)}"


def _missed() -> Iterator[str]:
    """What happened while you were away, who comes by ssh, and how a game goes on elsewhere."""
    for name, moment, deed in _DEEDS:
        table = at(moment)
        client = table.clients[0]
        length, before = len(client.guest.log), client.view
        deed(table)
        yield f"# {name}"
        yield from missed(tuple(client.guest.log[length:]), client.view)
        yield from doors.came(before, client.view)
    by_ssh = MemoryTable(0)
    ann = by_ssh.add(sit=False)
    by_ssh.act(ann, ann.guest.propose(Sit(ForeignText("Ann"), through_door=True)))
    yield from (*doors.brought(None, ann.view), doors.legend(), doors.seen_by_others())
    table = playing(5)
    for agreed, wait, me in (((), 0, 0), ((), 42, 0), ((0,), 0, 0), ((), 0, 4), ((0, 1), 0, 1)):
        yield from _offer(offered(table, *agreed, wait=wait, me=me))
    yield from _offer(offered(MemoryTable(5)))
    yield from _offer(table.clients[0].view)
    yield from _offer(replace(table.clients[0].view, went_along=True))
    card = replace(table.host.card, host=ForeignText("Olha\x1b[2J"))
    yield absence.new_table_words(table.clients[4].view, card)


def offered(table: MemoryTable, *agreed: int, wait: int = 0, me: int = 0) -> TableView:
    """The screen of a player who is asked to go along with the second one."""
    keys = [client.guest.key for client in table.clients]
    agreements = tuple(bytes(64) if who in agreed else None for who in range(2))
    offer = Offer(keys[0], bytes(32), tuple(keys[:2]), agreements, wait)
    return replace(table.clients[me].view, new_table=offer)


def _offer(view: TableView) -> Iterator[str]:
    told = (
        absence.is_asked_along(view),
        absence.has_agreed_to_go(view),
        absence.is_new_table_urgent(view, None),
    )
    yield f"{absence.new_table_words(view, None) or '-'} {told}"
    if view.new_table is not None:
        yield absence.too_soon_to_agree(view)


def _say(table: MemoryTable, *lines: str) -> None:
    for line in lines:
        table.act(table.clients[1], table.clients[1].guest.propose(Say(ForeignText(line))))


def _come_and_go(table: MemoryTable, who: int) -> None:
    client = table.clients[who]
    table.act(client, client.guest.propose(Leave()))
    if who:
        table.add(name="Bo")
        late = table.add(sit=False)
        table.act(late, late.guest.propose(Sit(ForeignText("Cleo"), through_door=True)))
    else:
        table.act(client, client.guest.propose(Sit(ForeignText("Player1"))))


def _end_a_game(table: MemoryTable) -> None:
    table.say(Ending.CALL)
    play_zeros(table)


_DEEDS: Final[tuple[tuple[str, str, Callable[[MemoryTable], None]], ...]] = (
    ("nothing", "speaking", lambda table: None),
    ("a word", "speaking", lambda table: table.say(Bid(4))),
    ("a round", "answering", lambda table: table.say(Ending.CALL)),
    ("a game", "answering", _end_a_game),
    ("a new game", "gathering", lambda table: table.ready()),
    ("came and went", "gathering", lambda table: _come_and_go(table, 1)),
    ("I came and went", "gathering", lambda table: _come_and_go(table, 0)),
    ("a line", "gathering", lambda table: _say(table, "one")),
    ("three lines", "gathering", lambda table: _say(table, "one", "two", "three")),
)


def _logs() -> Iterator[str]:
    """A stored log, happenings beside its games, and where it went on from."""
    story = Story(3, "milan stake=drinks").start(0, 1, 2).toss(0, 1, 2).play_on()
    yield from verify_report.report(verify([frame(each.blob) for each in story.entries]))
    ann, bo, stranger = b"a" * 32, b"b" * 32, b"c" * 32
    names = {ann: "Ann", bo: "Bo"}
    happened: list[tuple[bytes | None, Message]] = [
        (ann, Leave()), (stranger, Leave()), (ann, Elect(bo)), (ann, LiftFine(0)),
        (ann, AwardFine(bo, Offence.GLOATING)), (ann, Order(Drink.PORT)),
        (ann, Gesticulate(Gesture.GLOAT)), (ann, Vote(Measure.BAN_WOBBLE, NO_ONE, True)),
        (ann, Vote(Measure.REMOVE, bo, True)), (ann, Vote(Measure.REMOVE, bo, False)),
        (ann, Vote(Measure.PAUSE, NO_ONE, False)), (None, Decide(Measure.MUTE, bo)),
        (None, Back(bo)), (None, Away(bo)), (None, Vacated(bo)),
    ]  # fmt: skip
    for author, said in happened:
        yield verify_report.happening(Happening(7, author, said), names)
    for statement in (
        Speak(Bid(4)), Speak(Ending.CLIFF), Say(ForeignText("a\x1b[31mb")),
        Gesticulate.from_fields(("mitt-full",)), Vote(Measure.MUTE, bo, yes=False),
    ):  # fmt: skip
        yield verify_report.statement_text(statement, names)
    yield from map(verify_report.origin_text, (None, *Origin))
    for each in (
        LogFault(7, Flaw.FORBIDDEN, {"why": "?"},
                 forbidden=Illegal(Reason.NOT_YOUR_TURN, speaker=1)),
        LogFault(7, Flaw.TORN, {"held": 3}), LogFault(0, Flaw.EMPTY),
    ):  # fmt: skip
        yield sentences.fault(each, NAMES)
        yield verify_report.fault_text(each, None, names)
    yield verify_report.fingerprint(bytes(range(32)))
    yield from map(verify_report.moment, (1_700_000_000_000, 2**53 - 1))
    for firewall in (None, *(Firewall(kind) for kind in FirewallKind)):
        yield findings.allowing(firewall, 4242)
    for code in Code:
        there = Finding(code, Severity.PROBLEM, Address("fe80::1%eth0", 7763), ("eth0",), 0.3, "9")
        bare = Finding(code, Severity.NOTE, names=("eth0",) if code is Code.VPN else ())
        for finding in (there, bare):
            words = finding_told(finding)
            yield f"{code.value}: {words.means} | {words.seen} | {words.todo}"


def _reasons() -> Iterator[str]:
    """Why a player opens, who went out or has won, and what a word would lead to."""
    story = Story(3).sit(3).start(0, 1, 2).toss(0, 1, 2)
    yield from _removed(story)
    yield from _removed(story.fists(0, 0, 0).say(Ending.SPOOF).open())
    for rules in ("milan", "three-coins"):
        table = at("choosing", rules=rules)
        view = table.clients[0].view
        while not (view.last and view.last.outcome.went_out):
            table.choose(*(0 for client in table.clients if client.view.own_fist_due))
            table.say(Bid(1), Ending.CALL)
            view = table.clients[0].view
            yield from _why(view, after=True)
        table.play_on()
        yield from _why(table.clients[0].view, after=True)
        table.ready()
        yield from _why(table.clients[0].view)
        yield from _why(table.add(sit=False).view)
    for rules in ("fine", "refuse", "allow"):
        yield from _why(at("speaking", rules=f"hollywood impossible={rules}").speaker().view)
    for rules in ("milan", "bid-spoof"):
        at_cap = at("speaking", rules=rules)
        at_cap.say(Bid(4))
        yield from _why(at_cap.speaker().view)


def _removed(story: Story) -> Iterator[str]:
    """Why a player opens after a seat is removed."""
    for gone in range(2):
        table = story.copy().decide(Measure.REMOVE, gone).table
        yield from _why(view_of(table, signing_key(3).public))


def _why(view: TableView, *, after: bool = False) -> Iterator[str]:
    for answer in why(view, seat_names(view), view.last if after else None):
        yield f"# {answer.question}"
        yield from (f"{line.label}: {line.text}" for line in answer.lines)


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


def _page_of_why(scene: Scene) -> str:
    return why_page(scene, 78, signs_on_show(scene)).plain


def _why_pages() -> Iterator[str]:
    for rules in PRESETS:
        for moment in MOMENTS:
            for number, client in enumerate(at(moment, rules=rules).clients[:2], 1):
                yield from (f"# {rules}, {moment}, {number}", _page_of_why(seen(client)))
    for rules, hands, words in _ENDINGS:
        table = MemoryTable(3, rules, start_when=3)
        table.ready()
        table.choose(*hands)
        scene = seen(table.clients[0])
        table.say(*words)
        pay(seen(table.clients[0], scene))
        yield f"# {rules}: {hands}, {' '.join(map(str, words))}"
        yield from (_page_of_why(scene), rounds_page(scene, 78).plain)


def texts() -> Mapping[str, str]:
    """Every text by name, in the current language."""
    return {name: "\n".join(lines()) + "\n" for name, lines in _TEXTS.items()}


_TEXTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "waiting": _waiting, "links": _links, "measures": _measures,
    "stakes": _stakes, "partings": _partings, "notices": _notices,
    "titles": _titles, "hints": _hints, "missed": _missed, "logs": _logs, "reasons": _reasons,
    "why": _why_pages, "plain-commands": _commands, "history": history_pages.told,
    "page": pages.told,
}  # fmt: skip


def keys_page(text: str) -> str:
    """The page of keys in the current language, with the present rows of the acts; each keeps the
    keywords that it has."""
    lobby = [(caption(act.key), act.about()) for act in LOBBY if act.key]
    tables, old, new = iter((list(all_keys()), lobby)), text.splitlines(), list[str]()
    for place, line in enumerate(old):
        if not line.startswith("| `"):
            new.append(line)
        if line.startswith("|--"):
            rows = itertools.takewhile(lambda row: row.startswith("| `"), old[place + 1 :])
            kept = {row.split("`")[1]: row[row.find(" <!--") :] for row in rows if "<!--" in row}
            new += [f"| `{key}` | {words}{kept.get(key, ' |')}" for key, words in next(tables)]
    return "\n".join(new) + "\n"
