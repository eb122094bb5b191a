/** What the sidebar shows, row by row; knows nothing of VS Code. */

import { type Look, lookOf, NO_LOOK, STALE } from "./looks";
import type { Grave, HarnessItem, InboxEntry, Job, State } from "./payloads";

export interface Row {
  /** The same for the same thing, so that what is selected and unfolded stays so. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly look: Look;
  /** Markdown. */
  readonly tooltip: string;
  /** Decides which actions the row offers. */
  readonly context: string;
  /** What the server calls it. */
  readonly id?: string;
  readonly opens?: Opens;
  readonly children?: readonly Row[];
  readonly unfolded?: boolean;
}

export type Opens =
  | { readonly type: "proposal" }
  | { readonly type: "file"; readonly path: string; readonly line: number };

export function inboxRows(state: State): Row[] {
  const busy = new Set(state.running === null ? [] : [state.running.name]);
  const queued = state.jobs.filter((job) => job.status === "queued" && !busy.has(job.name));
  return [...runningRows(state), ...state.inbox.map(inboxRow), ...queued.map(jobRow)];
}

function runningRows(state: State): Row[] {
  if (state.running === null) {
    return [];
  }
  const { name, detail } = state.running;
  return [
    {
      key: "running",
      label: name,
      description: detail,
      look: { icon: "loading~spin" },
      tooltip: paragraphs(`**${plain(name)}**`, plain(detail)),
      context: "running",
    },
  ];
}

function inboxRow(entry: InboxEntry): Row {
  const decidable = entry.ruling !== null && entry.ruling !== "undecided";
  return {
    key: `inbox:${entry.id}`,
    id: entry.id,
    label: entry.name,
    description: entry.detail,
    look: entry.ruling === null ? { icon: "lightbulb" } : lookOf(entry.ruling),
    tooltip: paragraphs(
      `**${plain(entry.name)}** · ${plain(entry.path)}`,
      `**${plain(entry.detail)}**`,
      plain(entry.reason),
      entry.evidence === "" ? "" : `E⁺ ${plain(entry.evidence)}`,
    ),
    context: decidable ? "proposal.measured" : "proposal.open",
    opens: { type: "proposal" },
  };
}

function jobRow(job: Job): Row {
  return {
    key: `job:${job.id}`,
    label: job.name,
    description: `queued${job.note === "" ? "" : ` · ${job.note}`}`,
    look: { icon: "watch" },
    tooltip: `**${plain(job.name)}** is queued for \`cortex daemon\`.`,
    context: "job",
  };
}

export function harnessRows(state: State): Row[] {
  const grouped = new Map<string, HarnessItem[]>([
    ["Rules", []],
    ["Skills", []],
  ]);
  for (const item of state.harness) {
    const label = groupOf(item);
    grouped.set(label, [...(grouped.get(label) ?? []), item]);
  }
  const groups = [...grouped]
    .filter(([, items]) => items.length > 0)
    .map(([label, items]) => group(label, items));
  const graves = state.graveyard;
  return graves.length === 0 ? groups : [...groups, graveyard(graves)];
}

/** Sections are grouped by their file. */
function groupOf(item: HarnessItem): string {
  switch (item.kind) {
    case "rule":
      return "Rules";
    case "skill":
      return "Skills";
    case "section":
      return item.path;
  }
}

function labelOf(item: HarnessItem): string {
  const heading = item.key.slice(item.path.length + 1);
  return item.kind === "section" ? heading || "Before the first heading" : item.name;
}

function group(label: string, items: readonly HarnessItem[]): Row {
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
  return {
    key: `group:${label}`,
    label,
    description: `${items.length} · ~${tokens} tokens`,
    look: NO_LOOK,
    tooltip: "",
    context: "group",
    children: items.map(harnessRow),
    unfolded: true,
  };
}

function harnessRow(item: HarnessItem): Row {
  const look = item.stale === "" ? lookOf(item.ruling) : STALE;
  return {
    key: `harness:${item.key}`,
    id: item.key,
    label: labelOf(item),
    description: item.detail,
    look,
    tooltip: paragraphs(
      `**${plain(item.name)}** · ${plain(item.path)}`,
      plain(item.title),
      plain(item.reason),
    ),
    context: item.state === "prunable" ? "harness.prunable" : "harness",
    opens: { type: "file", path: item.path, line: item.line },
  };
}

function graveyard(graves: readonly Grave[]): Row {
  return {
    key: "group:graveyard",
    label: "Graveyard",
    description: String(graves.length),
    look: NO_LOOK,
    tooltip: "What was buried or pruned; each entry can be restored byte for byte.",
    context: "group",
    children: graves.map((grave) => ({
      key: `grave:${grave.id}`,
      id: grave.id,
      label: grave.name,
      description: grave.ruling === "prune" ? "pruned" : "buried",
      look: { icon: "archive", color: "disabledForeground" },
      tooltip: paragraphs(`**${plain(grave.name)}** · ${plain(grave.path)}`, plain(grave.reason)),
      context: "grave",
    })),
  };
}

function paragraphs(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Escape all ASCII punctuation, so that no text becomes a link, an image, a heading or a list. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
