import * as vscode from "vscode";
import { Bridge } from "./bridge/bridge";
import { ManagedEnvironment } from "./bridge/environment";
import { Interpreters } from "./bridge/interpreters";
import { Keys } from "./bridge/keys";
import { CheckAll } from "./check/checkAll";
import { CheckAllState } from "./check/checkAllState";
import { Checker } from "./check/checker";
import { LiveChecks } from "./check/live";
import { showProblem } from "./check/showProblem";
import { ChecksView } from "./editor/checksView";
import { Diagnostics } from "./editor/diagnostics";
import { OriginMarks } from "./editor/originMarks";
import { QuickFixes } from "./editor/quickFixes";
import { StatusBar } from "./editor/statusBar";
import { NotebookWatcher } from "./editor/watcher";
import { Guard } from "./guard";
import { KernelAccess } from "./kernel/access";
import { Kernels } from "./kernel/kernels";
import { loadPayload } from "./kernel/payload";
import { ModelAsker } from "./model/asker";
import { Consent } from "./model/consent";
import { DetailsPanel } from "./panel/detailsPanel";
import { RunRecorder } from "./recorder";
import { settings } from "./settings";
import { VerdictStore } from "./verdicts";

/** The parts of the extension, each made once. Making them starts no process and asks no kernel. */
export function createApp(context: vscode.ExtensionContext) {
  const version: string = context.extension.packageJSON.version;
  const log = vscode.window.createOutputChannel("CRANE", { log: true });
  const store = new VerdictStore();
  const recorder = new RunRecorder();
  const access = new KernelAccess(context.globalState);
  const payload = loadPayload(context.asAbsolutePath("dist/kernel-payload.json"));
  const kernels = new Kernels(access, payload, settings.kernelTimeoutSeconds);

  const keys = new Keys(context.secrets);
  const consent = new Consent(context.globalState);
  const environment = new ManagedEnvironment(context, log);
  const interpreters = new Interpreters(version, () => environment.interpreter(), log);
  const bridge = new Bridge(version, interpreters, environment, log);
  const asker = new ModelAsker(bridge, consent, keys);

  const checker = new Checker(kernels, asker, store, recorder, log, showProblem);
  const allState = new CheckAllState();
  const checkAll = new CheckAll(kernels, store, recorder, allState, showProblem);
  const guard = new Guard(kernels, log);
  const marks = new OriginMarks(store);
  const panel = new DetailsPanel(context.extensionUri, store, allState, consent);

  const parts: vscode.Disposable[] = [
    log,
    kernels,
    bridge,
    checker,
    guard,
    marks,
    panel,
    new NotebookWatcher(store, recorder, checker, kernels),
    new LiveChecks(kernels, store, recorder),
    new StatusBar(store, marks),
    new Diagnostics(store),
    new QuickFixes(store),
    new ChecksView(store),
  ];
  return {
    context,
    version,
    log,
    store,
    recorder,
    kernels,
    keys,
    consent,
    environment,
    interpreters,
    bridge,
    asker,
    checker,
    checkAll,
    guard,
    panel,
    dispose: () => vscode.Disposable.from(...parts.reverse()).dispose(),
  };
}

export type App = ReturnType<typeof createApp>;
