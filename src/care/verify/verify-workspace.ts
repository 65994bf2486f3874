import { toStorageError } from "../../backends/files/storage-error.ts";
import type { DescribeChange } from "../../kernel/backend.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { FindingLevel, OnVerifyProgress, RootVerification, VerifyFinding } from "../../kernel/finding.ts";
import { nameOfPath } from "../../notes/memories/memory-name.ts";
import { parseTopicFile } from "../../notes/topics/topic-file.ts";
import { indexPath, topicOfArchivePath } from "../../notes/topics/topic-paths.ts";
import type { Topics } from "../../notes/topics/topics.ts";
import { historyRoots } from "../../roots/history-roots.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import type { OnIndexProgress } from "../../search/search.ts";
import type { WorkspaceSearch } from "../../search/service/workspace-search.ts";

export interface Verification {
  /** The worst of what was found; “ok” where everything agrees. */
  readonly result: "ok" | Exclude<FindingLevel, "note">;
  readonly roots: readonly Omit<RootVerification, "findings">[];
  readonly findings: readonly VerifyFinding[];
}

export interface VerifyRequest {
  /** False leaves the search index out, whose comparison takes as long as making it anew; “quick” does not compare. */
  readonly searchIndex?: boolean | "quick";
  readonly onProgress?: OnVerifyProgress;
}

export interface VerifyWorkspaceOptions {
  readonly backendOf: Backends["of"];
  readonly plan: RootPlan;
  readonly topics: Topics | undefined;
  readonly search: Pick<WorkspaceSearch, "verify">;
  /** What is wrong with the clone that the topics are synced by. */
  readonly clone: () => Promise<readonly VerifyFinding[]>;
}

/** Proves that documents, history, archive and indexes agree. Changes nothing. */
export async function verifyWorkspace(
  { backendOf, plan, topics, search, clone }: VerifyWorkspaceOptions,
  { searchIndex = true, onProgress }: VerifyRequest,
): Promise<Verification> {
  const roots: RootVerification[] = [];
  for (const root of historyRoots(plan)) {
    const describe = root === plan.topics ? describeTopic : undefined;
    const verify = async () => (await backendOf(root).care?.(root))?.verify({ describe, onProgress });
    const verified = await orUnchecked(root, verify);
    if (verified) roots.push(verified);
  }
  const onIndex: OnIndexProgress = (at) => onProgress?.({ ...at, doing: "search index" });
  const ofTopics = { root: plan.topics ?? "topics" } as const;
  const found = [
    ...roots.flatMap(({ findings }) => findings),
    ...leftOutFindings(plan, roots),
    ...(await orUncheckedPart({ ...ofTopics, part: "index", what: "the topics" }, async () =>
      topics && plan.topics !== undefined ? topicFindings(topics, plan.topics) : [],
    )),
    ...(await orUncheckedPart({ ...ofTopics, part: "sync", what: "the repository of the topics" }, clone)),
    ...(await orUncheckedPart({ root: "all folders", part: "search index", what: "the search index" }, async () => {
      const ofSearch = searchIndex ? await search.verify(searchIndex === "quick", onIndex) : [];
      // Where documents could not be read, an index cannot be compared with them.
      const isRead = (root: string) =>
        !roots.some((one) => one.root === root && one.findings.some(({ level }) => level === "unchecked"));
      return ofSearch.filter(({ root }) => isRead(root));
    })),
  ];
  const findings = withoutRepeated(found).map((finding) => withRestore(finding, plan));
  return { result: worstOf(findings), roots: roots.map(({ findings: _, ...root }) => root), findings };
}

const worstFirst = ["damaged", "unchecked", "changed outside"] as const;

function worstOf(findings: readonly VerifyFinding[]): Verification["result"] {
  return worstFirst.find((worst) => findings.some(({ level }) => level === worst)) ?? "ok";
}

/** One damaged file can stop several parts, and is told of once, by the part that says most. */
function withoutRepeated(findings: readonly VerifyFinding[]): VerifyFinding[] {
  const isTold = ({ says }: VerifyFinding) => findings.some((one) => one.level !== "note" && one.says === says);
  return findings.filter((one) => one.level !== "note" || !isTold(one));
}

/** What is configured and not there is not checked, unless its mirror told already what vanished with it (ONE-3). */
function leftOutFindings({ leftOut }: RootPlan, roots: readonly RootVerification[]): VerifyFinding[] {
  const isTold = (root: string) =>
    roots.some((one) => one.root === root && one.findings.some(({ level }) => level !== "note"));
  return leftOut
    .filter(({ root }) => !isTold(root))
    .map(({ root, says }) => ({ level: "unchecked", root, part: "folder", says, remedy: "" }));
}

/** One part that cannot be checked stops neither the folders nor the other parts. */
async function orUncheckedPart(
  { root, part, what }: Pick<VerifyFinding, "root" | "part"> & { readonly what: string },
  verify: () => Promise<readonly VerifyFinding[]>,
): Promise<readonly VerifyFinding[]> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const { message: says } = toStorageError(error, `check ${what}`);
    return [{ level: "unchecked", root, part, says, remedy: "Repair this, then run recollect verify again." }];
  }
}

/** One folder that cannot be checked does not stop the others. */
async function orUnchecked<Verified>(
  root: string,
  verify: () => Promise<Verified>,
): Promise<Verified | RootVerification> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const { code, message } = toStorageError(error, `check “${root}”`);
    const isDamaged = code === "NOT_ALLOWED";
    const level = isDamaged ? "damaged" : "unchecked";
    const remedy = isDamaged ? "Then run recollect verify again: this folder was not checked." : "";
    const finding: VerifyFinding = { level, root, part: "history", says: message, remedy };
    const figures = { documents: 0, operations: 0, revisions: 0, pending: 0 };
    return { root, isUnchecked: true, ...figures, findings: [finding] };
  }
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
    says: `“${path}” is not what was last recorded. Missing or changed: ${titles.join(", ")}${more}.`,
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
      isOfTopics: true,
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
    remedy: `To undo the change: recollect restore "${name}" ${rev.slice(0, 12)}. To keep it: ${remedy}`,
  };
}
