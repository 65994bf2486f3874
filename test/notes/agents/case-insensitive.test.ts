import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type AgentMemory,
  AgentMemoryError,
  AgentMemoryService,
  createAgentMemory,
  createDocuments,
  fullAccess,
  InvalidPathError,
  openFilesStore,
  type Store,
} from "../../../src/app.ts";
import type { Directory } from "../../../src/backends/files/directory.ts";
import { mountCaseInsensitive } from "../../helpers/case-insensitive-folder.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { openFolding } from "../../helpers/folding-directory.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders();

/** What must hold wherever names are looked up without regard to case. */
function keepsApart(memory: () => AgentMemory): void {
  it("AGT-3 the ids Bob and bob do not share a folder: the second is refused", async () => {
    await memory().write("Bob", "secret.md", "of Bob");
    for (const run of [
      () => memory().read("bob", "secret.md"),
      () => memory().write("bob", "secret.md", "attack"),
      () => memory().append("bob", "secret.md", "attack"),
      () => memory().list("bob"),
    ]) {
      const error = await errorOf(run);
      expect(error).toBeInstanceOf(AgentMemoryError);
      expect(error).toMatchObject({ code: "INVALID_PATH", data: { rule: "case-clash" } });
    }
    expect((await memory().read("Bob", "secret.md")).content).toBe("of Bob");
  });

  it("KER-1 the documents A.md and a.md do not overwrite each other: the second is refused", async () => {
    await memory().write("carol", "A.md", "upper case");
    for (const run of [
      () => memory().write("carol", "a.md", "lower case"),
      () => memory().append("carol", "a.md", "lower case"),
      () => memory().read("carol", "a.md"),
    ]) {
      expect(await errorOf(run)).toMatchObject({ code: "INVALID_PATH", data: { rule: "case-clash" } });
    }
    expect((await memory().read("carol", "A.md")).content).toBe("upper case");
  });

  it("KER-1 a folder of another case is not taken for an existing one", async () => {
    await memory().write("dave", "Notes/a.md", "upper case");
    expect(await errorOf(() => memory().write("dave", "notes/b.md", "x"))).toBeInstanceOf(InvalidPathError);
  });
}

const mounted = mountCaseInsensitive(folders.make());
afterAll(() => {
  if ("unmount" in mounted) mounted.unmount();
});

if ("skipped" in mounted) {
  describe("on a real file system that ignores case", () => {
    it.skip(`AGT-3 skipped: ${mounted.skipped}`, () => {});
  });
} else {
  const places = { "inside it": join(mounted.folder, "inside"), "that is itself the app cache folder": mounted.folder };
  describe.each(Object.entries(places))("on a real file system that ignores case, in a folder %s", (_, cache) => {
    const service = new AgentMemoryService(cache, { log: () => {} });
    afterAll(() => service.close());
    keepsApart(() => ({
      read: (...args) => service.readMemoryFileWithRev(...args),
      write: (...args) => service.writeMemoryFile(...args),
      append: (...args) => service.appendToMemoryFile(...args),
      list: (...args) => service.listMemoryFiles(...args),
      recover: (...args) => service.recover(...args),
    }));
  });
}

/** What must hold wherever one letter may be taken for two others. */
function keepsApartByTheFileSystem(memory: () => AgentMemory): void {
  it.each([
    ["strasse", "straße"],
    ["strasse", "ſtrasse"],
    ["first", "ﬁrst"],
    ["i̇d", "İd"],
  ])("AGT-3 the ids %s and %s do not share a folder, whatever way the file system folds them", async (one, other) => {
    await memory().write(one.normalize("NFC"), "secret.md", "of the one");
    // Refused by a rule about names, or because of what is there.
    for (const run of [
      () => memory().read(other, "secret.md"),
      () => memory().write(other, "secret.md", "attack"),
      () => memory().list(other),
    ]) {
      expect(await errorOf(run)).toMatchObject({ code: "INVALID_PATH" });
    }
    expect((await memory().read(one.normalize("NFC"), "secret.md")).content).toBe("of the one");
  });

  it("KER-1 a document of that other spelling is refused, and one that is merely alike is not", async () => {
    await memory().write("erin", "strasse.md", "ss");
    expect(await errorOf(() => memory().read("erin", "straße.md"))).toMatchObject({ data: { rule: "case-clash" } });
    expect(await errorOf(() => memory().append("erin", "straße.md", "x"))).toMatchObject({
      data: { rule: "case-clash" },
    });
    await memory().write("erin", "strase.md", "s");
    expect((await memory().read("erin", "strasse.md")).content).toBe("ss");
  });
}

describe.runIf(process.platform === "linux")("on a simulated file system that ignores case", () => {
  let memory: AgentMemory;
  let store: Store;

  beforeEach(() => {
    const roots = [{ name: "agent_memory", folder: join(folders.make(), "agent_memory") }];
    store = openFilesStore({ roots, now: Date.now, openDirectory: openFolding });
    memory = createAgentMemory({
      documents: createDocuments({ roots: [{ name: "agent_memory", policy: fullAccess, store }] }),
    });
  });
  afterEach(() => store.close());

  keepsApart(() => memory);
  keepsApartByTheFileSystem(() => memory);
});

describe.runIf(process.platform === "linux")("on a simulated one, where two processes make a folder at once", () => {
  it.each([1, 2, 3, 4, 5])("AGT-3 the ids Bob and bob do not share it: Bob's is made at look %i", async (look) => {
    const folder = join(folders.make(), "agent_memory");
    let looks = 0;
    const openMeddled = (path: string): Directory => {
      const directory = openFolding(path);
      const at = (name: string) => {
        if (name === "bob") looks += 1;
        if (looks === look) mkdirSync(join(folder, "Bob"), { recursive: true });
        return directory.at(name);
      };
      return { ...directory, at };
    };
    const roots = [{ name: "agent_memory", folder }];
    const store = openFilesStore({ roots, now: Date.now, openDirectory: openMeddled });
    const memory = createAgentMemory({
      documents: createDocuments({ roots: [{ name: "agent_memory", policy: fullAccess, store }] }),
    });
    await memory.write("carol", "a.md", "a name that tells how this file system folds");
    const error = await errorOf(() => memory.write("bob", "a.md", "of bob"));
    expect(error).toMatchObject({ code: "INVALID_PATH", data: { rule: "case-clash" } });
    expect(readdirSync(join(folder, "Bob"))).toEqual([]);
    await store.close();
  });
});
