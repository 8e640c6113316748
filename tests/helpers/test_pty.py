"""The driver of programs in a pseudo terminal."""

import sys

from tests.helpers.pty import Terminal

CHATTERBOX = """
import sys
input("ready")
while True: sys.stdout.write("x" * 999)
"""


def shell(script: str, cols: int = 40, rows: int = 10) -> Terminal:
    return Terminal(["sh", "-c", script], cols, rows)


def test_rows_that_change_in_any_way_are_read_anew() -> None:
    acts = [r"1\n2\n3\n", r"\033[2;1H\033[L", r"\033[1;1H\033[M", r"\033[9;1H\n\n\n", r"\033[J"]
    painting = [f"printf '{act}<{number}>'; read x" for number, act in enumerate(acts)]
    with shell("; ".join(["stty -echo", *painting])) as terminal:
        for number in range(len(acts)):
            terminal.wait(f"<{number}>")
            assert terminal.lines() == [row.rstrip() for row in terminal.screen.display]
            terminal.send("\n")


def test_a_stalled_terminal_blocks_the_program_until_it_is_read_again() -> None:
    with Terminal([sys.executable, "-c", CHATTERBOX]) as terminal:
        terminal.wait("ready")
        terminal.send("\r")
        terminal.wait("xxx")
        terminal.stall()
        mark = terminal.mark()
        terminal.wait_full()
        assert terminal.painted_since(mark) == b""
        terminal.unstall()
        terminal.wait_bytes(b"x", since=mark)


def test_sequences_that_the_screen_model_does_not_know_leave_no_trace() -> None:
    unknown = r"\033[>1u\033[?2026\$p\033]0;title\007\033P+q\033\\\\"
    with shell(f'stty -echo; printf "a{unknown}b\\033[<"; sleep 0.05; printf "uc\\n"') as terminal:
        terminal.wait("abc")


def test_a_query_for_synchronised_output_is_answered() -> None:
    with shell(r'stty raw -echo; printf "\033[?2026\$p"; head -c 11 | tail -c 10') as terminal:
        terminal.wait("[?2026;2$y")
