import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { openTrust, type Trust } from "../../src/settings/trust.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let [data, file] = ["", ""];
let trust: Trust;
const content = Buffer.from("log_level: info\n");

beforeEach(() => {
  const folder = folders.make();
  data = join(folder, "data");
  file = join(folder, "recollect.yaml");
  writeFileSync(file, content);
  trust = openTrust({ folder: data, now: () => 0 });
});

const onlyRecord = () => {
  const names = readdirSync(join(data, "trust"));
  expect(names).toHaveLength(1);
  return join(data, "trust", names[0] ?? "");
};

describe("what a user trusts", () => {
  it("CFG-2 is nothing at first, and asking makes no folder", () => {
    expect(trust.isTrusted(file, content)).toBe(false);
    expect(trust.list()).toEqual([]);
    expect(trust.revoke(file)).toBe(false);
    expect(() => statSync(data)).toThrow();
  });

  it("CFG-2 is one content in one place, until it is revoked", () => {
    const other = join(file, "../other.yaml");
    writeFileSync(other, content);
    expect(trust.trust(file, content)).toMatchObject({ file, trustedAt: "1970-01-01T00:00:00.000Z" });
    expect(trust.isTrusted(file, content)).toBe(true);
    expect(trust.isTrusted(other, content)).toBe(false);
    for (let index = 0; index < content.length; index += 1) {
      const changed = Buffer.from(content);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(trust.isTrusted(file, changed)).toBe(false);
    }
    expect(trust.isTrusted(file, Buffer.concat([content, Buffer.from("\n")]))).toBe(false);
    expect(trust.revoke(file)).toBe(true);
    expect(trust.isTrusted(file, content)).toBe(false);
  });

  it("CFG-2 is replaced by a newer content, and listed by place", () => {
    trust.trust(file, content);
    trust.trust(file, Buffer.from("b"));
    trust.trust(join(file, "../a.yaml"), content);
    expect(trust.isTrusted(file, content)).toBe(false);
    expect(trust.list().map((one) => one.file)).toEqual([join(file, "../a.yaml"), file]);
  });

  it("CFG-2 is the real place, by whatever path it is reached, also when the file is gone", () => {
    const alias = join(folders.make(), "alias");
    symlinkSync(join(file, ".."), alias);
    trust.trust(join(alias, "recollect.yaml"), content);
    expect(trust.isTrusted(file, content)).toBe(true);
    rmSync(file);
    expect(trust.revoke(join(alias, "recollect.yaml"))).toBe(true);
  });

  it.skipIf(process.platform === "win32")("CFG-2 is the user's alone, and leaves no half-written file", () => {
    trust.trust(file, content);
    trust.trust(file, content);
    expect(statSync(onlyRecord()).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "trust")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(onlyRecord(), "utf8"))).toMatchObject({ format: 1, file });
  });

  it.each(["", "{", "null", "[]", '{"format":1}', '{"format":0}', '{"format":"1"}', "\0\0\0"])(
    "CFG-2 says so where a record is damaged (%j), and can be trusted anew or revoked",
    async (text) => {
      trust.trust(file, content);
      writeFileSync(onlyRecord(), text);
      for (const look of [() => trust.isTrusted(file, content), () => trust.list()]) {
        const error = await errorOf(look);
        expect(error).toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining("is damaged") });
      }
      trust.trust(file, content);
      expect(trust.isTrusted(file, content)).toBe(true);
      writeFileSync(onlyRecord(), text);
      expect(trust.revoke(file)).toBe(true);
    },
  );

  it("CFG-2 a record of a newer Recollect is refused, and not overwritten", async () => {
    trust.trust(file, content);
    writeFileSync(onlyRecord(), '{"format":2,"future":true}');
    for (const use of [() => trust.isTrusted(file, content), () => trust.trust(file, content), () => trust.list()]) {
      expect(await errorOf(use)).toMatchObject({ code: "UNSUPPORTED_FORMAT" });
    }
    expect(readFileSync(onlyRecord(), "utf8")).toBe('{"format":2,"future":true}');
  });

  it("CFG-2 a record under another file's name trusts nothing", () => {
    const other = join(file, "../other.yaml");
    trust.trust(file, content);
    const record = onlyRecord();
    const text = readFileSync(record, "utf8");
    trust.revoke(file);
    trust.trust(other, content);
    writeFileSync(onlyRecord(), text);
    expect(trust.isTrusted(other, content)).toBe(false);
  });

  it("CFG-2 gives a typed error where it cannot be stored", async () => {
    mkdirSync(data);
    writeFileSync(join(data, "trust"), "a file in the way");
    expect(await errorOf(() => trust.trust(file, content))).toMatchObject({ name: "RecollectError" });
  });

  it("CFG-2 processes that trust at the same time lose nothing of each other", async () => {
    const worker = fileURLToPath(new URL("trust-worker.ts", import.meta.url));
    const shared = join(file, "../shared.yaml");
    const names = [0, 1, 2, 3].map((one) => Array.from({ length: 10 }, (_, index) => join(file, `../${one}-${index}`)));
    const run = promisify(execFile);
    await Promise.all(
      names.map((files) => run(process.execPath, [worker, data, ...files.flatMap((name) => [name, shared])])),
    );
    expect(trust.list()).toHaveLength(41);
    for (const name of names.flat()) expect(trust.isTrusted(name, Buffer.from(name))).toBe(true);
    expect(readdirSync(join(data, "trust")).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });
});
