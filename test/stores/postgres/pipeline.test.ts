import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPrepared, sendPipeline } from "../../../src/stores/postgres/pipeline.ts";
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
