import { setImmediate } from "node:timers/promises";
import {
  type AllowList,
  type GuardFinding as Finding,
  type FlaggedDocument,
  readMemoryPages,
  type Session,
  type StoredDocument,
  type Workspace,
} from "../../index.ts";
import { createBackgroundCache } from "./background-cache.ts";
import { createKnownFindings } from "./known-findings.ts";

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

export function createGuardReport(
  workspace: Pick<Workspace, "settings" | "roots" | "documents" | "texts">,
  { allowList, now = Date.now }: { readonly allowList: Pick<AllowList, "list">; readonly now?: () => number },
): GuardReport {
  const { "guard.policy": policy } = workspace.settings.values;
  // Whatever is allowed: that changes from one moment to the next.
  const look: Look = (text) => workspace.texts.scan(text, policy);
  const known = createKnownFindings();

  const cache = createBackgroundCache<readonly FlaggedDocument[]>({ now, patienceMs });

  async function scan(tell: (partial: readonly FlaggedDocument[]) => void): Promise<readonly FlaggedDocument[]> {
    const flagged: FlaggedDocument[] = [];
    for (const { name, kind } of workspace.roots) {
      if (kind === "agent") continue;
      for await (const found of flaggedIn(name, workspace.documents, look)) {
        flagged.push(...found);
        tell(flagged);
        if (flagged.length >= mostFlagged) return flagged.slice(0, mostFlagged);
      }
    }
    return flagged;
  }

  async function withoutAllowed(): Promise<(findings: readonly Finding[]) => readonly Finding[]> {
    const allowed = new Set((await allowList.list()).map(({ fingerprint }) => fingerprint));
    return (findings) => findings.filter(({ fingerprint }) => !allowed.has(fingerprint));
  }

  return {
    findings: async ({ content, rev }) => {
      const findings = await known.of(rev, () => look(content));
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

type Look = (text: string) => Promise<readonly Finding[]>;

async function* flaggedIn(
  root: string,
  documents: Workspace["documents"],
  look: Look,
): AsyncGenerator<readonly FlaggedDocument[]> {
  for await (const page of readMemoryPages(root, documents)) {
    const flagged: FlaggedDocument[] = [];
    for (const { path, read } of page) {
      const findings = await look((await read()).content ?? "");
      if (findings.length > 0) flagged.push({ root, path, findings });
      await setImmediate();
    }
    yield flagged;
  }
}
