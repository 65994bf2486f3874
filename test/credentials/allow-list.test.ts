import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { recordsInFolder } from "../../src/backends/files/records.ts";
import { type AllowList, openAllowList } from "../../src/credentials/allow-list.ts";
import { cliProcess } from "../helpers/cli.ts";
import { errorOf } from "../helpers/error-of.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const print = (one: number) => one.toString(16).padStart(32, "0");
let [data, now] = ["", 0];
let list: AllowList;

beforeEach(() => {
  data = join(folders.make(), "data");
  now = 0;
  list = openAllowList({ records: recordsInFolder(data), now: () => now });
});

const recordOf = (one: number) => join(data, "guard-allowed", `${print(one)}.json`);

describe("GUARD-4 the allow-list", () => {
  it("GUARD-4 is empty at first, and asking makes no folder", async () => {
    expect([await list.list(), await list.revoke(print(1))]).toEqual([[], false]);
    expect(() => statSync(data)).toThrow();
  });

  it("GUARD-4 keeps a reason for each fingerprint, in the order of time, until it is revoked", async () => {
    now = 1000;
    expect(await list.allow(print(1), "  second ")).toEqual({
      fingerprint: print(1),
      reason: "second",
      allowedAt: "1970-01-01T00:00:01.000Z",
    });
    now = 0;
    await list.allow(print(2), "first");
    expect((await list.list()).map(({ reason }) => reason)).toEqual(["first", "second"]);
    expect([await list.revoke(print(2)), await list.revoke(print(2))]).toEqual([true, false]);
    await list.allow(print(1), "said better");
    expect((await list.list()).map(({ reason }) => reason)).toEqual(["said better"]);
  });

  it.each(["", " ", "\n\t"])("GUARD-4 refuses the reason %j", async (reason) => {
    expect(await errorOf(() => list.allow(print(1), reason))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await list.list()).toEqual([]);
  });

  it.each([
    "",
    "1",
    print(1).slice(1),
    `${print(1)}0`,
    print(10).toUpperCase(),
    "../../../etc/passwd",
    `${print(1)}\n`,
  ])("GUARD-4 refuses the fingerprint %j, and does not repeat it", async (fingerprint) => {
    for (const use of [() => list.allow(fingerprint, "why"), () => list.revoke(fingerprint)]) {
      const error = await errorOf(use);
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("guard scan") });
    }
    expect(() => statSync(data)).toThrow();
  });

  it.skipIf(process.platform === "win32")("GUARD-4 is the user's alone", async () => {
    await list.allow(print(1), "why");
    expect(statSync(recordOf(1)).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "guard-allowed")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(recordOf(1), "utf8"))).toMatchObject({ format: 1, reason: "why" });
  });

  it.each(["", "{", "null", "[]", '{"format":1}', '{"format":1,"fingerprint":7}', "\0\0"])(
    "GUARD-4 says what to do where a record is damaged (%j), and that works",
    async (text) => {
      await list.allow(print(1), "why");
      writeFileSync(recordOf(1), text);
      expect(await errorOf(() => list.list())).toMatchObject({
        code: "STORAGE_FAILED",
        message: expect.stringContaining(
          `is damaged: ${recordOf(1)}. Remove that file, then run “recollect guard allow”`,
        ),
      });
      await list.allow(print(1), "again");
      expect(await list.list()).toHaveLength(1);
      writeFileSync(recordOf(1), text);
      expect([await list.revoke(print(1)), await list.list()]).toEqual([true, []]);
    },
  );

  it("GUARD-4 a record of a newer Recollect is refused, and not overwritten", async () => {
    await list.allow(print(1), "why");
    writeFileSync(recordOf(1), '{"format":2}');
    for (const use of [() => list.list(), () => list.allow(print(1), "x")]) {
      expect(await errorOf(use)).toMatchObject({ code: "UNSUPPORTED_FORMAT" });
    }
    expect(readFileSync(recordOf(1), "utf8")).toBe('{"format":2}');
  });

  it("GUARD-4 a record under another name allows nothing: it could not be revoked", async () => {
    await list.allow(print(1), "why");
    const text = readFileSync(recordOf(1), "utf8");
    await list.revoke(print(1));
    writeFileSync(recordOf(2), text);
    expect(await list.list()).toEqual([]);
  });

  it("GUARD-4 gives a typed error where it cannot be stored, and leaves strange files alone", async () => {
    mkdirSync(data);
    writeFileSync(join(data, "guard-allowed"), "a file in the way");
    expect(await errorOf(() => list.allow(print(1), "why"))).toMatchObject({ name: "RecollectError" });
    expect(await errorOf(() => list.list())).toMatchObject({ name: "RecollectError" });
  });

  it("GUARD-4 processes that allow at the same time lose nothing of each other", async () => {
    const world: MemoryWorld = memoryWorld(folders.make());
    const allow = (one: number) =>
      cliProcess(["guard", "allow", print(one), "--reason", `reason ${one}`], { cwd: world.project, env: world.env });
    const results = await Promise.all([1, 2, 1, 3].map(allow));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { allowed } = JSON.parse((await world.cli(["guard", "list", "--json"])).out);
    expect(allowed.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      "reason 1",
      "reason 2",
      "reason 3",
    ]);
    const kept = join(world.home, ".local/share/recollect/guard-allowed");
    expect(readdirSync(kept).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });
});
