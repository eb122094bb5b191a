/** The commands of the extension. */

import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Feed } from "./feed";
import type { Action } from "./model/payloads";
import { placeOf, SCHEME } from "./model/proposalUri";
import type { Row } from "./model/rows";
import type { Review } from "./review";
import type { Server } from "./server";

/** A row of the side bar, or the document whose title bar was used. */
type Subject = Row | vscode.Uri | undefined;

export function registerActions(
  server: Server,
  feed: Feed,
  review: Review,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const act = async (action: Action, subject: Subject) => {
    const id = idOf(subject);
    if (id === undefined) return;
    const { message } = await vscode.window.withProgress(
      { location: { viewId: "cortex.inbox" } },
      () => server.ask<{ message: string }>("cortex/act", { action, id }),
    );
    await feed.refresh();
    if (action === "accept" || action === "bury") await review.close(id);
    void vscode.window.showInformationMessage(`Cortex: ${message}`);
  };
  const open = async (subject: Subject, show: (id: string) => Promise<void>) => {
    const id = idOf(subject);
    if (id !== undefined) await show(id);
  };
  const commands: Record<string, (subject: Subject) => Promise<void> | void> = {
    review: (subject) => open(subject, (id) => review.openDiff(id)),
    evidence: (subject) => open(subject, (id) => review.openEvidence(id)),
    accept: (subject) => act("accept", subject),
    bury: (subject) => act("bury", subject),
    test: (subject) => act("test", subject),
    pruneText: (subject) => act("prune", subject),
    restoreText: (subject) => act("restore", subject),
    openText: (subject) => openText(feed, subject),
    refresh: () => feed.refresh(),
    restart: () => server.restart(),
    showLog: () => log.show(),
    setServerPath: () => openSetting("cortex.server.path"),
    readSessions: () => runInTerminal(server, feed, "ingest"),
    openTerminal: () => runInTerminal(server, feed, "tui"),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`cortex.${name}`, (subject: Subject) =>
      reporting(run, subject),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/** A refusal of the server is one line that says what to do: it is shown as it is. */
async function reporting(
  run: (subject: Subject) => Promise<void> | void,
  subject: Subject,
): Promise<void> {
  try {
    await run(subject);
  } catch (problem) {
    const line = problem instanceof Error ? problem.message : String(problem);
    void vscode.window.showErrorMessage(`Cortex: ${line}`);
  }
}

function idOf(subject: Subject): string | undefined {
  const uri = subject instanceof vscode.Uri ? subject : undefined;
  if (uri !== undefined) {
    return uri.scheme === SCHEME ? placeOf(uri.path)?.id : undefined;
  }
  return (subject as Row | undefined)?.id;
}

async function openText(feed: Feed, subject: Subject): Promise<void> {
  const opens = (subject as Row | undefined)?.opens;
  const root = feed.state.repository;
  if (opens?.type !== "file" || root === null) return;
  const at = new vscode.Position(opens.line, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(join(root, opens.path)), {
    selection: new vscode.Range(at, at),
    preview: true,
  });
}

async function openSetting(name: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", name);
}

/** Run the `cortex` that was installed with the server. */
async function runInTerminal(server: Server, feed: Feed, command: string): Promise<void> {
  const file = server.file;
  const program =
    file === undefined ? "cortex" : join(dirname(file), basename(file).replace("-lsp", ""));
  const cwd = feed.state.repository;
  // As a process: a path in a line for a shell could be run as something else.
  const task = new vscode.Task(
    { type: "process" },
    vscode.TaskScope.Workspace,
    `cortex ${command}`,
    "Cortex",
    new vscode.ProcessExecution(program, [command], cwd === null ? {} : { cwd }),
  );
  task.presentationOptions = { panel: vscode.TaskPanelKind.Dedicated, focus: true };
  await vscode.tasks.executeTask(task);
}
