"""Reading files with pandas: older versions look for optional packages on the way, which the check must not import."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

from ...purity.libraries import is_path
from ...purity.registry import registry
from ...values import Value

_OPTIONAL = ("zstandard", "bs4", "fsspec", "python_calamine", "xlrd", "pyxlsb", "odf")


@contextlib.contextmanager
def _absent(names: tuple[str, ...]) -> Iterator[None]:
    """Inside, modules that are not loaded count as not installed: their import fails the way pandas expects."""
    held = [name for name in names if name not in sys.modules]
    for name in held:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in held:
            if sys.modules.get(name) is None:
                sys.modules.pop(name, None)


def _read(interp: Any, call: Any) -> Value | None:
    spec = registry().find(call.key)
    path = call.args[0] if call.args else None
    if spec is None or path is None or not path.exact or not is_path(path.obj):
        return None
    if os.fspath(path.obj) and str(path.obj).endswith((".zst", ".zstd")):
        return None
    with _absent(_OPTIONAL):
        return interp.pure_call(call, spec)


READERS: dict[str, Any] = {
    **{
        f"pandas.{name}": _read
        for name in (
            "read_csv",
            "read_table",
            "read_json",
            "read_excel",
            "read_parquet",
            "read_pickle",
            "read_feather",
            "read_hdf",
        )
    },
    **{f"pandas.io.parsers.readers.{name}": _read for name in ("read_csv", "read_table")},
    "pandas.io.json._json.read_json": _read,
    "pandas.io.excel._base.read_excel": _read,
    "pandas.io.pickle.read_pickle": _read,
}
