/** Where the language server is looked for, in which order. Never in the workspace itself: its files
 * may be somebody else's, so one of them is only started when the person names it in the setting. */

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
  /** The path without links; the same path when there is no such file. */
  readonly real: (file: string) => string;
}

export type Found =
  | { readonly kind: "found"; readonly file: string; readonly from: Origin }
  /** The setting names a file that is not there: nothing else is tried. */
  | { readonly kind: "wrongSetting"; readonly file: string }
  | { readonly kind: "missing" };

export type Origin = "setting" | "Python interpreter" | "PATH";

export function findServer(here: Surroundings): Found {
  if (here.setting !== "") {
    const file = expand(here.setting, here);
    return here.exists(file)
      ? { kind: "found", file, from: "setting" }
      : { kind: "wrongSetting", file };
  }
  for (const [file, from] of places(here)) {
    if (!isInside(file, here) && here.exists(file)) {
      return { kind: "found", file, from };
    }
  }
  return { kind: "missing" };
}

function* places(here: Surroundings): Generator<[string, Origin]> {
  const windows = here.platform === "win32";
  const { join, dirname, delimiter } = windows ? win32 : posix;
  const program = windows ? "cortex-lsp.exe" : "cortex-lsp";
  if (here.interpreter !== undefined) {
    yield [join(dirname(here.interpreter), program), "Python interpreter"];
  }
  for (const folder of here.path.split(delimiter).filter((part) => part !== "")) {
    yield [join(folder, program), "PATH"];
  }
}

/** Whether a file lies in a folder of the workspace, or is named relative to some folder. */
function isInside(file: string, here: Surroundings): boolean {
  const { isAbsolute, relative, sep } = here.platform === "win32" ? win32 : posix;
  if (!isAbsolute(file)) return true;
  const below = (folder: string, path: string) => {
    const way = relative(folder, path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  return here.folders.some(
    (folder) => below(folder, file) || below(here.real(folder), here.real(file)),
  );
}

function expand(setting: string, here: Surroundings): string {
  const { isAbsolute, join } = here.platform === "win32" ? win32 : posix;
  const [folder = ""] = here.folders;
  const file = setting
    .replace(/^~(?=[/\\])/, () => here.home)
    .replaceAll("${workspaceFolder}", () => folder);
  return isAbsolute(file) ? file : join(folder, file);
}
