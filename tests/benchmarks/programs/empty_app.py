"""The least that Textual can show: the baseline of the first frame."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class EmptyApp(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        yield Static("nothing here")


if __name__ == "__main__":
    EmptyApp().run()
