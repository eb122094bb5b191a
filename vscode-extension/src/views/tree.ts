/** Rows as a tree of VS Code. */

import * as vscode from "vscode";
import type { Feed } from "../feed";
import type { State } from "../model/payloads";
import type { Row } from "../model/rows";

export class Rows implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly feed: Feed,
    private readonly rowsOf: (state: State) => Row[],
  ) {
    feed.onDidChange(() => this.changed.fire());
  }

  getChildren(row?: Row): Row[] {
    return row === undefined ? this.rowsOf(this.feed.state) : [...(row.children ?? [])];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, folding(row));
    item.id = row.key;
    item.description = row.description;
    item.contextValue = row.context;
    item.tooltip = new vscode.MarkdownString(row.tooltip);
    item.accessibilityInformation = { label: `${row.label}, ${row.description}` };
    const { icon, color } = row.look;
    if (icon !== "") {
      const painted = color === undefined ? undefined : new vscode.ThemeColor(color);
      item.iconPath = new vscode.ThemeIcon(icon, painted);
    }
    if (row.opens !== undefined) {
      const command = row.opens.type === "proposal" ? "cortex.review" : "cortex.openText";
      item.command = { command, title: "Open", arguments: [row] };
    }
    return item;
  }
}

function folding(row: Row): vscode.TreeItemCollapsibleState {
  if (row.children === undefined) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return row.unfolded === true
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}
