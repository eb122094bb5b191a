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
    real: (file) => file,
    ...more,
  });
}

test("the order is setting, interpreter, PATH", () => {
  const files = ["/opt/cortex-lsp", "/envs/a/bin/cortex-lsp", "/usr/bin/cortex-lsp"];
  const more = { setting: "/opt/cortex-lsp", interpreter: "/envs/a/bin/python" };
  const seen: string[] = [];
  for (let left = files; left.length > 0; left = left.slice(1)) {
    const found = at(left, seen.length === 0 ? more : { ...more, setting: "" });
    assert.equal(found.kind, "found");
    seen.push(found.kind === "found" ? found.file : "");
  }
  assert.deepEqual(seen, files);
});

test("a program of the workspace is started only when the setting names it", () => {
  const file = "/work/shop/.venv/bin/cortex-lsp";
  const more = {
    interpreter: "/work/shop/.venv/bin/python",
    path: "/work/shop/.venv/bin:.venv/bin:.:/work/shop/../shop/.venv/bin:/links/venv/bin",
    real: (path: string) => path.replace("/links/venv", "/work/shop/.venv"),
  };
  const files = [file, ".venv/bin/cortex-lsp", "cortex-lsp", "/links/venv/bin/cortex-lsp"];
  assert.deepEqual(at([...files, "/work/shop/../shop/.venv/bin/cortex-lsp"], more), {
    kind: "missing",
  });
  const setting = "${workspaceFolder}/.venv/bin/cortex-lsp";
  assert.deepEqual(at(files, { ...more, setting }), { kind: "found", file, from: "setting" });
  assert.equal(at(["/work/shopping/cortex-lsp"], { path: "/work/shopping" }).kind, "found");
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

test("Windows separates PATH by semicolons", () => {
  const windows = { platform: "win32" as const, folders: ["C:\\shop"], path: "C:\\a;D:\\b" };
  const interpreter = "C:\\py\\Scripts\\python.exe";
  const beside = "C:\\py\\Scripts\\cortex-lsp.exe";
  assert.deepEqual(at([beside], { ...windows, interpreter }), {
    kind: "found",
    file: beside,
    from: "Python interpreter",
  });
  assert.equal(at(["C:\\SHOP\\cortex-lsp.exe"], { ...windows, path: "c:\\shop" }).kind, "missing");
  assert.equal(at(["D:\\b\\cortex-lsp.exe"], windows).kind, "found");
});

test("nothing found is missing", () => {
  assert.deepEqual(at([], { path: "" }), { kind: "missing" });
});
