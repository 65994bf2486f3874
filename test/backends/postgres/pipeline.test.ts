import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { isUndone } from "../../../src/backends/postgres/database-error.ts";
import { createPrepared, sendPipeline } from "../../../src/backends/postgres/pipeline.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await postgresUrl() });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("PG-2 several statements in one message", () => {
  it("may each be silent for as long as one alone may", async () => {
    const options = { prepared: createPrepared(), silenceMs: 2000 };
    const long = { text: "SELECT 'slept' AS what FROM pg_sleep(0.8)" };
    const answers = await sendPipeline(await connected(), options, [long, long, long, long]);
    expect(answers.flat()).toEqual([1, 2, 3, 4].map(() => ({ what: "slept" })));
  });

  it("may each take as long as one alone may, also those with a name, of which only a few are answered together", async () => {
    const options = { prepared: createPrepared(), silenceMs: 2000 };
    const named = { name: randomUUID(), text: "SELECT 'slept' AS what FROM pg_sleep(0.3)" };
    const answers = await sendPipeline(
      await connected(),
      options,
      Array.from({ length: 9 }, () => named),
    );
    expect(answers.flat()).toHaveLength(9);
  });

  it("leave the connection as it was where one of them cannot be sent", async () => {
    const options = { prepared: createPrepared(), silenceMs: 60_000 };
    const client = await connected();
    const refused = [
      { name: "one", text: "SELECT 1" },
      { text: "SELECT $1::timestamptz", values: [new Date("never")] },
    ];
    await expect(async () => sendPipeline(client, options, refused)).rejects.toThrow(RangeError);
    expect(await sendPipeline(client, options, [{ text: "SELECT 1 AS one" }])).toEqual([[{ one: 1 }]]);
  });

  it("take a warning for what it is: only one that tells of the standby leaves it open what was committed", async () => {
    const options = { prepared: createPrepared(), silenceMs: 60_000 };
    const warn = (code: string, says: string) => ({
      text: `DO $$ BEGIN RAISE WARNING USING ERRCODE = '${code}', MESSAGE = '${says}'; END $$`,
    });
    const client = await connected();
    await sendPipeline(client, options, [warn("01000", "no synchronous replication"), { text: "ROLLBACK" }]);
    const alone = warn("01000", "canceling wait for synchronous replication due to user request");
    const told = await errorOf(() => sendPipeline(client, options, [alone]));
    expect(told).toBeInstanceOf(Error);
    expect(isUndone(told)).toBe(false);
  });

  it("are given up where one of them says nothing for longer", async () => {
    const options = { prepared: createPrepared(), silenceMs: 300 };
    const statements = [{ text: "SELECT 1" }, { text: "SELECT pg_sleep(60)" }, { text: "SELECT 2" }];
    await expect(sendPipeline(await connected(), options, statements)).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });

  it("are what they say, also where two have the same name", async () => {
    const options = { prepared: createPrepared(), silenceMs: 60_000 };
    const [client, name] = [await connected(), randomUUID()];
    const [one, two] = [
      { name, text: "SELECT 1 AS one" },
      { name, text: "SELECT $1::int AS two", values: [2] },
    ];
    for (const statements of [[one], [two], [one, two, one]]) {
      const answers = await sendPipeline(client, options, statements);
      expect(answers).toEqual(statements.map((statement) => [statement === one ? { one: 1 } : { two: 2 }]));
    }
  });

  it("are answered with the rows of those that do not only set something", async () => {
    const options = { prepared: createPrepared(), silenceMs: 60_000 };
    const name = randomUUID();
    const set = {
      name,
      text: "SELECT set_config('recollect.spaces', $1, false)",
      values: ["x"],
      isSetting: true as const,
    };
    const answers = await sendPipeline(await connected(), options, [
      set,
      { text: "SELECT 1 AS one" },
      set,
      { text: "SELECT 2 AS two" },
    ]);
    expect(answers).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  });
});
