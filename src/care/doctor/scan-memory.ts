import type { Finding } from "../../guard/finding.ts";
import { createGuard } from "../../guard/guard.ts";
import { createPace } from "../../history/pace.ts";
import type { ErrorCode } from "../../kernel/errors.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readMemoryPages } from "./read-memory-pages.ts";

export interface FlaggedDocument {
  readonly root: string;
  readonly path: string;
  readonly findings: readonly Finding[];
}

export interface ScannedMemory {
  /** How many documents were looked at. */
  readonly documents: number;
  readonly flagged: readonly FlaggedDocument[];
  /** Those that cannot be read, by folder and path, and why. */
  readonly unreadable: readonly { readonly place: string; readonly code: ErrorCode }[];
}

const nameLeftOut = "(name left out)";

/** What the guard finds in all documents of memory and in their names, less what was allowed; agents' own files apart. */
export async function scanMemory({
  roots,
  documents,
  settings,
  allowList,
}: Pick<Workspace, "roots" | "documents" | "settings" | "allowList">): Promise<ScannedMemory> {
  const allowed = new Set((await allowList.list()).map(({ fingerprint }) => fingerprint));
  const guard = createGuard({ policy: settings.values["guard.policy"], allowed });
  const pace = createPace();
  const flagged: FlaggedDocument[] = [];
  const unreadable: { readonly place: string; readonly code: ErrorCode }[] = [];
  let count = 0;
  for await (const { root, path, read } of documentsOf(roots, documents)) {
    const named = guard.scanName(path);
    // A name can be the secret, and is then found and not shown.
    const shown = named.length > 0 ? nameLeftOut : path;
    const { content = "", failed } = await read();
    if (failed === undefined) count += 1;
    else unreadable.push({ place: `${root}/${shown}`, code: failed });
    const findings = [...named, ...guard.scan(content)];
    if (findings.length > 0) flagged.push({ root, path: shown, findings });
    await pace.turn();
  }
  return { documents: count, flagged, unreadable };
}

async function* documentsOf(roots: Workspace["roots"], documents: Workspace["documents"]) {
  for (const { name: root, kind } of roots) {
    if (kind === "agent") continue;
    for await (const page of readMemoryPages(root, documents)) {
      for (const document of page) yield { root, ...document };
    }
  }
}
