"""The ``crane`` command. Each subcommand lies in `crane_bridge.commands`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from . import __version__
from .faults import Fault

COMMANDS = ("check", "config", "bench", "serve")
FAILURE = 2
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. Faults are printed in words, never as tracebacks.

    Where JSON was asked for, standard output gets ``{"error": {"message", "hint"}}`` as well.
    """
    parser = argparse.ArgumentParser(
        prog="crane", description="Predicts whether a notebook cell will crash, before it runs."
    )
    parser.add_argument("--version", action="version", version=f"crane {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f".commands.{name}", __package__).add(subparsers)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except Fault as fault:
        print(f"crane: {fault}", file=sys.stderr)
        if getattr(options, "json", False):
            print(json.dumps({"error": {"message": fault.message, "hint": fault.hint}}, ensure_ascii=False))
        return FAILURE
    except BrokenPipeError:
        # The reader of our output went away; Python would complain again when it flushes at exit.
        sys.stderr.close()
        return FAILURE
    except KeyboardInterrupt:
        print("crane: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())
