"""What is built and shipped: versions agree, the wheel holds both packages, the scripts count what they should."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

import crane_llm._version

ROOT = Path(__file__).resolve().parents[2]
VERSION = crane_llm._version.__version__


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(target.glob("*.whl"))


def test_extension_and_packages_carry_one_version() -> None:
    manifest = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == VERSION
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_wheel_holds_both_packages_and_nothing_else(wheel: Path) -> None:
    assert wheel.name == f"crane_bridge-{VERSION}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    roots = {name.split("/")[0] for name in names}
    assert roots == {"crane_llm", "crane_bridge", f"crane_bridge-{VERSION}.dist-info"}
    sources = {
        str(path.relative_to(ROOT)) for name in ("crane_llm", "crane_bridge") for path in (ROOT / name).rglob("*.py")
    }
    assert sources <= set(names)


def test_wheel_metadata(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    information = f"crane_bridge-{VERSION}.dist-info"
    metadata = archive.read(f"{information}/METADATA").decode()
    required = [
        line.removeprefix("Requires-Dist: ") for line in metadata.splitlines() if line.startswith("Requires-Dist")
    ]
    assert [line for line in required if "extra ==" not in line] == ["ipython>=7.34"], (
        "the base install is IPython alone"
    )
    assert "Requires-Python: >=3.9" in metadata
    assert "crane = crane_bridge.cli:main" in archive.read(f"{information}/entry_points.txt").decode()
    assert f"{information}/licenses/LICENSE" in archive.namelist()


def test_demo_notebook_is_valid_and_bare() -> None:
    notebook = nbformat.read(ROOT / "examples" / "demo.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) == 10
    assert all(cell.execution_count is None and cell.outputs == [] for cell in code)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_pins_are_exact_and_name_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("#")
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", line) for line in lines[1:]), "NAME==VERSION on every line"


REPORT = "<testsuites><testsuite>{}</testsuite></testsuites>"


@pytest.mark.parametrize(
    ("reports", "broken", "last_line", "status"),
    [
        ({"a": '<testcase name="x"/><testcase name="y"/>'}, [], "2 passed, 0 failed", 0),
        ({"a": "<testcase/>", "b": "<testcase><failure/></testcase>"}, [], "1 passed, 1 failed", 1),
        ({"a": "<testcase><skipped/></testcase><testcase/>"}, [], "1 passed, 0 failed, 1 skipped", 0),
        ({"a": "<testcase/>"}, ["gone"], "1 passed, 1 failed", 1),
        ({"a": "<testcase><error/></testcase>"}, ["a"], "0 passed, 1 failed", 1),
        ({}, [], "0 passed, 0 failed", 1),
    ],
)
def test_counting_of_results(
    tmp_path: Path, reports: dict[str, str], broken: list[str], last_line: str, status: int
) -> None:
    for name, cases in reports.items():
        (tmp_path / f"{name}.xml").write_text(REPORT.format(cases), encoding="utf-8")
    marks = [word for name in broken for word in ("--broken", name)]
    command = [sys.executable, str(ROOT / "scripts" / "count_tests.py"), str(tmp_path), *marks]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.splitlines()[-1] == last_line
    assert done.returncode == status
