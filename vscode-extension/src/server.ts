/** The language server: found, started, watched, started again. */

import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { pythonInterpreter } from "./interpreter";
import { type Effect, type Event, next, type Phase, STOPPED } from "./model/lifecycle";
import { type Found, findServer } from "./model/serverPath";

/** Text that the server reads: rules, skills, instructions. */
export const HARNESS_FILES: readonly string[] = [
  "**/.claude/rules/**/*.md",
  "**/.claude/skills/**/SKILL.md",
  "**/CLAUDE.md",
  "**/CLAUDE.local.md",
  "**/AGENTS.md",
];

export class Server implements vscode.Disposable {
  private phase: Phase = STOPPED;
  private client: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private found: Found = { kind: "missing" };
  private readonly moved = new vscode.EventEmitter<Phase["name"]>();
  private readonly told = new vscode.EventEmitter<void>();

  /** The server came up, went down, was given up. */
  readonly onDidMove = this.moved.event;
  /** The server says that what it knows has changed. */
  readonly onDidChange = this.told.event;

  constructor(private readonly log: vscode.LogOutputChannel) {}

  get isRunning(): boolean {
    return this.phase.name === "running";
  }

  /** Where the running server was found. */
  get file(): string | undefined {
    return this.found.kind === "found" ? this.found.file : undefined;
  }

  start(): void {
    this.happen({ type: "wanted" });
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.happen({ type: "unwanted" });
    await shutDown(client);
  }

  /** Ask the server; its refusals are thrown with their one line as message. */
  async ask<Answer>(method: string, params: object): Promise<Answer> {
    if (this.client === undefined || !this.isRunning) {
      throw new Error("The Cortex language server is not running.");
    }
    return await this.client.sendRequest<Answer>(method, params);
  }

  dispose(): void {
    void this.stop();
    this.moved.dispose();
    this.told.dispose();
  }

  private happen(event: Event): void {
    const before = this.phase.name;
    const step = next(this.phase, event);
    this.phase = step.phase;
    if (step.phase.name !== before) {
      this.moved.fire(step.phase.name);
    }
    if (step.effect !== undefined) {
      this.carryOut(step.effect);
    }
  }

  private carryOut(effect: Effect): void {
    switch (effect.type) {
      case "launch":
        void this.launch();
        return;
      case "wait":
        this.log.warn(`The server stopped; starting it again in ${effect.ms} ms.`);
        this.timer = setTimeout(() => this.happen({ type: "waited" }), effect.ms);
        return;
      case "stop":
        clearTimeout(this.timer);
        this.client = undefined;
        return;
      case "tellMissing":
        void this.tellMissing();
        return;
      case "tellFailed":
        void this.tellFailed(effect.times);
        return;
    }
  }

  private async launch(): Promise<void> {
    this.found = findServer(await surroundings());
    if (this.found.kind !== "found") {
      this.happen({ type: "notFound" });
      return;
    }
    this.log.info(`Starting ${this.found.file} (${this.found.from}).`);
    const client = this.makeClient(this.found.file);
    this.client = client;
    try {
      await client.start();
      this.ifCurrent(client, { type: "started", at: Date.now() });
    } catch (problem) {
      this.log.error(String(problem));
      this.ifCurrent(client, { type: "died", at: Date.now() });
    }
  }

  private makeClient(command: string): LanguageClient {
    const died = () => this.ifCurrent(client, { type: "died", at: Date.now() });
    const options: LanguageClientOptions = {
      documentSelector: HARNESS_FILES.map((pattern) => ({ scheme: "file", pattern })),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          died();
          const message = "The connection to the server is closed.";
          return { action: CloseAction.DoNotRestart, handled: true, message };
        },
      },
      middleware: {
        provideCodeLenses: (document, token, ask) =>
          vscode.workspace.getConfiguration("cortex").get("codeLens", true)
            ? ask(document, token)
            : [],
      },
    };
    const client = new LanguageClient("cortex", "Cortex", { command }, options);
    client.onNotification("cortex/changed", () => this.told.fire());
    return client;
  }

  private ifCurrent(client: LanguageClient, event: Event): void {
    if (client === this.client) {
      this.happen(event);
    }
  }

  private async tellMissing(): Promise<void> {
    const wrong = this.found.kind === "wrongSetting" ? this.found.file : undefined;
    const text =
      wrong === undefined
        ? "Cortex: the language server cortex-lsp was not found. Install it with `pipx install cortex-harness`, or say where it is."
        : `Cortex: the setting cortex.server.path names ${wrong}, which does not exist.`;
    await offer(vscode.window.showWarningMessage, text, {
      "Set Path": "cortex.setServerPath",
      "Look Again": "cortex.restart",
    });
  }

  private async tellFailed(times: number): Promise<void> {
    const text = `Cortex: the language server stopped ${times} times and is not restarting.`;
    await offer(vscode.window.showErrorMessage, text, {
      "Show Log": "cortex.showLog",
      "Start It Again": "cortex.restart",
    });
  }
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

async function surroundings() {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    setting: vscode.workspace.getConfiguration("cortex").get("server.path", "").trim(),
    folders: folders.map((folder) => folder.uri.fsPath),
    interpreter: await pythonInterpreter(folders[0]?.uri),
    path: process.env.PATH ?? "",
    home: homedir(),
    platform: process.platform,
    exists: existsSync,
    real,
  };
}

async function shutDown(client: LanguageClient | undefined): Promise<void> {
  try {
    await client?.dispose();
  } catch {
    // It is dead already, or never came up: both are what is wanted.
  }
}

/** Show a message with buttons that run commands. */
async function offer(
  show: (text: string, ...buttons: string[]) => Thenable<string | undefined>,
  text: string,
  commands: Record<string, string>,
): Promise<void> {
  const chosen = await show(text, ...Object.keys(commands));
  const command = chosen === undefined ? undefined : commands[chosen];
  if (command !== undefined) {
    await vscode.commands.executeCommand(command);
  }
}
