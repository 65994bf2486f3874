import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPurgedValues } from "../../src/backends/files/purged-values.ts";
import type { PurgedValue } from "../../src/kernel/purged-form.ts";
import type { RefusedValues } from "../../src/kernel/refused-values.ts";
import { scratchFolder } from "./scratch.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

async function add(purged: RefusedValues, value: Uint8Array, at = now): Promise<PurgedValue> {
  const { fingerprint, purgedAt, register } = await purged.prepare([value], at);
  await register();
  return { fingerprint, purgedAt };
}

describe("values that were purged", () => {
  it("HIST-5 are found wherever they stand, and nowhere else", async () => {
    const folder = scratchFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 6, maxLength: 40 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }),
        async (value, before, after) => {
          const purged = openPurgedValues({ folder });
          const { fingerprint } = await add(purged, value);
          expect(purged.find(Buffer.concat([before, value, after]))).toBeDefined();
          expect((await purged.list()).map((one) => one.fingerprint)).toContain(fingerprint);
          const other = Buffer.from(value);
          other[0] = (other[0] ?? 0) ^ 1;
          const alone = openPurgedValues({ folder: join(folder, fingerprint) });
          await add(alone, value);
          expect(alone.find(other)).toBeUndefined();
          expect(alone.find(value.subarray(1))).toBeUndefined();
        },
      ),
      { numRuns: 50 },
    );
  });

  it("HIST-5 are nowhere to be read, and known to other processes at once", async () => {
    const folder = scratchFolder();
    const [one, other] = [openPurgedValues({ folder }), openPurgedValues({ folder })];
    expect(other.find(Buffer.from("my-secret-value"))).toBeUndefined();
    const added = await add(one, Buffer.from("my-secret-value"));
    expect(other.find(Buffer.from("it is my-secret-value."))).toEqual(added);
    expect(await add(one, Buffer.from("my-secret-value"), now + 1)).toEqual(added);
    const file = join(folder, "purged-values.json");
    expect(readFileSync(file, "utf8")).not.toContain("secret");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "{");
    expect(() => other.find(Buffer.from("x"))).toThrow(/damaged, .* delete it and purge the values again/);
  });
});
