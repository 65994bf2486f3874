import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createPostgresServer } from "../postgres-server.ts";
import { attachRecorder, type Recorder, recordedCommand, startRecorded, type Walk } from "./recorded-process.ts";

/** A request that people follow through the sources, and the addresses that it names. */
export interface Request {
  readonly name: string;
  /** How many documents the request is about. */
  readonly addresses: number;
  readonly walk: Walk;
}

/** Of several walks the shortest counts: the others met work of the process that is not the request's. */
const repeats = 8;
/** In which what a request left to do afterwards, such as recording it in history, has been done. */
const quietMs = 2500;

/** Whether a walk is short enough not to be repeated. */
export type IsShort = (request: Request) => boolean;

/** Walks every request, in processes of their own on a folder of their own. */
export async function walkAll(folder: string, isShort: IsShort): Promise<readonly Request[]> {
  return [
    ...(await overMcp(join(folder, "files"), isShort)),
    ...(await overHttp(join(folder, "http"), isShort)),
    ...(await inDatabase(folder, isShort)),
  ];
}

async function overMcp(folder: string, isShort: IsShort): Promise<readonly Request[]> {
  const server = await connect(folder, []);
  const shortest = shortestBy(server.recorder, isShort);
  const { call } = server;
  const write = (name: string, content: string) => call("write_memory", { memory_name: name, content });
  const store = (day: number) =>
    call("store_in_memory", { topic: "ci", subtopic: "cache", date: `2026-03-${10 + day}`, ...entry(day) });
  await write("build", "# Build\n\nRun the tests before the linter.\n");
  // As many entries as a file keeps: each one more moves one into the archive.
  for (let day = 0; day < 10; day += 1) await store(day);
  const requests = [
    await shortest("write_memory, new note", 1, (run) => write(`notes/new-${run}`, `Note ${run}.\n`)),
    await shortest("write_memory, existing note", 1, (run) => write("build", `# Build\n\nRun ${run}.\n`)),
    await shortest("read_memory", 1, () => call("read_memory", { memory_name: "build" })),
    await shortest("store_in_memory that prunes", 3, (run) => store(10 + run)),
    await shortest("search_memory", 1, (run) => call("search_memory", { query: `linter ${run}` })),
    await shortest("write_memory after a search", 1, (run) => write("build", `# Build\n\nAgain ${run}.\n`)),
  ];
  await server.close();
  return requests;
}

function entry(run: number): Record<string, string> {
  return {
    title: `Stale cache ${run}`,
    context: `CI-${run}`,
    problem: `CI restored an old cache for the ${run}. time`,
    solution: `Put the hash of the lockfile into its key (${run})`,
  };
}

async function overHttp(folder: string, isShort: IsShort): Promise<readonly Request[]> {
  const { project, env } = place(folder);
  const child = startRecorded(["serve", "--port", "0", "--project", project, "--json"], env);
  if (!child.stdout || !child.stderr) throw new Error("The server has no output.");
  const recorder = await attachRecorder(child.stderr);
  const shortest = shortestBy(recorder, isShort);
  const said = await firstLine(child.stdout);
  const { origin, token } = JSON.parse(said) as { readonly origin: string; readonly token: string };
  const ask = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const put = body === undefined ? {} : { method: "PUT", body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api${path}`, { headers, ...put });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Record<string, unknown>>;
  };
  const save = (path: string, content: string) => ask("/document", { root: "memory", path, content, ifRev: null });
  await save("build.md", "# Build\n");
  const requests = [
    await shortest("GET /api/document", 1, () => ask("/document?root=memory&path=build.md")),
    await shortest("PUT /api/document, new", 1, (run) => save(`new-${run}.md`, `Note ${run}.\n`)),
  ];
  recorder.close();
  child.kill("SIGTERM");
  return requests;
}

async function inDatabase(folder: string, isShort: IsShort): Promise<readonly Request[]> {
  const postgres = await createPostgresServer({ base: folder });
  try {
    const server = await connect(join(folder, "postgres"), ["--database-url", postgres.url]);
    const write = (run: number) => server.call("write_memory", { memory_name: "build", content: `Run ${run}.\n` });
    await write(-1);
    const shortest = shortestBy(server.recorder, isShort);
    const requests = [await shortest("write_memory in PostgreSQL, existing note", 1, write)];
    await server.close();
    return requests;
  } finally {
    await postgres.dispose();
  }
}

/** Walks a request until its walk is short enough, and at most `repeats` times. */
function shortestBy(recorder: Recorder, isShort: IsShort) {
  return async (name: string, addresses: number, request: (run: number) => Promise<unknown>): Promise<Request> => {
    const walked: Request[] = [];
    for (let run = 0; run < repeats; run += 1) {
      await delay(quietMs);
      const one = { name, addresses, walk: await recorder.record(() => request(run)) };
      if (isShort(one)) return one;
      walked.push(one);
    }
    return walked.toSorted((a, b) => functionsOf(a.walk) - functionsOf(b.walk))[0] as Request;
  };
}

export function functionsOf({ files }: Walk): number {
  return [...files.values()].reduce((sum, functions) => sum + functions.size, 0);
}

function place(folder: string): { readonly project: string; readonly env: Readonly<Record<string, string>> } {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const each of [home, join(project, ".git")]) mkdirSync(each, { recursive: true });
  return { project, env: { HOME: home, XDG_CACHE_HOME: join(folder, "cache") } };
}

async function connect(folder: string, flags: readonly string[]) {
  const { project, env } = place(folder);
  const transport = new StdioClientTransport({
    ...recordedCommand(["start-mcp-server", "--project", project, ...flags], env),
    stderr: "pipe",
  });
  const client = new Client({ name: "recollect-walk", version: "1.0.0" });
  const stderr = transport.stderr;
  if (!stderr) throw new Error("The server has no stderr.");
  const [recorder] = await Promise.all([attachRecorder(stderr), client.connect(transport)]);
  return {
    recorder,
    call: async (name: string, input: Record<string, unknown>) => {
      const { isError, content } = (await client.callTool({ name, arguments: input })) as CallToolResult;
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
    },
    close: async () => {
      recorder.close();
      await client.close();
    },
  };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  for await (const chunk of stream) {
    said += String(chunk);
    if (said.includes("\n")) return said.slice(0, said.indexOf("\n"));
  }
  throw new Error("The server ended before it began.");
}
