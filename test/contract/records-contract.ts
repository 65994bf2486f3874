import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { RecordPlace } from "../../src/kernel/records.ts";
import type { BackendFixture, CreateBackendFixture } from "./backend-fixture.ts";

const name = "0".repeat(32);
const another = "1".repeat(32);
const tokens = { kind: "tokens", schema: z.object({ says: z.string() }), what: "tokens", remedy: "" } as const;

/** What every backend keeps beside documents, for all servers of a memory. */
export function describeRecordsContract(backendName: string, createFixture: CreateBackendFixture): void {
  describe(`${backendName} keeps the contract of records`, () => {
    let fixture: BackendFixture;
    let place: RecordPlace;

    async function placeOfClient(): Promise<RecordPlace> {
      const found = (await fixture.open()).records?.(fixture.recordsPlace);
      if (!found) throw new Error("It lists records, and has none.");
      return found;
    }

    beforeEach(async () => {
      fixture = await createFixture(["notes"]);
      place = await placeOfClient();
    });
    afterEach(() => fixture.dispose());

    it("PG-2 a record is what was written last, for every client", async () => {
      const [own, other] = [place.open(tokens), (await placeOfClient()).open(tokens)];
      expect(await other.read(name)).toBeUndefined();
      await own.write(name, { says: "one" });
      await own.write(name, { says: "two" });
      expect(await other.read(name)).toEqual({ says: "two" });
      expect(await other.remove(name)).toBe(true);
      expect(await own.read(name)).toBeUndefined();
      expect(await own.remove(name)).toBe(false);
    });

    it("PG-2 records of one kind are listed, and are none of another kind", async () => {
      const own = place.open(tokens);
      await own.write(another, { says: "b" });
      await own.write(name, { says: "a" });
      const listed = [...(await own.list())].sort((one, other) => one.name.localeCompare(other.name));
      expect(listed).toEqual([
        { name, entry: { says: "a" } },
        { name: another, entry: { says: "b" } },
      ]);
      expect(await place.open({ ...tokens, kind: "others" }).list()).toEqual([]);
    });

    it("PG-2 the stamp of records is another one once any was written or removed", async () => {
      const own = place.open(tokens);
      const stamps = [await own.stamp()];
      await own.write(name, { says: "a" });
      stamps.push(await own.stamp());
      await own.write(another, { says: "b" });
      stamps.push(await own.stamp());
      expect(new Set(stamps).size).toBe(3);
    });

    it("WEB-2 a record of another form is damaged: it is refused, and told of in a list", async () => {
      await place.open({ ...tokens, schema: z.object({ other: z.number() }) }).write(name, { other: 1 });
      const own = place.open(tokens);
      await own.write(another, { says: "whole" });
      await expect(own.read(name)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      const told: string[] = [];
      expect(await own.list(({ code }) => told.push(code))).toEqual([{ name: another, entry: { says: "whole" } }]);
      expect(told).toEqual(["STORAGE_FAILED"]);
    });

    it("HIST-5 a purged value is found in bytes by every client, until it is taken back", async () => {
      const { purgedValues } = place;
      const value = Buffer.from("a value that was purged");
      const text = Buffer.concat([Buffer.from("before "), value, Buffer.from(" after")]);
      const prepared = await purgedValues.prepare([value], Date.now());
      expect(prepared.isRegistered).toBe(false);
      await prepared.register();
      const { purgedValues: others } = await placeOfClient();
      await others.refresh();
      expect(others.find(text)).toMatchObject({ fingerprint: prepared.fingerprint });
      expect(others.find(Buffer.from("nothing"))).toBeUndefined();
      expect(await others.list()).toEqual([{ fingerprint: prepared.fingerprint, purgedAt: prepared.purgedAt }]);
      expect(await others.prepare([value], Date.now())).toMatchObject({ isRegistered: true });
      expect(await others.remove(prepared.fingerprint)).toBe(true);
      expect(await purgedValues.list()).toEqual([]);
    });

    it("HIST-5 what another place refuses is taken over, once", async () => {
      const value = Buffer.from("another value");
      const prepared = await place.purgedValues.prepare([value], Date.now());
      await prepared.register();
      const forms = await place.purgedValues.forms();
      await place.purgedValues.remove(prepared.fingerprint);
      for (let round = 0; round < 2; round += 1) await place.purgedValues.take(forms);
      expect(await place.purgedValues.list()).toHaveLength(1);
      expect(place.purgedValues.find(value)).toMatchObject({ fingerprint: prepared.fingerprint });
    });
  });
}
