import { describe, expect, it } from "vitest";
import { ada, at, logOf, openWorld, scratchFolder } from "./scratch.ts";

describe("the log of a name that a document had", () => {
  it("HIST-1 ends with where it was moved to", async () => {
    const { documents, history } = openWorld(scratchFolder());
    await documents.write(at("d.md"), "one", ada);
    await documents.move(at("d.md"), at("e.md"), ada);
    await history.catchUp();
    const log = await logOf(history, "d.md");
    expect(log.map(({ changes }) => changes)).toMatchObject([
      [{ kind: "move", path: "d.md", rev: undefined, to: "e.md" }],
      [{ kind: "put", path: "d.md" }],
    ]);
    expect((await logOf(history, "e.md")).map(({ changes }) => changes[0]?.from)).toEqual(["d.md", undefined]);
  });
});
