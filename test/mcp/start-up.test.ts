import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { greeting, request } from "../helpers/raw-server.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const topics = ["", "auth", "build", "deep/er"];
const notes = 500;

function canTrace(): boolean {
  try {
    execFileSync("strace", ["-f", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a server under strace, asks for the tools, ends it, and returns what it did with files. */
async function traceStart(world: MemoryWorld): Promise<string[]> {
  const trace = join(world.folder, "trace");
  const calls = "open,openat,openat2,stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,getdents64";
  const args = ["-f", "-y", "-s", "400", "-o", trace, "-e", `trace=${calls}`, process.execPath, bin];
  const child = spawn("strace", [...args, "start-mcp-server"], {
    cwd: world.project,
    env: { ...process.env, ...world.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send(greeting(1));
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line) as { id?: number };
    if (id === 1) send(request(2, "tools/list"));
    if (id === 2) child.stdin.end();
  }
  await ended;
  return readFileSync(trace, "utf8").split("\n");
}

describe.skipIf(!canTrace())("MCP-1 the start of a server", () => {
  it("MCP-1 opens no note, looks at no more than one, reads each folder once, and few files of the program", async () => {
    const world = memoryWorld(folders.make());
    const memories = join(world.project, ".serena/memories");
    for (const [index, topic] of topics.entries()) {
      mkdirSync(join(memories, topic), { recursive: true });
      for (let note = index; note < notes; note += topics.length) {
        writeFileSync(join(memories, topic, `a-note-${note}.md`), "x");
      }
    }
    const lines = await traceStart(world);
    expect(lines.some((line) => line.includes("getdents64") && line.includes(".serena/memories"))).toBe(true);
    const noted = lines.filter((line) => /a-note-\d+\.md/i.test(line) && !line.includes("getdents64"));
    expect(noted.filter((line) => /\bopen(at2?)?\(/.test(line))).toEqual([]);
    expect(noted).toEqual([]);
    // A folder is read until nothing comes any more, which is the call that returns 0.
    const reads = lines.filter((line) => /getdents64\(\d+<[^>]*\.serena\/memories/.test(line));
    const ends = reads.filter((line) => / = 0$/.test(line));
    const folderOf = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? "";
    const counts = new Map<string, number>();
    for (const folder of ends.map(folderOf)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    for (const topic of ["", "/auth", "/build", "/deep", "/deep/er"]) {
      expect([topic, counts.get(`${memories}${topic}`)]).toEqual([topic, 1]);
    }
    expect(counts.size).toBeLessThanOrEqual(5);
    // Each file of the program takes as long to find and open as some kilobytes of it.
    const program = lines.flatMap((line) => /\bopen(?:at2?)?\(.*"([^"]*\/dist\/bin\/[^"]+\.js)"/.exec(line)?.[1] ?? []);
    expect(program.length).toBeGreaterThan(0);
    expect(new Set(program).size).toBeLessThan(20);
  });
});
