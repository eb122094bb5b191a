import assert from "node:assert/strict";
import { test } from "node:test";
import { type Event, HEALTHY_MS, next, PAUSES, type Phase, STOPPED } from "../src/model/lifecycle";

function walk(events: readonly Event[], from: Phase = STOPPED) {
  let phase = from;
  const effects: unknown[] = [];
  for (const event of events) {
    const step = next(phase, event);
    phase = step.phase;
    if (step.effect) effects.push(step.effect);
  }
  return { phase, effects };
}

const died = (at: number): Event => ({ type: "died", at });
const started = (at: number): Event => ({ type: "started", at });

test("a wanted server is launched once", () => {
  const { phase, effects } = walk([{ type: "wanted" }, { type: "wanted" }, started(5)]);
  assert.deepEqual(phase, { name: "running", failures: 0, since: 5 });
  assert.deepEqual(effects, [{ type: "launch" }]);
});

test("a missing server is told once and looked for again when wanted", () => {
  const { phase, effects } = walk([{ type: "wanted" }, { type: "notFound" }, { type: "notFound" }]);
  assert.equal(phase.name, "missing");
  assert.deepEqual(effects, [{ type: "launch" }, { type: "tellMissing" }]);
  assert.deepEqual(walk([{ type: "wanted" }], phase).effects, [{ type: "launch" }]);
});

test("a server that dies is started again after growing pauses, then given up", () => {
  const events: Event[] = [{ type: "wanted" }];
  for (const _ of PAUSES) events.push(started(0), died(1), { type: "waited" });
  const { phase, effects } = walk([...events, died(2)]);
  assert.equal(phase.name, "failed");
  const waits = effects.filter((effect) => (effect as { type: string }).type === "wait");
  assert.deepEqual(
    waits,
    PAUSES.map((ms) => ({ type: "wait", ms })),
  );
  assert.deepEqual(effects.at(-1), { type: "tellFailed", times: PAUSES.length + 1 });
  assert.ok(PAUSES.every((ms, at) => at === 0 || ms > (PAUSES[at - 1] ?? 0)));
});

test("a server that lived long starts counting anew", () => {
  const phase: Phase = { name: "running", failures: PAUSES.length, since: 0 };
  assert.equal(next(phase, died(HEALTHY_MS)).phase.name, "waiting");
  assert.equal(next(phase, died(HEALTHY_MS - 1)).phase.name, "failed");
});

test("one death that is reported twice counts once", () => {
  const { phase, effects } = walk([{ type: "wanted" }, started(0), died(1), died(1)]);
  assert.deepEqual(phase, { name: "waiting", failures: 1 });
  assert.equal(effects.length, 2);
});

test("an unwanted server stays down", () => {
  const { phase, effects } = walk([{ type: "wanted" }, started(0), { type: "unwanted" }, died(1)]);
  assert.deepEqual(phase, STOPPED);
  assert.deepEqual(effects.at(-1), { type: "stop" });
  assert.deepEqual(next(STOPPED, { type: "waited" }), { phase: STOPPED });
});
