from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, shapes_of


class MatrixProduct(Rule):
    """Matrices are multiplied whose inner sizes differ.

    The columns of the left factor must be as many as the rows of the right one.

    Example: ``np.ones((3, 4)) @ np.ones((3, 4))``; ``X.dot(theta)`` with one weight too few.

    Fix: transpose one factor (``.T``), reshape the vector, or add the missing column.
    """

    code = "numpy.matrix-product"
    library = "numpy"
    exceptions = ("ValueError", "LinAlgError")
    requires = ("numpy",)
    order = 18
    CRASHES = [
        (SETUP, "a @ a", "ValueError"),
        (SETUP, "np.dot(a, v)", "ValueError"),
        (SETUP, "a.dot(b)", "ValueError"),
        (SETUP, "np.matmul(v, a.T)", "ValueError"),
        (SETUP, "v @ np.ones(4)", "ValueError"),
        (SETUP, "np.inner(a, b)", "ValueError"),
        (SETUP, "weights = np.zeros(3)\n(a @ weights).sum()", "ValueError"),
        (SETUP, "np.linalg.solve(np.eye(3), np.ones(2))", "ValueError"),
        (SETUP, "np.linalg.inv(a)", "LinAlgError"),
        (SETUP, "np.linalg.inv(np.zeros((2, 2)))", "LinAlgError"),
        (SETUP, "np.linalg.det(b)", "LinAlgError"),
        (SETUP, "np.tensordot(a, b, axes=1)", "ValueError"),
    ]
    RUNS = [
        (SETUP, "a @ a.T\na.T @ v"),
        (SETUP, "np.dot(v, v)"),
        (SETUP, "np.linalg.inv(np.eye(3))"),
        (SETUP, "b @ a"),
        (SETUP, "np.outer(v, np.ones(4))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        name = str(event.key or "").rpartition(".")[2]
        if type(error).__name__ == "LinAlgError":
            return True
        return (
            event.op == "binary"
            and event.name == "MatMult"
            or name in ("dot", "matmul", "inner", "vdot", "tensordot", "solve", "multi_dot")
        ) and from_numpy(event)

    def explain(self, event: Any, error: BaseException) -> str:
        if type(error).__name__ == "LinAlgError":
            return f"The matrix of shape {shapes_of(event) or '?'} does not allow this: {error}."
        return f"The shapes {shapes_of(event) or 'of the factors'} cannot be multiplied: the inner sizes differ."
