import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { removeSearchIndexes } from "../../../src/index.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
/** More than are looked at one by one in each process, also without those of a few folders. */
const many = 2600;
const areas = 20;
const restMs = 2200;

function worldOf(): SearchWorld {
  const world = searchWorld(folders.make());
  for (let number = 0; number < many; number += 1) {
    world.note(`f${number % areas}/n${number}.md`, `# Note ${number}\n\nDeploy the queue.\n`);
  }
  return world;
}

/** A git that writes down what it is asked, and how often it was asked what has changed. */
function loggedGit(world: SearchWorld) {
  const [bin, log] = [join(world.home, "bin"), join(world.home, "asked")];
  const git = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> "${log}"\nexec "${git}" "$@"\n`, { mode: 0o755 });
  const asked = () => (existsSync(log) ? readFileSync(log, "utf8").split("diff-files").length - 1 : 0);
  return { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` }, asked };
}

const looksIn = ({ cache }: SearchWorld) => readdirSync(cache).filter((name) => name.includes(".look"));

it("SRCH-3 a server keeps its look for others, who find by it what was edited by hand since", async () => {
  const world = worldOf();
  const { env, asked } = loggedGit(world);
  await world.ask("deploy", { env });
  expect(looksIn(world), "of a process that answers once").toEqual([]);
  await pause(restMs);

  const server = await world.open({ env, stays: true });
  expect((await complete(await server.search(), { query: "deploy", limit: 1 })).total).toBe(many);
  await server.close();
  expect(looksIn(world)).toEqual([expect.stringMatching(/\.look$/)]);
  const before = asked();

  const file = world.at(".serena/memories/f3/n3.md");
  const { atime, mtime, size } = statSync(file);
  writeFileSync(file, "# Note 3\n\nZirconium there.\n".padEnd(size).slice(0, size), { flag: "r+" });
  utimesSync(file, atime, mtime);
  renameSync(world.at(".serena/memories/f4/n4.md"), world.at(".serena/memories/f5/moved.md"));
  rmSync(world.at(".serena/memories/f6"), { recursive: true });
  world.note("f99/new.md", "# New\n\nZirconium, too.\n");

  expect(pathsOf(await world.ask("zirconium", { env })).sort()).toEqual(["f3/n3.md", "f99/new.md"]);
  expect(asked()).toBe(before + 1);
  const after = await world.ask({ query: "deploy", limit: 1 }, { env });
  expect(after.total).toBe(many - 1 - many / areas);
  expect(pathsOf(await world.ask('"note 4"', { env }))).toEqual(["f5/moved.md"]);

  removeSearchIndexes({ home: world.home, env: {} });
  expect(looksIn(world), "it goes with the index, since it has names").toEqual([]);
});
