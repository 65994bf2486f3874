import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepYoungSpaceSmall } from "../../src/cli/small-young-space.ts";
import { loadLibrary } from "../library.ts";
import type { Place } from "../search/place.ts";
import { childProcesses } from "./child-processes.ts";
import { serveRequests, startCpu } from "./worker.ts";

export type OurRequest =
  | { readonly kind: "open"; readonly place: Place; readonly meaning: boolean }
  | { readonly kind: "build" }
  | { readonly kind: "ask"; readonly queries: readonly string[] }
  | { readonly kind: "ask-after-write"; readonly queries: readonly string[]; readonly by: "library" | "hand" }
  | { readonly kind: "memory" };

export interface Asked {
  /** Milliseconds of each query. */
  readonly times: readonly number[];
  /** Milliseconds that processors worked for this process meanwhile: other processes hardly disturb that. */
  readonly cpu: number;
  readonly warnings: readonly string[];
}

export interface Built {
  readonly ms: number;
  /** Of this process and of the one that it lets build. */
  readonly cpu: number;
  /** Bytes that the latter had at most; 0 where there is none. */
  readonly elsewhere: number;
}

export interface AskedAfterWrite extends Omit<Asked, "cpu"> {
  /** The same queries before the write. */
  readonly unchanged: readonly number[];
  /** How many of the answers had the note that was just written. */
  readonly seen: number;
}

const limit = 10;
/** The folder of what is written during a measurement. */
const freshFolder = "area-fresh";

const { openWorkspace } = await loadLibrary();
type Workspace = Awaited<ReturnType<typeof openWorkspace>>;
let opened: { readonly workspace: Workspace; readonly place: Place } | undefined;

serveRequests<OurRequest>(async (request) => {
  const answer = await answerTo(request);
  // As the servers do, and no sooner than they: it stays as large as it is then.
  if (request.kind !== "open") keepYoungSpaceSmall();
  return answer;
});

function answerTo(request: OurRequest): Promise<unknown> {
  switch (request.kind) {
    case "open":
      return open(request);
    case "build":
      return build();
    case "ask":
      return ask(request.queries);
    case "ask-after-write":
      return askAfterWrite(request.queries, request.by);
    case "memory":
      return Promise.resolve(process.memoryUsage().rss);
  }
}

async function open({ place, meaning }: { place: Place; meaning: boolean }): Promise<boolean> {
  const env = { ...place.env, RECOLLECT_SEARCH_MEANING: String(meaning) };
  // As a server does: it stays, and watches.
  opened = {
    workspace: await openWorkspace({ project: place.project, home: place.home, env, stays: true }),
    place,
  };
  return true;
}

function current() {
  if (!opened) throw new Error("nothing is open");
  return opened;
}

async function build(): Promise<Built> {
  const search = current().workspace.search;
  const cpu = startCpu();
  const start = performance.now();
  await search.reindex();
  const ms = performance.now() - start;
  const others = childProcesses();
  return {
    ms,
    cpu: others.reduce((sum, { cpuMs }) => sum + cpuMs, cpu()),
    elsewhere: Math.max(0, ...others.map(({ peakMemory }) => peakMemory)),
  };
}

async function ask(queries: readonly string[]): Promise<Asked> {
  const search = current().workspace.search;
  const times: number[] = [];
  const warnings = new Set<string>();
  const cpu = startCpu();
  for (const query of queries) {
    const start = performance.now();
    const page = await search.search({ query, limit });
    times.push(performance.now() - start);
    for (const warning of page.warnings) warnings.add(warning);
  }
  return { times, cpu: cpu(), warnings: [...warnings] };
}

async function askAfterWrite(queries: readonly string[], by: "library" | "hand"): Promise<AskedAfterWrite> {
  const { workspace, place } = current();
  const search = workspace.search;
  const write = async (name: string, content: string): Promise<void> => {
    if (by === "library") await workspace.memories.write(name, content);
    else writeFileSync(join(place.notes, `${name}.md`), content);
  };
  // The folder is there and known before anything is measured.
  await workspace.memories.write(`${freshFolder}/first-${by}`, "# First\n");
  const [times, unchanged, warnings] = [[] as number[], [] as number[], new Set<string>()];
  let seen = 0;
  for (const [round, query] of queries.entries()) {
    await search.search({ query, limit });
    const start = performance.now();
    await search.search({ query, limit });
    unchanged.push(performance.now() - start);
    const name = `${freshFolder}/${by}-${round}`;
    await write(name, `# ${query}\n\n${query}\n`);
    const written = performance.now();
    const page = await search.search({ query, limit });
    times.push(performance.now() - written);
    if (page.hits.some(({ path }) => path === `${name}.md`)) seen += 1;
    for (const warning of page.warnings) warnings.add(warning);
  }
  return { times, unchanged, seen, warnings: [...warnings] };
}
