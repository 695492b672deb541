"""Running scikit-learn for real on copies, for a bounded time: validation first, the work too where the data is small."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ...effects import disturb_by_code
from ...purity.libraries import is_user_function
from ...shadows import interpreted
from ...values import Abandon, Raised
from ...watch import Outcome, run_watched
from .copies import Copier, every_estimator, is_users_class
from .phases import works

# Elements of X that a fit may see in full, and that one may see up to the end of its validation.
FULL_FIT = 200_000
VALIDATED_FIT = 20_000_000
FIT_SECONDS = 0.35


class Run:
    """One call with the estimators among its receiver and arguments replaced by copies."""

    def __init__(self, interp: Any, call: Any, estimator: Any = None) -> None:
        self.interp = interp
        self.call = call
        self.copier = Copier(interp)
        self.originals: tuple[list[Any], dict[str, Any]] = (
            [interp.heap.lower(v) for v in call.args],
            {k: interp.heap.lower(v) for k, v in call.kwargs.items()},
        )
        args, kwargs = self.originals
        self.parts = every_estimator([estimator, *args, *kwargs.values()])  # as they were given
        if any(_overwrites(part) for part in self.parts):
            interp.heap.soil([r for v in call.operands() for r in ((v.obj,) if v.exact else v.reach)])
            raise Abandon("an estimator that writes on its data")
        try:
            self.estimator = None if estimator is None else self.copier.estimator(estimator)
            self.args = [self.copier.part(obj) for obj in args] if call.exact else args
            self.kwargs = {k: self.copier.part(obj) for k, obj in kwargs.items()} if call.exact else kwargs
        except Abandon:
            self.disturb()
            raise

    @property
    def given(self) -> list[Any]:
        """The arguments as they are passed on."""
        return [*self.args, *self.kwargs.values()]

    def known(self, settled: bool = True) -> bool:
        """Whether estimator and arguments are known in full, and the library's own or interpreted; and, with ``settled``, its settings."""
        interp = self.interp
        if not self.call.exact or settled and "sklearn" in interp.world.unsettled:
            return False
        survey = interp.surveyor.look([self.estimator, *self.given])
        return not (survey.opaque or survey.domains or survey.live)

    @property
    def size(self) -> int:
        """Elements of the data."""
        return sum(data_size(obj) for obj in self.given)

    @property
    def bounded(self) -> bool:
        """Whether so much data may be looked at by validation."""
        return self.size <= VALIDATED_FIT

    def disturb(self) -> None:
        """The call is not followed to its end: code of the notebook that the estimators hold does what it likes with what it is given."""
        interp = self.interp
        held = [*self.parts, *(value for part in self.parts for value in vars(part).values()), *self.given_functions()]
        code = [obj for obj in held if is_users_class(type(obj)) or is_user_function(obj) or interpreted(obj)]
        if code:
            interp.heap.soil([r for v in self.call.operands() for r in ((v.obj,) if v.exact else v.reach)])
            disturb_by_code(interp, code)
            interp.world.disturb()

    def given_functions(self) -> list[Any]:
        """Functions of the notebook among the arguments, or behind a scorer that is."""
        args, kwargs = self.originals
        given = [self.call.func, *args, *kwargs.values()]
        return [getattr(obj, "_score_func", obj) for obj in given if callable(obj)]

    def watched(self, func: Callable[..., Any]) -> Outcome:
        """``func`` on the arguments, for so long; stopped at the first sign of work where that would be much.

        Raises :class:`Abandon` where the end depends on chance that is not known.
        """
        done = False
        try:
            outcome = self._watched(func)
            done = outcome.finished
        except Raised:
            done = True
            raise
        finally:
            if not done:
                self.disturb()
        return outcome

    def _watched(self, func: Callable[..., Any]) -> Outcome:
        interp, world = self.interp, self.interp.world
        seconds = min(FIT_SECONDS, interp.budget.remaining() * 0.5)
        stop = works if self.size > FULL_FIT else None
        parts = every_estimator([self.estimator, *self.given])
        jobs = [one_process(part) for part in parts]
        lost, chance, state = interp.callbacks_lost, world.random, _drawn_so_far()
        finished = False
        interp.call_nodes.append(self.call.node)
        try:
            outcome = interp.quiet_call(
                self.call.event, lambda: run_watched(lambda: func(*self.args, **self.kwargs), seconds, stop)
            )
            finished = outcome.finished
        except Raised as raised:
            self._refuse(raised, lost, not chance and _drawn_so_far() != state)
            raise
        finally:
            interp.call_nodes.pop()
            for restore in jobs:
                restore()
            drew = _drawn_so_far() != state
            world.drawn += drew
            world.random = chance and (
                finished or not (drew or any(vars(p).get("random_state", 0) is None for p in parts))
            )
        if interp.callbacks_lost != lost:
            raise Abandon("a call-back that is not followed")
        return Outcome(outcome.value, finished and (chance or not drew))

    def _refuse(self, raised: Raised, lost: int, by_chance: bool) -> None:
        """Abandon where an error is not certain, or its words are not: they quote a traceback with call-backs of ours in it."""
        own = self.copier.users or self.interp.surveyor.look([self.estimator, *self.given]).callbacks
        if by_chance or self.interp.callbacks_lost != lost or own and "Traceback (most" in str(raised.error):
            raise Abandon("an error that is not certain in every word") from None


def _drawn_so_far() -> Any:
    """What tells whether NumPy's global generator has been drawn from."""
    generator = sys.modules.get("numpy.random")
    if generator is None or not hasattr(generator, "get_state"):
        return None
    name, keys, position, *rest = generator.get_state()
    return (name, keys.tobytes(), position, *rest)


def _overwrites(estimator: Any) -> bool:
    """Whether an estimator was asked not to copy the data before it works on it."""
    return any(value is False for name, value in vars(estimator).items() if name.startswith("copy"))


def one_process(estimator: Any) -> Callable[[], None]:
    """Turn off the use of several processes or threads; returns what puts it back."""
    own = vars(estimator)
    before = own.get("n_jobs")
    if before not in (None, 1):
        own["n_jobs"] = None
        return lambda: own.update(n_jobs=before)
    return lambda: None


def data_size(obj: Any) -> int:
    """Elements of an array-like."""
    shape = getattr(obj, "shape", None)
    if shape is not None:
        size = 1
        for dimension in shape:
            size *= int(dimension)
        return size
    if isinstance(obj, (list, tuple)):
        inner = obj[0] if obj else None
        return len(obj) * (len(inner) if isinstance(inner, (list, tuple, str)) else 1)
    return 1


def error_of(thunk: Callable[[], Any]) -> BaseException | None:
    """What ``thunk`` raises."""
    try:
        thunk()
    except Exception as error:
        return error
    return None
