import { describe, expect, it } from "vitest";
import type { Memories } from "../../../src/notes/memories/memories.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { memoriesIn, primary } from "./open-memories.ts";

/** Each kind of change in turn; all of them put one line of their own into the text. */
function change(memories: Memories, line: string, index: number): Promise<unknown> {
  const edit = { needle: "BEGIN\n", replacement: `BEGIN\n${line}\n`, multiple: false } as const;
  switch (index % 4) {
    case 0:
      return memories.append("log", `${line}\n`);
    case 1:
      return memories.edit("log", { ...edit, mode: "regex" });
    case 2:
      return memories.prepend("log", `${line}\n`);
    default:
      return memories.edit("log", { ...edit, mode: "literal" });
  }
}

describe.each(documentStores)("PG-1 memories of several clients on $name", (stores) => {
  it("KER-5 keep every edit, regex edit, append and prepend of each", async () => {
    const { memories, otherMemories, put, text } = await memoriesIn(stores)();
    await put(`${primary}/log.md`, "BEGIN\n");
    const clients = [memories, otherMemories(), otherMemories()];
    await Promise.all(
      clients.map(async (client, which) => {
        for (let index = 0; index < 12; index += 1) await change(client, `${which}:${index}`, index);
      }),
    );
    const expected = clients.flatMap((_, which) => Array.from({ length: 12 }, (_, index) => `${which}:${index}`));
    const lines = (await text(`${primary}/log.md`)).trimEnd().split("\n");
    expect(lines.toSorted()).toEqual([...expected, "BEGIN"].toSorted());
  });

  it("MEM-11 KER-6 see what the others did at once, and have one winner of a renaming", async () => {
    const { memories, otherMemories } = await memoriesIn(stores)({ additional: ["feature"] });
    const other = otherMemories();
    const { rev } = await memories.write("old", "mem:old");
    await other.write("old", "mem:old, changed", { ifRev: rev });
    await expect(memories.write("old", "late", { ifRev: rev })).rejects.toMatchObject({ code: "CONFLICT" });
    const results = await Promise.allSettled([memories.rename("old", "FEATURE_one"), other.rename("old", "two")]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [entry, ...others] = (await memories.list()).memories;
    expect(others).toEqual([]);
    expect((await other.read(entry?.name ?? "")).content).toBe(`mem:${entry?.name}, changed`);
  });
});
