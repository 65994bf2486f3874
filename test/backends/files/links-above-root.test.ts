import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bestOpenDirectory, openByPath } from "../../../src/backends/files/directory.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const isRoot = process.getuid?.() === 0;
const ways = [
  ["by what this system does best", bestOpenDirectory()],
  ["by paths alone", openByPath],
] as const;

/** A project with memories, and beside it a folder that has the same names. */
function place({ isThere }: { isThere: boolean }) {
  const base = scratchFolder();
  const [above, outside] = [join(base, "project/.serena"), join(base, "outside")];
  mkdirSync(join(base, "project"));
  mkdirSync(outside);
  const folder = join(above, "memories");
  if (isThere) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "a.md"), "inside");
    mkdirSync(join(outside, "memories"));
    writeFileSync(join(outside, "memories/a.md"), "outside");
  }
  return { above, outside, folder };
}

describe.each(ways)("a folder above a root that becomes a link while the store is open, %s", (_, openDirectory) => {
  it("KER-2 leads nobody out: nothing there is listed, read, written or made", async () => {
    const { above, outside, folder } = place({ isThere: true });
    const { documents, store } = openNotes(folder, { openDirectory });
    expect((await documents.read(at("a.md")))?.content).toBe("inside");
    renameSync(above, `${above}-before`);
    symlinkSync(outside, above);
    for (const run of [
      () => documents.list({ root: "notes" }),
      () => documents.read(at("a.md")),
      () => documents.write(at("a.md"), "planted", stamp),
      () => documents.write(at("new/b.md"), "planted", stamp),
      () => documents.remove(at("a.md"), stamp),
      () => store.browse({ root: "notes" }),
    ]) {
      await expect(run()).rejects.toMatchObject({ code: "NOT_A_DOCUMENT", message: expect.stringContaining("links") });
    }
    expect(readdirSync(outside, { recursive: true })).toEqual(["memories", "memories/a.md"]);
    expect(readFileSync(join(outside, "memories/a.md"), "utf8")).toBe("outside");
  });

  it("KER-2 leads nobody out where the root was missing before", async () => {
    const { above, outside, folder } = place({ isThere: false });
    const { documents } = openNotes(folder, { openDirectory });
    expect(await documents.read(at("a.md"))).toBeUndefined();
    symlinkSync(outside, above);
    // Once more: whatever the first write had made would take the second one.
    for (const path of ["a.md", "new/b.md"]) {
      await expect(documents.write(at(path), "planted", stamp)).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  it("KER-2 is forgotten once the folder is back", async () => {
    const { above, outside, folder } = place({ isThere: true });
    const { documents } = openNotes(folder, { openDirectory });
    renameSync(above, `${above}-before`);
    symlinkSync(outside, above);
    await expect(documents.read(at("a.md"))).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    rmSync(above);
    renameSync(`${above}-before`, above);
    await documents.append(at("a.md"), " again", stamp);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("inside again");
  });

  it("KER-2 a link that was there at the start is followed, also to make what is missing", async () => {
    const { above, outside, folder } = place({ isThere: false });
    symlinkSync(outside, above);
    const { documents } = openNotes(folder, { openDirectory });
    await documents.write(at("a.md"), "text", stamp);
    expect(readFileSync(join(outside, "memories/a.md"), "utf8")).toBe("text");
  });

  it("KER-10 folders above a root need not be readable", async () => {
    const { above, folder } = place({ isThere: true });
    const closed = [dirname(above), above];
    chmodSync(folder, 0o777);
    chmodSync(join(above, "../.."), 0o755);
    for (const path of closed) chmodSync(path, 0o111);
    onTestFinished(() => closed.forEach((path) => void chmodSync(path, 0o755)));
    if (isRoot) {
      process.seteuid?.(65_534);
      onTestFinished(() => process.seteuid?.(0));
    }
    const { documents } = openNotes(folder, { openDirectory });
    await documents.write(at("b.md"), "text", stamp);
    expect((await documents.read(at("b.md")))?.content).toBe("text");
  });
});
