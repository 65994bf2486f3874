import { accessSync, constants, statSync } from "node:fs";
import { counted } from "../../kernel/counted.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { FindingLevel } from "../../kernel/finding.ts";
import type { MemoryEntry } from "../../notes/memories/list-memories.ts";
import { whyOutside } from "../../settings/real-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Verification } from "../verify/verify-workspace.ts";
import { databaseFindings } from "./diagnose-database.ts";
import { guardFindings } from "./diagnose-guard.ts";
import { conflictFindings, historyFindings, projectCommitFindings } from "./diagnose-history.ts";
import { findBadLocks } from "./diagnose-locks.ts";
import { isMergedByGit, mergeDriverFindings } from "./diagnose-merge-driver.ts";
import { syncFindings } from "./diagnose-sync.ts";
import { tokenFindings } from "./diagnose-tokens.ts";
import { verifyFindings } from "./diagnose-verified.ts";
import { type Diagnosed, openUnbroken, type Unopened } from "./open-unbroken.ts";

/** Something that `doctor` looked at. */
export interface Finding {
  readonly level: "fine" | "note" | "problem";
  /** What it is about: one word or two. */
  readonly about: string;
  readonly says: string;
  /** What repairs it: a command or a sentence. */
  readonly remedy?: string;
  /** What `verify` calls it, where `verify` would end with more than 0 for it. */
  readonly verified?: Exclude<FindingLevel, "note">;
  /** How many it stands for, where these are several. */
  readonly count?: number;
}

const mostShown = 10;

/**
 * Looks at everything that can be wrong with a workspace, also with one that does not open. It mends nothing but what
 * killed processes left behind.
 */
export async function diagnose(subject: Workspace | Unopened): Promise<Finding[]> {
  if (!("failed" in subject)) return findingsOf(subject);
  const { project, rest } = await openUnbroken(subject);
  if (!rest) {
    return [projectFinding(project, ""), { level: "problem", about: "settings", says: subject.failed.message }];
  }
  try {
    return await findingsOf(rest);
  } finally {
    await rest.close();
  }
}

async function findingsOf(workspace: Diagnosed): Promise<Finding[]> {
  const closed = closedMemories(workspace);
  const recovered = await recoveryFindings(workspace);
  const verification = await workspace.verify?.({ searchIndex: "quick" });
  // What is said of the project, or found by verify, is said once.
  const isOfProject = (says: string) =>
    closed !== undefined && says.startsWith(`The folder “${closed.given}” is not opened`);
  const verified = verifyFindings(verification, (says) => !isOfProject(says));
  return [
    projectFinding(workspace.project, workspace.settings.projectFile ? ", with a recollect.yaml" : "", closed),
    ...workspace.warnings
      .filter((one) => !isOfProject(one) && !verification?.findings.some(({ says }) => says === one))
      .map((says): Finding => ({ level: "problem", about: "settings", says })),
    ...(await databaseFindings(workspace)),
    ...recovered,
    ...folderFindings(workspace),
    ...lockFindings(workspace),
    ...(await noteFindings(workspace)),
    ...(await topicFindings(workspace, verification)),
    ...(await fallbackFindings(workspace)),
    ...(await syncFindings(workspace)).filter((one) => !verified.some(({ says }) => says.endsWith(`: ${one.says}`))),
    ...(await conflictFindings(workspace)),
    ...(await mergeDriverFindings(workspace)),
    ...(await guardFindings(workspace)),
    ...capped(verified, "recollect verify"),
    ...(await historyFindings(workspace, verification)),
    ...(await projectCommitFindings(workspace)),
    ...capped(await tokenFindings(workspace), "recollect token list"),
    ...bankFindings(workspace),
    ...(await modelFindings(workspace)),
  ];
}

/** A project whose folder of memories is a link to elsewhere, which a clone can bring, has none as long as it is so. */
function closedMemories({ project, settings, memoryFolders }: Diagnosed): { given: string; why: string } | undefined {
  if (!project || memoryFolders.some(({ kind }) => kind === "primary")) return undefined;
  const { given, folder } = settings.values["memories.folder"];
  const why = folder === undefined ? undefined : whyOutside(project.folder, folder);
  return why === undefined ? undefined : { given, why };
}

function projectFinding(
  project: Diagnosed["project"],
  file: string,
  closed?: ReturnType<typeof closedMemories>,
): Finding {
  const about = "project";
  if (project && closed) {
    return {
      level: "problem",
      about,
      says: `${project.folder}, but its ${closed.given} is not opened, since ${closed.why}`,
      remedy:
        "If you made the link, name the folder with --memories-folder or in your own settings file. If it came with a clone, remove it.",
      verified: "unchecked",
    };
  }
  if (project) return { level: "fine", about, says: `${project.folder}${file}` };
  return {
    level: "problem",
    about,
    says: "none found here or above, so only your global notes are available",
    remedy: "Change to your project, or make this folder one: recollect init --project .",
  };
}

/** The lock of a folder is what every write takes first. */
function lockFindings({ memoryFolders, settings, bankAreas, project }: Diagnosed): Finding[] {
  const { values } = settings;
  const topics = values.memory_path.folder;
  const isOwn = project && topics !== undefined && whyOutside(project.folder, topics) === undefined;
  const folders = [
    ...memoryFolders.filter(({ readOnly }) => !readOnly).map(({ path }) => path),
    bankAreas?.bank[0],
    isOwn ? topics : undefined,
  ];
  const found = folders.filter((folder) => folder !== undefined && isFolder(folder)).flatMap(badLocks);
  return [...new Map(found.map((finding) => [finding.says, finding])).values()];
}

function badLocks(folder = ""): Finding[] {
  try {
    return findBadLocks(folder).map(({ path, error: { code, message } }) => {
      // The name of a lock is filled up with underscores to its full length, which nobody can read or type.
      const name = path.replace(/_{8,}$/, "");
      const says = `nothing can be written beside ${name}${name === path ? "" : "___…"}: ${message}`;
      const remedy = `rm -- ${quoted(name)}${name === path ? "" : "_*"}`;
      return { level: "problem", about: "lock", says, ...(code === "NOT_ALLOWED" ? { remedy } : {}) };
    });
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about: "lock", says: error.message }];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function recoveryFindings(workspace: Diagnosed): Promise<Finding[]> {
  try {
    const { completed, discarded } = await workspace.recover();
    if (completed + discarded === 0) return [];
    const says = `finished ${counted(completed, "operation that was", "operations that were")} interrupted, and removed ${counted(discarded, "leftover file")}`;
    return [{ level: "note", about: "recovery", says }];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about: "recovery", says: error.message }];
  }
}

function folderFindings({ memoryFolders }: Diagnosed): Finding[] {
  return memoryFolders.map(({ root, kind, readOnly, path }) => folderFinding(root, kind, readOnly, path));
}

async function noteFindings(workspace: Diagnosed): Promise<Finding[]> {
  try {
    return await memoryFindings(workspace);
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about: "memories", says: error.message }];
  }
}

async function memoryFindings({ memories }: Diagnosed): Promise<Finding[]> {
  const findings: Finding[] = [];
  const odd = await oddMemories(memories);
  const { dangling, shadowed, checked } = await memories.check();
  findings.push({ level: "fine", about: "memories", says: counted(checked, "note") });
  findings.push(
    ...capped(
      dangling.map(({ name, folder, reference }) => ({
        level: "problem",
        about: "reference",
        says: `${name} (${folder}) refers to mem:${reference}, which does not exist`,
        remedy: `recollect memories edit -- ${quoted(name)} "mem:${reference}" "…"`,
      })),
      "recollect memories check",
    ),
    ...capped(
      shadowed.map(({ name, folder, hidden }) => ({
        level: "note",
        about: "hidden",
        says: `${name} in ${folder} hides the one in ${hidden.join(", ")}`,
        remedy: `recollect memories rename -- ${quoted(name)} "…"`,
      })),
      "recollect memories check",
    ),
    ...capped(odd.map(oddFinding), "recollect memories list"),
  );
  return findings;
}

async function oddMemories(memories: Workspace["memories"]): Promise<MemoryEntry[]> {
  const odd: MemoryEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await memories.list({ limit: 1000, ...(after === undefined ? {} : { after }) });
    odd.push(...page.memories.filter(({ remark }) => remark !== undefined));
    if (page.next === undefined) return odd;
    after = page.next;
  }
}

/** One that is only named oddly can be renamed; one that cannot be read needs a person. */
function oddFinding({ name, folder, remark, rev }: MemoryEntry): Finding {
  const says = `“${name}” in ${folder}: ${remark}`;
  if (rev === undefined) return { level: "problem", about: "unreadable", says, remedy: "Look at the file." };
  if (remark === "hard-link") {
    const explained = `“${name}” in ${folder} has a second name (hard link). A change by that name shows here`;
    return { level: "note", about: "hard link", says: explained, remedy: "The next write replaces it by a copy." };
  }
  const remedy = `recollect memories rename -- ${quoted(name)} ${quoted(plainName(name))}`;
  return { level: "note", about: "name", says, remedy };
}

/** For a shell. People copy what we propose, and a clone can bring a note that is called `$(…)`. */
function quoted(name: string): string {
  return /^[\w ./-]*$/.test(name) ? `"${name}"` : `'${name.replaceAll("'", "'\\''")}'`;
}

/** The nearest name that new memories may have. */
function plainName(name: string): string {
  const segments = name
    .normalize("NFC")
    .split("/")
    .map((segment) => {
      const plain = segment
        .replace(/[<>:"|?*\\\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "-")
        .replace(/^[.~-]+|[.\s]+$/gu, "");
      return plain === "" ? "note" : plain;
    });
  return segments.join("/");
}

function folderFinding(root: string, kind: string, isReadOnly: boolean, path: string | undefined): Finding {
  const about = kind === "primary" ? "folder" : `${kind} folder`;
  const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isDirectory()) {
    return { level: "problem", about, says: `${root} is not a folder`, remedy: "Move away the file in its place." };
  }
  // A write makes none of these.
  if (kind === "additional" && path !== undefined && !stat) {
    return { level: "problem", about, says: `${root} (does not exist)` };
  }
  if (path === undefined || !stat) return { level: "fine", about, says: `${root} (made with the first note)` };
  if (isReadOnly) return { level: "fine", about, says: `${root} (read-only)` };
  try {
    accessSync(path, constants.W_OK);
    return { level: "fine", about, says: root };
  } catch {
    return {
      level: "problem",
      about,
      says: `${root} cannot be written to by this user`,
      remedy: "Change its permissions, or configure it with :ro.",
    };
  }
}

/** Entries are stored all the same, so nobody else would say that a file is broken. */
async function topicFindings(workspace: Diagnosed, verification: Verification | undefined): Promise<Finding[]> {
  // Where it was verified, the same was found.
  const verified = verification && { verified: "changed outside" as const };
  try {
    const problems = (await workspace.topics?.check()) ?? [];
    // What git merged is counted with the next entry: the index follows by itself.
    const follows = problems.some(({ isOutdated }) => isOutdated) && isMergedByGit(workspace);
    return capped(
      problems.map(({ path, says, remedy, isOutdated = false }) => ({
        level: isOutdated && follows ? "note" : "problem",
        about: "topics",
        says: `“${path}” ${says}${isOutdated && follows ? " since git merged topics; the next entry repairs it" : ""}`,
        ...(remedy === undefined ? {} : { remedy }),
        ...verified,
      })),
      "recollect topics list",
    );
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    // A folder of that name that is not ours is no problem; any other reason is among the warnings.
    return "found" in error.data ? [{ level: "note", about: "topics", says: error.message }] : [];
  }
}

/** What was stored in the project while the external memory could not be used, now that it can (TOP-7). */
async function fallbackFindings({ fallbackEntries }: Diagnosed): Promise<Finding[]> {
  try {
    const count = (await fallbackEntries?.list())?.length ?? 0;
    if (count === 0) return [];
    const stored = counted(count, "entry was stored", "entries were stored");
    const says = `${stored} in “${fallbackEntries?.folder}” of the project while the external memory could not be used`;
    return [{ level: "note", about: "topics", says, remedy: "recollect topics move-over" }];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about: "topics", says: error.message }];
  }
}

function bankFindings({ bankAreas }: Diagnosed): Finding[] {
  const [bank, templates] = [bankAreas?.bank[0], bankAreas?.templates[0]];
  if (bank === undefined || templates === undefined) return [];
  return [
    { level: "fine", about: "bank", says: `${bank}${isFolder(bank) ? "" : " (made with the first file)"}` },
    isFolder(templates)
      ? { level: "fine", about: "templates", says: templates }
      : {
          level: "note",
          about: "templates",
          says: `${templates} does not exist`,
          remedy: "Make it for plan-mode.md and review-mode.md.",
        },
  ];
}

/** A larger model that somebody chose; search goes on without, and whoever chose it should know. */
async function modelFindings({ tryModel }: Diagnosed): Promise<Finding[]> {
  const tried = await tryModel?.();
  if (tried === undefined || tried.kind === "none") return [];
  if (tried.kind === "works") return [{ level: "fine", about: "model", says: tried.name }];
  const { reason, remedy = "Fix it, or set search.model: none. Until then, search uses words only." } = tried;
  return [{ level: "problem", about: "model", says: reason, remedy }];
}

/** The first few, and how to see the others. */
function capped(findings: readonly Finding[], command: string): Finding[] {
  const [first] = findings;
  if (!first || findings.length <= mostShown) return [...findings];
  const rest = findings.length - mostShown;
  return [...findings.slice(0, mostShown), { ...first, says: `and ${rest} more`, remedy: command, count: rest }];
}
