/** How a ruling looks and reads, everywhere in the editor. */

import type { Ruling } from "./payloads";

export interface Look {
  /** A codicon. */
  readonly icon: string;
  /** A colour of the theme; none keeps that of the icon. */
  readonly color?: string;
  /** In a word or two. */
  readonly word: string;
}

const LOOKS: Record<Ruling, Look> = {
  keep: { icon: "pass-filled", color: "charts.green", word: "keep" },
  retain: { icon: "pass-filled", color: "charts.green", word: "retain" },
  prune: { icon: "warning", color: "charts.orange", word: "prunable" },
  bury: { icon: "error", color: "charts.red", word: "bury" },
  unused: { icon: "circle-slash", color: "disabledForeground", word: "never loaded" },
  undecided: { icon: "question", color: "charts.yellow", word: "undecided" },
};

export const UNMEASURED: Look = {
  icon: "circle-large-outline",
  color: "disabledForeground",
  word: "not measured",
};
export const STALE: Look = { icon: "history", color: "charts.yellow", word: "stale" };

export function lookOf(ruling: Ruling | null): Look {
  return ruling === null ? UNMEASURED : LOOKS[ruling];
}

export function signed(lift: number): string {
  const digits = Math.abs(lift).toFixed(2);
  return `${lift < 0 && Number(digits) !== 0 ? "−" : "+"}${digits}`;
}

export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** An e-value in at most three characters, as the other surfaces write it. */
export function evidence(eValue: number): string {
  if (eValue >= 1000) {
    return "over 1000";
  }
  return eValue >= 10 ? eValue.toFixed(0) : String(Number(eValue.toPrecision(2)));
}
