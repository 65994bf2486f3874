import { setImmediate } from "node:timers/promises";
import {
  type GuardFinding as Finding,
  type FlaggedDocument,
  type Guard,
  type Rev,
  readMemoryPages,
  type Session,
  type StoredDocument,
  type Workspace,
} from "../../app.ts";
import { createBackgroundCache } from "./background-cache.ts";

/** What the guard finds in documents that are there already, less what was allowed. */
export interface GuardReport {
  /** In one document; it is looked at once, however often it is asked about. */
  findings(document: Pick<StoredDocument, "content" | "rev">): Promise<readonly Finding[]>;
  /** In all documents that the session may read; partial while not all were looked at. */
  flagged(session: Pick<Session, "roots">): Promise<{
    readonly documents: readonly FlaggedDocument[];
    readonly isPartial: boolean;
  }>;
}

const patienceMs = 500;
/** More than anybody goes through. */
const mostFlagged = 1000;

export interface GuardReportOptions {
  /** It finds whatever is allowed as well: that changes from one moment to the next. */
  readonly guard: Pick<Guard, "scan">;
  readonly now?: () => number;
}

export function createGuardReport(
  workspace: Pick<Workspace, "roots" | "documents" | "allowList">,
  { guard, now = Date.now }: GuardReportOptions,
): GuardReport {
  const known = createKnownFindings();
  const cache = createBackgroundCache<readonly FlaggedDocument[]>({ now, patienceMs });

  async function scan(tell: (partial: readonly FlaggedDocument[]) => void): Promise<readonly FlaggedDocument[]> {
    const flagged: FlaggedDocument[] = [];
    for (const { name, kind } of workspace.roots) {
      if (kind === "agent") continue;
      for await (const found of flaggedIn(name, workspace.documents, guard)) {
        flagged.push(...found);
        tell(flagged);
        if (flagged.length >= mostFlagged) return flagged.slice(0, mostFlagged);
      }
    }
    return flagged;
  }

  async function withoutAllowed(): Promise<(findings: readonly Finding[]) => readonly Finding[]> {
    const allowed = new Set((await workspace.allowList.list()).map(({ fingerprint }) => fingerprint));
    return (findings) => findings.filter(({ fingerprint }) => !allowed.has(fingerprint));
  }

  return {
    findings: async ({ content, rev }) => {
      const findings = known(rev, () => guard.scan(content));
      return findings.length === 0 ? [] : (await withoutAllowed())(findings);
    },
    flagged: async ({ roots }) => {
      const { value = [], isPartial } = await cache.get("all", scan);
      const names = new Set(roots.filter(({ operations }) => operations.has("read")).map(({ name }) => name));
      const remaining = await withoutAllowed();
      const documents = value
        .filter(({ root }) => names.has(root))
        .map((one) => ({ ...one, findings: remaining(one.findings) }))
        .filter(({ findings }) => findings.length > 0);
      return { documents, isPartial: isPartial || value.length === mostFlagged };
    },
  };
}

async function* flaggedIn(
  root: string,
  documents: Workspace["documents"],
  guard: Pick<Guard, "scan">,
): AsyncGenerator<readonly FlaggedDocument[]> {
  for await (const page of readMemoryPages(root, documents)) {
    const flagged: FlaggedDocument[] = [];
    for (const { path, read } of page) {
      const findings = guard.scan((await read()).content ?? "");
      if (findings.length > 0) flagged.push({ root, path, findings });
      await setImmediate();
    }
    yield flagged;
  }
}

/** Of texts and findings together: some megabytes at most. */
const usuallyKept = 10_000;

/** Remembers what was found in texts by their revisions, since the same bytes hold the same; looks where it does not. */
export function createKnownFindings(most = usuallyKept) {
  /** The one that was asked for last comes last. */
  const known = new Map<Rev, readonly Finding[]>();
  let kept = 0;

  function keep(rev: Rev, findings: readonly Finding[]): readonly Finding[] {
    known.set(rev, findings);
    kept += 1 + findings.length;
    for (const [oldest, { length }] of known) {
      if (kept <= most) break;
      known.delete(oldest);
      kept -= 1 + length;
    }
    return findings;
  }

  return (rev: Rev, look: () => readonly Finding[]): readonly Finding[] => {
    const found = known.get(rev);
    if (!found) return keep(rev, look());
    known.delete(rev);
    known.set(rev, found);
    return found;
  };
}
