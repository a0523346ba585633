"""Write engines/README.md and protocols/README.md again: every file in a line, as its docstring begins.

    python scripts/list_files.py

What stands before the first folder stays. A test fails when a file is missing there.
"""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring on one line, as Markdown."""
    text = ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")


def page(package: str) -> str:
    """The lines for all folders of a package."""
    listed = subprocess.run(["git", "ls-files", package], cwd=ROOT, check=True, capture_output=True, text=True)
    # A set: while a merge has conflicts, a file is listed once for each side.
    names = sorted({Path(name) for name in listed.stdout.split() if name.endswith(".py")})
    lines: list[str] = []
    for folder in sorted({name.parent for name in names}):
        lines += [f"## `{folder.as_posix()}/`", ""]
        if folder / "__init__.py" in names and (about := summary(folder / "__init__.py")):
            lines += [about, ""]
        files = [name for name in names if name.parent == folder and name.name != "__init__.py"]
        if files:
            rows = [f"| `{name.name}` | {summary(name).rstrip('.')} |" for name in files]
            lines += ["| file | what |", "|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    for package in ("engines", "protocols"):
        path = ROOT / package / "README.md"
        head = path.read_text(encoding="utf-8").partition("\n## ")[0]
        path.write_text(f"{head.rstrip()}\n\n{page(package)}", encoding="utf-8")


if __name__ == "__main__":
    main()
