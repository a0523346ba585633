"""Work counted, not timed: lines of Python run, and characters that patterns go over."""

import re
import sys
from contextlib import contextmanager


class Counter:
    """``work`` done so far."""

    def __init__(self):
        self.work = 0


class _Pattern:
    """A pattern whose matches are counted: what they go over, and, where a search fails, the rest of the line."""

    def __init__(self, pattern, counter, scans):
        self._pattern, self._counter, self._scans = pattern, counter, scans

    def __getattr__(self, name):
        return getattr(self._pattern, name)

    def _counted(self, name, text, at=0, *end):
        found = getattr(self._pattern, name)(text, at, *end)
        if found is not None:
            self._counter.work += found.end() - at
        elif self._scans or name == "search":
            line = text.find("\n", at)
            self._counter.work += (len(text) if line < 0 else line) - at
        return found

    def match(self, *given):
        return self._counted("match", *given)

    def search(self, *given):
        return self._counted("search", *given)


@contextmanager
def counted(monkeypatch, modules, scans=()):
    """Count the work of these modules. ``scans``: names of patterns that, failing, have gone to the end of the line."""
    counter = Counter()
    files = {module.__file__ for module in modules}
    with monkeypatch.context() as patch:
        for module in modules:
            for name, value in vars(module).copy().items():
                if isinstance(value, re.Pattern):
                    patch.setattr(module, name, _Pattern(value, counter, name in scans))

        def trace(frame, event, argument):
            if frame.f_code.co_filename not in files:
                return None
            counter.work += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            yield counter
        finally:
            sys.settrace(before)
