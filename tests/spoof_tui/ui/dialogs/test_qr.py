"""A QR code in half blocks."""

from __future__ import annotations

from spoof_tui.ui.dialogs.qr import MARGIN, qr_lines, squares_of

LINE = "spoof join 192.168.1.20 K7M4Q"
FINDER = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]


def test_it_has_its_three_corners_and_a_light_margin() -> None:
    rows = ["".join("#" if dark else "." for dark in row) for row in squares_of(LINE)]
    inner = [row[MARGIN:-MARGIN] for row in rows[MARGIN:-MARGIN]]
    assert [row[:7] for row in inner[:7]] == FINDER
    assert [row[-7:] for row in inner[:7]] == FINDER
    assert [row[:7] for row in inner[-7:]] == FINDER
    assert "#" not in rows[0] + rows[-1]


def test_every_cell_holds_two_squares() -> None:
    squares, lines = squares_of(LINE), qr_lines(LINE)
    assert {line.cell_length for line in lines} == {len(squares[0])}
    assert len(lines) == -(-len(squares) // 2)


def test_an_invitation_fits_a_small_terminal() -> None:
    longest = 'spoof join "[2001:db8:1234:5678:9abc:def0:1234:5678]:65535" K7M4Q'
    assert len(qr_lines(LINE)) <= 17
    assert len(qr_lines(longest)) <= 22


def test_the_colours_say_which_half_is_dark() -> None:
    first = qr_lines(LINE)[MARGIN // 2]
    styles = {str(span.style) for span in first.spans}
    assert len(styles) > 1
