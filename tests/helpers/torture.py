"""Starts ``tests/protocols/programs/torture.py`` as an engine, and sees what is left of it."""

import subprocess
import sys
import time
import uuid

from support import ROOT

from protocols.programs.config import EngineConfig

PROGRAM = ROOT / "tests" / "protocols" / "programs" / "torture.py"


class Torture:
    """A specification of a torture engine, and the processes it has left."""

    def __init__(self, protocol, fault="none", once=None, **changes):
        self.token = uuid.uuid4().hex
        words = [sys.executable, "-S", "-E", str(PROGRAM), "--token", self.token]
        if once is not None:
            words += ["--once", str(once)]
        words += [protocol, fault]
        times = {"start_time": 5, "patience": 0.3, "stop_time": 0.3, "quit_time": 0.2}
        settled = {} if protocol == "gtp" else {"rank_base": 0}
        self.spec = EngineConfig(
            protocol, " ".join(f"'{word}'" for word in words), "torture", **{**times, **settled, **changes}
        )

    def left(self):
        """How many of its processes run; a moment is given them to disappear."""
        for _ in range(40):
            lines = subprocess.run(
                ["ps", "-A", "-o", "stat=,args="], capture_output=True, text=True
            ).stdout.splitlines()
            count = sum(self.token in line and not line.lstrip().startswith("Z") for line in lines)
            if not count:
                return 0
            time.sleep(0.05)
        return count
