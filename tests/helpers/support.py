"""What several test files need."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
"""The repository."""

DATA = ROOT / "tests" / "data"

PURE = os.environ.get("QIQIAO_PURE") == "1"
"""Whether the tests run on the uncompiled sources: fewer and smaller ones then."""
