import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Source, type SourceDocument, UnreadableDocument } from "../../src/kernel/source.ts";
import { IndexFailure } from "../../src/search/index/index-failure.ts";
import { createMemoryContainer } from "../../src/search/index/memory-container.ts";
import { type OpenedIndex, openIndexFile, openMemoryIndex } from "../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../src/search/index/search-index.ts";
import type { Describe } from "../../src/search/prepare-batches.ts";
import { createRootIndex, type RootIndex, type RootIndexOptions } from "../../src/search/root-index.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { shownAs } from "./index/index-fixture.ts";

const folders = temporaryFolders();

/** Documents in memory; whoever reads one can be made to wait after the text was taken. */
function memorySource() {
  const documents = new Map<string, SourceDocument>();
  const locked = new Set<string>();
  const listeners: Set<string>[] = [];
  let stamp = 1;
  const tell = (path: string) => {
    for (const told of listeners) told.add(path);
  };
  return {
    put(path: string, content: string, given?: number): void {
      documents.set(path, { content, stamp: given ?? stamp++, modified: 1_700_000_000_000 });
      tell(path);
    },
    remove(path: string): void {
      documents.delete(path);
      tell(path);
    },
    /** Of the folder alone is told. */
    removeFolder(folder: string): void {
      for (const path of documents.keys()) if (path.startsWith(`${folder}/`)) documents.delete(path);
      tell(folder);
    },
    /** It is still there, and nobody can read it. */
    lock(path: string): void {
      locked.add(path);
      tell(path);
    },
    documents,
    /** One process's look at it. `hold` is awaited between reading a document and handing it over. */
    open(options: { readonly watches?: boolean; hold?: (path: string) => Promise<void> } = {}): Source {
      const told = new Set<string>();
      let isWatching = false;
      return {
        root: "notes",
        identity: "notes",
        *survey(at) {
          const found = [...documents].filter(([path]) => at === undefined || `${path}/`.startsWith(`${at}/`));
          yield { folder: "", documents: found.map(([path, one]) => ({ path, stamp: one.stamp || stamp++ })) };
        },
        changes: async () => {
          if (!isWatching) return undefined;
          const paths = [...told];
          told.clear();
          return paths;
        },
        watch: async () => {
          if (!options.watches) return { kind: "unwatched", reason: "It is looked through at each search." };
          isWatching = true;
          listeners.push(told);
          return { kind: "watching" };
        },
        read: async (path) => {
          const document = locked.has(path) ? undefined : documents.get(path);
          await options.hold?.(path);
          return document;
        },
        close: () => undefined,
      };
    },
  };
}

/** One unit, which is found by its whole content. */
const describeByContent: Describe = (path, { content, stamp, modified }) => ({
  path,
  folder: "",
  kind: "memory",
  stamp,
  modified,
  flagged: false,
  units: [{ date: undefined, terms: new Map([[content, 100]]) }],
  shown: [shownAs(content)],
});

function openRoot(source: Source, file: string, more: Partial<RootIndexOptions> = {}): RootIndex {
  const root = createRootIndex({
    source,
    kind: "memory",
    openIndex: () => openIndexFile({ file, version: "1", busyMilliseconds: 5_000 }),
    openMemoryIndex: () => openMemoryIndex(),
    discardIndex: () => undefined,
    describer: async () => describeByContent,
    watches: true,
    now: Date.now,
    ...more,
  });
  onTestFinished(() => root.close());
  return root;
}

const contentOf = (root: RootIndex) =>
  Object.fromEntries(
    root
      .index()
      .dump()
      .map(({ path, units }) => [path, units[0]?.terms[0]?.[0]]),
  );
/** How many units a reader finds, who asks again as a search does. */
async function read(root: RootIndex): Promise<number> {
  for (;;) {
    await look(root);
    try {
      const { units } = root.index().beginReading();
      root.index().endReading();
      return units;
    } catch (error) {
      if (!(error instanceof IndexFailure)) throw error;
      root.failed(error, false);
    }
  }
}

const look = (root: RootIndex) => root.freshen(Number.POSITIVE_INFINITY);

/** Lets the first who comes wait, until it is opened. */
function gate() {
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  return {
    arrived: arrived.promise,
    open: opened.resolve,
    hold: async () => {
      if (!isFirst) return;
      isFirst = false;
      arrived.resolve();
      await opened.promise;
    },
  };
}

/** Writes to the index as another process does, until it is released. */
function lock(file: string): () => void {
  const generation = readFileSync(file, "utf8").trim().split(" ").at(-1);
  const other = new DatabaseSync(`${file}.${generation}.sqlite`);
  onTestFinished(() => {
    if (other.isOpen) other.close();
  });
  other.exec("BEGIN IMMEDIATE");
  return () => other.exec("ROLLBACK");
}

describe("two processes on one index", () => {
  function pair(hold: (path: string) => Promise<void>) {
    const notes = memorySource();
    const file = join(folders.make(), "index");
    const [slow, quick] = [
      openRoot(notes.open({ watches: true, hold }), file),
      openRoot(notes.open({ watches: true }), file),
    ];
    return { notes, slow, quick, file };
  }

  it.each([
    ["with stamps that tell them apart", undefined],
    ["changed so lately that no stamp tells them apart", 0],
  ])("SRCH-3 who read an older text does not put it over a newer one: %s", async (_, stamp) => {
    const held = gate();
    const { notes, slow, quick } = pair(async (path) => {
      if (notes.documents.get(path)?.content === "second") await held.hold();
    });
    notes.put("a.md", "first", stamp);
    await look(slow);
    await look(quick);
    notes.put("a.md", "second", stamp);
    const late = look(slow);
    await held.arrived;
    notes.put("a.md", "third", stamp);
    await look(quick);
    expect(contentOf(quick)).toEqual({ "a.md": "third" });
    held.open();
    await late;
    await look(quick);
    expect(contentOf(quick)).toEqual({ "a.md": "third" });
    await look(slow);
    expect(contentOf(slow)).toEqual({ "a.md": "third" });
  });

  it("SRCH-3 who read a text that is gone by now does not bring it back", async () => {
    const held = gate();
    const { notes, slow, quick } = pair(async (path) => {
      if (path === "b.md") await held.hold();
    });
    notes.put("a.md", "first");
    await look(slow);
    await look(quick);
    notes.put("b.md", "short-lived");
    const late = look(slow);
    await held.arrived;
    notes.remove("b.md");
    await look(quick);
    held.open();
    await late;
    await look(quick);
    expect(contentOf(quick)).toEqual({ "a.md": "first" });
  });

  it.each<[string, (notes: ReturnType<typeof memorySource>) => void]>([
    ["the document", (notes) => notes.remove("net/b.md")],
    ["its folder", (notes) => notes.removeFolder("net")],
    ["its right to be read", (notes) => notes.lock("net/b.md")],
  ])(
    "SRCH-3 who was told that %s is gone finds it no more, although another one had put it in and does not look",
    async (_, take) => {
      const { notes, slow, quick } = pair(async () => {});
      notes.put("a.md", "first");
      for (const root of [slow, quick]) await look(root);
      notes.put("net/b.md", "short-lived");
      await look(slow);
      take(notes);
      expect(await read(quick)).toBe(1);
      expect(contentOf(quick)).toEqual({ "a.md": "first" });
    },
  );

  it("SRCH-3 a search waits for another process that writes, and answers with everything", async () => {
    const { notes, slow, file } = pair(async () => {});
    await look(slow);
    const release = lock(file);
    notes.put("a.md", "first");
    const late = look(slow);
    await setTimeout(60);
    expect(slow.index().counts().documents).toBe(0);
    release();
    await late;
    expect(contentOf(slow)).toEqual({ "a.md": "first" });
    expect(slow.warnings()).toEqual([]);
  });

  it("SRCH-3 a search does without the index that another program keeps all the time, and says so", async () => {
    const { notes, slow, file } = pair(async () => {});
    await look(slow);
    lock(file);
    notes.put("a.md", "first");
    await look(slow);
    expect(contentOf(slow)).toEqual({ "a.md": "first" });
    expect(slow.warnings().join()).toContain("another program keeps it locked");
  });

  it("SRCH-3 a search that waits a second for its index has what was written while another program locks it", async () => {
    const { notes, slow, file } = pair(async () => {});
    await look(slow);
    lock(file);
    notes.put("a.md", "first");
    expect(await slow.freshen(1000)).toBeUndefined();
    expect(contentOf(slow)).toEqual({ "a.md": "first" });
  });
});

describe("an index that fails", () => {
  function failing() {
    const notes = memorySource();
    const file = join(folders.make(), "index");
    let now = 1_000_000;
    let reason: string | undefined = "the disk is full";
    let opened: SearchIndex | undefined;
    const openIndex = (): OpenedIndex => {
      if (reason !== undefined) return { kind: "unavailable", reason };
      const found = openIndexFile({ file, version: "1" });
      if (found.kind === "open") opened = found.index;
      return found;
    };
    const root = openRoot(notes.open({ watches: true }), file, { openIndex, now: () => now });
    return {
      notes,
      root,
      opened: () => opened,
      mend: () => {
        reason = undefined;
      },
      wait: (ms: number) => {
        now += ms;
      },
    };
  }

  it("SRCH-3 is replaced by one in memory, with a warning, until it works again", async () => {
    const { notes, root, mend, wait } = failing();
    notes.put("a.md", "first");
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
    expect(root.warnings().join()).toMatch(/“notes”.*the disk is full/);
    wait(60_000);
    await look(root);
    expect(root.warnings()).toHaveLength(1);
    mend();
    notes.put("b.md", "second");
    wait(60_000);
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first", "b.md": "second" });
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 a reader who met a failure makes everything be looked at again", async () => {
    const { notes, root, mend, opened } = failing();
    mend();
    notes.put("a.md", "first");
    await look(root);
    opened()?.apply({ put: [], remove: ["a.md"] });
    await look(root);
    expect(contentOf(root)).toEqual({});
    root.failed(new IndexFailure("lost", "it was begun anew"), false);
    expect(root.isComplete()).toBe(false);
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
    root.failed(new IndexFailure("unavailable", "reading or writing it failed"), true);
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
    expect(root.warnings()).toHaveLength(1);
  });

  it("SRCH-3 a failure of another root leaves this one as it is", async () => {
    const { notes, root, mend } = failing();
    mend();
    notes.put("a.md", "first");
    await look(root);
    const failure = new IndexFailure("lost", "it was begun anew");
    failure.of = createMemoryContainer();
    root.failed(failure, true);
    expect(root.isComplete()).toBe(true);
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 a document that cannot be read hides no other one, is warned of, and is read as soon as it can be", async () => {
    const notes = memorySource();
    let why: string | undefined = "Could not read “a.md”: the storage failed (EIO).";
    const hold = async (path: string) => {
      if (path === "a.md" && why !== undefined) throw new UnreadableDocument(why, {});
    };
    const root = openRoot(notes.open({ watches: true, hold }), join(folders.make(), "index"));
    notes.put("a.md", "first");
    notes.put("b.md", "second");
    await look(root);
    expect(contentOf(root)).toEqual({ "b.md": "second" });
    expect(root.warnings().join()).toContain(why);
    why = undefined;
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first", "b.md": "second" });
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 a failure that a reader meets while documents are indexed is not forgotten", async () => {
    const notes = memorySource();
    const held = gate();
    const root = openRoot(notes.open({ watches: true, hold: held.hold }), join(folders.make(), "index"));
    notes.put("a.md", "first");
    notes.put("b.md", "second");
    const late = look(root);
    await held.arrived;
    root.failed(new IndexFailure("unavailable", "reading or writing it failed"), true);
    held.open();
    await late;
    expect(contentOf(root)).toEqual({ "a.md": "first", "b.md": "second" });
    expect(root.isComplete()).toBe(true);
  });
});

describe("looks at the same time", () => {
  it("SRCH-3 updates, looks and rebuilds come one after the other", async () => {
    const notes = memorySource();
    let inside = 0;
    let most = 0;
    const hold = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    const root = openRoot(notes.open({ watches: true, hold }), join(folders.make(), "index"));
    for (let number = 0; number < 20; number += 1) notes.put(`n${number}.md`, `text${number}`);
    await look(root);
    notes.put("n3.md", "new");
    await Promise.all([
      look(root),
      root.update(["n3.md"]),
      look(root),
      root.rebuild(),
      root.update(["n4.md"]),
      look(root),
      root.rebuild(),
      look(root),
    ]);
    expect(most).toBe(1);
    expect(Object.keys(contentOf(root))).toHaveLength(20);
    expect(contentOf(root)["n3.md"]).toBe("new");
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 what could not be watched once, and is by now, is warned of no more", async () => {
    const notes = memorySource();
    const source = notes.open();
    let isWatched = false;
    const changes = async () => (isWatched ? [] : undefined);
    const root = openRoot({ ...source, changes }, join(folders.make(), "index"));
    await look(root);
    expect(root.warnings()).toEqual(["It is looked through at each search."]);
    isWatched = true;
    await look(root);
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 what was watched and is no more is warned of", async () => {
    const notes = memorySource();
    const source = notes.open({ watches: true });
    let reason: string | undefined;
    const root = openRoot(
      {
        ...source,
        changes: async () => (reason === undefined ? source.changes() : undefined),
        watch: async () => (reason === undefined ? source.watch() : { kind: "unwatched", reason }),
      },
      join(folders.make(), "index"),
    );
    await look(root);
    expect(root.warnings()).toEqual([]);
    reason = "It has too many folders.";
    await look(root);
    expect(root.warnings()).toEqual([reason]);
  });

  it("SRCH-3 who does not want to wait is told how far it is, and the work goes on", async () => {
    const notes = memorySource();
    const held = gate();
    const root = openRoot(notes.open({ watches: true, hold: held.hold }), join(folders.make(), "index"));
    notes.put("a.md", "first");
    expect(await root.freshen(5)).toMatchObject({ root: "notes" });
    held.open();
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
  });
});

describe("what this process has just written", () => {
  async function opened(options: Parameters<ReturnType<typeof memorySource>["open"]>[0] = {}) {
    const notes = memorySource();
    const described: string[] = [];
    const file = join(folders.make(), "index");
    const root = openRoot(notes.open({ watches: true, ...options }), file, {
      describer: async () => (path, document) => {
        described.push(document.content);
        return describeByContent(path, document);
      },
    });
    await look(root);
    return { notes, root, described, file };
  }

  it("SRCH-3 is in the index soon, with others that were written in the meantime, and nobody searches for it", async () => {
    const { notes, root, described } = await opened();
    for (const name of ["a", "b", "c"]) {
      notes.put(`${name}.md`, name);
      root.written([`${name}.md`]);
    }
    expect(described).toEqual([]);
    await expect.poll(() => contentOf(root)).toEqual({ "a.md": "a", "b.md": "b", "c.md": "c" });
    notes.remove("a.md");
    root.written(["a.md"]);
    await expect.poll(() => contentOf(root)).toEqual({ "b.md": "b", "c.md": "c" });
    expect(described).toEqual(["a", "b", "c"]);
  });

  it("SRCH-3 is found by the next search, however soon that comes", async () => {
    const { notes, root } = await opened();
    notes.put("a.md", "first", 0);
    root.written(["a.md"]);
    expect(await read(root)).toBe(1);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
  });

  it("SRCH-3 is left to the next search where another process writes to the index, and delays nothing", async () => {
    const { notes, root, file } = await opened();
    const release = lock(file);
    notes.put("a.md", "first");
    root.written(["a.md"]);
    let longest = 0;
    for (let last = performance.now(), until = last + 300; last < until; ) {
      await setTimeout(1);
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    // To wait for the lock would take five seconds, in which nothing else is done.
    expect(longest).toBeLessThan(2000);
    expect(root.index().counts().documents).toBe(0);
    release();
    expect(await read(root)).toBe(1);
    expect(root.warnings()).toEqual([]);
  });

  it("SRCH-3 is indexed also where what tells of documents could not be loaded at first", async () => {
    const notes = memorySource();
    let isLoadable = false;
    const root = openRoot(notes.open({ watches: true }), join(folders.make(), "index"), {
      describer: async () => {
        if (isLoadable) return describeByContent;
        throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
      },
    });
    notes.put("a.md", "first");
    await expect(look(root)).rejects.toThrow("too many open files");
    isLoadable = true;
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first" });
  });

  it("SRCH-3 gets a stamp that tells it from others by itself, when it has settled", async () => {
    const { notes, root } = await opened();
    notes.put("a.md", "first", 0);
    root.written(["a.md"]);
    await look(root);
    expect(root.stampOf("a.md")).toBeLessThan(0);
    notes.documents.set("a.md", { content: "first", stamp: 77, modified: 1_700_000_000_000 });
    await expect.poll(() => root.stampOf("a.md")).toBe(77);
  });

  it("SRCH-3 is left to the next search where it is long: whoever appends to it does not wait for that", async () => {
    const { notes, root, described } = await opened();
    const long = "long ".repeat(20_000);
    notes.put("a.md", long, 0);
    root.written(["a.md"]);
    await setTimeout(200);
    expect(described).toEqual([]);
    expect(await read(root)).toBe(1);
    expect(described).toEqual([long]);
  });

  it.each([
    ["a process that stays", true],
    ["one that does not", false],
  ])("SRCH-3 makes %s look at nothing else, where changes are not noticed", async (_, watches) => {
    const notes = memorySource();
    const source = notes.open();
    const surveyed: (string | undefined)[] = [];
    const survey: Source["survey"] = (at) => {
      surveyed.push(at);
      return source.survey(at);
    };
    const root = openRoot({ ...source, survey }, join(folders.make(), "index"), { watches });
    await look(root);
    surveyed.length = 0;
    notes.put("a.md", "first", 0);
    root.written(["a.md"]);
    await setTimeout(200);
    expect(surveyed).not.toContain(undefined);
    expect(await read(root)).toBe(1);
  });

  it("SRCH-3 does not wait for a look that is under way, whose next one has it", async () => {
    const held = gate();
    const { notes, root } = await opened({ hold: (path) => (path === "slow.md" ? held.hold() : Promise.resolve()) });
    notes.put("slow.md", "slow");
    const late = look(root);
    await held.arrived;
    notes.put("a.md", "first", 0);
    root.written(["a.md"]);
    expect(root.stampOf("a.md")).toBeUndefined();
    held.open();
    await late;
    await look(root);
    expect(contentOf(root)).toEqual({ "a.md": "first", "slow.md": "slow" });
  });
});
