"""The ``crane`` command. Each subcommand lies in `crane_bridge.commands`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from typing import NoReturn

from . import __version__
from .faults import Fault

COMMANDS = ("check", "config", "bench", "serve")
FAILURE = 2
INTERRUPTED = 130


class _Misuse(Exception):
    """Arguments that make no sense; the usage has been printed."""


class _Parser(argparse.ArgumentParser):
    """Raises `_Misuse` where argparse would end the process, so that the fault can be told as JSON too."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(f"{self.prog}: error: {message}", file=sys.stderr)
        raise _Misuse(message)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. Faults are printed in words, never as tracebacks.

    Where JSON was asked for, standard output gets ``{"error": {"message", "hint"}}`` as well.
    """
    parser = _Parser(prog="crane", description="Predicts whether a notebook cell will crash, before it runs.")
    parser.add_argument("--version", action="version", version=f"crane {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f".commands.{name}", __package__).add(subparsers)
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser.parse_args(arguments)
    except _Misuse as misuse:
        if "--json" in arguments:
            _print_error(str(misuse), "")
        return FAILURE
    try:
        return int(options.run(options))
    except Fault as fault:
        print(f"crane: {fault}", file=sys.stderr)
        if getattr(options, "json", False):
            _print_error(fault.message, fault.hint)
        return FAILURE
    except BrokenPipeError:
        # The reader of our output went away; Python would complain again when it flushes at exit.
        sys.stderr.close()
        return FAILURE
    except KeyboardInterrupt:
        print("crane: interrupted", file=sys.stderr)
        return INTERRUPTED


def _print_error(message: str, hint: str) -> None:
    print(json.dumps({"error": {"message": message, "hint": hint}}, ensure_ascii=False))


if __name__ == "__main__":
    raise SystemExit(main())
