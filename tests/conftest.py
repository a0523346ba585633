"""Test setup: QIQIAO_PURE=1 runs the tests on the uncompiled sources."""

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import DATA, PURE, ROOT

# A busy machine is no fault of the code's: nothing here may depend on how long an example takes. In continuous
# integration the examples are always the same, so that a failure can be seen again.
settings.register_profile(
    "qiqiao", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("qiqiao")


class _SourceFinder:
    """Finds this repository's modules as plain sources, although compiled ones lie beside them."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] not in ("engines", "protocols"):
            return None
        base = ROOT.joinpath(*name.split("."))
        if (base / "__init__.py").exists():
            return importlib.util.spec_from_file_location(
                name, base / "__init__.py", submodule_search_locations=[str(base)]
            )
        source = base.with_suffix(".py")
        if source.exists():
            loader = importlib.machinery.SourceFileLoader(name, str(source))
            return importlib.util.spec_from_file_location(name, source, loader=loader)
        return None


if PURE:
    sys.meta_path.insert(0, _SourceFinder)


def pytest_collection_modifyitems(items):
    # Names that are others in each process can't be shared out among several.
    unstable = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if unstable:
        raise pytest.UsageError(f"parameters need ids: {unstable[0]}")
    if PURE:
        skip = pytest.mark.skip(reason="needs the compiled modules")
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(skip)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    return DATA
