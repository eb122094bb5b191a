// What is tried in the editor, one scene after the other; each returns what was seen.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export async function sidebar(bench) {
  await bench.openSidebar();
  await bench.row("use-clock-now").waitFor();
  return { rows: await bench.rows(), badge: await bench.badge(), status: await bench.statusBar() };
}

/** The text of a rule with its lens, and the problems of the harness. */
export async function ruleAndProblems(bench, theme) {
  await bench.openFile("naming, prunable", "naming.md");
  const lens = await bench.lens("prunable");
  const problems = await bench.problems();
  await bench.picture(`problems-${theme}`);
  await bench.run("View: Toggle Panel Visibility");
  return { lens, problems };
}

export async function diff(bench, theme) {
  await bench.row("use-clock-now").click();
  await bench.titleButton("Accept").waitFor({ timeout: 30_000 });
  const tabs = await bench.tabs();
  await bench.page.locator(".editor.modified .view-line").first().waitFor();
  await bench.picture(`diff-${theme}`);
  return { tabs };
}

export async function evidence(bench, theme) {
  await bench.titleButton("Show Evidence").click();
  await bench.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame").locator("table").first().waitFor({ timeout: 30_000 });
  const tabs = await bench.tabs();
  await bench.picture(`evidence-${theme}`);
  await bench.run("View: Close Editor");
  return { tabs };
}

export async function otherTheme(bench) {
  await bench.run("View: Close All Editors");
  await bench.run("Preferences: Toggle between Light/Dark Themes");
  await bench.page.locator(".monaco-workbench.vs").waitFor({ timeout: 30_000 });
  await bench.page.keyboard.press("Escape");
}

/** Accept by the button in the title bar of the diff. */
export async function accept(bench, repository) {
  const rule = join(repository, ".claude/rules/use-clock-now.md");
  const before = existsSync(rule);
  await bench.row("use-clock-now, add").click();
  await bench.titleButton("Accept").click();
  const notice = await bench.notice("use-clock-now");
  await bench.row("use-clock-now, add").waitFor({ state: "detached", timeout: 30_000 });
  await bench.row("use-clock-now, keep").waitFor({ timeout: 30_000 });
  const text = existsSync(rule) ? readFileSync(rule, "utf8") : null;
  const after = { tabs: await bench.tabs(), badge: await bench.badge(), rows: await bench.rows() };
  return { before, notice, text, ...after };
}

/** Prune by the code action on the rule's text. */
export async function prune(bench, repository) {
  await bench.openFile("naming, prunable", "naming.md");
  await bench.lens("prunable");
  await bench.page.locator(".editor-instance .view-line").first().click();
  await bench.page.keyboard.press("Control+Home");
  await bench.page.keyboard.press("Control+.");
  const menu = bench.page.locator(".action-widget .monaco-list-row.action");
  await menu.first().waitFor({ timeout: 30_000 });
  const offered = await menu.allInnerTexts();
  await bench.page.keyboard.press("Enter"); // The quick fix comes first and is selected.
  const notice = await bench.notice("naming");
  await bench.row("naming, prunable").waitFor({ state: "detached", timeout: 30_000 });
  return { offered, notice, ...naming(repository), rows: await bench.rows() };
}

/** Bring it back from the graveyard in the side bar. */
export async function restore(bench, repository) {
  await bench.row("Graveyard").click();
  const row = bench.row("naming, pruned");
  await row.hover();
  await row.locator('a[aria-label^="Restore"]').click();
  await bench.row("naming, not measured").waitFor({ timeout: 30_000 });
  return naming(repository);
}

function naming(repository) {
  const graves = join(repository, ".cortex/graveyard");
  return {
    exists: existsSync(join(repository, ".claude/rules/naming.md")),
    graves: readdirSync(graves).filter((name) => name.startsWith("naming-")),
  };
}

/** Queue a proposal for the daemon. */
export async function testNow(bench) {
  const row = bench.row("check-limits, add");
  await row.hover();
  await row.locator('a[aria-label^="Test Now"]').click();
  const notice = await bench.notice("check-limits");
  await bench.row("check-limits, queued").waitFor({ timeout: 30_000 });
  return { notice };
}

/** Kill the language server; the extension starts another one. */
export async function dyingServer(bench, group) {
  const first = serversOf(group);
  if (first.length !== 1) throw new Error(`${first.length} language servers run`);
  for (const pid of first) process.kill(pid, "SIGKILL");
  await bench.row("use-money-parse").waitFor({ state: "detached", timeout: 30_000 });
  await bench.row("use-money-parse").waitFor({ timeout: 60_000 });
  return { first, second: serversOf(group) };
}

/** A setting that names no server, and then the right one again. */
export async function missingServer(bench, server) {
  server.set({ "cortex.server.path": "/nowhere/cortex-lsp" });
  const notice = await bench.notice("/nowhere/cortex-lsp");
  const welcome = await bench.welcome("was not found");
  const status = await bench.statusBar();
  server.set({});
  await bench.row("use-money-parse").waitFor({ timeout: 60_000 });
  return { notice, welcome, status };
}

/** Processes of the language server in the process group of our code-server. */
function serversOf(group) {
  const listed = execFileSync("ps", ["-ww", "-eo", "pid=,pgid=,args="], { encoding: "utf8" });
  return listed
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, ...args]) => Number(pgid) === group && args.join(" ").includes("cortex-lsp"))
    .map(([pid]) => Number(pid));
}
