"""The pages that tell every file in a line name every file, and none that is not there."""

import re
import subprocess

import pytest
from support import ROOT

ROW = re.compile(r"^\| `([\w.]+)` \| \S.+ \|$")
FOLDER = re.compile(r"^## `([\w/]+)/`$")


def told(page: str) -> list[str]:
    """The files a page names, with their folders."""
    found, folder = [], ""
    for line in page.splitlines():
        if match := FOLDER.match(line):
            folder = match[1]
        elif match := ROW.match(line):
            found.append(f"{folder}/{match[1]}")
    return found


def there(package: str) -> list[str]:
    done = subprocess.run(["git", "ls-files", package], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("no git here")
    return [name for name in done.stdout.split() if name.endswith(".py") and not name.endswith("__init__.py")]


@pytest.mark.parametrize("package", ["engines", "protocols"])
def test_every_file_has_its_line(package):
    page = ROOT / package / "README.md"
    names = [name for name in told(page.read_text(encoding="utf-8")) if name.endswith(".py")]
    assert len(names) == len(set(names)) and sorted(names) == sorted(there(package))
