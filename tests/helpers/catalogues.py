"""The catalogues of translations against the source: `python -m tests.helpers.catalogues`.

Lists for every language what is missing, stale or broken, and exits with 1 if anything is.
`--update` first brings the .po files into line with the source (new sentences untranslated,
vanished ones removed), and compiles them to the .mo files that the program reads.
"""

from __future__ import annotations

import ast
import gettext
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from spoof_tui.text.i18n import CATALOGUES, DOMAIN
from tests.helpers.sources import ROOT, nodes, tree

PACKAGES: Final = ("protocol", "spoof_tui")

KEYWORDS: Final = {"_": 1, "N_": 1, "ngettext": 2, "pgettext": 2}
"""The functions that mark a sentence, and how many of their arguments go into the catalogue."""

_WIDTH: Final = 100


def sources() -> Iterator[Path]:
    """Every module of the program, in a stable order."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def template() -> Catalog:
    """Every sentence that is marked in the source."""
    found = Catalog(domain=DOMAIN)
    for path in sources():
        place = [(path.relative_to(ROOT).as_posix(), 0)]
        for function, texts in marked(tree(path)):
            if function == "pgettext":
                found.add(texts[1], locations=place, context=texts[0])
            else:
                found.add(texts[0] if len(texts) == 1 else tuple(texts), locations=place)
    return found


def marked(module: ast.AST) -> list[tuple[str, list[str]]]:
    """The functions that mark sentences in a module, and the sentences, in order.

    Babel's own extraction misses what is marked inside an f-string.
    """
    calls = [node for node in nodes(module) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    found = []
    for call in calls:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
        if name in KEYWORDS and len(texts) >= KEYWORDS[name]:
            found.append((name, [str(text) for text in texts[: KEYWORDS[name]]]))
    return found


def languages() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.parent.parent.name for path in CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def po_path(language: str) -> Path:
    """The file in which people write the translations into a language."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(language: str) -> Path:
    """The file that the program reads."""
    return po_path(language).with_suffix(".mo")


def catalogue(language: str) -> Catalog:
    """The translations into a language, as they are written."""
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def compiled(catalog: Catalog) -> dict[str | tuple[str, int], str]:
    """The catalogue as the program would read it."""
    binary = io.BytesIO()
    write_mo(binary, catalog)
    binary.seek(0)
    return sentences(gettext.GNUTranslations(binary))


def sentences(translations: gettext.GNUTranslations) -> dict[str | tuple[str, int], str]:
    """Every translation in a compiled catalogue, without its header."""
    read: dict[str | tuple[str, int], str] = translations._catalog  # type: ignore[attr-defined]
    return {message: meaning for message, meaning in read.items() if message}


def update(language: str) -> None:
    """Bring a language's catalogue into line with the source, and compile it."""
    catalog = catalogue(language)
    catalog.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    with po_path(language).open("wb") as file:
        write_po(
            file, catalog, width=_WIDTH, no_location=True, sort_output=True, ignore_obsolete=True
        )
    with mo_path(language).open("wb") as file:
        write_mo(file, catalog)


def troubles(language: str) -> list[str]:
    """The faults of a language's catalogue, one per line."""
    catalog, wanted = catalogue(language), template()
    found = [trouble for message in wanted if message.id for trouble in _lack(message, catalog)]
    found += [
        f"stale: {message.id!r}"
        for message in [*catalog, *catalog.obsolete.values()]
        if message.id and wanted.get(_first(message), message.context) is None
    ]
    if not found and not _is_compiled(language, catalog):
        found.append(f"{mo_path(language).name} is older than the .po")
    return found


def _is_compiled(language: str, catalog: Catalog) -> bool:
    try:
        with mo_path(language).open("rb") as file:
            return sentences(gettext.GNUTranslations(file)) == compiled(catalog)
    except OSError:
        return False


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _lack(wanted: Message, catalog: Catalog) -> Iterator[str]:
    """The faults in the translation of one sentence."""
    message = catalog.get(_first(wanted), wanted.context)
    if message is None:
        yield f"not in the catalogue: {wanted.id!r}"
        return
    if message.id != wanted.id:
        yield f"stale plural: {message.id!r}"
        return
    forms = (message.string,) if isinstance(message.string, str) else message.string
    if not forms or not all(forms):
        yield f"untranslated: {wanted.id!r}"
        return
    if message.fuzzy:
        yield f"fuzzy: {wanted.id!r}"
    if isinstance(message.id, str):
        if places(message.id) != places(forms[0]):
            yield f"other places for values: {message.id!r} -> {forms[0]!r}"
        return
    yield from _plural_lack(message.id, forms, catalog.num_plurals)


def _plural_lack(ids: Sequence[str], forms: Sequence[str], number: int) -> Iterator[str]:
    if len(forms) != number:
        yield f"{len(forms)} forms and not {number}: {ids!r}"
    one, many = places(ids[0]), places(ids[1])
    for form in forms:
        if not one <= places(form) <= many:
            yield f"other places for values: {ids!r} -> {form!r}"


def places(sentence: str) -> frozenset[tuple[str, str, str]]:
    """The placeholders of a sentence: names, formats and conversions."""
    return frozenset(
        (name, spec or "", conversion or "")
        for _text, name, spec, conversion in Formatter().parse(sentence)
        if name is not None
    )


def main(arguments: Sequence[str]) -> int:
    """Print the faults of every language; 1 if there are any."""
    status = 0
    for language in languages():
        if "--update" in arguments:
            update(language)
        for trouble in troubles(language):
            print(f"{language}: {trouble}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
