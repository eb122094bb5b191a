/** The interpreter that is selected in the Python extension, when there is that extension. */

import { extensions, type Uri } from "vscode";

interface PythonExtension {
  readonly environments?: {
    getActiveEnvironmentPath?(resource?: Uri): { readonly path: string } | undefined;
  };
}

/** Path of the interpreter's file; undefined when nothing is known. */
export async function pythonInterpreter(folder: Uri | undefined): Promise<string | undefined> {
  const extension = extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  try {
    const api = extension.isActive ? extension.exports : await extension.activate();
    return api.environments?.getActiveEnvironmentPath?.(folder)?.path;
  } catch {
    return undefined; // Another extension's failure leaves the other places to look in.
  }
}
