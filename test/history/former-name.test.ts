import { expect, it } from "vitest";
import { memoryWorld } from "../helpers/memory-world.ts";
import { scratchFolder } from "./scratch.ts";

it("HIST-1 a version of a deleted note is shown and restored after another note took its name", async () => {
  const { cli } = memoryWorld(scratchFolder());
  const written = await cli(["memories", "write", "deep/c", "--json"], "the first one\n");
  const { rev } = JSON.parse(written.out) as { rev: string };
  await cli(["memories", "write", "deep/e"], "another\n");
  await cli(["memories", "delete", "deep/c"]);
  await cli(["memories", "rename", "deep/e", "deep/c"]);
  expect(await cli(["show", "deep/c", rev.slice(0, 8)])).toMatchObject({ code: 0, out: "the first one\n" });
  expect(await cli(["restore", "deep/c", rev])).toMatchObject({ code: 0 });
  expect((await cli(["memories", "read", "deep/c"])).out).toBe("the first one\n");
  expect(await cli(["show", "deep/c", "0000000000"])).toMatchObject({ code: 3 });
});
