"""Who is logging in, and who gives way to whom."""

from spoof_tui.door.visitors import MAX_LOGINS, MAX_OF_PLACE, PATIENCE, Logins

HERE = "10.0.0.1"


def crowded() -> Logins:
    """Nobody else from this place may come."""
    logins = Logins()
    assert all(logins.begin(each, HERE, 0.0) is None for each in range(MAX_OF_PLACE))
    return logins


def test_nobody_gives_way_to_somebody_from_the_same_place_in_time() -> None:
    logins = crowded()
    assert logins.begin(99, HERE, PATIENCE - 0.1) == 99
    assert logins.begin(99, HERE, PATIENCE) == 0
    assert logins.begin(100, HERE, PATIENCE) == 1


def test_who_has_logged_in_is_in_nobodys_way() -> None:
    logins = crowded()
    logins.end(5)
    logins.end(5)
    assert logins.begin(99, HERE, 0.0) is None


def test_the_busiest_place_gives_way_to_a_new_one() -> None:
    logins = crowded()
    places = [f"10.0.{each}.1" for each in range(1, MAX_LOGINS - MAX_OF_PLACE + 1)]
    assert all(logins.begin(100 + each, place, 0.0) is None for each, place in enumerate(places))
    assert logins.begin(999, "10.1.0.1", 0.0) == MAX_OF_PLACE - 1
