"""The run recorder: from the moment it is armed, what every cell that the person runs did to the notebook's names.

It listens to IPython's ``pre_run_cell`` and ``post_run_cell``. Before a cell runs it notes which object each name is bound
to (by id) and stamps the values that the cell can reach; afterwards it compares. Code that runs outside the history
(ours, other tools', widgets') is not recorded. It keeps no reference to a person's object, never raises, and bounds its
work: a fixed time for stamps before a run and the same names again after it.
"""

from __future__ import annotations

import re
import sys
import time
import types
from typing import Any, Optional

from .changes import compare, compare_bound
from .kinds import dict_of, family, is_class, module_of, type_name, watchable
from .log import Bound, Log, Run
from .source import parse, words
from .stamps import Stamp, stamp

FORMAT = 1
"""Changes when runs are kept in another form; two packages in one kernel share a recorder only of the same format."""
MENTIONED_SECONDS = 0.0015
"""Time for stamping the values that the cell's text reaches, before it runs."""
OTHER_SECONDS = 0.00015
"""Stamps of other values, which catch changes through aliases that the text does not show, start within this time."""
MOST_NAMES = 20_000
"""A namespace with more names is not compared as a whole."""
MOST_STAMPS = 200
_ATTRIBUTE = "_crane_recorder"
_HIDDEN = re.compile(r"_+$|_i+$|_\d+$|_i\d+$|_[oid]h$|_exit_code$|__\w+__$")
_IPYTHON = frozenset(("In", "Out", "exit", "quit", "get_ipython", "open"))


class Recorder:
    """Records the runs of one shell. Use `arm` and `disarm`."""

    crane_format = FORMAT

    def __init__(self, first_order: int) -> None:
        self.log = Log()
        self.first_order = first_order
        """The execution count at which recording began: earlier cells are known from IPython's history only."""
        self.refused: Optional[object] = None
        """The execution info of a cell that the guard has just refused."""
        self._started: list[tuple] = []
        self._namespace: Any = None

    # IPython's events. EventManager shows what a callback raises in the person's cell: nothing may leave these two.

    def pre_run_cell(self, info: Any) -> None:
        try:
            if info.store_history and not info.silent:
                del self._started[:-8]  # runs that never ended (a kernel interrupted at the wrong moment)
                self._started.append((info, self._look(info.raw_cell)))
        except Exception:
            self._started.append((info, None))

    def post_run_cell(self, result: Any) -> None:
        try:
            info = result.info
            for place in range(len(self._started) - 1, -1, -1):
                if self._started[place][0] is info:
                    before = self._started[place][1]
                    del self._started[place:]
                    self._finish(result, info, before)
                    return
        except Exception:
            del self._started[:]

    def current_id(self) -> Optional[str]:
        """The id of the cell that is running now, if the front end sends ids."""
        return getattr(self._started[-1][0], "cell_id", None) if self._started else None

    def _look(self, source: str) -> Optional[_Before]:
        namespace = self._namespace()
        return None if namespace is None else _Before(namespace, source)

    def _finish(self, result: Any, info: Any, before: Optional[_Before]) -> None:
        run = Run(info.raw_cell, result.execution_count, getattr(info, "cell_id", None), True)
        error = result.error_before_exec if result.error_before_exec is not None else result.error_in_exec
        run.success = error is None
        run.refused = self.refused is info and info is not None
        self.refused = None
        if error is not None:
            run.error = type(error).__name__
            run.stopped = _line_of(error, self._namespace(), info.raw_cell, result.error_before_exec is not None)
        namespace = self._namespace()
        if before is not None and namespace is not None:
            before.compare(namespace, run)
        self.log.append(run)


class _Before:
    """The state that a cell starts from: which object each name is bound to, and stamps of those it can reach."""

    def __init__(self, namespace: dict, source: str) -> None:
        self.words = words(source)
        visible = _visible(namespace) if len(namespace) <= MOST_NAMES else None
        self.mentioned = _reach(namespace, self.words, visible or [])
        self.ids: Optional[dict[str, int]] = None
        if visible is not None:
            self.ids = {name: id(namespace[name]) for name in visible}
            self.ids.update((name, id(namespace[name])) for name in self.mentioned)
        self.stamps: dict[str, Optional[Stamp]] = {}
        start = time.perf_counter()
        self._stamp(namespace, self.mentioned, start + MENTIONED_SECONDS)
        # The others newest first: what a cell changes is seldom what was made long ago.
        self._stamp(namespace, reversed(list(self.ids or ())), start + OTHER_SECONDS)

    def _stamp(self, namespace: dict, names: Any, deadline: float) -> None:
        known: dict[int, Optional[Stamp]] = {}
        for name in names:
            if len(self.stamps) >= MOST_STAMPS or time.perf_counter() > deadline:
                return
            value = namespace.get(name)
            if name not in self.stamps and watchable(value) and not is_hidden(name):
                if id(value) not in known:
                    known[id(value)] = stamp(value)
                self.stamps[name] = known[id(value)]

    def compare(self, namespace: dict, run: Run) -> None:
        """Write into ``run`` what differs now."""
        run.seen = self.ids is not None
        known: dict[int, Optional[Stamp]] = {}

        def now(value: Any) -> Optional[Stamp]:
            if id(value) not in known:
                known[id(value)] = stamp(value)
            return known[id(value)]

        names = [n for n in namespace.keys() & self.words if type(n) is str and n[:1] == "_"]
        names += _visible(namespace) if self.ids is not None else [n for n in self.mentioned if n in namespace]
        deadline = time.perf_counter() + 2 * MENTIONED_SECONDS
        for name in names:
            value = namespace[name]
            old = self.ids.get(name) if self.ids is not None else None
            if old == id(value) or is_hidden(name):
                continue
            if len(run.bound) >= MOST_STAMPS:
                break
            after = now(value) if watchable(value) and time.perf_counter() < deadline else None
            change = compare_bound(self.stamps.get(name), after)
            columns = after.facts.get("columns") if after is not None else None
            run.bound[name] = Bound(type_name(value), family(value), old is None, columns, change)
        if self.ids is not None:
            run.unbound = tuple(n for n in self.ids if n not in namespace and not is_hidden(n))[:MOST_STAMPS]
        for name, before in self.stamps.items():
            if name in run.bound or name not in namespace or before is None:
                continue
            run.kinds[name] = before.kind
            after = now(namespace[name])
            difference = compare(before, after)
            if difference is not None:
                run.changed[name] = difference
            elif after is not None:
                run.kept[name] = before.exact and after.exact
            if after is not None and after.facts.get("columns") is not None and difference is not None:
                run.columns[name] = after.facts["columns"]


def is_hidden(name: str) -> bool:
    """Names that IPython itself keeps in the namespace."""
    return name in _IPYTHON or (name[:1] == "_" and _HIDDEN.match(name) is not None)


def _visible(namespace: dict) -> list[str]:
    """The names without a leading underscore. IPython adds several of the other kind with every cell: they are looked at
    only when the cell's text has them."""
    return [n for n in list(namespace) if type(n) is str and n[:1] != "_"]


def _reach(namespace: dict, found: set[str], visible: list[str]) -> list[str]:
    """Names of the namespace that a text with these words can touch: named, read by functions it names, or aliases."""
    names: dict[str, None] = dict.fromkeys(sorted(n for n in namespace.keys() & found if type(n) is str))
    queue = list(names)
    steps = 0
    while queue and steps < MOST_STAMPS:
        steps += 1
        value = namespace.get(queue.pop())
        for code in _codes(value, namespace):
            for name in code.co_names:
                if name in namespace and name not in names:
                    names[name] = None
                    queue.append(name)
    wanted = {id(namespace[n]) for n in names if watchable(namespace[n])}
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    roots = {_root(namespace[n]) for n in names if type(namespace[n]) is array} if array is not None else set()
    for name in visible:
        if name not in names:
            value = namespace[name]
            if id(value) in wanted or (roots and type(value) is array and _root(value) in roots):
                names[name] = None
    return [n for n in names if not is_hidden(n)]


def _root(array: Any) -> int:
    """The id of the object that owns an array's memory, as far as can be followed cheaply."""
    for _ in range(8):
        base = array.base
        if base is None or type(base) is not type(array):
            return id(array if base is None else base)
        array = base
    return id(array)


def _codes(value: Any, namespace: dict) -> list[types.CodeType]:
    """Code of a function or class of the notebook, nested functions included; empty for anything else."""
    if type(value) is types.FunctionType:
        found = [value] if value.__globals__ is namespace else []
    elif is_class(value) or module_of(type(value)) == "__main__":
        kind = value if is_class(value) else type(value)
        found = [f for f in list(dict_of(kind).values()) if type(f) is types.FunctionType][:50]
        found = [f for f in found if f.__globals__ is namespace]
    else:
        return []
    codes: list[types.CodeType] = []
    queue = [f.__code__ for f in found]
    while queue and len(codes) < 100:
        code = queue.pop()
        codes.append(code)
        queue.extend(c for c in code.co_consts if isinstance(c, types.CodeType))
    return codes


def _line_of(error: BaseException, namespace: Any, source: str, before_exec: bool) -> Optional[int]:
    """The line of the cell, as typed, at which an error left it; None when that cannot be told."""
    if before_exec:
        return None
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_globals is namespace and frame.f_locals is namespace:
            line = trace.tb_lineno
            if source.lstrip().startswith("%%"):  # the cell is one call of its magic; the body's frame is further in
                inner = trace.tb_next
                while inner is not None:
                    if inner.tb_frame.f_globals is namespace and inner.tb_frame.f_locals is namespace:
                        return inner.tb_lineno + 1
                    inner = inner.tb_next
                return None
            return parse(source).line(line)
        trace = trace.tb_next
    return None


# Arming


def _callbacks(shell: Any) -> list:
    return list(getattr(shell.events, "callbacks", {}).get("post_run_cell", ()))


def find(shell: Any) -> Any:
    """The recorder armed in this shell, also one that another copy of the package armed; None when there is none."""
    for callback in _callbacks(shell):
        owner = getattr(callback, "__self__", None)
        if getattr(type(owner), "crane_format", None) == FORMAT:
            return owner
    return None


def is_armed(shell: Any) -> bool:
    return find(shell) is not None


def arm(shell: Any) -> Any:
    """Start recording in a shell, once. Returns the recorder."""
    present = find(shell)
    if present is not None:
        return present
    import weakref

    recorder = Recorder(shell.execution_count)
    shell_ref = weakref.ref(shell)

    def namespace() -> Any:
        owner = shell_ref()
        return None if owner is None else owner.user_ns

    recorder._namespace = namespace
    shell.events.register("pre_run_cell", recorder.pre_run_cell)
    shell.events.register("post_run_cell", recorder.post_run_cell)
    return recorder


def disarm(shell: Any) -> None:
    """Stop recording; what was recorded is dropped."""
    recorder = find(shell)
    if recorder is not None:
        shell.events.unregister("pre_run_cell", recorder.pre_run_cell)
        shell.events.unregister("post_run_cell", recorder.post_run_cell)
