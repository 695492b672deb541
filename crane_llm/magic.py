"""%load_ext crane_llm: the cell magic that checks its body, and the line magic for guard and limits.

    %%crane_llm [MODEL] [--no-llm] [--no-runinfo]   analyse the body of the cell; it does not run
    %crane_llm guard [on|off]                       refuse cells that will certainly crash; remembered
    %crane_llm scan_limit [N|default]               how many values a check may read
    %crane_llm                                      what is on, and this help

The verdict is shown as the cell's output and turns grey once another cell has run.
"""

from __future__ import annotations

import shlex
import sys
import uuid
from typing import Any, NamedTuple, Optional

from IPython.core.error import UsageError

from . import guard as _guard
from . import settings_file
from ._version import __version__
from .clash import find_clashes
from .drawing import as_html, as_text
from .inspect import inspect_cell
from .magic_model import Answer, ask, explain, settle
from .origin import recorder as _recorder
from .origin.source import is_own

NAME = "crane_llm"
USAGE = "%%crane_llm [MODEL] [--no-llm] [--no-runinfo]"
_NO_MODEL = (
    'No model was asked: none is set up. Set one up with crane_llm.set_api_key("…"), or with base_url=… and model=… '
    "for another endpoint; or leave the model off with --no-llm."
)


class Options(NamedTuple):
    """The arguments of the cell magic."""

    model: Optional[str]
    use_model: bool
    runtime: bool


def read_options(line: str) -> Options:
    """Parse the magic's line. Raises ``UsageError`` with what is wrong."""
    model, use_model, runtime = None, True, True
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{error}. Usage: {USAGE}") from None
    for word in words:
        if word == "--no-llm":
            use_model = False
        elif word == "--no-runinfo":
            runtime = False
        elif word.startswith("-"):
            raise UsageError(f"There is no option {word}. Usage: {USAGE}")
        elif model is not None:
            raise UsageError(f"More than one model is named: {model} and {word}. Usage: {USAGE}")
        else:
            model = word
    return Options(model, use_model, runtime or not use_model)


class Shown:
    """One answer on display, so that it can be shown again as out of date."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._id = uuid.uuid4().hex
        self._live = hasattr(shell, "kernel")  # a terminal cannot change what it has printed
        self._begun = False

    def progress(self, words: str) -> None:
        if self._live:
            text = f"CRANE: {words}"
            self._publish({"text/plain": text, "text/html": f"<em>{text}</em>"})

    def answer(self, verdict: dict, body: str, checked: bool, notices: list, folded: list) -> None:
        notice = "\n".join(notices)
        self._arguments = (verdict, body, notice, checked, folded)
        self._publish(
            {
                "text/plain": as_text(verdict, body, notice, checked),
                "text/html": as_html(verdict, body, notice, checked, folded),
            }
        )

    def grey(self) -> None:
        """Show it again as out of date, where a front end can replace a display."""
        if self._live:
            stale = "another cell has run since"
            verdict, body, notice, checked, _ = self._arguments
            text = f"{as_text(verdict, body, notice, checked)}\n  (out of date: {stale})"
            self._publish({"text/plain": text, "text/html": as_html(*self._arguments, stale=stale)})

    def _publish(self, data: dict) -> None:
        options: dict = {"transient": {"display_id": self._id}} if self._live else {}
        if self._begun and self._live:
            options["update"] = True
        self._begun = True
        self._shell.display_pub.publish(data=data, metadata={}, **options)


class Magics:
    """The magics of one shell, and the answers still fresh in it."""

    crane_magics = 1

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self._fresh: list = []

    def post_run_cell(self, result: Any) -> None:
        """Another cell ran: what was said before it is out of date. Registered with IPython; never raises."""
        try:
            info = result.info
            if not info.store_history or not (info.raw_cell or "").strip() or is_own(info.raw_cell):
                return
            shown, self._fresh = self._fresh, []
            for answer in shown:
                answer.grey()
        except Exception:
            self._fresh = []

    def magic(self, line: str, cell: Optional[str] = None) -> None:
        """Check a cell before it runs (``%%crane_llm``), or switch the guard (``%crane_llm guard on|off``)."""
        if cell is None:
            self.line(line)
        else:
            self.cell(read_options(line), cell)

    def cell(self, options: Options, body: str) -> None:
        shell = self.shell
        shown = Shown(shell)
        checked = options.runtime
        inspection = inspect_cell(
            body, shell, target_id=_current_id(shell), check=checked, summary=checked and options.use_model
        )
        verdict = inspection["verdict"]
        notices = ["The cell was not run."]
        folded = []
        if verdict["outcome"] != "crash" and options.use_model:
            answer = self._ask(options, body, inspection, shown)
            notices.extend(answer.remarks)
            if answer.verdict is not None:
                verdict = dict(answer.verdict)
                if verdict["outcome"] == "crash":
                    verdict["origins"] = _origins(verdict, shell, inspection)
                folded = [("Prompt", answer.prompt), ("Reply", answer.reply)]
            else:
                notices.append(answer.problem)
                if not checked:
                    verdict = {**verdict, "reasoning": "Neither the checks (--no-runinfo) nor a model looked at it."}
        if inspection["summary"]["text"]:
            folded.insert(0, ("Runtime information", inspection["summary"]["text"]))
        shown.answer(verdict, body, checked, notices, folded)
        self._fresh = [*self._fresh[-20:], shown]

    def _ask(self, options: Options, body: str, inspection: dict, shown: Shown) -> Answer:
        try:
            resolved = settle(options.model)
        except Exception as error:
            return Answer(None, problem=explain(error))
        if resolved.ready() is not None and not options.model and not resolved.key_refusal:
            return Answer(None, problem=_NO_MODEL)
        shown.progress(f"nothing certain found; asking {resolved.model} at {resolved.host} …")
        return ask(resolved, body, inspection, options.runtime)

    def line(self, line: str) -> None:
        words = line.split()
        if not words:
            print(f"CRANE {__version__}. {self._guard_words()}\n{__doc__}")
        elif words[0] == "guard" and len(words) == 1:
            print(self._guard_words())
        elif words[0] == "guard" and words[1:] in (["on"], ["off"]):
            _guard.switch(self.shell, words[1] == "on")
            _remember({"guard": True if words[1] == "on" else None})
            print(self._guard_words())
        elif words[0] in ("scan_limit", "set_scan_limit") and len(words) <= 2:
            self._scan_limit(words[1:])
        else:
            raise UsageError(
                f"%{NAME} does not know {line!r}. Usage: %{NAME} guard [on|off], %{NAME} scan_limit [N|default]"
            )

    def _guard_words(self) -> str:
        if _guard.is_on(self.shell):
            return "The guard is on: a cell that will certainly crash does not run."
        return "The guard is off."

    def _scan_limit(self, words: list) -> None:
        from . import set_scan_limit
        from .checker.limits import scan_limit

        if words:
            try:
                set_scan_limit(None if words[0].lower() in ("default", "none") else int(words[0].replace("_", "")))
            except ValueError:
                raise UsageError(
                    f"{words[0]!r} is no scan limit: give a whole number, 0 or more, or 'default'."
                ) from None
        print(f"Checks read at most {scan_limit():,} values.")


def _origins(verdict: dict, shell: Any, inspection: dict) -> list:
    """Origins of the variables that a model blames."""
    from .origin.trace import origins_of

    return origins_of(verdict["variables"], shell, finding=verdict) or inspection["origins"]


def _current_id(shell: Any) -> Optional[str]:
    """The id of the cell that is running, if the front end sends ids and the recorder is on."""
    recorder = _recorder.find(shell)
    return None if recorder is None else recorder.current_id()


def _remember(changes: dict) -> None:
    """Keep a switch for later sessions; a settings file that cannot be written is said, and the switch holds for now."""
    try:
        settings_file.change_config(changes)
    except settings_file.SettingsFileError as error:
        print(f"The switch holds for this session only. {error}", file=sys.stderr)


def load(shell: Any) -> None:
    """Arm the recorder and register the magics. The guard is switched on when it was on before."""
    for clash in find_clashes():
        print(f"CRANE: {clash}", file=sys.stderr)
    _recorder.arm(shell)
    unload(shell, keep=True)
    magics = Magics(shell)
    shell.register_magic_function(magics.magic, "line_cell", NAME)
    shell.events.register("post_run_cell", magics.post_run_cell)
    try:
        remembered = settings_file.read_config().get("guard")
    except settings_file.SettingsFileError as error:
        print(f"CRANE: {error}", file=sys.stderr)
        remembered = None
    if remembered is True and not _guard.is_on(shell):
        _guard.switch(shell, True)
        print("CRANE: the guard is on, as you left it. %crane_llm guard off turns it off.")


def unload(shell: Any, keep: bool = False) -> None:
    """Take the magics out again and, unless ``keep``, recorder and guard too."""
    for callback in list(getattr(shell.events, "callbacks", {}).get("post_run_cell", ())):
        if getattr(type(getattr(callback, "__self__", None)), "crane_magics", None) == 1:
            shell.events.unregister("post_run_cell", callback)
    if keep:
        return
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop(NAME, None)
    _guard.disarm(shell)
    _recorder.disarm(shell)
