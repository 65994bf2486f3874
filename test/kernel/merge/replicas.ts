import fc from "fast-check";
import type { TreeMerge } from "../../../src/kernel/merge/merge-trees.ts";
import { planMerge, revisionsOf } from "../../../src/kernel/merge/plan-merge.ts";
import { runPlan } from "../../../src/kernel/merge/run-plan.ts";
import type { Tree } from "../../../src/kernel/merge/tree.ts";

export type MergeOfTrees = (base: Tree, ours: Tree, theirs: Tree) => TreeMerge;

/** What one replica does: something to its documents, or a merge with another one. */
export interface Step {
  readonly replica: number;
  readonly other: number;
  readonly action: string;
  readonly path: number;
  readonly at: number;
}

export function steps(actions: readonly string[], most: number): fc.Arbitrary<Step[]> {
  const step = fc.record({
    replica: fc.nat({ max: 2 }),
    other: fc.nat({ max: 2 }),
    action: fc.constantFrom(...actions, "merge", "cross"),
    path: fc.nat({ max: 5 }),
    at: fc.nat({ max: 40 }),
  });
  return fc.array(step, { minLength: 1, maxLength: most, size: "max" });
}

/** Changes documents in place; `word` is a text that nothing else holds. Says which words it took out. */
export type Act = (documents: Map<string, string>, step: Step, word: string) => readonly string[];

export const wordPattern = /w\d+w/g;

export function wordsOf(tree: Tree): Set<string> {
  return new Set([...tree.values()].flatMap((content) => String(content).match(wordPattern) ?? []));
}

/** Three clones with their revisions, and a model of which words must still be there. */
export class Replicas {
  readonly heads: string[];
  readonly added = new Set<string>();
  readonly deleted = new Set<string>();
  /** How many merges there were, and how many of them had no single base. */
  merges = 0;
  crossed = 0;
  readonly #trees = new Map<string, Tree>();
  readonly #parents = new Map<string, readonly string[]>();
  readonly #merge: MergeOfTrees;
  #last = 0;

  constructor(start: Tree, merge: MergeOfTrees) {
    this.#merge = merge;
    const id = this.#add(start, []);
    this.heads = [id, id, id];
    for (const word of wordsOf(start)) this.added.add(word);
  }

  run(all: readonly Step[], act: Act): void {
    for (const [index, step] of all.entries()) {
      if (step.action === "merge") this.pull(step.replica, step.other);
      else if (step.action === "cross") this.#cross(step.replica, step.other);
      else this.#change(step, act, `w${index}w`);
    }
  }

  treeOf(replica: number): Tree {
    return this.#trees.get(this.heads[replica] ?? "") as Tree;
  }

  /** One replica takes over what another has. */
  pull(replica: number, other: number): void {
    this.heads[replica] = this.#join(this.heads[replica] as string, this.heads[other] as string);
  }

  /** Both merge at the same time, neither knowing of the other's merge. */
  #cross(one: number, other: number): void {
    const [left, right] = [this.heads[one] as string, this.heads[other] as string];
    [this.heads[one], this.heads[other]] = [this.#join(left, right), this.#join(right, left)];
  }

  /** All three at once, each with its neighbour. */
  round(): void {
    const before = [...this.heads];
    for (const replica of [0, 1, 2]) {
      this.heads[replica] = this.#join(before[replica] as string, before[(replica + 1) % 3] as string);
    }
  }

  #join(ours: string, theirs: string): string {
    if (this.#isBehind(theirs, ours)) return ours;
    if (this.#isBehind(ours, theirs)) return theirs;
    const parentsOf = (id: string) => this.#parents.get(id) ?? [];
    const plan = planMerge({ parentsOf, isMerge: (id) => parentsOf(id).length > 1 }, ours, theirs);
    const needed = revisionsOf(plan);
    const treeOf = (id: string) => {
      if (!needed.has(id)) throw new Error("a plan names what it needs");
      return this.#trees.get(id) as Tree;
    };
    if (plan.kind === "merge") this.merges += 1;
    if (plan.kind === "merge" && plan.base.kind === "merge") this.crossed += 1;
    const [mine, other] = [this.#trees.get(ours) as Tree, this.#trees.get(theirs) as Tree];
    return this.#add(runPlan(plan, mine, other, treeOf, this.#merge).tree, [ours, theirs]);
  }

  #isBehind(one: string, other: string): boolean {
    const seen = new Set([other]);
    for (const id of seen) for (const parent of this.#parents.get(id) ?? []) seen.add(parent);
    return seen.has(one);
  }

  #change(step: Step, act: Act, word: string): void {
    const documents = new Map([...this.treeOf(step.replica)].map(([path, content]) => [path, String(content)]));
    const before = wordsOf(documents);
    for (const gone of act(documents, step, word)) this.deleted.add(gone);
    for (const now of wordsOf(documents)) if (!before.has(now)) this.added.add(now);
    this.heads[step.replica] = this.#add(documents, [this.heads[step.replica] as string]);
  }

  #add(tree: Tree, parents: readonly string[]): string {
    this.#last += 1;
    // Not in the order in which they were made, as hashes are not.
    const id = `${(this.#last * 7919) % 1000}-${this.#last}`;
    this.#trees.set(id, tree);
    this.#parents.set(id, parents);
    return id;
  }
}
