/** Puts the parts together. */

import * as vscode from "vscode";
import { registerActions } from "./actions";
import { Feed } from "./feed";
import { Review } from "./review";
import { Server } from "./server";
import { showSidebar } from "./views/sidebar";
import { StatusBar } from "./views/statusBar";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Cortex", { log: true });
  server = new Server(log);
  const feed = new Feed(server, log);
  const review = new Review(server, feed);
  context.subscriptions.push(
    log,
    feed,
    review,
    showSidebar(feed),
    new StatusBar(feed, server),
    registerActions(server, feed, review, log),
    server.onDidMove((phase) => setContext("cortex.server", contextOf(phase))),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("cortex.server.path")) void server?.restart();
    }),
  );
  setContext("cortex.workspace", true);
  server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function contextOf(phase: string): string {
  return phase === "waiting" || phase === "stopped" ? "starting" : phase;
}

function setContext(name: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", name, value);
}
