"""A key becomes one changed line: the baseline of everything that reacts to a key."""

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static


class BareUpdate(App[None]):
    """Counts the keys that were pressed."""

    count = 0

    def compose(self) -> ComposeResult:
        yield Static("pressed 0 times")

    def on_key(self, event: events.Key) -> None:
        self.count += 1
        self.query_one(Static).update(f"pressed {self.count} times", layout=False)


if __name__ == "__main__":
    BareUpdate().run()
