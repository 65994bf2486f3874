import { execFileSync } from "node:child_process";
import { mergeTopics } from "../src/notes/topics/merge-topics.ts";
import { parseTopicFile } from "../src/notes/topics/topic-file.ts";
import { joinRevisions } from "../src/sync/join-revisions.ts";
import { openSyncRepository, type SyncRepository } from "../src/sync/repository.ts";
import { createSyncGit } from "../src/sync/sync-git.ts";
import { gitEnv } from "./sync-clone.ts";
import { wordsOf } from "./sync-steps.ts";

const replicas = [0, 1, 2] as const;
const markers = /^(?:<{7}|={7}|>{7}|\|{7})/m;
const mergesOfAWorld = 100;
/** Two until each has heard of all, more until all chose the same. */
const settlingRounds = 6;

export interface MergesReport {
  readonly violations: readonly string[];
  readonly merges: number;
}

/** Branches of one real repository that are edited and merged in any order, also across; without folders or a remote. */
export async function mergeBranches(folder: string, seed: number, random: () => number): Promise<MergesReport> {
  const git = createSyncGit({ folder, env: gitEnv });
  const repository = await openSyncRepository(folder, git);
  const nat = (below: number) => Math.floor(random() * below);
  let [merges, count] = [0, 0];
  const [added, deleted] = [new Set<string>(), new Set<string>()];
  const start = new Map([["topic-0/sub-0.md", { bytes: Buffer.from(entryOf(`w${seed}000000w`)) }]]);
  added.add(`w${seed}000000w`);
  const root = await repository.commit({ changes: start, parents: [], message: () => `world ${seed}\n` });
  let heads = replicas.map(() => root);

  async function join(ours: string, theirs: string): Promise<string> {
    const { to, merged } = await joinRevisions({ git, repository, merge: mergeTopics }, ours, theirs);
    if (merged) merges += 1;
    return to;
  }

  function note(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const word of before.difference(after)) deleted.add(word);
    for (const word of after.difference(before)) added.add(word);
  }

  async function edit(head: string): Promise<string> {
    count += 1;
    const tree = await repository.treeOf(head);
    const paths = [...tree.keys()].filter((path) => !path.includes("conflict"));
    const path =
      random() < 0.4 || paths.length === 0 ? `topic-${nat(2)}/sub-${nat(3)}.md` : (paths[nat(paths.length)] ?? "");
    const text = await textOf(repository, tree.get(path)?.id);
    const changed = change(text, `w${seed}${String(count).padStart(6, "0")}w`, nat);
    const to = changed.isRenamed ? path.replace(/[^/]+$/, `named-${nat(9)}.md`) : path;
    if (tree.has(to) && to !== path) return head;
    note(new Set(wordsOf(text)), new Set(wordsOf(changed.text ?? "")));
    const changes = new Map<string, { bytes: Buffer } | undefined>([[path, undefined]]);
    if (changed.text !== undefined) changes.set(to, { bytes: Buffer.from(changed.text) });
    return repository.commit({ changes, parents: [head], message: () => "by hand\n" });
  }

  while (merges < mergesOfAWorld) {
    const [one, other] = [nat(3), nat(3)];
    const [left = root, right = root] = [heads[one], heads[other]];
    const kind = random();
    if (kind < 0.5) heads[one] = await edit(left);
    else if (kind < 0.85) heads[one] = await join(left, right);
    else [heads[one], heads[other]] = [await join(left, right), await join(right, left)];
  }
  for (let round = 0; round < settlingRounds; round += 1) {
    // One after the other, as in a real repository, where who syncs holds the lock.
    const before = heads;
    heads = [];
    for (const at of replicas) heads.push(await join(before[at] ?? root, before[(at + 1) % 3] ?? root));
  }
  const trees = await Promise.all(heads.map((head) => repository.treeOf(head)));
  const texts = await Promise.all([...(trees[0] ?? new Map()).values()].map(({ id }) => textOf(repository, id)));
  const left = new Set(texts.flatMap(wordsOf));
  const idsOf = (tree: (typeof trees)[number] | undefined) =>
    JSON.stringify([...(tree ?? [])].map(([path, { id }]) => `${path} ${id}`).toSorted());
  const isSame = trees.every((tree) => idsOf(tree) === idsOf(trees[0]));
  const violations = [
    ...(isSame ? [] : ["the branches differ"]),
    ...[...added].filter((word) => !left.has(word) && !deleted.has(word)).map((word) => `${word} is lost`),
    ...[...left].filter((word) => !added.has(word)).map((word) => `${word} came from nowhere`),
    ...(texts.some((text) => markers.test(text)) ? ["there is a conflict marker"] : []),
  ];
  return { violations: violations.map((says) => `branches, seed ${seed}: ${says}`), merges };
}

export function makeScratchRepository(folder: string): void {
  execFileSync("git", ["init", "-q", "-b", "main", folder], { env: gitEnv });
}

async function textOf(repository: SyncRepository, id: string | undefined): Promise<string> {
  if (id === undefined) return "";
  return (await repository.contentsOf([id])).get(id)?.toString("utf8") ?? "";
}

function entryOf(word: string): string {
  return `## 2026-11-15: Entry ${word}\n**Context:** c\n**Solution:** s\n---\n\n`;
}

/** What somebody makes of a file of entries; no text where it is deleted. */
function change(
  text: string,
  word: string,
  nat: (below: number) => number,
): { text: string | undefined; isRenamed?: true } {
  const { entries } = parseTopicFile(text);
  const kind = nat(10);
  const some = entries[nat(Math.max(1, entries.length))];
  if (kind === 0 && text !== "") return { text: undefined };
  if (kind === 1 && text !== "") return { text, isRenamed: true };
  if (kind === 2 && some) return { text: text.replace(some.raw, "") };
  if (kind < 5 && some)
    return {
      text: text.replace(
        some.raw,
        some.raw.replace(/\*\*Solution:\*\*.*/, (line) => `${line} ${word}`),
      ),
    };
  return { text: entryOf(word) + text };
}
