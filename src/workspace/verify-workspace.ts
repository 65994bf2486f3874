import { isRecollectError } from "../core/errors.ts";
import type { DescribeChange } from "../history/verify/check-documents.ts";
import type { OnVerifyProgress, RootVerification, VerifyFinding } from "../history/verify/finding.ts";
import { verifyRoot } from "../history/verify/verify-root.ts";
import { nameOfPath } from "../memories/memory-name.ts";
import { parseTopicFile } from "../topics/topic-file.ts";
import { indexPath, topicOfArchivePath } from "../topics/topic-paths.ts";
import type { Topics } from "../topics/topics.ts";
import { foldersWithHistory, spacesWithHistory } from "./history-roots.ts";
import type { RootPlan } from "./mount-roots.ts";
import type { WorkspaceSearch } from "./workspace-search.ts";
import type { WorkspaceStores } from "./workspace-stores.ts";

export interface Verification {
  /** The worst of what was found; “ok” where everything agrees. */
  readonly result: "ok" | "changed outside" | "damaged";
  readonly roots: readonly Omit<RootVerification, "findings">[];
  readonly findings: readonly VerifyFinding[];
}

export interface VerifyRequest {
  /** False leaves the search index out, which takes as long as making it anew. */
  readonly searchIndex?: boolean;
  readonly onProgress?: OnVerifyProgress;
}

export interface VerifyWorkspaceOptions {
  readonly stores: Pick<WorkspaceStores, "files" | "database">;
  readonly plan: RootPlan;
  readonly topics: Topics | undefined;
  readonly search: Pick<WorkspaceSearch, "verify">;
  readonly env: NodeJS.ProcessEnv;
}

/** Proves that documents, history, archive and indexes agree. Changes nothing. */
export async function verifyWorkspace(
  { stores, plan, topics, search, env }: VerifyWorkspaceOptions,
  { searchIndex = true, onProgress }: VerifyRequest,
): Promise<Verification> {
  const roots: RootVerification[] = [];
  for (const { name: root } of foldersWithHistory(plan)) {
    const describe = root === plan.topics ? describeTopic : undefined;
    roots.push(await verifyRoot({ trail: stores.files.trail(root), env, describe, onProgress }));
  }
  for (const { name: root, space } of spacesWithHistory(plan)) {
    const verified = await stores.database?.verify({ root, space, onProgress });
    if (verified) roots.push(verified);
  }
  const found = [
    ...roots.flatMap(({ findings }) => findings),
    ...(topics && plan.topics !== undefined ? await topicFindings(topics, plan.topics) : []),
    ...(searchIndex ? await search.verify((at) => onProgress?.({ ...at, doing: "search index" })) : []),
  ];
  const findings = found.map((finding) => withRestore(finding, plan));
  return { result: worstOf(findings), roots: roots.map(({ findings: _, ...root }) => root), findings };
}

function worstOf(findings: readonly VerifyFinding[]): Verification["result"] {
  if (findings.some(({ level }) => level === "damaged")) return "damaged";
  return findings.some(({ level }) => level === "changed outside") ? "changed outside" : "ok";
}

/** In the archive, entries that are gone are what counts. */
const describeTopic: DescribeChange = (path, before, now) => {
  if (path === indexPath) return { part: "index" };
  if (topicOfArchivePath(path) === undefined) return undefined;
  const entriesOf = (bytes: Uint8Array | undefined) =>
    parseTopicFile(Buffer.from(bytes ?? []).toString("utf8")).entries;
  const left = new Set(entriesOf(now).map(({ raw }) => raw));
  const lost = entriesOf(before).filter(({ raw }) => !left.has(raw));
  if (lost.length === 0) return { part: "archive" };
  const titles = lost.slice(0, 3).map(({ date, title }) => `“${date}: ${title}”`);
  const more = lost.length > 3 ? ` and ${lost.length - 3} more` : "";
  return {
    part: "archive",
    says: `“${path}” is not what was last recorded: it lost, or has otherwise, ${titles.join(", ")}${more}.`,
  };
};

async function topicFindings(topics: Topics, root: string): Promise<VerifyFinding[]> {
  try {
    const problems = await topics.check();
    return problems.map(({ path, says, remedy = "" }) => ({
      level: "changed outside",
      root,
      part: path === indexPath ? "index" : "document",
      path,
      says: `“${path}” ${says}.`,
      remedy,
    }));
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "note", root, part: "index", says: error.message, remedy: "" }];
  }
}

/** Whoever did not mean it can have the former one back. */
function withRestore(finding: VerifyFinding, plan: RootPlan): VerifyFinding {
  const { root, path, rev, remedy } = finding;
  if (rev === undefined || path === undefined) return finding;
  const folder = plan.memoryFolders.find((one) => one.root === root);
  const name = (folder && nameOfPath(path, folder.kind === "global")) ?? `${root}/${path}`;
  return {
    ...finding,
    remedy: `To take it back: recollect restore "${name}" ${rev.slice(0, 12)}. To keep it: ${remedy}`,
  };
}
