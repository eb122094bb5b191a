/**
 * When the language server is started, started again, and given up.
 *
 * A pure state machine: `next` takes what happened and returns the new phase with what to do.
 */

export type Phase =
  | { readonly name: "stopped" }
  | { readonly name: "missing" }
  | { readonly name: "starting"; readonly failures: number }
  | { readonly name: "running"; readonly failures: number; readonly since: number }
  | { readonly name: "waiting"; readonly failures: number }
  | { readonly name: "failed" };

export type Event =
  /** A person, or the opening of the workspace, wants a server. */
  | { readonly type: "wanted" }
  /** There is no server on this machine. */
  | { readonly type: "notFound" }
  | { readonly type: "started"; readonly at: number }
  | { readonly type: "died"; readonly at: number }
  | { readonly type: "waited" }
  | { readonly type: "unwanted" };

export type Effect =
  | { readonly type: "launch" }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "tellMissing" }
  | { readonly type: "tellFailed"; readonly times: number }
  | { readonly type: "stop" };

export interface Step {
  readonly phase: Phase;
  readonly effect?: Effect;
}

/** Pauses before the server is started again, in milliseconds; after the last pause there is no further start. */
export const PAUSES: readonly number[] = [500, 2_000, 8_000];

/** A server that lived this long was fine: its end counts as the first failure. */
export const HEALTHY_MS = 60_000;

export const STOPPED: Phase = { name: "stopped" };

export function next(phase: Phase, event: Event): Step {
  switch (event.type) {
    case "wanted":
      return isActive(phase)
        ? { phase }
        : { phase: { name: "starting", failures: 0 }, effect: { type: "launch" } };
    case "unwanted":
      return { phase: STOPPED, effect: { type: "stop" } };
    case "notFound":
      return phase.name === "starting"
        ? { phase: { name: "missing" }, effect: { type: "tellMissing" } }
        : { phase };
    case "started":
      return phase.name === "starting"
        ? { phase: { name: "running", failures: phase.failures, since: event.at } }
        : { phase };
    case "died":
      return died(phase, event.at);
    case "waited":
      return phase.name === "waiting"
        ? { phase: { name: "starting", failures: phase.failures }, effect: { type: "launch" } }
        : { phase };
  }
}

function isActive(phase: Phase): boolean {
  return phase.name === "starting" || phase.name === "running" || phase.name === "waiting";
}

function died(phase: Phase, at: number): Step {
  if (phase.name !== "starting" && phase.name !== "running") {
    return { phase };
  }
  const healthy = phase.name === "running" && at - phase.since >= HEALTHY_MS;
  const failures = (healthy ? 0 : phase.failures) + 1;
  const ms = PAUSES[failures - 1];
  return ms === undefined
    ? { phase: { name: "failed" }, effect: { type: "tellFailed", times: failures } }
    : { phase: { name: "waiting", failures }, effect: { type: "wait", ms } };
}
