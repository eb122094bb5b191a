// A code-server of our own: its settings, its extension, its end.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SETTINGS = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.preferredLightColorTheme": "Default Light Modern",
  "chat.commandCenter.enabled": false,
  "editor.minimap.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.autoDetectColorScheme": false,
  "window.commandCenter": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Start it on 127.0.0.1 with the packaged extension; resolves when it answers. */
export async function startCodeServer(plan) {
  const { node, codeServer, vsix, repository, scratch, env, port } = plan;
  const data = join(scratch, "data");
  mkdirSync(join(data, "Machine"), { recursive: true });
  const set = (more) =>
    writeFileSync(
      join(data, "Machine", "settings.json"),
      JSON.stringify({ ...SETTINGS, ...more }),
    );
  set({});
  writeFileSync(join(scratch, "config.yaml"), "");
  const base = [
    codeServer,
    ...["--config", join(scratch, "config.yaml")],
    ...["--user-data-dir", data],
    ...["--extensions-dir", join(scratch, "extensions")],
  ];
  // No gallery: nothing is looked up outside of this machine.
  const surroundings = { ...env, EXTENSIONS_GALLERY: "{}" };
  const installed = spawnSync(node, [...base, "--install-extension", vsix], {
    env: surroundings,
    encoding: "utf8",
  });
  if (installed.status !== 0) {
    throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);
  }
  const flags = [
    ...["--auth", "none"],
    ...["--bind-addr", `127.0.0.1:${port}`],
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--disable-getting-started-override",
  ];
  const child = spawn(node, [...base, ...flags, repository], { env: surroundings, detached: true });
  child.stdout.on("data", (text) => process.stderr.write(text));
  child.stderr.on("data", (text) => process.stderr.write(text));
  try {
    await answering(`http://127.0.0.1:${port}/healthz`, child);
  } catch (problem) {
    await stop(child);
    throw problem;
  }
  return {
    url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(repository)}`,
    group: child.pid,
    /** Changes settings while it runs, on top of those it began with. */
    set,
    stop: () => stop(child),
  };
}

async function answering(url, child) {
  const until = Date.now() + 60_000;
  while (Date.now() < until && child.exitCode === null) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  throw new Error(`code-server does not answer (exit code ${child.exitCode})`);
}

/** End it with all that it started: it is the leader of its own process group. */
async function stop(child) {
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      return;
    }
    await new Promise((done) => setTimeout(done, 1500));
  }
}
