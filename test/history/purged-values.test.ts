import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPurgedValues } from "../../src/history/purged-values.ts";
import { scratchFolder } from "./scratch.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

describe("values that were purged", () => {
  it("HIST-5 are found wherever they stand, and nowhere else", () => {
    const folder = scratchFolder();
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 6, maxLength: 40 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }),
        (value, before, after) => {
          const purged = openPurgedValues({ folder: folder });
          const { fingerprint } = purged.add([value], now);
          expect(purged.find(Buffer.concat([before, value, after]))).toBeDefined();
          expect(purged.list().map((one) => one.fingerprint)).toContain(fingerprint);
          const other = Buffer.from(value);
          other[0] = (other[0] ?? 0) ^ 1;
          const alone = openPurgedValues({ folder: join(folder, fingerprint) });
          alone.add([value], now);
          expect(alone.find(other)).toBeUndefined();
          expect(alone.find(value.subarray(1))).toBeUndefined();
        },
      ),
      { numRuns: 50 },
    );
  });

  it("HIST-5 are nowhere to be read, and known to other processes at once", () => {
    const folder = scratchFolder();
    const [one, other] = [openPurgedValues({ folder }), openPurgedValues({ folder })];
    expect(other.find(Buffer.from("my-secret-value"))).toBeUndefined();
    const added = one.add([Buffer.from("my-secret-value")], now);
    expect(other.find(Buffer.from("it is my-secret-value."))).toEqual(added);
    expect(one.add([Buffer.from("my-secret-value")], now + 1)).toEqual(added);
    const file = join(folder, "purged-values.json");
    expect(readFileSync(file, "utf8")).not.toContain("secret");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "{");
    expect(() => other.find(Buffer.from("x"))).toThrow(/damaged\. Remove it, then purge them again/);
  });
});
