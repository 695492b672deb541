"""Fixtures for recorder, origins, guard and magic: a real kernel with the package mounted, and how to ask it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from live_kernel import LiveKernel

from crane_bridge import payload


class Session:
    """A kernel in which cells run with ids, as a front end sends them."""

    def __init__(self, kernel: LiveKernel) -> None:
        self.kernel = kernel
        self.cells = {}
        """The notebook's cells as they are now: id → source, in order."""

    def run(self, cell_id: str, source: str):
        """Put the cell into the notebook and run it."""
        self.cells[cell_id] = source
        return self.kernel.run(source, cell_id)

    def origins(self, *names: str, target_id=None, finding=None, cells=True):
        """{name: steps} for the names, each step (action, cell id, line, detail, reason, runs, recorded)."""
        now = [{"id": i, "source": s} for i, s in self.cells.items()] if cells else None
        module = f"__import__('importlib').import_module({payload.module_name() + '.origin.trace'!r})"
        found = self.kernel.value(
            f"{module}.origins_of({list(names)!r}, get_ipython(), {now!r}, {target_id!r}, {finding!r})"
        )
        return {o["variable"]: o["steps"] for o in found}

    def brief(self, name: str, **options):
        """The steps of one name as (action, cell id, line) or, with a reason, (action, cell id, line, reason)."""
        steps = self.origins(name, **options)[name]
        return [(s["action"], s["cell"]["id"], s["line"], *([s["reason"]] if s["reason"] else [])) for s in steps]

    def executed(self, *arguments):
        module = f"__import__('importlib').import_module({payload.module_name() + '.origin.trace'!r})"
        return self.kernel.value(f"{module}.executed_cells(get_ipython(), *{arguments!r})")


@pytest.fixture()
def bare(tmp_path):
    """A session whose kernel has nothing mounted yet."""
    with LiveKernel(cwd=str(tmp_path)) as live:
        yield Session(live)


@pytest.fixture()
def session(bare):
    assert bare.kernel.mount().outputs == []
    return bare
