"""The player's picture of a table, as one value: links, news, seats, hints and the window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Measure, Say
from protocol.views import LinkState, Motion, SeatStatus
from spoof_tui.acts.key_lists import table_keys
from spoof_tui.runtime.notices import SeatState
from spoof_tui.storage.archive import count_games
from spoof_tui.storage.settings import Bell
from spoof_tui.telling import absence, sentences
from spoof_tui.telling.absence import moved_words
from spoof_tui.telling.table_state import MAX_READING, Told
from spoof_tui.ui.table.dialogs.dialogs import coach_page
from spoof_tui.ui.table.dialogs.rounds import page
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.panel.hints import due, follow, hint_words, is_newcomer
from spoof_tui.ui.table.panel.turn import table_rows
from spoof_tui.ui.table.scene import RARE, Hint, Scene
from spoof_tui.ui.table.screen.attention import PRESENT, Attention, title
from spoof_tui.ui.terminal import TerminalApp
from tests.helpers.histories import fill
from tests.helpers.moments import finished, sheet
from tests.helpers.sides import GuestSide
from tests.helpers.states import scenes
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    MOMENTS,
    at,
    catch_up,
    counted,
    draw_table,
    foot,
    lines,
    pay,
    play_on_without,
    said,
    scene_at,
    seen,
    step,
    text,
    with_a_shut_fist,
)

# Rounds


def test_who_comes_late_sees_no_old_round_and_what_was_composed_goes_with_the_turn() -> None:
    assert seen(at("counted").clients[0]).opened is None
    table = at("answering")
    speaker = table.speaker()
    scene = seen(speaker)
    scene.controls.press("8", speaker.view)
    table.say(Bid(3))
    assert seen(speaker, scene).controls.bid is None


def peeking(scene: Scene) -> Scene:
    scene.peek = 1
    return scene


def test_the_last_round_stays_until_the_next_word_is_mine() -> None:
    table = at("answering")
    client = table.clients[0]
    scene = seen(client)
    table.say(Ending.CALL)
    seen(client, seen(client, peeking(scene)))
    assert (scene.opened, scene.peek) == (0, None), "no peek outlives its round"
    pay(scene)
    table.choose(1, 1, 1)
    while not client.view.my_turn:
        table.say(Bid(table.speaker().view.lowest_bid or 1))
    assert seen(client, scene).last is None


def test_the_last_line_of_talk_goes_with_its_game() -> None:
    table = at("answering")
    client = table.clients[0]
    scene = seen(client)
    table.act(table.clients[1], table.clients[1].guest.propose(Say(ForeignText("Hello"))))
    seen(client, scene)
    assert scene.last_talk is not None
    view = client.view
    scene.look(replace(view, game_number=view.game_number + 1, talk=view.talk))
    assert scene.last_talk is None


# Seats


# Away, and back


def down(scene: Scene, *links: LinkState) -> None:
    """The state of the link has changed."""
    for link in links:
        assert scene.view
        scene.look(replace(scene.view, link=link))


def test_only_what_changes_by_the_time_alone_ticks() -> None:
    assert not any(scene_at(moment).is_ticking for moment in MOMENTS)
    table = at("speaking")
    gone = table.speaker()
    other = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    assert seen(other).is_ticking
    scene = scene_at("speaking")
    assert scene.view
    seats = tuple(replace(seat, time_up_from=1) for seat in scene.view.seats)
    scene.look(replace(scene.view, seats=seats))
    assert scene.is_ticking
    scene.look(replace(scene.view, paused=True))
    assert not scene.is_ticking


def test_below_a_void_round_stands_what_counts_until_the_player_is_back() -> None:
    table, gone = with_a_shut_fist()
    me = next(client for client in table.clients if client is not gone)
    table.cut(gone)
    scene = seen(me)
    play_on_without(table, gone)
    seen(me, scene)
    while scene.pacing.is_running:
        step(scene)
    scene.remark = ""
    told = " ".join(row.strip().text.strip() for row in sheet(scene, (80, 24)).rows[-8:])
    assert scene.is_counted and absence.played_without(me.view)[0] in told


def test_a_verdict_ticks_until_it_says_that_the_next_round_waits() -> None:
    table = at("answering")
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    seen(table.clients[0], scene)
    while scene.pacing.is_running:
        step(scene)
    assert (scene.is_ticking, scene.keeps_waiting) == (True, False)
    assert scene.view is not None and scene.view.my_seat is not None
    scene.wall = (scene.view.my_seat.waits_since or 0) + MAX_READING * 1000 - scene.ahead
    assert (scene.is_ticking, scene.keeps_waiting) == (False, True)
    scene.pacing.catch_up(99.0)
    scene.follow()
    assert (scene.is_ticking, scene.keeps_waiting) == (False, None)


def test_a_lost_link_counts_from_its_loss_and_stops_the_hosts_clock() -> None:
    scene = scene_at("speaking")
    scene.wall = 2_000_000_000_000
    down(scene, LinkState.DOWN)
    frozen = scene.now
    scene.wall += 12_000
    assert (scene.cut_off_for, scene.now, scene.is_stale) == (12.0, frozen, True)
    silent = scene_at("speaking")
    silent.wall = 2_000_000_000_000
    down(silent, LinkState.UNSTEADY)
    assert (silent.cut_off_for, silent.is_stale) == (3.0, False), "before that was noticed"


def test_a_table_that_moved_while_the_link_was_down_says_so_and_nothing_else() -> None:
    scene = scene_at("speaking")
    down(scene, LinkState.DOWN)
    assert scene.view
    moved = replace(scene.view, host=scene.view.seats[1].key)
    scene.look(moved)
    down(scene, LinkState.UP)
    assert (scene.news_title, scene.news) == ("The table has moved", (moved_words(moved),))
    down(scene, LinkState.DOWN, LinkState.UP)
    assert scene.news_title == "Back at the table"


def test_the_clock_of_the_host_is_learnt_from_what_comes_just_now() -> None:
    table = at("speaking")
    client = table.speaker()
    scene = seen(client)
    scene.wall = 5_000
    table.say(Bid(1))
    scene.look(client.view)
    scene.wall = 7_000
    assert scene.now == client.view.time + 2_000


def test_news_is_collected_until_it_is_read_and_waits_until_a_count_is_told() -> None:
    scene = counted()
    scene.take(Told(("first",), "One"))
    scene.take(Told(("second", "first"), "Two"))
    scene.put_away_news()
    assert (scene.news_title, scene.news, scene.has_news) == ("Two", ("second", "first"), False)
    catch_up(scene)
    assert scene.has_news
    scene.put_away_news()
    assert scene.news == ()


# The panel


def test_news_does_not_hide_that_it_is_the_players_turn() -> None:
    for moment, heading in (("choosing", "YOUR HAND"), ("speaking", "YOUR TURN")):
        table = at(moment)
        client = table.speaker() if moment == "speaking" else table.clients[0]
        scene = seen(client)
        scene.take(Told(("Ben now hosts the table.",), "The table has moved"))
        assert f"{heading} The table has moved" in said(scene)
        assert scene.view
        scene.look(replace(scene.view, paused=True))
        assert heading not in said(scene)


def test_a_vote_has_keys_of_its_own_and_any_other_key_is_not_named_beside_them() -> None:
    table = at("speaking")
    scene = seen(next(client for client in table.clients if not client.view.my_turn))
    assert scene.view
    scene.take(Told(("Ben now hosts the table.",), "The table has moved"))
    assert "Press any key to go on." in said(scene)
    other = next(seat.key for seat in scene.view.seats if not seat.is_me)
    motion = Motion(Measure.PAUSE, NO_ONE, frozenset({other}), 2)
    scene.look(replace(scene.view, votes=(motion,)))
    assert "y yes" in said(scene) and "Press any key" not in said(scene)


def test_a_speaker_who_is_hardly_heard_is_named_before_anything_can_be_done_about_it() -> None:
    scene = scene_at("speaking")
    assert scene.view and scene.view.speaker is not None and not scene.view.my_turn
    told = f"{scene.names[scene.view.speaker]}’s connection is unsteady."
    for who in ("speaks", "is_me"):
        seats = (
            replace(each, presence=SeatStatus.UNSTEADY) if getattr(each, who) else each
            for each in scene.view.seats
        )
        unsteady = scene_at("speaking")
        unsteady.look(replace(scene.view, seats=tuple(seats)))
        assert (told in said(unsteady)) == (who == "speaks")
    assert "unsteady" not in said(scene)


def test_a_word_that_waits_for_the_table_is_named_below_what_was_said_last() -> None:
    scene = scene_at("speaking")
    assert scene.view
    scene.look(replace(scene.view, link=LinkState.DOWN, own_word=None))
    assert "There is no bid yet. Next: Player3." in said(scene)
    scene.look(replace(scene.view, own_word=Bid(2)))
    assert "There is no bid yet. Your word “2” is waiting to be sent." in said(scene)


def test_a_table_of_ones_own_is_never_joined() -> None:
    own, other = Scene(is_opening=True), Scene()
    assert "Hosting" in said(own) and "Joining" in said(other)


def test_the_typed_digits_of_a_hand_are_never_shown() -> None:
    scene = scene_at("choosing")
    assert scene.view
    rich = tuple(replace(seat, coins=12) for seat in scene.view.seats)
    scene.view = replace(scene.view, seats=rich)
    plain = said(scene)
    for digit in "11":
        scene.controls.press(digit, scene.view)
    assert scene.controls.hand_digits == "11" and said(scene) == plain


def test_a_remark_is_shown_wherever_it_comes_and_a_saved_game_with_its_place() -> None:
    remark = sentences.forbidden(Illegal(Reason.NO_GAME), ())
    for moment in ("gathering", "choosing", "speaking", "answering"):
        for client in range(3):
            scene = scene_at(moment, client)
            scene.remark, scene.hint = remark, Hint.OPEN
            assert remark in said(scene)
    scene = scene_at("over")
    scene.record = Path("~/games/one.spoof")
    assert "Saved. g shows its rounds." in said(scene)
    assert "~/games/one.spoof" in page(scene, 70).plain


def test_everybody_is_told_how_long_a_game_waits_for_those_who_are_not_ready() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients[:2])
    ready, late = seen(table.clients[0]), seen(table.clients[2])
    for scene in (ready, late):
        scene.wall = table.clients[0].view.time + 18_000 - scene.ahead
    assert "Waiting for Player3. 0:4" in said(ready)
    assert "The game begins without you in 0:4" in said(late)
    assert ready.is_ticking and late.is_ticking
    late.known = SeatState(start_when=3)
    assert "without you" not in said(late), "the player's own table, with bots that are ready"
    assert not late.is_ticking


def test_a_host_whom_everybody_has_left_is_told_how_to_get_company() -> None:
    table = MemoryTable(2)
    table.ready(table.clients[0])
    table.cut(table.clients[1])
    host = seen(table.clients[0])
    assert "Waiting for others to sit down" in said(host)
    host.known = SeatState(is_host=True)
    assert "You are ready. Waiting for one more player. Press m to add a bot." in said(host)


def test_a_turn_of_the_direction_is_told_where_it_happens_and_until_the_next_word() -> None:
    table = at("speaking")
    speaker = table.speaker()
    table.act(speaker, speaker.guest.speak(Bid(2), Direction.COUNTER_CLOCKWISE))
    told = [said(seen(client)) for client in table.clients]
    assert sum("You reverse the direction." in each for each in told) == 1
    name = seen(speaker).names[speaker.view.me or 0]
    assert sum(f"{name} reverses the direction." in each for each in told) == 1, "whoever waits"
    table.say(Bid(3))
    assert not any("the direction." in said(seen(client)) for client in table.clients)


# Hints

ALL = frozenset(each.value for each in Hint)


def looked(scene: Scene, client: GuestSide) -> Scene:
    """The scene after a look, its reveal over."""
    scene.look(client.view)
    pay(scene)
    follow(scene)
    return scene


def but(hint: Hint) -> frozenset[str]:
    return ALL - {hint.value}


def begun(players: int = 3, rules: str = "milan") -> tuple[MemoryTable, GuestSide, Scene]:
    """A first round before the fists are in, in front of its opener."""
    table = at("choosing", players, rules)
    client = table.clients[table.clients[0].view.starter or 0]
    return table, client, looked(seen(client), client)


def test_what_is_on_its_way_is_explained_no_more() -> None:
    _table, _client, sent = begun()
    assert sent.view and hint_words(Hint.HIDE) in said(sent)
    sent.view = replace(sent.view, own_fist_due=False)
    assert follow(sent) and sent.seen == {"hide"}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (45, 20)])
def test_the_first_hand_is_asked_for_with_the_goal_of_the_game(
    size: tuple[int, int], language: str
) -> None:
    _table, _client, scene = begun(players=4)
    assert scene.hint is Hint.HIDE
    told = text(lines(table_parts(scene, *size), *size))
    goal = hint_words(Hint.HIDE).rpartition("; ")[2]
    assert goal in " ".join(told.split()), told


@pytest.mark.parametrize(("rules", "is_told"), [("three-coins", True), ("milan", False)])
def test_a_newcomer_is_told_once_why_somebody_opens_where_the_last_word_decides(
    rules: str, is_told: bool
) -> None:
    table, client, scene = begun(rules=rules)
    scene.is_new, scene.seen = True, but(Hint.OPENER)
    for hinted in (is_told, False):
        table.choose(1, 1, 1)
        looked(scene, client)
        table.say(Bid(1), Bid(2), Ending.CALL)
        catch_up(looked(scene, client))
        asked = looked(scene, client)
        assert (asked.hint is Hint.OPENER) == hinted
        assert (hint_words(Hint.OPENER) in said(asked, "panel")) == hinted


def endings(words: Iterable[str]) -> set[str]:
    return {*words} & {each.value for each in Ending}


def test_a_newcomer_is_offered_a_rare_word_when_it_can_help_and_told_what_it_claims() -> None:
    table = MemoryTable(2, "three-coins", seed=3)
    table.ready()
    opener = table.clients[0].view.starter or 0
    scenes = [Scene(is_new=True) for _client in table.clients]
    told: list[str] = []

    def look() -> None:
        for scene, client in zip(scenes, table.clients, strict=True):
            looked(scene, client)
            catch_up(scene)
            follow(scene)
            if scene.view and scene.view.my_turn:
                words = [row.word.value for row in table_rows(scene, scene.view) if row.word]
                assert endings(each.words for each in table_keys(scene)) == {*words}
                assert endings(coach_page(scene, 0, 60).plain.split()) == {*words}
                hint = scene.hint.value if scene.hint else ""
                told.append(" ".join([*words, hint and f"({hint})"]).strip())

    for is_high in (False, False, True, True, True):
        table.choose(*[0 if seat == opener else 1 for seat in range(2)])
        look()
        table.say(Bid(table.clients[0].view.most if is_high else 1))
        look()
        table.say(Ending.CALL)
        look()
    assert told == [
        "(open)", "call", "(open)", "call", "zero (zero)", "call cliff (cliff)", "zero (zero)",
        "call cliff zero (cliff)", "zero", "call cliff spoof zero (spoof)",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (45, 20)])
@pytest.mark.parametrize(
    ("word", "price"), [(Ending.CLIFF, Hint.STAKE), (Ending.SPOOF, None), (Ending.ZERO, None)]
)
def test_a_rare_word_that_another_says_is_explained_with_its_price_and_offered_from_then_on(
    word: Ending, price: Hint | None, size: tuple[int, int], language: str
) -> None:
    table, client, scene = begun(players=2, rules="three-coins")
    scene.seen, scene.is_new = but(RARE[word]) - {Hint.STAKE.value}, True
    assert not scene.offers(word)
    table.choose(0, 1)
    table.say(Bid(1), word)
    scene.look(client.view)
    follow(scene)
    hints = []
    while scene.pacing.is_running:
        hints.append(scene.hint)
        # The verdict is told alone first where there is no room for more.
        told = [hint_words(each, 3) for each in hints[-1:] if each and not scene.is_judged]
        assert all(each in shown_words(scene, *size) for each in told)
        step(scene)
        follow(scene)
    last = scene.hint
    assert last is not None and hint_words(last, 3) in shown_words(scene, *size)
    assert {*hints, last} == {RARE[word], price or RARE[word]} and hints[0] is RARE[word]
    table.choose(1, 1)
    assert looked(scene, client).offers(word)


def shown_words(scene: Scene, width: int, height: int) -> str:
    """All words on the table screen, one space apart."""
    return " ".join(text(lines(table_parts(scene, width, height), width, height)).split())


def test_where_there_is_little_room_a_hint_takes_that_of_the_sum_and_not_of_the_facts() -> None:
    table, client, scene = begun(players=4)
    scene.seen = but(Hint.VERDICT)
    table.choose(0, 1, 0, 1)
    table.say(*map(Bid, range(1, 5)), Ending.CALL)
    told = shown_words(looked(scene, client), 45, 20)
    assert scene.hint is Hint.VERDICT and hint_words(Hint.VERDICT) in told
    assert "The fists held 2, and Player" in told


def test_a_call_is_told_from_a_zero_the_first_time_that_both_are_offered() -> None:
    table, opener, _scene = begun(rules="three-coins")
    client = table.clients[((opener.view.me or 0) + 1) % 3]
    scene = looked(seen(client), client)
    scene.seen, scene.is_new = but(Hint.APART), True
    table.choose(0, 1, 1)
    table.say(Bid(1))
    assert looked(scene, client).hint is Hint.APART
    table.say(Bid(2))
    assert looked(scene, client).hint is None and Hint.APART.value in scene.seen


def test_newcomers_are_not_told_that_their_fist_is_sealed() -> None:
    table, client, scene = begun()
    table.choose(0, 1, 1)
    for is_new in (True, False):
        scene.is_new = is_new
        assert looked(scene, client).is_sealed is not is_new


def test_what_a_cliff_cannot_win_is_said_as_far_as_there_is_room() -> None:
    scene = scenes()["at-the-cap"]
    prices = {
        120: "nothing to win: you already have 3",
        80: "you keep 3",
        45: "exactly 5 +0",
    }
    for width, price in prices.items():
        assert price in said(scene, "panel", width, 40)
    scene.is_new, scene.seen = True, ALL - {each.value for each in (Hint.SPOOF, Hint.ZERO)}
    assert "exactly 5: +0 or −1" in said(scene, "panel", 45, 40)


@pytest.mark.parametrize("players", [2, 3])
def test_while_a_verdict_rests_nobody_is_waited_for_and_no_key_does_anything_else(
    players: int,
) -> None:
    table = at("choosing", players)
    pairs = [(client, seen(client)) for client in table.clients]
    while table.host.table.phase is not Phase.GATHERING:
        table.choose(*[0 for client in table.clients if client.view.own_fist_due])
        for word in (Ending.ZERO, None):
            for client, scene in pairs:
                scene.look(client.view)
                pay(scene)
                if scene.pacing.is_resting:
                    told = f"{said(scene)} {foot(scene)}"
                    assert "any key goes on" in told
                    assert not {"Waiting", "Enter", "again?", "peek"} & {*told.split()}, told
                    catch_up(scene)
            if word:
                table.say(word)


def test_the_row_of_signs_is_explained_to_a_newcomer_from_the_first_bid_to_the_verdict() -> None:
    table, client, scene = begun()
    scene.seen, scene.is_new = but(Hint.TRACK), True
    table.choose(0, 1, 1)
    assert looked(scene, client).hint is None, "nothing is on it"
    table.say(Bid(1))
    assert looked(scene, client).hint is Hint.TRACK
    table.say(Ending.CALL)
    scene.look(client.view)
    follow(scene)
    assert scene.hint is Hint.TRACK
    assert looked(scene, client).hint is None and Hint.TRACK.value in scene.seen


def test_the_verdict_is_explained_once_it_is_known_and_until_the_next_fist() -> None:
    table, client, scene = begun(players=2)
    table.choose(0, 1)
    table.say(Bid(1), Bid(4))
    scene.look(client.view)
    scene.seen = but(Hint.VERDICT)
    table.say(Ending.CALL)
    scene.look(client.view)
    follow(scene)
    assert scene.hint is None, "the fists are not open yet"
    assert looked(scene, client).hint is Hint.VERDICT
    table.choose(1, 1)
    assert looked(scene, client).hint is None and scene.seen == ALL


def test_a_shout_is_explained_between_two_rounds() -> None:
    table, client, scene = begun()
    scene.seen = but(Hint.MITT)
    table.choose(0, 1, 1)
    table.say(Bid(1), Ending.CALL)
    assert looked(scene, client).hint is None
    other = next(each for each in table.clients if each is not client)
    table.act(other, other.guest.propose(Gesticulate(Gesture.MITT_FULL)))
    assert looked(scene, client).hint is Hint.MITT


def test_in_the_first_two_games_pile_pot_and_house_are_kept_back_and_explained_after_them() -> None:
    table = at("speaking", 2)
    client = table.clients[0]
    scene = seen(client)
    scene.seen, scene.is_new = ALL - {"pot"}, True
    told, spared = [], []
    for _game in range(3):
        told.append(("pot 2" in text(draw_table(scene, 80, 15)), is_newcomer(scene.seen)))
        for go_on in (table.play_on, table.ready):
            go_on()
            scene.look(client.view)
            catch_up(scene)
            follow(scene)
            spared.append(scene.of_pub is None)
    assert told == [(False, True), (False, True), (True, False)]
    assert spared == [True, True, True, False, False, False], "at the end of a game, too"


def test_who_has_games_of_an_earlier_version_is_no_newcomer(state: Path) -> None:
    fill(state, 1)
    assert is_newcomer(frozenset(), count_games())
    fill(state, 1, 5)
    assert not is_newcomer(frozenset(), count_games())


def test_newcomers_are_told_who_won_and_nothing_of_the_pot() -> None:
    scene = Scene()
    scene.look(finished())

    def told() -> str:
        return " ".join("".join(row.letters) for row in sheet(scene, (80, 24)).rows)

    assert "the pot" in told() and "chip" in told()
    scene.is_new = True
    assert "first out and opens" in told() and not {"pot", "chip"} & {*told().split()}


def test_no_hint_and_no_tip_depends_on_a_hand() -> None:
    told: set[object] = set()
    for hand in range(4):
        table, client, scene = begun()
        table.choose(*[hand if each is client else 1 for each in table.clients])
        looked(scene, client)
        told.add((scene.hint, due(scene), scene.seen))
        slow = Scene(is_practice=True, is_slow=True, seen=ALL)
        slow.look(client.view)
        told.add(said(slow))
        assert "Tip: " in said(slow)
        slow.is_slow = False
        assert "Tip" not in said(slow)
    assert len(told) == 2


# The window and the bell


def behind(scene: Scene) -> str:
    """The title of a window that is not in front."""
    return title(scene, is_in_front=False)


def test_the_title_of_a_count_tells_nothing_of_it_and_a_peek_changes_none() -> None:
    scene = counted()
    while not scene.is_counted:
        assert behind(scene) == "Spoof: the fists open"
        step(scene)
    assert behind(scene) == "Spoof: hide your coins"
    for moment in MOMENTS:
        scene = scene_at(moment)
        before = behind(scene)
        scene.peek = 2
        assert behind(scene) == before
    ended = scene_at("answering")
    assert ended.view
    words = (*ended.view.words, (1, Ending.CALL))
    ended.view = replace(ended.view, words=words, speaker=None)
    assert behind(ended) == "Spoof: Player2 says call"


def test_the_bell_rings_once_when_the_table_waits_for_nobody_else() -> None:
    table, alarm = at("speaking"), Attention()
    speaker, rung = table.speaker(), []
    for words in ((), (), (Bid(2),), (Bid(3), Bid(4))):
        table.say(*words)
        rung.append(alarm.rings(seen(speaker), Bell.MY_TURN))
    assert rung == [True, False, False, True]
    table, alarm, rung = at("choosing"), Attention(), []
    me, *others = table.clients
    for each in others:
        rung.append(alarm.rings(seen(me), Bell.MY_TURN))
        table.act(each, each.guest.choose(1, table.entropy()))
    assert [*rung, alarm.rings(seen(me), Bell.MY_TURN)] == [False, False, True]


def test_a_verdict_rings_once_for_those_whom_it_concerns() -> None:
    for bell, concerned, expected in (
        (Bell.ALL, True, 1), (Bell.ALL, False, 0), (Bell.MY_TURN, True, 0), (Bell.OFF, True, 0),
    ):  # fmt: skip
        scene, alarm = counted(), Attention()
        assert scene.last and scene.view
        outcome = scene.last.outcome
        apart = next(x for x in range(3) if x != outcome.ender and x not in outcome.changes)
        scene.view = replace(scene.view, me=outcome.ender if concerned else apart)
        rung = [alarm.rings(scene, bell)]
        scene.reveal = scene.reveal and scene.reveal.to(scene.reveal.steps[-2].beat)
        rung += [alarm.rings(scene, bell), alarm.rings(scene, bell)]
        assert sum(rung) == expected


def test_no_bell_rings_where_it_is_off_or_nothing_goes_on() -> None:
    speaker = seen(at("speaking").speaker())
    assert not Attention().rings(speaker, Bell.OFF) and not Attention().rings(Scene(), Bell.ALL)
    assert speaker.view
    speaker.view = replace(speaker.view, paused=True)
    assert not Attention().rings(speaker, Bell.ALL)


class Ringing(TerminalApp):
    """An app that counts its bells."""

    bells = 0

    def bell(self) -> None:
        self.bells += 1


async def test_no_bell_rings_for_somebody_who_sits_before_it() -> None:
    for focus, idle, bells in ((True, 1.0, 0), (True, PRESENT + 1, 1), (False, 1.0, 1)):
        app, attention = Ringing(), Attention()
        async with app.run_test():
            app.app_focus = focus
            attention.last_key = 100.0
            attention.call(app, seen(at("speaking").speaker()), Bell.MY_TURN, 100.0 + idle)
            assert (app.bells, app.window_title) == (bells, "Spoof: your turn")
            attention.end(app)
            assert app.window_title == "Spoof"


@pytest.mark.parametrize(
    ("key", "away", "bells"), [(99.0, 100.2, 1), (99.0, 103.0, 0), (100.1, 100.2, 0)]
)
async def test_the_bell_rings_for_somebody_who_looks_away_before_it_can_be_seen(
    key: float, away: float, bells: int
) -> None:
    app, attention = Ringing(), Attention()
    async with app.run_test():
        scene = seen(at("speaking").speaker())
        attention.last_key = 99.0
        attention.call(app, scene, Bell.MY_TURN, 100.0)
        attention.last_key, app.app_focus = key, False
        attention.call(app, scene, Bell.MY_TURN, away)
        attention.call(app, scene, Bell.MY_TURN, away + 0.1)
        assert app.bells == bells
