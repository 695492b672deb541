import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import manifest from "../package.json";
import { panelHtml } from "./panel/html";

const SOURCES = path.join(process.cwd(), "src");

function sources(): string {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(path.join(SOURCES, name), "utf8"))
    .join("\n");
}

const text = sources();
const { contributes } = manifest;
const declared = contributes.commands.map((command) => command.command);
const properties: Record<string, { scope?: string; markdownDescription?: string }> = Object.assign(
  {},
  ...contributes.configuration.map((section) => section.properties),
);

describe("the manifest and the code", () => {
  test("every declared command is registered, and the reverse", () => {
    const registered = [...text.matchAll(/id: "(crane\.\w+)"|toggle\(\s*"(crane\.\w+)"/g)].map(
      (match) => match[1] ?? match[2],
    );
    assert.deepEqual([...registered].sort(), [...declared].sort());
  });

  test("every command that is named anywhere exists", () => {
    const named = [...text.matchAll(/command: "(crane\.\w+)"/g)].map((match) => match[1]);
    assert.deepEqual(
      named.filter((name) => !declared.includes(name ?? "")),
      [],
    );
  });

  test("every setting that is read is declared, described, and out of a workspace's reach", () => {
    const read = [
      ...text.matchAll(/section\(\)\s*\.get(?:<[^>]+>)?\(\s*"([\w.]+)"|explicit<[^(]+>\("([\w.]+)"\)/g),
    ].map((match) => `crane.${match[1] ?? match[2]}`);
    assert.ok(read.length > 10);
    assert.deepEqual(
      read.filter((name) => !(name in properties)),
      [],
    );
    for (const [name, property] of Object.entries(properties)) {
      assert.ok(property.markdownDescription, name);
      assert.match(property.scope ?? "", /^(application|machine)$/, name);
    }
  });

  test("what decides where data goes is restricted in an untrusted workspace", () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, "limited");
    for (const name of ["crane.pythonPath", "crane.model.baseUrl", "crane.useModel", "crane.schemaOnly"]) {
      assert.ok(restrictedConfigurations.includes(name), name);
    }
  });
});

test("the panel's page allows one script by nonce, and nothing inline", () => {
  const html = panelHtml("N0NCE", "https://source", "https://source/panel.js", "https://source/panel.css");
  const policy = /content="([^"]+)"/.exec(html.slice(html.indexOf("Content-Security-Policy")))?.[1] ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-N0NCE'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.doesNotMatch(html, /<script(?![^>]*nonce="N0NCE")|style="|onclick/);
});

test("the web view sets text as text only", () => {
  const webview = readdirSync(path.join(SOURCES, "panel/webview"))
    .map((name) => readFileSync(path.join(SOURCES, "panel/webview", name), "utf8"))
    .join("\n");
  assert.doesNotMatch(webview, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
});
