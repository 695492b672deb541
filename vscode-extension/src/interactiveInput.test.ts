import assert from "node:assert/strict";
import { test } from "node:test";
import { numberIn } from "./interactiveInput";

test("an input box and its window carry the same number", () => {
  assert.equal(numberIn("/InteractiveInput-3"), "3");
  assert.equal(numberIn("Interactive-3.interactive"), "3");
  assert.equal(numberIn("/home/me/notes.interactive"), undefined);
});
