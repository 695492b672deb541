"""``crane serve``: the bridge process, for the editor."""

from __future__ import annotations

import argparse


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "serve",
        help="serve an editor over standard input and output (JSON-RPC)",
        description="Serves an editor over standard input and output (JSON-RPC), until its input ends.",
    )
    parser.add_argument("--debug-port", type=int, metavar="PORT", help="let a debugger attach at 127.0.0.1:PORT")
    parser.add_argument("--debug-wait", action="store_true", help="with --debug-port: wait for the debugger")
    parser.add_argument(
        "--log-level",
        default="warning",
        choices=["debug", "info", "warning", "error"],
        help="how much to write to standard error (default warning)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..server import serve

    serve(options)
    return 0
