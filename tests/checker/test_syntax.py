"""Text that is no Python: the error that the kernel will show, and a reason that Python itself gives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_kernel import LiveKernel

BROKEN = [
    "x = (1,\n",
    "def f(:\n pass",
    "for i in range(3):",
    "print('a",
    "x = 1 +",
    "'''abc",
    "if True:\nx = 1",
    "return 3",
    "f(1 2)",
    "try:\n  x = 1",
    "x = [1, 2\ny = 3",
    "  x = 1\ny",
    "def f():\n\tx = 1\n        y = 2",
    "from __future__ import nope",
    "nonlocal x",
    "break",
    "0777",
    "f'{a b}'",
    "async def g():\n  yield 1\n  return 2",
    "x = !ls\ny = (",
]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveKernel]:
    with LiveKernel(cwd=str(tmp_path_factory.mktemp("kernel"))) as kernel:
        kernel.mount()
        yield kernel


@pytest.mark.parametrize("source", BROKEN)
def test_the_error_is_the_one_that_the_kernel_shows(live: LiveKernel, source: str) -> None:
    verdict = live.ask("inspect", source=source)["verdict"]
    raised = live.run(source).reply
    assert raised["status"] == "error" and verdict["outcome"] == "crash"
    assert verdict["exception"] == raised["ename"]
    assert raised["evalue"].startswith(f"{verdict['message']} (")


def test_the_reason_says_more_than_that_the_input_is_incomplete(live: LiveKernel) -> None:
    verdict = live.ask("inspect", source="x = (1,")["verdict"]
    assert verdict["message"] == "incomplete input" and "never closed" in verdict["reasoning"]
