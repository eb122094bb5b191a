import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf, placeOf } from "../src/model/proposalUri";

test("a path says what it shows", () => {
  const path = pathOf("cand-1", "after", ".claude/skills/deploy/SKILL.md", true);
  assert.equal(path, "/measured/cand-1/after/SKILL.md");
  assert.deepEqual(placeOf(path), { id: "cand-1", side: "after" });
  assert.deepEqual(placeOf(pathOf("c", "before", "CLAUDE.md", false)), { id: "c", side: "before" });
});

test("other paths show nothing", () => {
  assert.equal(placeOf("/measured/cand-1"), undefined);
  assert.equal(placeOf("/measured/cand-1/elsewhere/x.md"), undefined);
});
