/** The item in the status bar: inbox entries, the running experiment, the server's state. */

import * as vscode from "vscode";
import type { Feed } from "../feed";
import { counted } from "../model/looks";
import { plain } from "../model/rows";
import type { Server } from "../server";

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "cortex.status",
    vscode.StatusBarAlignment.Left,
    0,
  );
  private readonly listening: vscode.Disposable[];
  private trouble: string | undefined;

  constructor(
    private readonly feed: Feed,
    server: Server,
  ) {
    this.item.name = "Cortex";
    this.item.command = "cortex.inbox.focus";
    this.listening = [
      feed.onDidChange(() => this.show()),
      server.onDidMove((phase) => {
        this.trouble = TROUBLES.get(phase);
        this.show();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("cortex.statusBar")) this.show();
      }),
    ];
    this.show();
  }

  dispose(): void {
    for (const disposable of [...this.listening, this.item]) disposable.dispose();
  }

  private show(): void {
    const trouble = this.trouble ?? this.feed.state.error ?? undefined;
    this.item.text = trouble === undefined ? this.text() : "$(warning) Cortex";
    this.item.tooltip = trouble === undefined ? this.tooltip() : `Cortex: ${trouble}`;
    if (vscode.workspace.getConfiguration("cortex").get("statusBar", true)) this.item.show();
    else this.item.hide();
  }

  private text(): string {
    const { inbox, running } = this.feed.state;
    if (running !== null) {
      return `$(loading~spin) Cortex: ${running.name}, ${counted(running.pairs, "pair")}`;
    }
    return inbox.length === 0 ? "$(beaker) Cortex" : `$(beaker) Cortex ${inbox.length}`;
  }

  private tooltip(): vscode.MarkdownString {
    const { inbox, summary } = this.feed.state;
    const entries = inbox.map((entry) => `- ${plain(entry.title)}`).join("\n");
    const head = inbox.length === 0 ? "Inbox empty." : "**Inbox**";
    return new vscode.MarkdownString([head, entries, plain(summary)].filter(Boolean).join("\n\n"));
  }
}

const TROUBLES = new Map([
  ["missing", "the language server was not found"],
  ["failed", "the language server stopped repeatedly"],
]);
