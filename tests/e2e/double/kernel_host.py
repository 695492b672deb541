"""Runs one ipykernel for the test double and relays its messages as JSON lines.

Standard input, one object a line:
    {"id": 1, "op": "execute", "code": str, "store_history": bool, "cell_id": str | null}
    {"op": "interrupt"} | {"op": "restart"} | {"op": "kill"}

Standard output, one object a line: {"id": int | null, "msg_type": str, "content": object}, with the kernel's own message
types, and three of the host's own: "host_ready", "host_dead" (the process has ended), "host_restarted".
The host ends, and its kernel with it, when standard input closes.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager

DEATH_CHECK_SECONDS = 0.1
START_SECONDS = 60
LINE_LIMIT = 1 << 26


def emit(message_type: str, content: Any = None, request_id: int | None = None) -> None:
    line = json.dumps({"id": request_id, "msg_type": message_type, "content": content}, default=str)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Host:
    """One kernel, its client, and the map from message ids to the requests of the other side."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.manager = AsyncKernelManager(kernel_name="python3")
        self.client: AsyncKernelClient
        self.requests: dict[str, int] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        await self.manager.start_kernel(cwd=self.directory)
        self.client = self.manager.client()
        self.client.start_channels()
        await self.client.wait_for_ready(timeout=START_SECONDS)
        self.tasks = [
            asyncio.create_task(self.relay(self.client.get_iopub_msg)),
            asyncio.create_task(self.relay(self.client.get_shell_msg)),
            asyncio.create_task(self.watch()),
        ]

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.client.stop_channels()
        await self.manager.shutdown_kernel(now=True)

    async def relay(self, receive: Any) -> None:
        while True:
            message = await receive(timeout=None)
            request = self.requests.get(message["parent_header"].get("msg_id", ""))
            emit(message["msg_type"], message["content"], request)

    async def watch(self) -> None:
        while await self.manager.is_alive():
            await asyncio.sleep(DEATH_CHECK_SECONDS)
        emit("host_dead")

    def execute(self, order: dict[str, Any]) -> None:
        content = {
            "code": order["code"],
            "silent": False,
            "store_history": order["store_history"],
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        metadata = {"cellId": order["cell_id"]} if order.get("cell_id") else {}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.requests[message["header"]["msg_id"]] = order["id"]
        self.client.shell_channel.send(message)

    async def obey(self, order: dict[str, Any]) -> None:
        operation = order["op"]
        if operation == "execute":
            self.execute(order)
        elif operation == "interrupt":
            await self.manager.interrupt_kernel()
        elif operation == "kill":
            # Only the process is ended: the watcher reports the death, as after a crash.
            await self.manager.signal_kernel(9)
        elif operation == "restart":
            await self.stop()
            self.requests.clear()
            self.manager = AsyncKernelManager(kernel_name="python3")
            await self.start()
            emit("host_restarted")
        else:
            raise ValueError(f"unknown operation {operation!r}")


async def main() -> None:
    host = Host(sys.argv[1])
    await host.start()
    emit("host_ready")
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await host.obey(json.loads(line))
    await host.stop()


if __name__ == "__main__":
    asyncio.run(main())
