"""A cell's source as IPython will run it, and the names it uses.

IPython rewrites magics, shell lines and help lines before Python sees a cell. The same rewriting is done here with
IPython's own default transformers, so that line numbers and the meaning of the text agree with what will run.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import difflib
import sys
import types
from collections.abc import Iterator
from typing import Any

from .line_magics import inline_timed, time_raises
from .prefilter import one_line

# Cell magics whose body runs as ordinary code in the notebook's namespace and whose errors reach the person.
CODE_MAGICS = frozenset({"time"})
_ASYNC = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Cell:
    """A parsed cell.

    ``source`` is the text as typed, ``code`` the text after IPython's rewriting, ``tree`` the parsed module (None when the
    text is no Python that IPython could run), ``syntax_error`` the error that running it would raise, ``fault`` what Python
    itself says of the text (IPython's compiler says "incomplete input" of much), ``magic`` the name of a leading cell magic,
    ``custom`` whether the shell has input transformers that we do not run (its text cannot be trusted), ``time_raises``
    whether an error under the magic ``time`` ends the cell in this shell.
    """

    def __init__(
        self, source: str, code: str, magic: str | None, custom: bool, flags: int = 0, time_raises: bool = True
    ) -> None:
        self.source = source
        self.code = code
        self.magic = magic
        self.custom = custom
        self.tree: ast.Module | None = None
        self.syntax_error: SyntaxError | None = None
        self.fault = ""
        self.time_raises = time_raises
        self._flags = flags
        self._line_map: list[int] | None = None
        if not custom and (magic is None or magic in CODE_MAGICS):
            with quiet_syntax():
                self._parse()
        self.loads: list[str]
        self.stores: list[str]
        self.loads, self.stores = self._used()

    def _parse(self) -> None:
        try:
            self.tree = compile(self.code, "<cell>", "exec", ast.PyCF_ONLY_AST | _ASYNC, dont_inherit=True)
            compile(self.tree, "<cell>", "exec", _ASYNC, dont_inherit=True)
            if self.time_raises:
                self.tree = inline_timed(self.tree, self.source)
        except SyntaxError as error:
            self.tree, self.syntax_error, self.fault = None, self._as_the_shell_says(error), error.msg
        except (
            ValueError,
            RecursionError,
            MemoryError,
            OverflowError,
        ):  # null bytes, or nested beyond the compiler's limit
            self.tree = None

    def _used(self) -> tuple[list[str], list[str]]:
        """Names that the cell reads and binds, those under ``%time`` included."""
        tree = self.tree
        if tree is not None and not self.time_raises and "time" in self.source:
            with quiet_syntax():
                tree = inline_timed(compile(self.code, "<cell>", "exec", ast.PyCF_ONLY_AST | _ASYNC), self.source)
        return _names(tree) if tree is not None else ([], [])

    def _as_the_shell_says(self, error: SyntaxError) -> SyntaxError | None:
        """The error of the shell's compiler for text that ``error`` says is wrong; None if the shell takes it."""
        if not self._flags:
            return error
        try:
            tree = compile(self.code, "<cell>", "exec", ast.PyCF_ONLY_AST | _ASYNC | self._flags, dont_inherit=True)
            compile(tree, "<cell>", "exec", _ASYNC | self._flags, dont_inherit=True)
        except SyntaxError as shown:
            return shown
        return None

    def line(self, lineno: int) -> int:
        """The line of the cell as typed (1-based) for a line of the rewritten code."""
        if self._line_map is None:
            self._line_map = _map_lines(self.source.splitlines(), self.code.splitlines())
        return self._line_map[lineno - 1] if 0 < lineno <= len(self._line_map) else lineno

    def used_names(self, namespace: dict[str, Any]) -> list[str]:
        """Names that the cell reads from the kernel, in order of first use, those read by notebook functions it calls included."""
        seen: dict[str, None] = {}
        queue = [(name, False) for name in self.loads]
        while queue:
            name, through = queue.pop(0)
            if name in seen or name not in namespace or (through and hasattr(builtins, name)):
                continue
            seen[name] = None
            value = namespace[name]
            # by the real type: isinstance would ask a user's `__class__`, and a metaclass may intercept reading
            if type(value) is types.FunctionType and value.__globals__ is namespace:
                queue.extend((inner, True) for inner in _global_names(value.__code__))
            elif issubclass(type(value), type):
                members = type.__getattribute__(value, "__dict__")
                if members.get("__module__") != "__main__":
                    continue
                for member in list(members.values()):
                    if type(member) is types.FunctionType:
                        queue.extend((inner, True) for inner in _global_names(member.__code__))
        return list(seen)


@contextlib.contextmanager
def quiet_syntax() -> Iterator[None]:
    """Compile without showing the warnings about the text that Python shows when the cell itself runs.

    ``warnings.catch_warnings`` would make every library's "shown already" marks void, so the filter is put in place by
    hand: syntax warnings have no such marks.
    """
    filters: Any = sys.modules["warnings"].filters if "warnings" in sys.modules else []
    mute = ("ignore", None, Warning, None, 0)
    try:
        filters.insert(0, mute)
    except AttributeError:  # no list: someone replaced it
        yield
        return
    try:
        yield
    finally:
        for place, entry in enumerate(filters):
            if entry is mute:
                del filters[place]
                break


def read_cell(source: str, shell: Any = None) -> Cell:
    """Parse ``source`` as IPython would read it. Never raises for bad text: see ``Cell.syntax_error``."""
    from IPython.core.inputtransformer2 import TransformerManager

    flags, raises = _compiler_flags(shell), time_raises(shell)
    magic = _leading_magic(source)
    if magic in CODE_MAGICS:
        _, _, body = source.lstrip("\n").partition("\n")
        padding = "\n" * (source.count("\n") - body.count("\n"))
        return Cell(source, padding + _transform(TransformerManager(), body), magic, _has_custom(shell), flags, raises)
    if magic is not None:
        return Cell(source, source, magic, _has_custom(shell))
    custom, code = _has_custom(shell), _transform(TransformerManager(), source)
    if not custom:
        rewritten = one_line(code, shell)
        custom, code = rewritten is None, code if rewritten is None else rewritten
    return Cell(source, code, None, custom, flags, raises)


def _compiler_flags(shell: Any) -> int:
    """The flags with which the shell compiles cells; 0 where they cannot be told."""
    flags = getattr(getattr(shell, "compile", None), "flags", 0)
    return flags if type(flags) is int else 0


def _transform(manager: Any, source: str) -> str:
    try:
        return manager.transform_cell(source)
    except SyntaxError:
        return source


def _leading_magic(source: str) -> str | None:
    for line in source.splitlines():
        if line.strip():
            if line.startswith("%%") and line[2:].split():
                return line[2:].split()[0]
            return None
    return None


def _has_custom(shell: Any) -> bool:
    """True when the shell rewrites input in ways beyond IPython's defaults."""
    manager = getattr(shell, "input_transformer_manager", None)
    if manager is None:
        return False
    if getattr(shell, "input_transformers_post", None):
        return True
    for part in ("cleanup_transforms", "line_transforms", "token_transformers"):
        for transform in getattr(manager, part, ()):
            owner = getattr(transform, "__module__", None) or type(transform).__module__
            if not str(owner).startswith("IPython."):
                return True
    return False


def _map_lines(typed: list[str], code: list[str]) -> list[int]:
    if len(typed) == len(code):
        return list(range(1, len(code) + 1))
    lines = [0] * len(code)
    for block in difflib.SequenceMatcher(None, typed, code, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            lines[block.b + offset] = block.a + offset + 1
    last = 1
    for index, number in enumerate(lines):
        last = lines[index] = number or last
    return lines


def _names(tree: ast.Module) -> tuple[list[str], list[str]]:
    loads: dict[str, None] = {}
    stores: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (loads if isinstance(node.ctx, ast.Load) else stores)[node.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stores[node.name] = None
        elif isinstance(node, ast.alias):
            stores[(node.asname or node.name).split(".")[0]] = None
    for node in ast.walk(tree):  # an augmented assignment reads its target too
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            loads.setdefault(node.target.id, None)
    return _in_order(tree, loads), list(stores)


def _in_order(tree: ast.Module, names: dict[str, None]) -> list[str]:
    positions: dict[str, tuple[int, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            here = (node.lineno, node.col_offset)
            if node.id not in positions or here < positions[node.id]:
                positions[node.id] = here
    return sorted(names, key=lambda name: positions.get(name, (0, 0)))


def _global_names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _global_names(const)
