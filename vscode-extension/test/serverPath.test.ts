import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, type Surroundings } from "../src/model/serverPath";

function at(files: string[], more: Partial<Surroundings> = {}) {
  return findServer({
    setting: "",
    folders: ["/work/shop"],
    interpreter: undefined,
    path: "/usr/local/bin:/usr/bin",
    home: "/home/sam",
    platform: "linux",
    exists: (file) => files.includes(file),
    ...more,
  });
}

test("the order is setting, workspace environment, interpreter, PATH", () => {
  const files = [
    "/opt/cortex-lsp",
    "/work/shop/.venv/bin/cortex-lsp",
    "/work/shop/venv/bin/cortex-lsp",
    "/envs/a/bin/cortex-lsp",
    "/usr/bin/cortex-lsp",
  ];
  const more = { setting: "/opt/cortex-lsp", interpreter: "/envs/a/bin/python" };
  const seen: string[] = [];
  for (let left = files; left.length > 0; left = left.slice(1)) {
    const found = at(left, seen.length === 0 ? more : { ...more, setting: "" });
    assert.equal(found.kind, "found");
    seen.push(found.kind === "found" ? found.file : "");
  }
  assert.deepEqual(seen, files);
});

test("a setting that names nothing is not passed over", () => {
  const found = at(["/usr/bin/cortex-lsp"], { setting: "/opt/cortex-lsp" });
  assert.deepEqual(found, { kind: "wrongSetting", file: "/opt/cortex-lsp" });
});

test("a setting may be relative, or begin with the home or the workspace folder", () => {
  for (const [setting, file] of [
    ["tools/cortex-lsp", "/work/shop/tools/cortex-lsp"],
    ["~/bin/cortex-lsp", "/home/sam/bin/cortex-lsp"],
    ["${workspaceFolder}/x/cortex-lsp", "/work/shop/x/cortex-lsp"],
  ] as const) {
    assert.deepEqual(at([file], { setting }), { kind: "found", file, from: "setting" });
  }
});

test("Windows keeps programs in Scripts and separates PATH by semicolons", () => {
  const windows = { platform: "win32" as const, folders: ["C:\\shop"], path: "C:\\a;D:\\b" };
  const inside = "C:\\shop\\.venv\\Scripts\\cortex-lsp.exe";
  assert.deepEqual(at([inside], windows), {
    kind: "found",
    file: inside,
    from: "workspace environment",
  });
  assert.equal(at(["D:\\b\\cortex-lsp.exe"], windows).kind, "found");
});

test("nothing found is missing", () => {
  assert.deepEqual(at([], { path: "" }), { kind: "missing" });
});
