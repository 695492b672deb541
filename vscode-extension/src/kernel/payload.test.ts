import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { asciiLiteral, callCode } from "./payload";

const PAYLOAD = { version: "0", module: "m", mount: "", call: "f(@REQUEST@)" };

test("a request survives the way into Python and back, whatever is in it", () => {
  const source = 'a = "quote\' \\ \n tab\t $& $1 é 🦩 \u2028 @REQUEST@"';
  const code = callCode(PAYLOAD, { id: "r", method: "inspect", params: { source } });
  assert.match(code, /^f\("[\x20-\x7e]*"\)$/);
  const python = [
    "import json, sys",
    "def f(text):",
    "    text = text.encode('utf-16', 'surrogatepass').decode('utf-16', 'surrogatepass')",
    "    sys.stdout.buffer.write(json.loads(text)['params']['source'].encode('utf-8'))",
    code,
  ].join("\n");
  const back = execFileSync("python3", ["-c", python], { encoding: "utf8" });
  assert.equal(back, source);
});

test("the literal is plain ASCII", () => {
  assert.equal(asciiLiteral("é🦩"), '"\\u00e9\\ud83e\\udda9"');
});
