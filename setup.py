"""Build of the compiled modules; everything else is in pyproject.toml.

A module is compiled when a .pxd of the same name lies beside its .py: that file declares its C types.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent

# Portable by default: a wheel built here must run on an old laptop. QIQIAO_CFLAGS="-march=native" is for own builds.
FLAGS = (["/O2"] if sys.platform == "win32" else ["-O3", "-fno-plt"]) + os.environ.get("QIQIAO_CFLAGS", "").split()

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


setup(
    ext_modules=cythonize(extensions(), compiler_directives=DIRECTIVES, quiet=True, nthreads=0),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
