/** What the server knows, kept up to date for all views. */

import * as vscode from "vscode";
import { Latest } from "./model/latest";
import { NOTHING, type State } from "./model/payloads";
import type { Server } from "./server";

export class Feed implements vscode.Disposable {
  private readonly came = new vscode.EventEmitter<State>();
  private readonly latest: Latest<State>;
  private readonly listening: vscode.Disposable[];

  state: State = NOTHING;
  readonly onDidChange = this.came.event;

  constructor(server: Server, log: vscode.LogOutputChannel) {
    this.latest = new Latest(
      () => server.ask<State>("cortex/state", {}),
      (state) => this.set(state),
      (problem) => log.warn(`cortex/state: ${problem}`),
    );
    this.listening = [
      server.onDidChange(() => void this.refresh()),
      server.onDidMove((phase) => {
        if (phase === "running") void this.refresh();
        else this.set(NOTHING);
      }),
    ];
  }

  refresh(): Promise<void> {
    return this.latest.refresh();
  }

  dispose(): void {
    for (const disposable of [...this.listening, this.came]) disposable.dispose();
  }

  private set(state: State): void {
    this.state = state;
    this.came.fire(state);
  }
}
