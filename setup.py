"""Build of the compiled modules; everything else is in pyproject.toml.

A module is compiled when a .pxd of the same name lies beside its .py: that file declares its C types.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

ROOT = Path(__file__).parent

# Portable by default: a wheel built here must run on an old laptop. QIQIAO_CFLAGS="-march=native" is for own builds.
USUAL = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-plt", "-g0"]
FLAGS = USUAL + os.environ.get("QIQIAO_CFLAGS", "").split()

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
}


def extensions() -> list[Extension]:
    found = []
    for package in ("engines", "protocols"):
        for pxd in sorted((ROOT / package).rglob("*.pxd")):
            source = pxd.with_suffix(".py").relative_to(ROOT)
            if source.stem != "__init__" and (ROOT / source).exists():
                found.append(Extension(".".join(source.with_suffix("").parts), [str(source)], extra_compile_args=FLAGS))
    return found


HOW = (
    "Debian, Ubuntu: apt install gcc python3-dev; Fedora: dnf install gcc python3-devel; "
    "macOS: xcode-select --install; Windows: the Build Tools for Visual Studio"
)


class Build(build_ext):
    """The usual build, whose last line says what to install where something is missing: people read no further."""

    def run(self) -> None:
        try:
            super().run()
        except (CCompilerError, ExecError, PlatformError) as error:
            told = what_is_missing(getattr(self.compiler, "compiler", None))
            if not told:
                raise
            raise SystemExit(f"{error}\nqiqiao: {told} ({HOW}), then run the same command again") from None


def what_is_missing(command: list[str] | None) -> str:
    """Why a build can't work on this machine; "" where nothing is missing. ``command`` is the compiler's."""
    if command and shutil.which(command[0]) is None:
        return f"a C compiler is needed to build it, and there is no '{command[0]}': install one"
    if not command and sys.platform == "win32":
        return "a C compiler is needed to build it: install one"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "Python's header files are needed to build it: install them"
    return ""


setup(
    cmdclass={"build_ext": Build},
    ext_modules=cythonize(extensions(), compiler_directives=DIRECTIVES, quiet=True, nthreads=0),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
