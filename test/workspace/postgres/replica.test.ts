import { describe, expect, it } from "vitest";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { databaseWorld, found } from "./open-workspaces.ts";

const folders = temporaryFolders();

describe("search by a replica", () => {
  it("PG-2 SRCH-3 finds nothing any more of what a database lost that was set back", async () => {
    const world = await databaseWorld(folders.make());
    // It is never behind, so that only what was set back is.
    const workspace = await world.open({ stays: true, flags: { "--database-replica-url": world.url } });
    const space = `${world.space}/memories`;
    await workspace.memories.write("one", "The oak.\n");
    await workspace.memories.write("two", "The ash.\n");
    expect(await found(workspace, "ash")).toHaveLength(1);
    await (await sharedDatabase()).transaction([space], (transaction) =>
      transaction.commit(
        { text: "DELETE FROM recollect.documents WHERE space = $1 AND path = 'two.md'", values: [space] },
        { text: "DELETE FROM recollect.changes WHERE space = $1 AND path = 'two.md'", values: [space] },
        { text: "UPDATE recollect.spaces SET last_change = 1 WHERE space = $1", values: [space] },
      ),
    );
    expect(await found(workspace, "ash")).toEqual([]);
    expect(await found(workspace, "oak")).toHaveLength(1);
  });
});
