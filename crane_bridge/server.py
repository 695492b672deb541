"""The bridge process: JSON-RPC 2.0 over stdio for the editor (see `crane_bridge.protocol`).

Standard output is the wire and belongs to the protocol alone: before anything else runs, the process's own standard
output is turned to standard error, so that a stray print (of ours or of a library) cannot break a message.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import BinaryIO

from .faults import Fault, need


def _take_stdout() -> BinaryIO:
    """The wire. From now on, whatever else writes to standard output reaches standard error."""
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(saved, "wb")


def _quiet_logs(level: str) -> None:
    """Logs go to standard error, without code, data or keys: the libraries' own logs hold whole messages."""
    logging.basicConfig(stream=sys.stderr, level=level.upper(), format="%(levelname)s %(name)s: %(message)s")
    for name in ("pygls", "openai", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def main(arguments: list[str] | None = None) -> int:
    """Serve until the editor closes the pipe or asks to shut down."""
    parser = argparse.ArgumentParser(prog="python -m crane_bridge.server", description="The bridge process of CRANE.")
    parser.add_argument("--debug-port", type=int, metavar="PORT", help="let a debugger attach at 127.0.0.1:PORT")
    parser.add_argument("--debug-wait", action="store_true", help="with --debug-port: wait for the debugger")
    parser.add_argument("--log-level", default="warning", choices=["debug", "info", "warning", "error"])
    try:
        serve(parser.parse_args(arguments))
    except Fault as fault:
        print(f"crane: {fault}", file=sys.stderr)
        return 2
    return 0


def serve(options: argparse.Namespace) -> None:
    """Serve until the pipe is closed. Raises `MissingExtra`."""
    need("The bridge", "model", "pydantic", "pygls")
    stdout = _take_stdout()
    stdin = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nothing else may read from the wire either
    _quiet_logs(options.log_level)
    if options.debug_port:
        need("Debugging the bridge", "debug", "debugpy")
        import debugpy  # noqa: T100

        debugpy.listen(("127.0.0.1", options.debug_port))  # noqa: T100
        if options.debug_wait:
            debugpy.wait_for_client()  # noqa: T100
    from .methods import make_server

    make_server().start_io(stdin, stdout)


if __name__ == "__main__":
    raise SystemExit(main())
