// A door for the tests, on 127.0.0.1: facts that no person can see (what a check left in the kernel) and accidents that
// no person can cause on demand (a killed kernel). What a person can see or do, the tests see and do in the browser.
const fs = require("node:fs");
const http = require("node:http");
const vscode = require("vscode");

/** Serves `actions` ({ name: async (params) => result }) and writes the address into the file named by E2E_CONTROL. */
function serveControl(actions) {
  const file = process.env.E2E_CONTROL;
  if (!file) {
    return { dispose() {} };
  }
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      try {
        const { action, params } = JSON.parse(body);
        const result = await actions[action](params ?? {});
        response.end(JSON.stringify({ result: result ?? null }));
      } catch (error) {
        response.statusCode = 500;
        response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
      }
    });
  });
  server.listen(0, "127.0.0.1", () => fs.writeFileSync(file, `http://127.0.0.1:${server.address().port}/`));
  return { dispose: () => server.close() };
}

/** The open notebook with this file name. */
function findNotebook(name) {
  const found = vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.path.endsWith(`/${name}`));
  if (!found) {
    throw new Error(`no open notebook named ${name}`);
  }
  return found;
}

module.exports = { findNotebook, serveControl };
