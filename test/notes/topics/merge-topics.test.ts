import { describe, expect, it } from "vitest";
import type { Content, Tree } from "../../../src/kernel/merge/tree.ts";
import { renderEntry } from "../../../src/notes/topics/entry.ts";
import { parseIndex, renderIndex } from "../../../src/notes/topics/index-file.ts";
import { mergeIndex, mergeTopics } from "../../../src/notes/topics/merge-topics.ts";
import { archiveWith, toArchived } from "../../../src/notes/topics/topic-archive.ts";
import {
  maxEntries,
  parseTopicFile,
  pruneEntries,
  putOnTop,
  type RawEntry,
  renderTopicFile,
  type TopicFile,
} from "../../../src/notes/topics/topic-file.ts";
import { nameOfTopicPath } from "../../../src/notes/topics/topic-paths.ts";
import { clonesConverge } from "../../kernel/merge/clones-converge.ts";
import { type Act, type Step, wordPattern } from "../../kernel/merge/replicas.ts";

function newEntry(word: string, day: number): RawEntry {
  const number = word.slice(1, -1);
  const [context, problem, solution] = [1, 2, 3].map((field) => `w${number}00${field}w`) as [string, string, string];
  const date = `2026-11-${String((day % 28) + 1).padStart(2, "0")}`;
  const raw = renderEntry({ date, title: word, context, problem, solution });
  return { date, title: word, raw };
}

function storeIn(documents: Map<string, Content>, path: string, entry: RawEntry): void {
  const file = parseTopicFile(String(documents.get(path) ?? ""));
  saveTopic(documents, path, putOnTop(file, [entry]));
}

/** What the facade does: prune, archive, and make the index again. */
function saveTopic(documents: Map<string, Content>, path: string, file: TopicFile): void {
  const { kept, pruned } = pruneEntries(file);
  const name = nameOfTopicPath(path);
  if (!name) throw new Error("a topic's path");
  documents.set(path, renderTopicFile(kept));
  if (pruned.length === 0) return;
  const archive = `archive/${name.topic}/2026.md`;
  const entries = pruned.map((entry) => toArchived(entry, name.subtopic));
  documents.set(archive, archiveWith(String(documents.get(archive) ?? ""), entries));
}

function reindex(documents: Map<string, Content>): void {
  const rows = [...documents].flatMap(([path, content]) => {
    const [name, { entries }] = [nameOfTopicPath(path), parseTopicFile(String(content))];
    return name && entries[0] ? [{ ...name, entries: entries.length, newest: entries[0].date }] : [];
  });
  documents.set("index.md", renderIndex(String(documents.get("index.md") ?? ""), rows));
}

/** A merge with what its caller does next. */
function mergeAndPrune(base: Tree, ours: Tree, theirs: Tree) {
  const merged = mergeTopics(base, ours, theirs);
  const documents = new Map(merged.tree);
  for (const path of merged.toPrune) saveTopic(documents, path, parseTopicFile(String(documents.get(path))));
  reindex(documents);
  return { ...merged, tree: documents };
}

const paths = ["auth/login.md", "auth/tokens.md", "build/cache.md"];

interface Place {
  readonly documents: Map<string, string>;
  readonly name: string;
  readonly file: TopicFile;
  readonly entry: RawEntry | undefined;
  readonly step: Step;
  readonly word: string;
}

function wordsIn(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

function replaceEntry({ documents, name, file, entry }: Place, raw: string): void {
  saveTopic(documents, name, { ...file, entries: file.entries.map((one) => (one === entry ? { ...one, raw } : one)) });
}

/** Each says which words it took out. */
const operations: Record<string, (place: Place) => readonly string[]> = {
  store: ({ documents, step, word }) => {
    storeIn(documents, paths[step.path % paths.length] as string, newEntry(word, step.at));
    return [];
  },
  /** The same on every clone, and stored once on each. */
  again: ({ documents, name }) => {
    const isThere = [...documents.values()].some((text) => text.includes("w7777w"));
    if (!isThere) storeIn(documents, name, newEntry("w7777w", 3));
    return [];
  },
  preamble: ({ documents, name, file, step, word }) => {
    const preamble = step.at % 2 ? `${file.preamble}${word}\n` : `# ${word}\n${file.preamble}`;
    saveTopic(documents, name, { ...file, preamble });
    return [];
  },
  remove: ({ documents, name, file }) => {
    documents.delete(name);
    return wordsIn(renderTopicFile(file));
  },
  rename: ({ documents, name, step }) => {
    const to = paths[step.at % paths.length] as string;
    if (documents.has(to)) return [];
    documents.set(to, documents.get(name) as string);
    documents.delete(name);
    return [];
  },
  drop: ({ documents, name, file, entry }) => {
    saveTopic(documents, name, { ...file, entries: file.entries.filter((one) => one !== entry) });
    return wordsIn(entry?.raw ?? "");
  },
  edit: (place) => {
    if (!place.entry) return [];
    const lines = place.entry.raw.split("\n");
    const [gone] = lines.splice(1 + (place.step.path % 3), 1, `**Field:** ${place.word}`);
    replaceEntry(place, lines.join("\n"));
    return wordsIn(gone ?? "");
  },
  /** By hand: a line below the heading. */
  hand: (place) => {
    if (!place.entry) return [];
    const { raw } = place.entry;
    const end = raw.indexOf("\n") + 1;
    replaceEntry(place, `${raw.slice(0, end)}${place.word}\n${raw.slice(end)}`);
    return [];
  },
};

const act: Act = (documents, step, word) => {
  const names = [...documents.keys()].filter((one) => nameOfTopicPath(one)).toSorted();
  const name = names[step.path % Math.max(1, names.length)] ?? "";
  const file = parseTopicFile(documents.get(name) ?? "");
  const entry = file.entries[step.at % Math.max(1, file.entries.length)];
  const operation = operations[name === "" ? "store" : step.action];
  const gone = operation?.({ documents, name, file, entry, step, word }) ?? [];
  reindex(documents);
  return gone;
};

function startWith(count: number): Tree {
  const documents = new Map<string, Content>();
  for (let n = 0; n < count; n += 1) storeIn(documents, "auth/login.md", newEntry(`w${900 + n}w`, n));
  storeIn(documents, "build/cache.md", newEntry("w800w", 1));
  reindex(documents);
  return documents;
}

describe("three clones of a folder of topics", () => {
  const actions = ["store", "store", "again", "preamble", "remove", "rename", "drop", "edit", "edit", "hand"];
  // Too few for anything to be pruned: the archive keeps what a topic drops.
  const calm = { start: startWith(2), actions: ["store", "drop", "drop"] };
  clonesConverge({ start: startWith(9), actions, calm, act, merge: mergeAndPrune });
});

describe("a merge of a folder of topics", () => {
  const changed = (change: (documents: Map<string, Content>) => void) => {
    const documents = new Map(startWith(9));
    change(documents);
    reindex(documents);
    return documents;
  };

  it("TOP-4 says which topics are over the limit now", () => {
    const side = (word: string) => changed((documents) => storeIn(documents, "auth/login.md", newEntry(word, 1)));
    const merged = mergeTopics(startWith(9), side("w1w"), side("w2w"));
    expect(merged.toPrune).toEqual(["auth/login.md"]);
    expect(merged.conflicts).toEqual([]);
    const { tree } = mergeAndPrune(startWith(9), side("w1w"), side("w2w"));
    expect(parseTopicFile(String(tree.get("auth/login.md"))).entries.length).toBeLessThanOrEqual(maxEntries);
    expect(String(tree.get("archive/auth/2026.md"))).toContain("w900w");
  });

  it("TOP-4 loses neither version of an entry that one side pruned and the other changed", () => {
    const ours = changed((documents) => {
      for (const n of [1, 2, 3]) storeIn(documents, "auth/login.md", newEntry(`w${n}w`, n));
    });
    const theirs = changed((documents) => {
      const text = String(documents.get("auth/login.md"));
      documents.set("auth/login.md", text.replace("w900001w", "w55w"));
    });
    const { tree } = mergeAndPrune(startWith(9), ours, theirs);
    const archive = String(tree.get("archive/auth/2026.md"));
    expect(archive).toContain("w900001w");
    expect(String(tree.get("auth/login.md")) + archive).toContain("w55w");
  });

  it("TOP-5 merges what people wrote around the index, and leaves the rows to be made again", () => {
    const index = (text: string, newest: string) =>
      renderIndex(text, [{ topic: "a", subtopic: "b", entries: 1, newest }]);
    const before = index("# Memory\n\nHow we use it.\n", "2026-01-01");
    const ours = index(before.replace("How", "This is how"), "2026-01-02");
    const theirs = `${index(before, "2026-01-03")}\nSee also: nothing.\n`;
    const merged = mergeIndex(before, ours, theirs);
    expect(mergeIndex(before, theirs, ours)).toEqual(merged);
    expect(merged).toMatchObject({ kind: "merged" });
    expect(merged.content).toContain("This is how we use it.");
    expect(merged.content).toContain("See also: nothing.");
    // No rows: whoever stores next looks at the files.
    expect(parseIndex(merged.content)).toBeUndefined();
    expect(mergeIndex(undefined, index("", "2026-01-01"), index("", "2026-01-02"))).toMatchObject({ kind: "merged" });
  });
});
