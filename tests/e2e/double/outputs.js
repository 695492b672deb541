// Kernel messages as notebook outputs, in the shapes that the real extension gives them.
const vscode = require("vscode");

const { NotebookCellOutput: Output, NotebookCellOutputItem: Item } = vscode;
const encoder = new TextEncoder();

function item(mime, value) {
  if (/^image\/(?!svg)/.test(mime)) {
    return new Item(Buffer.from(value, "base64"), mime);
  }
  return new Item(encoder.encode(typeof value === "string" ? value : JSON.stringify(value)), mime);
}

/** The output for a message, or undefined for a message that shows nothing. */
function toOutput({ msg_type: type, content }) {
  switch (type) {
    case "stream": {
      const text = content.name === "stderr" ? Item.stderr(content.text) : Item.stdout(content.text);
      return new Output([text], { outputType: "stream" });
    }
    case "error": {
      const error = Item.error({ name: content.ename, message: content.evalue, stack: content.traceback.join("\n") });
      return new Output([error], { outputType: "error", originalError: { output_type: "error", ...content } });
    }
    case "execute_result":
    case "display_data":
    case "update_display_data": {
      const items = Object.entries(content.data).map(([mime, value]) => item(mime, value));
      const metadata = { outputType: type === "execute_result" ? type : "display_data", metadata: content.metadata };
      return new Output(items, metadata);
    }
    default:
      return undefined;
  }
}

module.exports = { toOutput };
