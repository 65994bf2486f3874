import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { greeting, request } from "../helpers/raw-server.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

interface Trace {
  readonly answer: unknown;
  readonly lines: readonly string[];
}

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

/**
 * A script to be loaded first. What a server does a second later, and that it answers from what it has by then, is put
 * off: traced on a busy machine, a second is over before it has answered.
 */
const putsOff = `const { setTimeout } = globalThis;
globalThis.setTimeout = (act, ms, ...args) => setTimeout(act, ms >= 1000 ? 3_600_000 : ms, ...args);`;

/** Starts a server under strace, asks it one thing, ends it, and returns what it did with files. */
async function trace(world: MemoryWorld, method: string, params: Record<string, unknown> = {}): Promise<Trace> {
  const file = join(world.folder, "trace");
  const preload = world.write("puts-off.cjs", putsOff);
  const calls = "open,openat,openat2,stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,getdents64";
  const args = ["-f", "-y", "-s", "400", "-o", file, "-e", `trace=${calls}`, process.execPath, bin];
  const child = spawn("strace", [...args, "start-mcp-server"], {
    cwd: world.project,
    env: { ...process.env, ...world.env, NODE_OPTIONS: `--require ${preload}` },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send(greeting(1));
  let answer: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id?: number; result?: unknown };
    if (id === 1) send(request(2, method, params));
    if (id === 2) {
      answer = result;
      child.stdin.end();
    }
  }
  await ended;
  return { answer, lines: wholeCalls(readFileSync(file, "utf8").split("\n")) };
}

/** One line for each call: strace cuts one in two where another thread did something before it was done. */
function wholeCalls(lines: readonly string[]): string[] {
  const begun = new Map<string, string>();
  const whole = lines.flatMap((line) => {
    const [, thread = "", beginning] = /^(\d+)(?: +(.*) <unfinished \.\.\.>$)?/.exec(line) ?? [];
    const rest = /^\d+ +<\.\.\. \w+ resumed>(.*)/.exec(line)?.[1];
    if (beginning !== undefined) begun.set(thread, `${thread} ${beginning}`);
    if (beginning !== undefined) return [];
    if (rest === undefined) return [line];
    const joined = `${begun.get(thread)}${rest}`;
    begun.delete(thread);
    return [joined];
  });
  return [...whole, ...begun.values()];
}

/** The files of the program that were opened: each takes as long to find and open as some kilobytes of it. */
function programIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => /\bopen(?:at2?)?\(.*"([^"]*\/dist\/bin\/[^"]+\.cjs)"/.exec(line)?.[1] ?? []));
}

function makeNotes() {
  const world = memoryWorld(folders.make());
  const memories = join(world.project, ".serena/memories");
  for (const [index, topic] of topics.entries()) {
    mkdirSync(join(memories, topic), { recursive: true });
    for (let note = index; note < notes; note += topics.length) {
      writeFileSync(join(memories, topic, `a-note-${note}.md`), "x");
    }
  }
  return { world, memories };
}

describe.skipIf(!canTrace())("MCP-1 the start of a server", () => {
  it("MCP-1 opens no note, looks at no more than one, reads each folder once, and few files of the program", async () => {
    const { world, memories } = makeNotes();
    const { lines } = await trace(world, "tools/list");
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
    expect(programIn(lines).size).toBeGreaterThan(0);
    expect(programIn(lines).size).toBeLessThan(24);
  });

  it("SRCH-3 a first search where nothing has changed opens no note, and nothing of the program that reads them", async () => {
    const { world } = makeNotes();
    const ask = () => trace(world, "tools/call", { name: "search_memory", arguments: { query: "x", limit: 3 } });
    const openedNotes = ({ lines }: Trace) => lines.filter((line) => /\bopen(at2?)?\(.*a-note-\d+\.md/.test(line));
    const first = await ask();
    expect(openedNotes(first).length).toBeGreaterThanOrEqual(notes);
    const second = await ask();
    for (const { answer } of [first, second])
      expect(answer).toMatchObject({ _meta: { "recollect/details": { total: notes } } });
    expect(openedNotes(second)).toEqual([]);
    const before = programIn((await trace(world, "tools/list")).lines);
    const more = [...programIn(second.lines)].filter((file) => !before.has(file));
    expect(more.length).toBeGreaterThan(0);
    expect(more.length).toBeLessThan(5);
    const guardRule = "aws-access-key-id";
    expect(more.filter((file) => readFileSync(file, "utf8").includes(guardRule))).toEqual([]);
    expect([...programIn(first.lines)].some((file) => readFileSync(file, "utf8").includes(guardRule))).toBe(true);
  });
});
