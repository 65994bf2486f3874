import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../../src/backends/postgres/history.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";

async function opened() {
  const database = openDatabase({ url: await postgresUrl(), connections: 1 });
  onTestFinished(() => database.close());
  return { database, history: openPostgresHistory({ database, root: "notes", space: "notes", now: Date.now }) };
}

describe("PG-1 who asks for the history of a time that is none", () => {
  it.each(["yesterday", "", "2026-13-01", "+012026-01-01T00:00:00Z", "0000-01-01T00:00:00Z"])(
    "is told so: “%s”",
    async (time) => {
      const { history } = await opened();
      for (const request of [{ since: time }, { until: time }])
        expect(await errorOf(() => history.log({ ...request, limit: 5 }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    },
  );

  it("takes no connection from others", async () => {
    const { database } = await opened();
    const backend = { text: "SELECT pg_backend_pid() AS backend" };
    const before = await database.read([], backend);
    const never = { text: "SELECT $1::timestamptz", values: [new Date("never")] };
    expect(await errorOf(() => database.read([], never))).toBeInstanceOf(RangeError);
    const committed = database.transaction([], (one) => one.commit(never));
    expect(await errorOf(() => committed)).toBeInstanceOf(RangeError);
    expect(await database.read([], backend)).toEqual(before);
  });
});
