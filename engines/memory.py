"""How much memory there is to be had, so that a size nobody has is refused with a word instead of ending the process.

Systems promise more memory than they have and end whoever uses it; asking for it proves nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

_LIMITS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""Files of a limit on all processes of a container, and of what they use, in bytes."""


def available_mb() -> int | None:
    """Megabytes that can be used now without the system running out of them; None where it does not say.

    That is what Linux calls ``MemAvailable``, or less where a container has less. Free swap counts: it is slow, but
    nothing fails for it.
    """
    found = [size for size in (_of_machine(), _of_container(), _of_process()) if size is not None]
    return max(0, min(found)) >> 20 if found else None


def _of_machine() -> int | None:
    try:
        rows = [line.split() for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines()]
        sizes = {row[0]: int(row[1]) << 10 for row in rows}
        return sizes["MemAvailable:"] + sizes.get("SwapFree:", 0)
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _of_container() -> int | None:
    for limit, used in _LIMITS:
        try:
            return int(Path(limit).read_text(encoding="ascii")) - int(Path(used).read_text(encoding="ascii"))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return None


def _of_process() -> int | None:
    """What a limit on this process (``ulimit -v``) leaves."""
    if sys.platform == "win32":
        return None
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        return limit - int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        return None
