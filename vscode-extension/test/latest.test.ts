import assert from "node:assert/strict";
import { test } from "node:test";
import { Latest } from "../src/model/latest";

test("questions asked while one is under way become one more question", async () => {
  let asked = 0;
  const seen: number[] = [];
  const gates: (() => void)[] = [];
  const ask = async () => {
    asked += 1;
    const mine = asked;
    await new Promise<void>((open) => gates.push(open));
    return mine;
  };
  const latest = new Latest(
    ask,
    (value) => seen.push(value),
    (problem) => assert.fail(String(problem)),
  );
  const all = [latest.refresh(), latest.refresh(), latest.refresh()];
  gates.shift()?.();
  while (gates.length === 0) await new Promise(setImmediate);
  gates.shift()?.();
  await Promise.all(all);
  assert.deepEqual(seen, [1, 2]);
  const later = latest.refresh();
  gates.shift()?.();
  await later;
  assert.deepEqual(seen, [1, 2, 3]);
});

test("a question that fails is told, and the next one is asked", async () => {
  const problems: unknown[] = [];
  const seen: string[] = [];
  let broken = true;
  const ask = async () => {
    if (broken) throw new Error("no");
    return "yes";
  };
  const latest = new Latest(
    ask,
    (value) => seen.push(value),
    (problem) => problems.push(String(problem)),
  );
  await latest.refresh();
  broken = false;
  await latest.refresh();
  assert.deepEqual([problems, seen], [["Error: no"], ["yes"]]);
});
