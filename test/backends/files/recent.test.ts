import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDocuments, type Operation } from "../../../src/app.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

function openTicking(folder: string) {
  let time = Date.parse("2026-11-15T09:00:00.000Z");
  return openNotes(folder, { now: () => (time += 1000) });
}

describe("what changed last in folders on disk", () => {
  it("MEM-4 is read from the end of a long journal, and from the one before where it has just begun", async () => {
    const { documents } = openTicking(scratchFolder());
    await documents.write(at("first.md"), "x", stamp);
    const reason = "y".repeat(7000);
    for (let round = 0; round < 160; round += 1)
      await documents.write(at(`${round % 3}.md`), "x", { ...stamp, reason });
    expect((await documents.recent({ root: "notes", limit: 10 })).length).toBeGreaterThan(0);
    await documents.write(at("last.md"), "x", stamp);
    expect((await documents.recent({ root: "notes", limit: 1 }))[0]?.path).toBe("last.md");
  });

  it("MEM-4 leaves out what a person deleted, and is not led astray by a forged or broken journal", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const { documents } = openTicking(folder);
    for (const path of ["a.md", "b.md", "x/c.md", "y/d.md"]) await documents.write(at(path), path, stamp);
    rmSync(join(folder, "b.md"));
    writeFileSync(join(outside, "journal"), "");
    rmSync(join(folder, "x/.recollect/journal"));
    symlinkSync(join(outside, "journal"), join(folder, "x/.recollect/journal"));
    const forged = { kind: "put", name: "../../etc/passwd", rev: "0".repeat(32), time: "2030-01-01", author: "x" };
    const odd = [
      JSON.stringify(forged),
      JSON.stringify({ ...forged, name: "y.md", time: "never" }),
      JSON.stringify({ ...forged, name: "absent.md" }),
      "{ torn",
    ];
    appendFileSync(join(folder, ".recollect/journal"), `${odd.join("\n")}\n`);
    expect((await documents.recent({ root: "notes", limit: 10 })).map(({ path }) => path)).toEqual(["y/d.md", "a.md"]);
  });

  it.each<Operation>(["list", "read"])("KER-8 asks for the right to %s", async (missing) => {
    const { store } = openNotes(scratchFolder());
    const policy = new Set<Operation>((["list", "read", "write"] as const).filter((one) => one !== missing));
    const documents = createDocuments({ roots: [{ name: "notes", policy, store }] });
    await expect(documents.recent({ root: "notes", limit: 1 })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it.each([0, -1, 1.5, Number.NaN])("KER-12 refuses %s as a limit", async (limit) => {
    const { documents } = openNotes(scratchFolder());
    await expect(documents.recent({ root: "notes", limit })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
