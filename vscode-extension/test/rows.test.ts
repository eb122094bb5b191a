import assert from "node:assert/strict";
import { test } from "node:test";
import { type HarnessItem, type InboxEntry, NOTHING, type State } from "../src/model/payloads";
import { harnessRows, inboxRows } from "../src/model/rows";

const entry: InboxEntry = {
  id: "cand-1",
  title: "add use-clock-now: keep",
  detail: "add: keep · +1.00 over 4 pairs",
  name: "use-clock-now",
  path: ".claude/rules/use-clock-now.md",
  change: "add",
  ruling: "keep",
  reason: "It helps.",
  lift: 1,
  pairs: 4,
  eValue: 45.39,
  evidence: "45",
};
const item: HarnessItem = {
  key: ".claude/rules/naming.md",
  name: "naming",
  path: ".claude/rules/naming.md",
  line: 0,
  kind: "rule",
  ruling: "prune",
  stale: "",
  state: "prunable",
  title: "prunable · +0.00 over 6 pairs",
  detail: "prunable · ~27 tokens",
  tokens: 27,
  reason: "It does not help.",
};
const state = (more: Partial<State>): State => ({ ...NOTHING, ...more });

test("a measured proposal says change, ruling and figures, and can be decided", () => {
  const [row] = inboxRows(state({ inbox: [entry] }));
  assert.equal(row?.label, "use-clock-now");
  assert.equal(row?.description, "add: keep · +1.00 over 4 pairs");
  assert.equal(row?.context, "proposal.measured");
  assert.match(row?.tooltip ?? "", /It helps\\\..*E⁺ 45/s);
});

test("an undecided proposal cannot be accepted", () => {
  const [row] = inboxRows(state({ inbox: [{ ...entry, ruling: "undecided" }] }));
  assert.equal(row?.context, "proposal.open");
});

test("a proposal that is not measured cannot be accepted", () => {
  const open = { ...entry, ruling: null, detail: "add: not measured", evidence: "" };
  const [row] = inboxRows(state({ inbox: [open] }));
  assert.equal(row?.description, "add: not measured");
  assert.equal(row?.context, "proposal.open");
});

test("what is being measured comes first, what waits for it last and only once", () => {
  const job = { id: "j", candidateId: "c", name: "naming", status: "queued", note: "" };
  const rows = inboxRows(
    state({
      inbox: [entry],
      running: { name: "storefront", pairs: 1, eValue: 2.5, detail: "running · 1 pair · E⁺ 2.5" },
      jobs: [job, { ...job, id: "k", name: "storefront" }, { ...job, id: "l", status: "done" }],
    }),
  );
  assert.deepEqual(
    rows.map((row) => row.label),
    ["storefront", "use-clock-now", "naming"],
  );
  assert.equal(rows[0]?.description, "running · 1 pair · E⁺ 2.5");
});

test("the harness is grouped by kind with what it costs", () => {
  const section: HarnessItem = {
    ...item,
    key: "CLAUDE.md#Style",
    path: "CLAUDE.md",
    kind: "section",
    ruling: null,
    state: "not measured",
    detail: "not measured · ~27 tokens",
  };
  const rows = harnessRows(state({ harness: [section, item, { ...item, key: "b", tokens: 3 }] }));
  assert.deepEqual(
    rows.map((row) => `${row.label} ${row.description}`),
    ["Rules 2 · ~30 tokens", "CLAUDE.md 1 · ~27 tokens"],
  );
  assert.equal(rows[0]?.children?.[0]?.context, "harness.prunable");
  assert.equal(rows[1]?.children?.[0]?.label, "Style");
  assert.equal(rows[1]?.children?.[0]?.description, "not measured · ~27 tokens");
});

test("stale text cannot be pruned, whatever its verdict was", () => {
  const stale = {
    ...item,
    stale: "the text has changed since",
    state: "stale",
    title: "stale · prune, but the text has changed since",
    detail: "stale · ~27 tokens",
  };
  const [row] = harnessRows(state({ harness: [stale] }))[0]?.children ?? [];
  assert.equal(row?.context, "harness");
  assert.match(row?.description ?? "", /^stale/);
  assert.match(row?.tooltip ?? "", /the text has changed since/);
});

test("the graveyard comes last, folded, and is not there when it is empty", () => {
  const grave = { id: "g", name: "tidy", path: "p", ruling: "bury" as const, reason: "no" };
  const rows = harnessRows(state({ harness: [item], graveyard: [grave] }));
  assert.equal(rows.at(-1)?.label, "Graveyard");
  assert.notEqual(rows.at(-1)?.unfolded, true);
  assert.equal(rows.at(-1)?.children?.[0]?.context, "grave");
  assert.equal(harnessRows(state({ harness: [item], graveyard: [] })).length, 1);
});

test("text of others stays text in tooltips", () => {
  const nasty = { ...entry, reason: "[x](command:evil) <img> `a` http://a.b\n# c" };
  const [row] = inboxRows(state({ inbox: [nasty] }));
  assert.ok(
    row?.tooltip.includes("\\[x\\]\\(command\\:evil\\) \\<img\\> \\`a\\` http\\:\\/\\/a\\.b \\# c"),
  );
});
