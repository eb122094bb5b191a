/** The icon and colour of a state, everywhere in the editor; its words come from the server. */

import type { Ruling } from "./payloads";

export interface Look {
  /** A codicon. */
  readonly icon: string;
  /** A colour of the theme; none keeps that of the icon. */
  readonly color?: string;
}

const LOOKS: Record<Ruling, Look> = {
  keep: { icon: "pass-filled", color: "charts.green" },
  retain: { icon: "pass-filled", color: "charts.green" },
  prune: { icon: "warning", color: "charts.orange" },
  bury: { icon: "error", color: "charts.red" },
  unused: { icon: "circle-slash", color: "disabledForeground" },
  undecided: { icon: "question", color: "charts.yellow" },
};

const NOT_MEASURED: Look = { icon: "circle-large-outline", color: "disabledForeground" };
export const STALE: Look = { icon: "history", color: "charts.yellow" };
export const NO_LOOK: Look = { icon: "" };

export function lookOf(ruling: Ruling | null): Look {
  return ruling === null ? NOT_MEASURED : LOOKS[ruling];
}

export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
