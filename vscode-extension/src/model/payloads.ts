/** What `cortex-lsp` answers; its own records are in `cortex_lsp.payloads`. */

export type Ruling = "keep" | "bury" | "prune" | "retain" | "unused" | "undecided";

export interface InboxEntry {
  readonly id: string;
  /** `add use-clock: keep`. */
  readonly title: string;
  /** The same without the name, with lift and pairs. */
  readonly detail: string;
  readonly name: string;
  /** Relative to the repository. */
  readonly path: string;
  readonly change: "add" | "remove";
  /** null: not measured, or not to the end. */
  readonly ruling: Ruling | null;
  readonly reason: string;
  /** How much more often the agent passed with the text, -1 to 1. */
  readonly lift: number | null;
  readonly pairs: number;
  readonly eValue: number | null;
  /** E⁺ for a person; empty when not measured. */
  readonly evidence: string;
}

export interface HarnessItem {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  /** From 0. */
  readonly line: number;
  readonly kind: "rule" | "skill" | "section";
  readonly ruling: Ruling | null;
  /** Why the verdict no longer applies; empty while it does. */
  readonly stale: string;
  /** `not measured`, `stale`, `prunable` or the ruling. */
  readonly state: string;
  /** What the code lens shows. */
  readonly title: string;
  /** State and size. */
  readonly detail: string;
  /** Estimated size of the text. */
  readonly tokens: number;
  readonly reason: string;
}

export interface Job {
  readonly id: string;
  readonly candidateId: string;
  readonly name: string;
  readonly status: string;
  readonly note: string;
}

export interface Running {
  readonly name: string;
  readonly pairs: number;
  readonly eValue: number;
  /** `running · 3 pairs · E⁺ 2.5`. */
  readonly detail: string;
}

/** Text that was removed and can be restored. */
export interface Grave {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly ruling: Ruling | null;
  readonly reason: string;
}

export interface State {
  readonly repository: string | null;
  readonly inbox: readonly InboxEntry[];
  readonly harness: readonly HarnessItem[];
  readonly jobs: readonly Job[];
  readonly running: Running | null;
  readonly summary: string;
  readonly error: string | null;

  readonly graveyard: readonly Grave[];
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  /** null: the file does not exist. */
  readonly before: string | null;
  /** null: the file is removed. */
  readonly after: string | null;
  /** The evidence, for a person. */
  readonly markdown: string;
}

export type Action = "accept" | "bury" | "prune" | "restore" | "test";

export const NOTHING: State = {
  repository: null,
  inbox: [],
  harness: [],
  jobs: [],
  graveyard: [],
  running: null,
  summary: "",
  error: null,
};
