import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Address, Outcome, Rev } from "../src/app.ts";
import type { FilesStore } from "../src/backends/files/store.ts";
import { readTrail, type WrittenRecord } from "../test/helpers/written-records.ts";
import type { LogLine } from "./crash-log.ts";
import { identitiesIn, sharedPaths, wanderingPaths } from "./crash-records.ts";
import type { Violations } from "./rig-report.ts";

/** Everything that must hold once all workers are dead and the store was recovered. */
export async function checkAfterCrash(
  store: FilesStore,
  folder: string,
  lines: readonly LogLine[],
  violations: Violations,
): Promise<void> {
  const acknowledged = new Map(lines.flatMap((line) => (line.kind === "acknowledged" ? [[line.run, line]] : [])));
  const intended = new Set(lines.flatMap((line) => (line.kind === "intends" ? [line.run] : [])));
  const contents = await readRevisions(store, violations);
  const effective: WrittenRecord[] = [];
  for (const path of [...sharedPaths, ...wanderingPaths]) {
    const at = { root: "rig", path } as Address;
    const chain = await followChain(store, at, contents, new Set(acknowledged.keys()), violations);
    effective.push(...chain);
  }
  checkAcknowledged([...acknowledged.values()], effective, violations);
  checkBatches(effective, contents.records, violations);
  checkIntroductions(effective, contents, intended, violations);
  for (const left of leftovers(folder)) violations.add("leftover", left);
}

interface Revisions {
  readonly records: readonly WrittenRecord[];
  /** Undefined where the revision can no longer be read. */
  contentOf(path: string, rev: Rev): string | undefined;
}

async function readRevisions(store: FilesStore, violations: Violations): Promise<Revisions> {
  const { records, textOf } = await readTrail(store.trail("rig"));
  const contents = new Map<string, string>();
  for (const { path, rev } of records) {
    if (!rev || contents.has(`${path} ${rev}`)) continue;
    const content = await textOf(path, rev).catch((error: unknown) => {
      violations.add("unreadable", `${path} ${rev}: ${error}`);
      return undefined;
    });
    if (content === undefined) continue;
    contents.set(`${path} ${rev}`, content);
    if (!identitiesIn(content)) violations.add("torn", `${path} ${rev}: ${content.slice(0, 80)}`);
  }
  return { records, contentOf: (path, rev) => contents.get(`${path} ${rev}`) };
}

/**
 * The records of a document that took effect. Each must begin where the one before it ended. A removal
 * that was cut off leaves a record without a revision to look for, so it is open until the next one.
 */
async function followChain(
  store: FilesStore,
  at: Address,
  revisions: Revisions,
  acknowledged: ReadonlySet<string>,
  violations: Violations,
): Promise<WrittenRecord[]> {
  const chain: WrittenRecord[] = [];
  let current: Rev | undefined;
  let open: WrittenRecord | undefined;
  const settle = (was: Rev | undefined) => {
    if (open && was === undefined) {
      chain.push(open);
      current = undefined;
    }
    open = undefined;
  };
  for (const record of revisions.records) {
    if (record.path !== at.path) continue;
    if (record.rev && revisions.contentOf(record.path, record.rev) === undefined) continue;
    settle(record.was);
    if (record.was !== current) {
      violations.add("chain", `${at.path}: ${record.kind} ${record.run} was ${record.was}, not ${current}`);
      if (current) violations.add("lost", `${at.path}: ${current} was there, and vanished without a write`);
    }
    if (!record.rev && !acknowledged.has(record.run ?? "")) {
      open = record;
      continue;
    }
    chain.push(record);
    current = record.rev;
  }
  const now = await store.read(store.resolve(at)).catch((error: unknown) => {
    violations.add("unreadable", `${at.path}: ${error}`);
    return undefined;
  });
  settle(now?.rev);
  if (now?.rev !== current) {
    violations.add("chain", `${at.path}: is ${now?.rev}, its records end at ${current}`);
    if (current) violations.add("lost", `${at.path}: ${current} is not there any more`);
  }
  return chain;
}

/** Every outcome that a worker was told is in the chain, once. */
function checkAcknowledged(
  acknowledged: readonly { readonly run: string; readonly outcomes: readonly Outcome[] }[],
  effective: readonly WrittenRecord[],
  violations: Violations,
): void {
  const keyOf = (run: string, path: string, { rev, was }: Pick<Outcome, "rev" | "was">) =>
    `${run} ${path} rev ${rev} was ${was}`;
  const found = new Map<string, number>();
  for (const record of effective) {
    const key = keyOf(record.run ?? "", record.path, record);
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  for (const { run, outcomes } of acknowledged) {
    for (const outcome of outcomes) {
      const key = keyOf(run, outcome.at.path, outcome);
      const times = found.get(key) ?? 0;
      if (times === 0) violations.add("lost", key);
      if (times > 1) violations.add("chain", `${times} times: ${key}`);
    }
  }
}

/** A commit over several documents took effect in all of them or in none. */
function checkBatches(
  effective: readonly WrittenRecord[],
  records: readonly WrittenRecord[],
  violations: Violations,
): void {
  const counted = new Set(effective);
  for (const [batch, all] of Map.groupBy(records, (record) => record.batch)) {
    if (batch === undefined) continue;
    const done = all.filter((record) => counted.has(record));
    if (done.length > 0 && done.length < all.length) {
      const missing = all.filter((record) => !counted.has(record)).map((one) => `${one.kind} ${one.path}`);
      violations.add("half a commit", `${all[0]?.run}: without ${missing.join(", ")}`);
    }
  }
}

/** Every record of a document came in by one write, once, and by a write that somebody meant to do. */
function checkIntroductions(
  effective: readonly WrittenRecord[],
  revisions: Revisions,
  intended: ReadonlySet<string>,
  violations: Violations,
): void {
  const introduced = new Map<string, string>();
  for (const record of effective) {
    const { all, before } = identitiesOf(record, revisions);
    const [run, path] = [record.run ?? "", record.path];
    if (!intended.has(run)) violations.add("unknown write", `${run} in ${path}`);
    if (new Set(all).size < all.length) violations.add("twice", `a record in ${path} ${record.rev}`);
    for (const id of all.filter((one) => !before.has(one))) {
      const foreign = id !== run && !id.startsWith(`${run}.`);
      if (foreign || introduced.has(id)) violations.add("twice", `${id}: ${run} ${path}, ${introduced.get(id)}`);
      introduced.set(id, `${run} ${path}`);
    }
    if (record.kind === "append" && all.length !== before.size + 1) {
      violations.add("lost", `append ${run} in ${path}: ${before.size} records became ${all.length}`);
    }
  }
}

/** What is in a document after a change, and what was in it before, or in the one that was moved there. */
function identitiesOf(record: WrittenRecord, { contentOf }: Revisions): { all: string[]; before: Set<string> } {
  const inRevision = (path: string, rev: Rev | undefined) => (rev && identitiesIn(contentOf(path, rev) ?? "")) || [];
  const moved = record.kind === "move" && record.other;
  const before = moved ? inRevision(moved, record.rev) : inRevision(record.path, record.was);
  return { all: inRevision(record.path, record.rev), before: new Set(before) };
}

/** What stays in an auxiliary folder by design; everything else there is temporary. */
const lasting = /^(\.gitignore|(lock|entrance|alias-\d+)_*|turns|journal|journal-\d+|kept-[0-9a-f]{32})$/;

/** Temporary files in auxiliary folders, and anything beside the documents that nobody wrote there. */
function leftovers(folder: string): string[] {
  const known = new Set([...sharedPaths, ...wanderingPaths].map((path) => join(folder, path)));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) =>
      basename(parentPath) === ".recollect" ? !lasting.test(name) : !known.has(join(parentPath, name)),
    )
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
}
