from __future__ import annotations

from typing import Any

from ..base import Rule


class MissingFile(Rule):
    """A file or directory is missing where one is read, written into or changed, or a folder is made that is there already.

    The path is looked up from the kernel's working directory, which need not be the notebook's folder.

    Example: ``open("data/train.csv")`` when the folder is called ``dataset``.

    Fix: correct the path, change the working directory, run the cell that writes the file, or make the folder first
    (``os.makedirs(folder, exist_ok=True)``, which may run twice).
    """

    code = "python.missing-file"
    library = "python"
    exceptions = ("FileNotFoundError", "FileExistsError", "NotADirectoryError", "IsADirectoryError", "OSError")
    order = 35
    CRASHES = [
        ("", "open('nowhere.txt')", "FileNotFoundError"),
        ("", "with open('no/such/data.json', 'rb') as f:\n    f.read()", "FileNotFoundError"),
        ("import os", "os.listdir('no_such_folder')", "FileNotFoundError"),
        ("from pathlib import Path", "Path('missing.txt').read_text()", "FileNotFoundError"),
        ("path = 'gone.csv'", "def load(p):\n    return open(p).read()\nload(path)", "FileNotFoundError"),
        ("import os", "os.stat('missing')", "FileNotFoundError"),
        ("import os\nos.makedirs('already')", "os.mkdir('already')", "FileExistsError"),
        ("from IPython.display import Image", "Image(filename='drawing.png')", "FileNotFoundError"),
        ("import os\nos.mkdir('folder_here')", "open('folder_here')", "IsADirectoryError"),
        ("", "with open('no_folder/log.txt', 'w') as f:\n    f.write('x')", "FileNotFoundError"),
        (
            "lines = ['a']",
            "def save(name):\n    with open('no_folder/' + name, mode='wb') as f:\n        f.write(b'')\nfor line in lines:\n    save(line)",
            "FileNotFoundError",
        ),
        (
            "import pandas as pd\ndf = pd.DataFrame({'a': [1]})",
            "out = df.assign(b=2)\nout.to_csv('no_folder/out.csv', index=False)",
            "OSError",
        ),
        ("import pandas as pd\ns = pd.Series([1])", "s.to_pickle('no_folder/deep/s.pkl')", "OSError"),
    ]
    RUNS = [
        (
            "import os\nos.makedirs('is_there', exist_ok=True)",
            "with open('is_there/log.txt', 'w') as f:\n    f.write('x')",
        ),
        ("import os", "os.makedirs('made_now', exist_ok=True)\nopen('made_now/log.txt', 'w').close()"),
        ("", "!mkdir -p made_by_shell\nopen('made_by_shell/log.txt', 'w').close()"),
        (
            "from pathlib import Path",
            "Path('made_by_path').mkdir(exist_ok=True)\nopen('made_by_path/log.txt', 'w').close()",
        ),
        (
            "import pandas as pd, os\ndf = pd.DataFrame({'a': [1]})",
            "os.makedirs('for_frames', exist_ok=True)\ndf.to_csv('for_frames/out.csv')\ndf.to_pickle('out.pkl')\ndf.to_csv('here.csv', index=False)",
        ),
        ("import pandas as pd\ndf = pd.DataFrame({'a': [1]})", "%mkdir -p by_magic\ndf.to_csv('by_magic/out.csv')"),
        ("", "open('fresh.txt', 'w').close()\nopen('fresh.txt').close()"),
        ("import os", "if os.path.exists('nowhere.txt'):\n    open('nowhere.txt')"),
        ("open('there.txt', 'w').close()", "open('there.txt').close()"),
        (
            "from IPython.display import HTML, Image, display\nopen('page.html', 'w').close()",
            "display(HTML(filename='page.html'))\nImage(data=b'')",
        ),
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

        name, here = getattr(error, "filename", None), f"the kernel, whose working directory is {os.getcwd()!r}"
        if not name:
            return f"{error} (for {here})."
        if isinstance(error, FileExistsError):
            return f"There is a {name!r} already for {here}."
        folder = os.path.dirname(name)
        if isinstance(error, FileNotFoundError) and folder and not os.path.lexists(folder):
            return f"There is no folder {folder!r} for {here}."
        if isinstance(error, FileNotFoundError):
            return f"There is no {name!r} for {here}."
        return f"{name!r} cannot be used that way: {getattr(error, 'strerror', '')}."
