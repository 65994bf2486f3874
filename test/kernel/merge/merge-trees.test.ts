import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { originalOfConflict } from "../../../src/kernel/merge/conflict-path.ts";
import { mergeTrees } from "../../../src/kernel/merge/merge-trees.ts";
import type { Content, Tree } from "../../../src/kernel/merge/tree.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { threeTexts } from "../../text/texts.ts";
import { clonesConverge } from "./clones-converge.ts";
import { type Act, type Step, wordPattern } from "./replicas.ts";

type Documents = Readonly<Record<string, Content>>;

function toTree(documents: Documents): Tree {
  return new Map(Object.entries(documents));
}

function sorted(tree: Tree): [string, Content][] {
  return [...tree].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The same whichever side is ours. */
function merge(base: Documents, ours: Documents, theirs: Documents) {
  const { tree, conflicts } = mergeTrees(toTree(base), toTree(ours), toTree(theirs));
  const swapped = mergeTrees(toTree(base), toTree(theirs), toTree(ours));
  expect(sorted(swapped.tree)).toEqual(sorted(tree));
  expect(swapped.conflicts).toEqual(conflicts);
  return { documents: Object.fromEntries(tree), conflicts };
}

describe("a merge of trees", () => {
  it("takes what either side added, changed and deleted", () => {
    const base = { "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" };
    const merged = merge(base, { ...base, "a.md": "A\n", "new/x.md": "x\n" }, { "a.md": "a\n", "b.md": "b\n" });
    expect(merged).toEqual({ documents: { "a.md": "A\n", "b.md": "b\n", "new/x.md": "x\n" }, conflicts: [] });
  });

  it("keeps the other version beside a document that both sides changed in the same line", () => {
    const { documents, conflicts } = merge({ "n/a.md": "1\n" }, { "n/a.md": "ours\n" }, { "n/a.md": "theirs\n" });
    const [beside] = Object.keys(documents).filter((path) => path !== "n/a.md");
    expect(beside).toMatch(/^n\/a\.conflict-[0-9a-f]{8}\.md$/);
    expect(documents).toEqual({ "n/a.md": "theirs\n", [beside ?? ""]: "ours\n" });
    expect(conflicts).toEqual([{ kind: "both-changed", path: "n/a.md", beside }]);
    expect(originalOfConflict(beside ?? "")).toBe("n/a.md");
  });

  it("keeps both documents that were made under one name", () => {
    const { documents } = merge({}, { "a.md": "one\n" }, { "a.md": "two, longer\n" });
    expect(Object.values(documents).toSorted()).toEqual(["one\n", "two, longer\n"]);
  });

  it("keeps a change against a deletion, and says so", () => {
    expect(merge({ "a.md": "1\n" }, {}, { "a.md": "2\n" })).toEqual({
      documents: { "a.md": "2\n" },
      conflicts: [{ kind: "deleted-and-changed", path: "a.md" }],
    });
  });

  it("takes a change along to the new name that the other side gave", () => {
    const merged = merge({ "a.md": "1\n2\n" }, { "b/a.md": "1\n2\n" }, { "a.md": "1\n2\n3\n" });
    expect(merged).toEqual({ documents: { "b/a.md": "1\n2\n3\n" }, conflicts: [] });
    // Also where only the case is another.
    expect(merge({ "A.md": "1\n" }, { "a.md": "1\n" }, { "A.md": "1\n2\n" }).documents).toEqual({ "a.md": "1\n2\n" });
  });

  it("keeps a document under both names that it was given", () => {
    expect(merge({ "a.md": "1\n" }, { "b.md": "1\n" }, { "c.md": "1\n" })).toEqual({
      documents: { "b.md": "1\n", "c.md": "1\n" },
      conflicts: [{ kind: "renamed-twice", path: "b.md", beside: "c.md" }],
    });
  });

  it("keeps a document whose name is a folder on the other side", () => {
    const { documents, conflicts } = merge({}, { notes: "document\n" }, { "notes/a.md": "in the folder\n" });
    expect(conflicts).toMatchObject([{ kind: "document-and-folder", path: "notes" }]);
    expect(documents).toMatchObject({ "notes/a.md": "in the folder\n" });
    expect(Object.values(documents)).toContain("document\n");
    expect(documents).not.toHaveProperty("notes");
  });

  it("keeps names apart that some file systems take for one, and leaves those that a side already had", () => {
    const clash = merge({}, { "Note.md": "1\n" }, { "note.md": "2\n" });
    expect(clash.conflicts).toMatchObject([{ kind: "same-name", path: "Note.md", other: "note.md" }]);
    expect(Object.keys(clash.documents).map((path) => path.toLowerCase())).toHaveLength(2);
    expect(clash.documents).not.toHaveProperty(["note.md"]);
    expect(merge({}, { "é.md": "1\n" }, { "e\u0301.md": "1\n" }).conflicts).toMatchObject([{ beside: undefined }]);
    const both = { "Note.md": "1\n", "note.md": "2\n" };
    expect(merge({}, both, { "a.md": "3\n" }).documents).toEqual({ ...both, "a.md": "3\n" });
  });

  it("KER-11 merges what is no text as a whole", () => {
    const bytes = (...all: number[]) => Uint8Array.from(all);
    const base = { "a.png": bytes(0xff, 1) };
    expect(merge(base, { "a.png": bytes(0xff, 1) }, { "a.png": bytes(0xff, 2) }).documents).toEqual({
      "a.png": bytes(0xff, 2),
    });
    const { documents } = merge(base, { "a.png": bytes(0xff, 3) }, { "a.png": "text" });
    expect(Object.values(documents)).toEqual(["text", bytes(0xff, 3)]);
  });

  it("KER-1 gives no name that is too long, and no second one to the same version", () => {
    const long = `${"ü".repeat(98)}.md`;
    const { documents } = merge({ [long]: "1\n" }, { [long]: "2\n" }, { [long]: "3\n" });
    for (const path of Object.keys(documents)) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(200);
    const { documents: first } = merge({ "a.md": "1\n" }, { "a.md": "2\n" }, { "a.md": "3\n" });
    const again = merge({ "a.md": "1\n" }, { ...first, "a.md": "2\n" }, { ...first, "a.md": "3\n" });
    expect(again.documents).toEqual(first);
  });

  it("changes nothing where one side did not, and does not depend on which side is ours", () => {
    const path = fc.constantFrom("a.md", "b.md", "A.md", "c", "c/d.md", "c/e.md");
    const some = fc.array(fc.tuple(path, threeTexts, fc.nat({ max: 26 })), { maxLength: 6 }).map((all) => {
      const trees: [Map<string, string>, Map<string, string>, Map<string, string>] = [new Map(), new Map(), new Map()];
      for (const [name, { base, ours, theirs }, absent] of all) {
        for (const [index, text] of [base, ours, theirs].entries()) {
          if (Math.floor(absent / 3 ** index) % 3 > 0) trees[index]?.set(name, text);
        }
      }
      return trees;
    });
    fc.assert(
      fc.property(some, ([base, ours, theirs]) => {
        merge(Object.fromEntries(base), Object.fromEntries(ours), Object.fromEntries(theirs));
        for (const [one, other] of [
          [ours, ours],
          [base, ours],
          [ours, base],
        ] as const) {
          expect(sorted(mergeTrees(base, one, other).tree)).toEqual(sorted(ours));
        }
      }),
      { numRuns: someRuns(600, 3000) },
    );
  });
});

const paths = ["a.md", "b.md", "B.md", "n/a.md", "n/c.md", "n"];

/** Operations on documents of lines, one word a line. */
const act: Act = (documents, { action, path, at }: Step, word) => {
  const names = [...documents.keys()].toSorted();
  const name = names[path % Math.max(1, names.length)];
  if (action === "create" || name === undefined) {
    const fresh = paths[path] as string;
    const isTaken = names.some((one) => one === fresh || one.startsWith(`${fresh}/`) || fresh.startsWith(`${one}/`));
    if (!isTaken) documents.set(fresh, `${word}\n`);
    return [];
  }
  const lines = (documents.get(name) as string).split("\n");
  const place = at % lines.length;
  const save = () => documents.set(name, lines.join("\n"));
  const wordsIn = (texts: readonly string[]) => texts.join("\n").match(wordPattern) ?? [];
  switch (action) {
    case "append":
      documents.set(name, `${documents.get(name)}\n${word}\n`.replace(/^\n|\n(?=\n)/g, ""));
      return [];
    case "insert":
      lines.splice(place, 0, word);
      save();
      return [];
    case "replace": {
      const gone = lines.splice(place, 1, word);
      save();
      return wordsIn(gone);
    }
    case "trim": {
      const most = lines.indexOf("stays");
      const gone = lines.splice(at % Math.max(1, most), Math.min(1, most));
      save();
      return wordsIn(gone);
    }
    case "cut": {
      const gone = lines.splice(place, 2);
      save();
      return wordsIn(gone);
    }
    case "remove": {
      documents.delete(name);
      return wordsIn(lines);
    }
    default: {
      const to = paths[at % paths.length] as string;
      const isTaken = names.some((one) => one !== name && (one.startsWith(`${to}/`) || to.startsWith(`${one}/`)));
      if (documents.has(to) || isTaken || to.startsWith(`${name}/`) || name.startsWith(`${to}/`)) return [];
      documents.delete(name);
      documents.set(to, lines.join("\n"));
      return [];
    }
  }
};

const start = toTree({ "a.md": "w1000w\nw1001w\nw1002w\nw1003w\n", "n/c.md": "w1004w\n" });
const actions = ["create", "append", "append", "insert", "replace", "cut", "remove", "rename"];

/** Lines go away above a line that stays, and come in below it. */
const calm = {
  start: toTree({ "a.md": `${Array.from({ length: 12 }, (_, n) => `w${1000 + n}w\n`).join("")}stays\n` }),
  actions: ["append", "trim"],
};

describe("three clones", () => {
  clonesConverge({ start, actions, calm, act, merge: (base, ours, theirs) => mergeTrees(base, ours, theirs) });
});
