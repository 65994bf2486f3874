import { describe, expect, it } from "vitest";
import { documentStores } from "../../helpers/document-stores.ts";
import { newEntry } from "./new-entry.ts";
import { entryText, topicsIn } from "./open-topics.ts";

const noText = new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x0a]);

/** Ways in which a file that we make of others can be broken. */
const ways: readonly [
  string,
  (path: string, put: (path: string, content: string | Uint8Array) => Promise<void>) => Promise<void>,
][] = [
  ["is not UTF-8", (path, put) => put(path, noText)],
  ["is a folder", (path, put) => put(`${path}/inside.txt`, "x")],
];

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  describe.each(ways)("an index that %s", (_, breakAt) => {
    it("TOP-3 KER-11 keeps nobody from storing, and the answer says so", async () => {
      const { topics, titles, put } = await open();
      await breakAt("index.md", put);
      const stored = await topics.store(newEntry("One"));
      expect(stored).toMatchObject({ alreadyStored: false, rev: expect.any(String) });
      expect(stored.warnings).toEqual([expect.stringMatching(/index was not updated.*index\.md.*topics reindex/)]);
      expect(await titles("auth/tokens.md")).toEqual(["One"]);
      expect((await topics.store(newEntry("One"))).alreadyStored).toBe(true);
    });

    it("TOP-4 KER-11 keeps nobody from pruning and archiving", async () => {
      const { topics, titles, put } = await open();
      await put("auth/tokens.md", Array.from({ length: 12 }, (_, n) => entryText(`E${n}`)).join(""));
      await breakAt("index.md", put);
      expect(await topics.prune()).toEqual([
        { topic: "auth", subtopic: "tokens", archived: 2, warnings: [expect.stringContaining("index.md")] },
      ]);
      expect(await titles("archive/auth/2026.md")).toEqual(["E10", "E11"]);
    });

    it("TOP-5 is named, with what to do, by a rebuild and by a check; once it is away, it is rebuilt", async () => {
      const { topics, text, put, remove } = await open();
      await breakAt("index.md", put);
      await topics.store(newEntry("One"));
      await expect(topics.reindex()).rejects.toMatchObject({
        message: expect.stringMatching(/index\.md.*Move it away/),
      });
      expect(await topics.check()).toEqual([{ path: "index.md", says: expect.stringContaining("Move it away") }]);
      await remove("index.md");
      expect(await topics.check()).toMatchObject([{ path: "index.md", remedy: "recollect topics reindex" }]);
      await topics.reindex();
      expect(await text("index.md")).toContain("auth/tokens");
      expect(await topics.check()).toEqual([]);
    });
  });

  describe.each(ways)("an archive that %s", (_, breakAt) => {
    it("TOP-3 KER-11 keeps nobody from storing where nothing is pruned", async () => {
      const { topics, titles, put } = await open();
      await breakAt("archive/auth/2026.md", put);
      const stored = await topics.store(newEntry("One"));
      expect(stored).toMatchObject({ alreadyStored: false, archived: 0 });
      expect(stored.warnings).toEqual([expect.stringContaining("archive/auth/2026.md")]);
      expect(await titles("auth/tokens.md")).toEqual(["One"]);
    });

    it("TOP-4 KER-11 is left alone: what is pruned goes to the next part, newest first, and is found there", async () => {
      const { topics, titles, put, archives } = await open();
      await breakAt("archive/auth/2026.md", put);
      for (let n = 0; n < 12; n += 1) await topics.store(newEntry(`E${n}`));
      expect(await titles("archive/auth/2026-2.md")).toEqual(["E1", "E0"]);
      expect(await archives()).toEqual(["2026-2.md", "2026.md"]);
      expect(await topics.store(newEntry("E0"))).toMatchObject({ alreadyStored: true });
    });

    it("KER-11 is left alone as the next part, and as one before the last as well", async () => {
      const { topics, titles, put } = await open();
      await put("archive/auth/2026.md", `${entryText("Old", "2026-01-01", 64 * 1024)}`);
      await breakAt("archive/auth/2026-2.md", put);
      await put("archive/auth/2026-3.md", entryText("Later"));
      await put("auth/tokens.md", Array.from({ length: 11 }, (_, n) => entryText(`E${n}`)).join(""));
      await topics.prune();
      await topics.store(newEntry("E11"));
      expect((await titles("archive/auth/2026-3.md")).slice(-2)).toEqual(["E10", "Later"]);
      expect(await titles("archive/auth/2026.md")).toEqual(["Old"]);
    });
  });

  it("KER-11 a check names what cannot be read", async () => {
    const { topics, put } = await open();
    await topics.store(newEntry("One"));
    await put("archive/auth/2026.md", noText);
    expect(await topics.check()).toMatchObject([{ path: "archive/auth/2026.md" }]);
  });

  it("KER-12 an index over the size limit stops no store, and is named", async () => {
    const { topics } = await open({ documentBytes: 2000 });
    const warnings: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const stored = await topics.store(newEntry("One", { subtopic: `${"long".repeat(25)}${n}` }));
      expect(stored.alreadyStored).toBe(false);
      warnings.push(...stored.warnings);
    }
    expect(warnings[0]).toMatch(
      /“index\.md” would have \d+ bytes, over the limit of 2000\. Raise limits\.document_bytes/,
    );
    await expect(topics.reindex()).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: expect.stringContaining("“index.md”"),
    });
    // What is too large and is no index is told as ever.
    await expect(topics.store(newEntry("Big", { context: "x".repeat(3000) }))).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: expect.stringContaining("The document"),
    });
  });
});
