import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentMemoryService,
  AgentNotFoundError,
  FileOperationError,
  InvalidPathError,
  RecollectError,
} from "../../../src/app.ts";
import { documentStores, inRoot, type OpenedStore } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

it.each([AgentNotFoundError, AgentMemoryFileNotFoundError, InvalidPathError, FileOperationError])(
  "AGT-2 $name is an AgentMemoryError and a RecollectError",
  (kind) => {
    const error = new kind("NOT_FOUND", "text");
    expect(error).toBeInstanceOf(AgentMemoryError);
    expect(error).toBeInstanceOf(RecollectError);
    expect(error.name).toBe(kind.name);
  },
);

describe.each(documentStores)("PG-1 agents on $name", (stores) => {
  let opened: OpenedStore;
  let memory: AgentMemoryService;
  let empty: unknown;
  const raw = () => inRoot(opened, "agent_memory");

  beforeEach(async () => {
    opened = await stores.open([{ name: "agent_memory" }]);
    memory = new AgentMemoryService("/nowhere", { log: () => {}, store: opened.store });
    empty = await opened.everything();
  });

  describe("the memory of an agent", () => {
    it("AGT-1 is written, replaced, appended to, read and listed", async () => {
      await memory.writeMemoryFile("agent-1", "a.md", "one\n");
      await memory.writeMemoryFile("agent-1", "a.md", "two\n");
      await memory.appendToMemoryFile("agent-1", "a.md", "three\n");
      await memory.appendToMemoryFile("agent-1", "new/b.md", "made by an append");
      expect(await memory.readMemoryFile("agent-1", "a.md")).toBe("two\nthree\n");
      expect((await memory.listMemoryFiles("agent-1")).files.map((file) => file.path)).toEqual(["a.md", "new/b.md"]);
    });

    it("AGT-1 accepts an empty text, and an append of nothing", async () => {
      await memory.writeMemoryFile("agent-1", "empty.md", "");
      await memory.appendToMemoryFile("agent-1", "empty.md", "");
      expect(await memory.readMemoryFile("agent-1", "empty.md")).toBe("");
    });

    it("KER-11 keeps line ends, a byte order mark and text of every script as they were given", async () => {
      const text = "\ufeffone\r\ntwo\rthree\n\tनमस्ते 日本 😀\u200d🚀\u0000 end without a newline";
      await memory.writeMemoryFile("agent-1", "a.md", text);
      expect(await memory.readMemoryFile("agent-1", "a.md")).toBe(text);
      expect(await raw().bytes("agent-1/a.md")).toEqual(Buffer.from(text));
    });

    it("KER-6 gives a revision with every read, and refuses a write that expects another one", async () => {
      const first = await memory.writeMemoryFile("agent-1", "a.md", "one");
      expect((await memory.readMemoryFileWithRev("agent-1", "a.md")).rev).toBe(first);
      const second = await memory.writeMemoryFile("agent-1", "a.md", "two", { ifRev: first });
      const error = await errorOf(() => memory.appendToMemoryFile("agent-1", "a.md", "x", { ifRev: first }));
      expect(error).toBeInstanceOf(FileOperationError);
      expect(error).toMatchObject({ code: "CONFLICT", data: { current: second, path: "a.md" } });
      expect(await memory.readMemoryFile("agent-1", "a.md")).toBe("two");
    });

    it("KER-6 creates only where nothing is when asked to", async () => {
      await memory.writeMemoryFile("agent-1", "a.md", "one", { mustNotExist: true });
      const error = await errorOf(() => memory.writeMemoryFile("agent-1", "a.md", "two", { mustNotExist: true }));
      expect(error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("“a.md” exists already") });
    });
  });

  describe("AGT-2 the errors of an agent's memory", () => {
    it("AGT-2 a file that does not exist is AgentMemoryFileNotFoundError with the code NOT_FOUND", async () => {
      await memory.writeMemoryFile("agent-1", "a.md", "one");
      const error = await errorOf(() => memory.readMemoryFile("agent-1", "b.md"));
      expect(error).toBeInstanceOf(AgentMemoryFileNotFoundError);
      expect(error).toMatchObject({ code: "NOT_FOUND", data: { agentId: "agent-1", path: "b.md" } });
    });

    it("AGT-2 a folder in the place of a file is InvalidPathError on read, write and append", async () => {
      await memory.writeMemoryFile("agent-1", "folder/a.md", "one");
      for (const run of [
        () => memory.readMemoryFile("agent-1", "folder"),
        () => memory.writeMemoryFile("agent-1", "folder", "x"),
        () => memory.appendToMemoryFile("agent-1", "folder", "x"),
      ]) {
        const error = await errorOf(run);
        expect(error).toBeInstanceOf(InvalidPathError);
        expect(error).toMatchObject({ code: "NOT_A_DOCUMENT" });
      }
    });

    it("AGT-2 KER-12 a text over the limit is FileOperationError that says the limit and the size", async () => {
      const small = new AgentMemoryService("/nowhere", {
        log: () => {},
        limits: { documentBytes: 10 },
        store: opened.store,
      });
      const error = await errorOf(() => small.writeMemoryFile("agent-1", "a.md", "12345678901"));
      expect(error).toBeInstanceOf(FileOperationError);
      expect(error).toMatchObject({ code: "TOO_LARGE", data: { size: 11, limit: 10 } });
      await small.writeMemoryFile("agent-1", "a.md", "123456789");
      expect(await errorOf(() => small.appendToMemoryFile("agent-1", "a.md", "ää"))).toMatchObject({
        data: { size: 13 },
      });
      expect(await small.readMemoryFile("agent-1", "a.md")).toBe("123456789");
      await small.close();
    });

    it("AGT-2 KER-11 a file that is not UTF-8 is FileOperationError, listed as such, and breaks no other", async () => {
      await memory.writeMemoryFile("agent-1", "a.md", "text");
      await raw().put("agent-1/latin.md", Buffer.from([0x63, 0x61, 0x66, 0xe9]));
      const error = await errorOf(() => memory.readMemoryFile("agent-1", "latin.md"));
      expect(error).toBeInstanceOf(FileOperationError);
      expect(error).toMatchObject({ code: "NOT_UTF8" });
      expect(await errorOf(() => memory.appendToMemoryFile("agent-1", "latin.md", "x"))).toMatchObject({
        code: "NOT_UTF8",
      });
      const { files } = await memory.listMemoryFiles("agent-1");
      expect(files.map((file) => [file.path, file.remark])).toEqual([
        ["a.md", undefined],
        ["latin.md", "not-utf8"],
      ]);
    });

    it("AGT-2 a text with a lone surrogate is refused and nothing is made", async () => {
      const error = await errorOf(() => memory.writeMemoryFile("agent-1", "a.md", "a\ud800"));
      expect(error).toBeInstanceOf(FileOperationError);
      expect(error).toMatchObject({ code: "INVALID_CONTENT" });
      expect(await opened.everything()).toEqual(empty);
    });
  });

  describe("AGT-3 the id of an agent", () => {
    const refused = [
      "",
      ".",
      "..",
      "a/b",
      "a\\b",
      "/",
      "a..b",
      "x".repeat(300),
      "CON",
      "con",
      "．．",
      "a\0b",
      "~",
      "-a",
      ".git",
    ];

    it.each(refused)("AGT-3 %j is InvalidPathError for every operation, and makes nothing", async (id) => {
      for (const run of [
        () => memory.readMemoryFile(id, "a.md"),
        () => memory.writeMemoryFile(id, "a.md", "x"),
        () => memory.appendToMemoryFile(id, "a.md", "x"),
        () => memory.listMemoryFiles(id),
      ]) {
        const error = await errorOf(run);
        expect(error).toBeInstanceOf(InvalidPathError);
        expect(error).toMatchObject({ code: "INVALID_PATH", data: { rule: expect.any(String) } });
        expect(error).toHaveProperty("message", expect.stringMatching(/^Invalid agent id: it /));
        expect(String(error)).not.toContain(tmpdir());
      }
      expect(await opened.everything()).toEqual(empty);
    });

    it("AGT-3 in its decomposed form is refused, so that two spellings never mean two agents or one folder", async () => {
      await memory.writeMemoryFile("caf\u00e9", "a.md", "composed");
      expect(await errorOf(() => memory.readMemoryFile("cafe\u0301", "a.md"))).toBeInstanceOf(InvalidPathError);
      expect(await errorOf(() => memory.writeMemoryFile("cafe\u0301", "a.md", "x"))).toBeInstanceOf(InvalidPathError);
      expect(await memory.readMemoryFile("caf\u00e9", "a.md")).toBe("composed");
    });
  });

  describe("AGT-3b reading", () => {
    it("AGT-3b for an agent without a folder is AgentMemoryFileNotFoundError and creates nothing", async () => {
      const error = await errorOf(() => memory.readMemoryFile("agent-1", "a.md"));
      expect(error).toBeInstanceOf(AgentMemoryFileNotFoundError);
      expect(await opened.everything()).toEqual(empty);
    });

    it("AGT-3b in a folder that does not exist creates nothing", async () => {
      await memory.writeMemoryFile("agent-1", "a.md", "one");
      const before = await opened.everything();
      await errorOf(() => memory.readMemoryFile("agent-1", "deep/er/a.md"));
      expect(await opened.everything()).toEqual(before);
    });

    it("AGT-3b a list for an agent without a folder is empty and creates nothing", async () => {
      expect(await memory.listMemoryFiles("agent-1")).toEqual({ files: [], next: undefined });
      expect(await opened.everything()).toEqual(empty);
    });

    it("AGT-3b a/./b is refused: one document has one spelling", async () => {
      await memory.writeMemoryFile("agent-1", "a/b.md", "one");
      expect(await errorOf(() => memory.readMemoryFile("agent-1", "a/./b.md"))).toBeInstanceOf(InvalidPathError);
    });
  });

  describe("KER-12 a list", () => {
    it("KER-12 comes in pages, in order, each file once", async () => {
      const paths = Array.from({ length: 7 }, (_, index) => `folder/${index}.md`);
      for (const path of paths) await memory.writeMemoryFile("agent-1", path, path);
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await memory.listMemoryFiles("agent-1", { limit: 3, ...(after === undefined ? {} : { after }) });
        seen.push(...page.files.map((file) => file.path));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(paths);
    });

    it.each([0, -1, 1.5, Number.NaN])(
      "KER-12 with the limit %d is refused or limited, never endless",
      async (limit) => {
        for (const name of ["a.md", "b.md", "c.md"]) await memory.writeMemoryFile("agent-1", name, "x");
        const listed = await memory.listMemoryFiles("agent-1", { limit }).catch((error: unknown) => error);
        expect(listed).toMatchObject({ code: "INVALID_ARGUMENT" });
      },
    );
  });
});

describe("AGT-1 the folder that holds the memory of agents", () => {
  const folders = temporaryFolders();
  let cache: string;
  let memory: AgentMemoryService;

  beforeEach(() => {
    cache = folders.make();
    memory = new AgentMemoryService(cache, { log: () => {} });
  });
  afterEach(() => memory.close());

  const placeOf = (...parts: string[]) => join(cache, "agent_memory", ...parts);

  it("AGT-1 is swept of what a killed process left, and no other agent's", async () => {
    for (const agent of ["agent-1", "agent-2"]) {
      await memory.writeMemoryFile(agent, "deep/a.md", "a");
      writeFileSync(placeOf(agent, "deep/.recollect/new-0"), "half");
    }
    expect(await memory.recover("agent-1")).toEqual({ completed: 0, discarded: 1 });
    expect(existsSync(placeOf("agent-1", "deep/.recollect/new-0"))).toBe(false);
    expect(existsSync(placeOf("agent-2", "deep/.recollect/new-0"))).toBe(true);
    expect(await memory.recover("nobody")).toEqual({ completed: 0, discarded: 0 });
  });

  it("AGT-1 lies in {appCacheDir}/agent_memory/{agent id}, as plain text under the path that was given", async () => {
    await memory.writeMemoryFile("agent-1", "notes/build.md", "Run the tests first.\n");
    expect(readFileSync(placeOf("agent-1", "notes", "build.md"), "utf8")).toBe("Run the tests first.\n");
  });

  it("AGT-1 makes missing folders on a write, also the folder of all agents itself", async () => {
    const deeper = new AgentMemoryService(join(cache, "not", "yet", "there"), { log: () => {} });
    await deeper.writeMemoryFile("agent-1", "a/b/c.md", "text");
    expect(await deeper.readMemoryFile("agent-1", "a/b/c.md")).toBe("text");
    await deeper.close();
  });

  it("AGT-2 a folder of an agent that cannot be made is AgentNotFoundError", async () => {
    mkdirSync(placeOf(), { recursive: true });
    writeFileSync(placeOf("agent-1"), "a file");
    expect(await errorOf(() => memory.writeMemoryFile("agent-1", "a.md", "x"))).toBeInstanceOf(AgentNotFoundError);
  });

  it("AGT-2 a folder of all agents that cannot be made is AgentNotFoundError, without its host path", async () => {
    writeFileSync(placeOf(), "a file");
    const error = await errorOf(() => memory.writeMemoryFile("agent-1", "a.md", "x"));
    expect(error).toBeInstanceOf(AgentNotFoundError);
    expect(String(error)).not.toContain(cache);
  });

  it("AGT-2 KER-9 an app cache folder that is a file is a typed error without its host path", async () => {
    const file = join(cache, "file");
    writeFileSync(file, "");
    const error = await errorOf(() => new AgentMemoryService(file).writeMemoryFile("agent-1", "a.md", "x"));
    expect(error).toBeInstanceOf(RecollectError);
    expect(String(error)).not.toContain(cache);
  });
});
