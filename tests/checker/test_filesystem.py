"""What the disk refuses: folders and files that are missing or there already. Each cell is checked and then run in an empty folder."""

from __future__ import annotations

import importlib
import os

import pytest
from claims import expect
from kernel import Kernel

from crane_llm.checker import models

HERE = "import os, shutil\nfrom pathlib import Path\nos.mkdir('models')\nopen('notes.txt', 'w').close()\nopen('models/a.bin', 'w').close()\n"
CHANGING = [
    ("os.mkdir('models')", "FileExistsError"),
    ("os.mkdir('no/models')", "FileNotFoundError"),
    ("os.makedirs('models')", "FileExistsError"),
    ("os.makedirs('notes.txt', exist_ok=True)", "FileExistsError"),
    ("Path('models').mkdir()", "FileExistsError"),
    ("Path('no/models').mkdir(exist_ok=True)", "FileNotFoundError"),
    ("os.remove('gone.txt')", "FileNotFoundError"),
    ("Path('gone.txt').unlink()", "FileNotFoundError"),
    ("os.rmdir('models')", "OSError"),
    ("os.rename('gone.txt', 'new.txt')", "FileNotFoundError"),
    ("Path('notes.txt').rename('no/notes.txt')", "FileNotFoundError"),
    ("os.chdir('elsewhere')", "FileNotFoundError"),
    ("os.chdir('notes.txt')", "NotADirectoryError"),
    ("shutil.copy('gone.txt', 'new.txt')", "FileNotFoundError"),
    ("shutil.move('gone.txt', 'new.txt')", "FileNotFoundError"),
    ("shutil.rmtree('gone')", "FileNotFoundError"),
    ("Path('no/out.txt').write_text('x')", "FileNotFoundError"),
    ("with (Path('no') / 'out.txt').open('w') as f:\n    f.write('x')", "FileNotFoundError"),
    ("import zipfile\nzipfile.ZipFile('gone.zip')", "FileNotFoundError"),
]
LEAVING = [
    "os.makedirs('models', exist_ok=True)\nPath('models').mkdir(exist_ok=True)",
    "os.makedirs('made/now')\nopen('made/now/log.txt', 'w').close()\nos.remove('made/now/log.txt')",
    "if not os.path.exists('models'):\n    os.mkdir('models')",
    "shutil.rmtree('models')\nos.mkdir('models')",
    "os.rename('models', 'old')\nos.mkdir('models')\nos.rmdir('models')",
    "Path('gone.txt').unlink(missing_ok=True)\nshutil.rmtree('gone', ignore_errors=True)",
    "for name in os.listdir('models'):\n    os.remove(os.path.join('models', name))\nos.rmdir('models')",
    "try:\n    os.mkdir('models')\nexcept FileExistsError:\n    pass",
    "Path('a/b').mkdir(parents=True)\nPath('a/b/c.txt').write_text('x')\nPath('a/b/c.txt').rename('c.txt')\nos.chdir('a')\nos.chdir('..')",
    "shutil.copy('notes.txt', 'models')\nshutil.move('notes.txt', 'models/n.txt')",
    "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    os.mkdir(os.path.join(d, 'x'))\n    open(os.path.join(d, 'x', 'y'), 'w').close()",
]
DATA = "import numpy as np\nimport pandas as pd\nimport joblib, os\nfrom PIL import Image\nfrom pathlib import Path\nx = np.zeros(3)\ndf = pd.DataFrame({'a': [1, 2]})\nimport matplotlib.pyplot as plt\nimage = Image.new('RGB', (2, 2))\n"
SAVING = [
    ("np.save('no/x', x)", "FileNotFoundError"),
    ("np.savez('no/x', first=x, second=x)", "FileNotFoundError"),
    ("np.savetxt('no/x.csv', x, delimiter=',')", "FileNotFoundError"),
    ("np.savetxt('x.csv', np.zeros((2, 2, 2)))", "ValueError"),
    ("joblib.dump({'a': x}, 'no/x.joblib')", "FileNotFoundError"),
    ("joblib.load('gone.joblib')", "FileNotFoundError"),
    ("image.save(Path('no') / 'x.png')", "FileNotFoundError"),
    ("plt.imread('gone.png')", "FileNotFoundError"),
    ("plt.plot(x)\nplt.savefig('no/x.png', dpi=50, bbox_inches='tight')", "FileNotFoundError"),
    ("fig, ax = plt.subplots()\nax.plot(x)\nfig.savefig('no/x.pdf')", "FileNotFoundError"),
    (
        "for name in ['a', 'b']:\n    plt.figure()\n    plt.plot(x)\n    plt.savefig(f'no/{name}.svg')\n    plt.close()",
        "FileNotFoundError",
    ),
    ("df.to_json('no/x.json', orient='records')", "OSError"),
    ("df.to_html('no/x.html')", "OSError"),
    ("df.to_json('no/x.json', orient='rows')", "ValueError"),
]
SAVED = [
    "np.save('x', x)\nnp.load('x.npy')\nnp.savez('y', x=x)\nnp.savetxt('x.csv', x)\njoblib.dump(x, 'x.joblib')\njoblib.load('x.joblib')",
    "plt.plot(x)\nplt.savefig('x.png')\nplt.imread('x.png')\nplt.close()",
    "os.makedirs('figures', exist_ok=True)\nplt.plot(x)\nplt.savefig('figures/x.png')\nimage.save('figures/y.png')\nplt.close('all')",
    "df.to_json('x.json')\ndf.to_html('x.html')\npd.read_json('x.json')['a']",
    "!mkdir -p by_shell\nnp.save('by_shell/x', x)",
]


@pytest.mark.skipif(os.name != "posix", reason="these words are those of POSIX systems")
@pytest.mark.parametrize(("cell", "exception"), [*CHANGING, *((cell, None) for cell in LEAVING)])
def test_files_and_folders(cell: str, exception: str | None, kernel: Kernel) -> None:
    kernel.setup(HERE)
    expect(kernel, cell, exception)


@pytest.mark.parametrize(("cell", "exception"), [*SAVING, *((cell, None) for cell in SAVED)])
def test_saving(cell: str, exception: str | None, kernel: Kernel) -> None:
    for library in ("numpy", "pandas", "joblib", "PIL", "matplotlib"):
        pytest.importorskip(library)
    kernel.setup(DATA)
    expect(kernel, cell, exception)


def test_no_call_has_two_models() -> None:
    seen: set[str] = set()
    for name in models.NAMES:
        keys = set(getattr(importlib.import_module(f"{models.__name__}.{name}"), "MODELS", {}))
        assert not keys & seen, "the later of the two would never be asked"
        seen |= keys
