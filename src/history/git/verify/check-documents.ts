import type { DescribeChange } from "../../../kernel/backend.ts";
import { type ExistingPath, isExistingPath } from "../../../kernel/document-path.ts";
import type { VerifyFinding } from "../../../kernel/finding.ts";
import { type Rev, revisionOf } from "../../../kernel/revision.ts";
import type { Trail, TrailRecord } from "../../../kernel/trail.ts";
import type { LastRevision } from "./check-commits.ts";

export interface DocumentsContext {
  readonly trail: Trail;
  readonly last: ReadonlyMap<ExistingPath, LastRevision>;
  readonly pending: readonly TrailRecord[];
  /** A document as history has it. */
  readonly recorded: (path: ExistingPath, id: string) => Promise<Uint8Array | undefined>;
  readonly describe?: DescribeChange | undefined;
}

interface Known {
  readonly rev: Rev | undefined;
  readonly time: string;
  /** What it was before, where nobody can tell whether the record took effect. */
  readonly was?: Rev | undefined;
}

/** Documents that are not what was last written: a hand edit and a flipped bit look alike (HIST-4b). */
export async function checkDocuments(context: DocumentsContext): Promise<{ found: VerifyFinding[]; count: number }> {
  const { trail } = context;
  const known = knownRevisions(context);
  const found: VerifyFinding[] = [];
  const surveyed = new Set<string>();
  for (const { path } of trail.survey()) if (isExistingPath(path)) surveyed.add(path);
  for (const path of new Set([...known.keys(), ...surveyed]) as Set<ExistingPath>) {
    const look = trail.look(path);
    if (look.kind === "unknown") continue;
    const now = look.kind === "document" ? revisionOf(look.bytes) : undefined;
    const before = known.get(path);
    if (now === before?.rev) continue;
    const bytes = look.kind === "document" ? look.bytes : undefined;
    found.push({ ...toFinding(trail.root, path, before, now), ...(await describe(path, bytes, context)) });
  }
  return { found, count: surveyed.size };
}

async function describe(path: ExistingPath, now: Uint8Array | undefined, context: DocumentsContext) {
  const last = context.last.get(path);
  const before = last?.rev === undefined ? undefined : await context.recorded(path, last.id);
  const { part, says } = (before && context.describe?.(path, before, now)) ?? {};
  return { ...(part === undefined ? {} : { part }), ...(says === undefined ? {} : { says }) };
}

function knownRevisions({ last, pending }: DocumentsContext): Map<ExistingPath, Known> {
  const known = new Map<ExistingPath, Known>([...last].map(([path, { rev, time }]) => [path, { rev, time }]));
  for (const { path, rev, was, time, isVoid } of pending) if (!isVoid) known.set(path, { rev, was, time });
  return known;
}

function toFinding(root: string, path: string, before: Known | undefined, now: Rev | undefined): VerifyFinding {
  const isCutOff = before !== undefined && "was" in before && now === before.was;
  const what = isCutOff
    ? `is the version before the last record: that write was interrupted, or the document was put back`
    : now === undefined
      ? "is missing"
      : before?.rev === undefined
        ? "is new, and was not written by Recollect"
        : `is not what was last recorded (revision ${before.rev})`;
  return {
    level: "changed outside",
    root,
    part: "document",
    path,
    ...(before === undefined ? {} : { since: before.time }),
    ...(before?.rev === undefined ? {} : { rev: before.rev }),
    says: `“${path}” ${what}.`,
    remedy: "recollect log records it as a change from outside.",
  };
}
