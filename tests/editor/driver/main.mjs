// Drives the packaged extension in a real VS Code. Reads a plan (JSON) from standard input and
// prints what was seen in each scene; a scene that fails ends the run with its reason.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { startCodeServer } from "./codeServer.mjs";
import * as scenes from "./scenes.mjs";
import { Workbench } from "./workbench.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const plan = JSON.parse(readFileSync(0, "utf8"));
const { chromium } = createRequire(plan.tools)("playwright-core");
const server = await startCodeServer(plan);
const seen = {};
let browser;
let page;
let bench;

async function scene(name, play) {
  const start = Date.now();
  try {
    seen[name] = (await play()) ?? {};
  } catch (problem) {
    await page.screenshot({ path: `${plan.failures}/failed-${name}.png` });
    const shown = JSON.stringify({ tabs: await bench.tabs(), rows: await bench.rows() });
    throw new Error(`${name}: ${problem.message}\n${shown}`, { cause: problem });
  }
  process.stderr.write(`${name}: ${Date.now() - start} ms\n`);
}

process.once("SIGTERM", async () => {
  await browser?.close();
  await server.stop();
  process.exit(1);
});

try {
  browser = await chromium.launch({ executablePath: plan.chromium, args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
  page.setDefaultTimeout(30_000);
  bench = new Workbench(page, plan.pictures);
  await scene("open", () => bench.open(server.url));
  await scene("sidebar", () => scenes.sidebar(bench));
  await scene("rule", () => scenes.ruleAndProblems(bench, "dark"));
  await scene("diff", () => scenes.diff(bench, "dark"));
  await scene("evidence", () => scenes.evidence(bench, "dark"));
  await scene("theme", () => scenes.otherTheme(bench));
  await scene("ruleLight", () => scenes.ruleAndProblems(bench, "light"));
  await scene("diffLight", () => scenes.diff(bench, "light"));
  await scene("evidenceLight", () => scenes.evidence(bench, "light"));
  await scene("accept", () => scenes.accept(bench, plan.repository));
  await scene("prune", () => scenes.prune(bench, plan.repository));
  await scene("restore", () => scenes.restore(bench, plan.repository));
  await scene("testNow", () => scenes.testNow(bench));
  await scene("dyingServer", () => scenes.dyingServer(bench, server.group));
  await scene("missingServer", () => scenes.missingServer(bench, server));
} finally {
  await browser?.close();
  await server.stop();
}
process.stdout.write(JSON.stringify(seen));
