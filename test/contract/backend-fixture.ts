import type { Backend, BackendPart } from "../../src/kernel/backend.ts";
import { readLog, readTrail, type WrittenRecords } from "../helpers/written-records.ts";

/** What a backend gives to the contract suite: fresh data, and clients on it. */
export interface BackendFixture {
  /** Another client on the same data, as another process would be. */
  open(): Promise<Backend>;
  /** Where records lie beside its roots. */
  readonly recordsPlace: string;
  /** Closes every client and takes the data away. */
  dispose(): Promise<void>;
}

/** Makes empty roots of these names. */
export type CreateBackendFixture = (roots: readonly string[]) => Promise<BackendFixture>;

/** Parts that a backend lists and does not have, and those that it has and does not list. */
export function liesOf(backend: Backend): BackendPart[] {
  const mayLack = ["history", "records", "care"] as const;
  const always = (["documents", "feed"] as const).filter((part) => !backend.parts.has(part));
  return [...always, ...mayLack.filter((part) => backend.parts.has(part) !== (backend[part] !== undefined))];
}

/** What was recorded in a root so far. */
export async function writtenIn(backend: Backend, root: string): Promise<WrittenRecords> {
  if (backend.folder) return readTrail(backend.folder.trail(root));
  const history = await backend.history?.(root, { now: Date.now });
  if (!history) throw new Error("Nothing tells what was written.");
  return readLog(history);
}
