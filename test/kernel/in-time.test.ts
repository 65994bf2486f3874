import { describe, expect, it } from "vitest";
import { inTime } from "../../src/kernel/in-time.ts";

const never = new Promise<string>(() => {});
const longMs = 60_000;

describe("work with a limit of time", () => {
  it("gives what comes of it, or its failure, where that comes in time", async () => {
    expect(await inTime(Promise.resolve("done"), longMs, () => "late")).toBe("done");
    await expect(inTime(Promise.reject(new Error("no")), longMs, () => "late")).rejects.toThrow("no");
  });

  it("gives what is said instead where it takes longer", async () => {
    expect(await inTime(never, 1, () => "late")).toBe("late");
    expect(await inTime(never, 0, () => undefined)).toBeUndefined();
  });

  it("hears nothing of a failure that comes too late", async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => void unheard.push(reason);
    process.on("unhandledRejection", hear);
    const work = Promise.withResolvers<string>();
    expect(await inTime(work.promise, 1, () => "late")).toBe("late");
    work.reject(new Error("no"));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(unheard).toEqual([]);
  });
});
