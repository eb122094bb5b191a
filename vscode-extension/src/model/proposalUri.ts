/** Addresses of the virtual documents of a proposal: `/measured/CANDIDATE/SIDE/FILE`. */

export const SCHEME = "cortex-proposal";

export type Side = "before" | "after" | "evidence";

export interface Place {
  readonly id: string;
  readonly side: Side;
}

/** `measured` is part of it so that the editor's title bar knows which buttons to show. */
export function pathOf(id: string, side: Side, file: string, measured: boolean): string {
  const name = file.split("/").at(-1) ?? file;
  return `/${measured ? "measured" : "open"}/${id}/${side}/${name}`;
}

export function placeOf(path: string): Place | undefined {
  const [, , id, side] = path.split("/");
  if (id === undefined || (side !== "before" && side !== "after" && side !== "evidence")) {
    return undefined;
  }
  return { id, side };
}
