/** The two views of the side bar. */

import * as vscode from "vscode";
import type { Feed } from "../feed";
import { counted } from "../model/looks";
import { harnessRows, inboxRows } from "../model/rows";
import { Rows } from "./tree";

export function showSidebar(feed: Feed): vscode.Disposable {
  const inbox = vscode.window.createTreeView("cortex.inbox", {
    treeDataProvider: new Rows(feed, inboxRows),
  });
  const harness = vscode.window.createTreeView("cortex.harness", {
    treeDataProvider: new Rows(feed, harnessRows),
    showCollapseAll: true,
  });
  const watching = feed.onDidChange((state) => {
    const waiting = state.inbox.length;
    const tooltip = `${counted(waiting, "change")} to decide about`;
    inbox.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
    inbox.message = state.error ?? "";
    void vscode.commands.executeCommand("setContext", "cortex.problem", state.error !== null);
  });
  return vscode.Disposable.from(inbox, harness, watching);
}
