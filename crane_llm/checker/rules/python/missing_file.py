from __future__ import annotations

from typing import Any

from ..base import Rule


class MissingFile(Rule):
    """A file or directory is read that does not exist.

    The path is looked up from the kernel's working directory, which need not be the notebook's folder.

    Example: ``open("data/train.csv")`` when the folder is called ``dataset``.

    Fix: correct the path, change the working directory, or run the cell that writes the file.
    """

    code = "python.missing-file"
    library = "python"
    exceptions = ("FileNotFoundError", "NotADirectoryError", "IsADirectoryError")
    order = 35
    CRASHES = [
        ("", "open('nowhere.txt')", "FileNotFoundError"),
        ("", "with open('no/such/data.json', 'rb') as f:\n    f.read()", "FileNotFoundError"),
        ("import os", "os.listdir('no_such_folder')", "FileNotFoundError"),
        ("from pathlib import Path", "Path('missing.txt').read_text()", "FileNotFoundError"),
        ("path = 'gone.csv'", "def load(p):\n    return open(p).read()\nload(path)", "FileNotFoundError"),
        ("import os", "os.stat('missing')", "FileNotFoundError"),
        ("import os\nos.mkdir('folder_here')", "open('folder_here')", "IsADirectoryError"),
    ]
    RUNS = [
        ("", "open('fresh.txt', 'w').close()\nopen('fresh.txt').close()"),
        ("import os", "if os.path.exists('nowhere.txt'):\n    open('nowhere.txt')"),
        ("open('there.txt', 'w').close()", "open('there.txt').close()"),
        (
            "import os\nos.mkdir('sub')\nopen('sub/a.txt', 'w').close()",
            "os.chdir('sub')\nopen('a.txt').close()\nos.chdir('..')",
        ),
        ("", "!touch made_by_shell.txt\nopen('made_by_shell.txt').close()"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return isinstance(error, OSError)

    def explain(self, event: Any, error: BaseException) -> str:
        import os

        name = getattr(error, "filename", None)
        return f"There is no {name!r} for the kernel, whose working directory is {os.getcwd()!r}." if isinstance(error, FileNotFoundError) else f"{name!r} cannot be read that way: {getattr(error, 'strerror', '')}."  # fmt: skip
