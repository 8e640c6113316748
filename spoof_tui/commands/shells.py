"""What completes a command line in bash, zsh and fish: scripts made of what there is to say.

They hold plain data and ask no program, so that they are as quick as the shell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spoof_tui.commands.suggesting import FILES


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command."""

    flags: tuple[str, ...]
    help: str
    takes_value: bool
    """Whether a word follows that belongs to it."""
    values: tuple[str, ...]
    """The words that may follow, as far as they are known; `FILES` for those of files."""


@dataclass(frozen=True, slots=True)
class Command:
    """What can be said behind one command; of the program itself where it has no name."""

    name: str
    help: str
    options: tuple[Option, ...]
    values: tuple[str, ...]
    """Words that may stand there besides options."""

    @property
    def flags(self) -> list[str]:
        """All options as they are typed."""
        return [flag for option in self.options for flag in option.flags]


# bash

_BASH: Final = """\
# Completes the command line of spoof in bash: source <(spoof completion bash)
_spoof() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command= words= files= index
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
            -*) ;;
            *) command=${COMP_WORDS[index]}; break ;;
        esac
    done
    case "$command $previous" in
@values@
        *) case "$command" in
@commands@
        esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _spoof spoof"""


def bash(commands: Sequence[Command]) -> str:
    """The script for bash, from version 3.2 on."""
    values = [
        f"        {_patterns(command, option)}) {_assigned(option.values)} ;;"
        for command, option in _with_values(commands)
    ]
    known = [
        f"            {_quoted(command.name)}) {_assigned([*_words(command), *command.flags])} ;;"
        for command in commands
    ]
    return _filled(_BASH, values, known)


def _patterns(command: Command, option: Option) -> str:
    return " | ".join(_quoted(f"{command.name} {flag}") for flag in option.flags)


def _assigned(words: Iterable[str]) -> str:
    words = list(words)
    files = "; files=1" if FILES in words else ""
    return f"words={_quoted(' '.join(word for word in words if word != FILES))}{files}"


# zsh

_ZSH: Final = """\
#compdef spoof
# Completes the command line of spoof in zsh: source <(spoof completion zsh)
_spoof() {
    local command= previous=${words[CURRENT-1]} word
    local -a known
    for word in ${words[2,CURRENT-1]}; do
        if [[ $word != -* ]]; then command=$word; break; fi
    done
    case "$command $previous" in
@values@
    esac
    case $command in
@commands@
    esac
}
compdef _spoof spoof"""


def zsh(commands: Sequence[Command]) -> str:
    """The script for zsh."""
    values = [
        f"        {_zsh_patterns(command, option)}) {_added(option.values)}return ;;"
        for command, option in _with_values(commands)
    ]
    known = []
    for command in commands:
        described = [(flag, each.help) for each in command.options for flag in each.flags]
        if not command.name:
            described = [*((each.name, each.help) for each in commands if each.name), *described]
        items = " ".join(_quoted(f"{_escaped(word)}:{text}") for word, text in described)
        rest = "" if not command.name else _added(command.values)
        known.append(
            f"        ({_quoted(command.name)}) {rest}known=({items}); _describe spoof known ;;"
        )
    return _filled(_ZSH, values, known)


def _zsh_patterns(command: Command, option: Option) -> str:
    return "(" + "|".join(_quoted(f"{command.name} {flag}") for flag in option.flags)


def _added(words: Iterable[str]) -> str:
    words = list(words)
    plain = " ".join(_quoted(word) for word in words if word != FILES)
    return (f"compadd -- {plain}; " if plain else "") + ("_files; " if FILES in words else "")


def _escaped(word: str) -> str:
    return word.replace(":", "\\:")


# fish


def fish(commands: Sequence[Command]) -> str:
    """The script for fish."""
    return "\n".join(_fish(commands))


def _fish(commands: Sequence[Command]) -> Iterator[str]:
    yield "# Completes the command line of spoof in fish: spoof completion fish | source"
    yield "complete -c spoof -f"
    for command in commands:
        when = "__fish_use_subcommand"
        if command.name:
            yield f"complete -c spoof -n {when} -a {command.name} -d {_quoted(command.help)}"
            when = f"__fish_seen_subcommand_from {command.name}"
        start = f"complete -c spoof -n {_quoted(when)}"
        for option in command.options:
            yield f"{start} {_fish_flags(option)} -d {_quoted(option.help)}"
        if command.name and command.values:
            yield f"{start} {_fish_values(command.values)}"


def _fish_flags(option: Option) -> str:
    parts = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
             for flag in option.flags]  # fmt: skip
    if option.takes_value:
        parts.append("-r" if FILES in option.values else "-x")
    return " ".join([*parts, *([_fish_values(option.values)] if option.values else [])])


def _fish_values(values: Sequence[str]) -> str:
    words = " ".join(word for word in values if word != FILES)
    parts = ["-F"] if FILES in values else []
    return " ".join([*parts, f"-a {_quoted(words)}"] if words else parts)


# What they have in common


def _with_values(commands: Iterable[Command]) -> Iterator[tuple[Command, Option]]:
    for command in commands:
        for option in command.options:
            if option.takes_value:
                yield command, option


def _words(command: Command) -> Iterable[str]:
    return command.values


def _filled(script: str, values: Sequence[str], commands: Sequence[str]) -> str:
    return script.replace("@values@", "\n".join(values)).replace("@commands@", "\n".join(commands))


def _quoted(text: str) -> str:
    """The text as one word of a shell."""
    return "'" + " ".join(text.split(" ")).replace("'", "'\\''") + "'"


SHELLS: Final[Mapping[str, Callable[[Sequence[Command]], str]]] = {
    "bash": bash, "zsh": zsh, "fish": fish,
}  # fmt: skip
