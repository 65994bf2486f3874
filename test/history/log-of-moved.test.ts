import { describe, expect, it } from "vitest";
import { documentStores } from "../helpers/document-stores.ts";
import { ada, at, logOf, openHistoryIn } from "./scratch.ts";

describe.each(documentStores)("PG-1 the log of a name that a document had, on $name", (stores) => {
  it("HIST-1 ends with where it was moved to", async () => {
    const { documents, rootHistory: history } = await openHistoryIn(stores);
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
