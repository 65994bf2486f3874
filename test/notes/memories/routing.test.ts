import { describe, expect, it } from "vitest";
import { prefixesOf } from "../../../src/notes/memories/memory-homes.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { memoriesIn, openMemories, primary } from "./open-memories.ts";

/** The table of seed 002, row by row, and MEM-7's own sentences. */
const rows: readonly (readonly [name: string, additional: readonly string[], goesTo: string])[] = [
  ["FEATURE_auth", ["team/feature"], "team/feature"],
  ["FEATURE_auth", [], primary],
  ["FEATURE_BUILDER_x", ["team/feature_builder", "team/feature"], "team/feature_builder"],
  ["FEATURE_BUILDER_x", ["team/feature", "team/feature_builder"], "team/feature_builder"],
  ["FEATURE_BUILDER_x", ["team/feature"], "team/feature"],
  ["SPEC_new_doc", ["team/spec"], "team/spec"],
  ["regular_name", ["team/regular", "team/feature"], primary],
  ["Feature_x", ["team/feature"], primary],
  ["FEATURE_BUILDER_x", ["team/builder"], primary],
  ["FEATURE", ["team/feature"], "team/feature"],
  ["FEATURE_BUILDER", ["team/feature", "team/feature_builder"], "team/feature_builder"],
  ["FEATURE_x", ["team/FEATURE"], "team/FEATURE"],
  ["FEATURE_x", ["one/feature", "two/feature"], "one/feature"],
  ["FEATURE_x", ["one/Feature", "two/feature"], "one/Feature"],
  ["FEATURE2_x", ["team/feature2", "team/feature"], primary],
  ["ÄRGER_x", ["team/ärger"], primary],
  ["_FEATURE_x", ["team/feature"], primary],
  ["FEATURE__x", ["team/feature"], "team/feature"],
  ["FEATURE-x", ["team/feature"], primary],
  ["auth/FEATURE_x", ["team/feature"], primary],
  ["FEATURE_a/b", ["team/feature"], primary],
  ["mem:FEATURE_auth.md", ["team/feature"], "team/feature"],
];

describe.each(documentStores)("PG-1 routing on $name", (stores) => {
  const open = memoriesIn(stores);

  it.each(rows)("MEM-7 writes %s with the folders %j to %s", async (name, additional, goesTo) => {
    const { memories, has, all } = await open({ additional });
    const file = `${name.replace("mem:", "").replace(/\.md$/, "")}.md`;
    expect(await memories.write(name, "text")).toMatchObject({ folder: goesTo, created: true });
    expect(await has(`${goesTo}/${file}`)).toBe(true);
    expect(Object.keys(await all())).toHaveLength(1);
  });

  it("MEM-7 edits a memory where it is, whatever its prefix says", async () => {
    const { memories, put, text, has } = await open({ additional: ["team/feature", "other"] });
    await put("other/FEATURE_auth.md", "old text");
    const edited = await memories.edit("FEATURE_auth", {
      needle: "old",
      replacement: "new",
      mode: "literal",
      multiple: false,
    });
    expect(edited).toMatchObject({ folder: "other", count: 1, created: false });
    expect(await text("other/FEATURE_auth.md")).toBe("new text");
    expect(await has("team/feature/FEATURE_auth.md")).toBe(false);
  });

  it("MEM-7 refuses a write to a matching folder that is read-only, and makes no second copy", async () => {
    const { memories, all } = await open({
      additional: [{ folder: "team/feature", readOnly: true }, "other/feature"],
    });
    const before = await all();
    for (const run of [
      () => memories.write("FEATURE_x", "text"),
      () => memories.append("FEATURE_x", "text"),
      () => memories.prepend("FEATURE_x", "text"),
    ]) {
      expect(await errorOf(run)).toMatchObject({ code: "READ_ONLY" });
    }
    expect(await all()).toEqual(before);
  });

  it("MEM-7 refuses a rename to a prefix whose folder is read-only", async () => {
    const { memories, text } = await open({ additional: [{ folder: "team/feature", readOnly: true }] });
    await memories.write("x", "text");
    expect(await errorOf(() => memories.rename("x", "FEATURE_x"))).toMatchObject({ code: "READ_ONLY" });
    expect(await text(`${primary}/x.md`)).toBe("text");
  });
});

it("MEM-7 creates no folder: a matching one that is missing is left out", async () => {
  const { memories, has, logged } = openMemories({ additional: [{ folder: "team/feature", missing: true }] });
  expect(await memories.write("FEATURE_x", "text")).toMatchObject({ folder: primary });
  expect(has("team")).toBe(false);
  expect(logged).toContain("memory folder is gone");
});

it("MEM-7 says what is wrong with a long run of capitals as quickly as with a short one", () => {
  expect(prefixesOf("A_B_C_d")).toEqual(["a_b_c", "a_b", "a"]);
  expect(prefixesOf("d_A")).toEqual([]);
});
