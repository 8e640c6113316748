"""A build step: compiles the translation catalogues, so that no .mo files are kept in git.

`pyproject.toml` names the class; an installed program never imports this module.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools.command.build_py import build_py

CATALOGUES: Final = Path(__file__).parent / "locale"


class BuildCatalogues(build_py):
    """Compiles every .po file beside itself before the packages are collected."""

    def run(self) -> None:
        """Compile, then build as usual; an editable install runs this, too."""
        for source in sorted(CATALOGUES.glob("*/LC_MESSAGES/*.po")):
            compile_catalogue(source)
        super().run()


def compile_catalogue(source: Path) -> None:
    """Write the .mo file beside a .po file; raises `OSError` or Babel's `PoFileError`."""
    with source.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    with source.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)
