/** Where the language server is looked for, in which order. */

import { posix, win32 } from "node:path";

export interface Surroundings {
  /** The setting `cortex.server.path`; empty when not set. */
  readonly setting: string;
  /** Folders of the workspace. */
  readonly folders: readonly string[];
  /** The interpreter that the Python extension has selected. */
  readonly interpreter: string | undefined;
  /** The variable PATH. */
  readonly path: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly exists: (file: string) => boolean;
}

export type Found =
  | { readonly kind: "found"; readonly file: string; readonly from: Origin }
  /** The setting names a file that is not there: nothing else is tried. */
  | { readonly kind: "wrongSetting"; readonly file: string }
  | { readonly kind: "missing" };

export type Origin = "setting" | "workspace environment" | "Python interpreter" | "PATH";

const ENVIRONMENTS = [".venv", "venv"];

export function findServer(here: Surroundings): Found {
  if (here.setting !== "") {
    const file = expand(here.setting, here);
    return here.exists(file)
      ? { kind: "found", file, from: "setting" }
      : { kind: "wrongSetting", file };
  }
  for (const [file, from] of places(here)) {
    if (here.exists(file)) {
      return { kind: "found", file, from };
    }
  }
  return { kind: "missing" };
}

function* places(here: Surroundings): Generator<[string, Origin]> {
  const windows = here.platform === "win32";
  const { join, dirname, delimiter } = windows ? win32 : posix;
  const program = windows ? "cortex-lsp.exe" : "cortex-lsp";
  for (const folder of here.folders) {
    for (const environment of ENVIRONMENTS) {
      const file = join(folder, environment, windows ? "Scripts" : "bin", program);
      yield [file, "workspace environment"];
    }
  }
  if (here.interpreter !== undefined) {
    yield [join(dirname(here.interpreter), program), "Python interpreter"];
  }
  for (const folder of here.path.split(delimiter).filter((part) => part !== "")) {
    yield [join(folder, program), "PATH"];
  }
}

function expand(setting: string, here: Surroundings): string {
  const { isAbsolute, join } = here.platform === "win32" ? win32 : posix;
  const [folder = ""] = here.folders;
  const file = setting
    .replace(/^~(?=[/\\])/, () => here.home)
    .replaceAll("${workspaceFolder}", () => folder);
  return isAbsolute(file) ? file : join(folder, file);
}
