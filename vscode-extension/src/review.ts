/** A proposal as a native diff of virtual documents, and its evidence as a page. */

import * as vscode from "vscode";
import type { Feed } from "./feed";
import type { Entry } from "./model/payloads";
import { pathOf, placeOf, SCHEME, type Side } from "./model/proposalUri";
import type { Server } from "./server";

export class Review implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly listening: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
  ) {
    this.listening = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      feed.onDidChange(() => void this.follow()),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const place = placeOf(uri.path);
    if (place === undefined) {
      return "";
    }
    const entry = this.entries.get(place.id) ?? (await this.fetch(place.id));
    return place.side === "evidence" ? entry.markdown : (entry[place.side] ?? "");
  }

  async openDiff(id: string): Promise<void> {
    const entry = await this.fetch(id);
    const title = entry.title;
    const [before, after] = [this.uri(entry, "before"), this.uri(entry, "after")];
    await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true });
  }

  async openEvidence(id: string): Promise<void> {
    const uri = this.uri(await this.fetch(id), "evidence");
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  /** Close the diff of what was decided. */
  async close(id: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter((tab) => shownIn(tab)?.id === id));
  }

  dispose(): void {
    for (const disposable of [...this.listening, this.changed]) disposable.dispose();
  }

  private uri(entry: Entry, side: Side): vscode.Uri {
    const ruling = this.feed.state.inbox.find((row) => row.id === entry.id)?.ruling ?? "undecided";
    const measured = ruling !== "undecided";
    const file = side === "evidence" ? `Evidence for ${entry.path.split("/").at(-1)}` : entry.path;
    return vscode.Uri.from({ scheme: SCHEME, path: pathOf(entry.id, side, file, measured) });
  }

  private async fetch(id: string): Promise<Entry> {
    const entry = await this.server.ask<Entry>("cortex/entry", { id });
    this.entries.set(id, entry);
    return entry;
  }

  /** Show anew what is open; what was decided elsewhere is closed. */
  private async follow(): Promise<void> {
    if (!this.server.isRunning) {
      return;
    }
    this.entries.clear();
    const waiting = new Set(this.feed.state.inbox.map((entry) => entry.id));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const over = tabs.filter((tab) => {
      const place = shownIn(tab);
      return place !== undefined && !waiting.has(place.id);
    });
    await vscode.window.tabGroups.close(over, true);
    for (const document of vscode.workspace.textDocuments) {
      const place = document.uri.scheme === SCHEME ? placeOf(document.uri.path) : undefined;
      if (place !== undefined && waiting.has(place.id)) this.changed.fire(document.uri);
    }
  }
}

function shownIn(tab: vscode.Tab) {
  const { input } = tab;
  const uri =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uri?.scheme === SCHEME ? placeOf(uri.path) : undefined;
}
