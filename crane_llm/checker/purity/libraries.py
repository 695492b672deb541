"""Libraries whose own code we have read enough of to reason about, and how to tell a library's type or function from a user's.

Membership alone makes nothing pure. It says that attribute reads, operators and the calls listed in this package's data behave
as the library documents, as long as the object really is the library's own.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any

STANDARD = frozenset(
    "builtins _io io re _sre math cmath statistics random datetime _datetime time calendar decimal _decimal fractions numbers collections _collections "
    "_collections_abc itertools functools _functools operator _operator string textwrap json pathlib os posix posixpath ntpath glob fnmatch "
    "copy types typing enum dataclasses abc warnings contextlib heapq _heapq bisect _bisect array zlib hashlib _hashlib base64 binascii struct _struct "
    "uuid urllib html csv _csv pprint unicodedata difflib inspect weakref zoneinfo genericpath stat platform locale _random secrets shutil tempfile pickle "
    "logging argparse ast keyword token traceback sys _thread threading queue subprocess gc ctypes socket ssl".split()
)
KNOWN = frozenset(
    "numpy pandas scipy sklearn torch torchvision tensorflow keras tf_keras matplotlib seaborn plotly PIL cv2 statsmodels patsy xgboost lightgbm "
    "nltk tqdm joblib skimage imblearn mlxtend category_encoders imageio transformers datasets tokenizers timm torchmetrics torchinfo gensim "
    "uarray optuna keras_tuner kerastuner missingno wordcloud textblob yellowbrick sklearn_pandas networkx sympy polars pyarrow dateutil pytz IPython requests bs4 "
    "emoji idx2numpy deap h5py openpyxl".split()
)


_module_name = type.__dict__["__module__"].__get__  # the slot itself: a metaclass of the person's is not asked


def root_of(kind: type) -> str:
    """The top-level package that a class says it comes from."""
    module = _module_name(kind)
    return module.partition(".")[0] if isinstance(module, str) else ""


def is_standard(kind: type) -> bool:
    """Whether a class is Python's own (built in or of the standard library)."""
    return root_of(kind) in STANDARD


def is_library_type(kind: type) -> bool:
    """Whether a class belongs to Python or to a known library (and is not defined in the notebook)."""
    root = root_of(kind)
    return (
        root in STANDARD or root in KNOWN or kind.__name__ == "cython_function_or_method"
    )  # its module reads as a descriptor


def finalizes(kind: type) -> bool:
    """Whether destroying an instance of a class runs the person's code: no copy of one may be made."""
    return any("__del__" in vars(base) and not is_library_type(base) for base in kind.__mro__)


_ASKED = ("__getattribute__", "__class__")
_CLASS_ASKED = ("__getattribute__", "__hash__", "__eq__", "__instancecheck__", "__subclasscheck__")
_answering: dict[type, bool] = {}


def answers_itself(kind: type) -> bool:
    """Whether merely looking at an instance, or at its class, runs the person's code: attribute access, or a metaclass, of their own."""
    if type(kind) is not type and not is_library_type(type(kind)):
        return _defines(type(kind), _CLASS_ASKED)
    if is_library_type(kind):
        return False
    known = _answering.get(kind)
    if known is None:
        known = _answering[kind] = _defines(kind, _ASKED)
        if len(_answering) > 2_000:
            _answering.clear()
    return known


def _defines(kind: type, names: tuple[str, ...]) -> bool:
    return any(name in vars(base) for base in kind.__mro__ if not is_library_type(base) for name in names)


def is_path(obj: Any) -> bool:
    """Whether ``obj`` is a path that the system is asked about without running the person's code: text, or one of ``pathlib``."""
    return type(obj) is str or is_standard(type(obj)) and isinstance(obj, os.PathLike)


def is_user_type(kind: type) -> bool:
    """Whether a class, or a base of it other than a library's, is defined in the notebook or in a module that we do not know."""
    return not is_library_type(kind)


def is_user_function(func: Any) -> bool:
    """Whether a Python function is the notebook's own."""
    return isinstance(func, types.FunctionType) and func.__globals__.get("__name__") == "__main__"


def is_genuine(func: types.FunctionType) -> bool:
    """Whether a Python function runs in the namespace of a module of the library that it names.

    Libraries give public functions the name of a public module (``pandas.concat``), so the roots are compared, not the modules.
    """
    home = func.__globals__.get("__name__")
    module = sys.modules.get(home) if isinstance(home, str) else None
    if module is None or vars(module) is not func.__globals__:
        return False
    return home.partition(".")[0] == (func.__module__ or "").partition(".")[0]
