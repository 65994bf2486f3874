import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { repository } from "../library.ts";
import type { Row } from "../measurement.ts";
import { callTool, connect, type ServerCommand, type StdioClient } from "../peers/stdio-client.ts";
import type { Corpus } from "./corpus.ts";
import { firstAnswerLimit } from "./limits.ts";
import type { Way } from "./measure-speed.ts";
import type { Place } from "./place.ts";

const rounds = { warmUp: 3, measured: 25 };

/** From the start of a server to its first answer: to a search, and to `tools/list`. The index is there already. */
export async function measureFirstAnswer(place: Place, corpus: Corpus): Promise<Row[]> {
  const started: StdioClient[] = [];
  const start = async (meaning: boolean): Promise<StdioClient> => {
    const client = await connect(commandOf(place, meaning));
    started.push(client);
    return client;
  };
  const search = (meaning: boolean) => async (round: number) => {
    const query = corpus.query(round).join(" ");
    const result = await callTool(await start(meaning), "search_memory", { query });
    assertComplete(result);
  };
  const times = await interleave(
    {
      list: async () => {
        const { error } = await (await start(false)).request("tools/list");
        if (error) throw new Error(error.message);
      },
      text: search(false),
      table: search(true),
    },
    rounds,
    // Ending a server is not part of its start, so it happens between two measurements.
    async () => void (await Promise.all(started.splice(0).map((client) => client.close()))),
  );
  const row = (name: Way["name"], { median, p90 }: (typeof times)["list"]): Row => ({
    measurement: `${corpus.count.toLocaleString("en")} notes, ${name}: start to the first search answer`,
    unit: "ms",
    ours: median,
    p90,
    reference: { name: "to the first tools/list answer", value: times.list.median, p90: times.list.p90 },
  });
  return [
    { ...row("text only", times.text), limit: firstAnswerLimit, details: times },
    row("with the table", times.table),
  ];
}

function commandOf(place: Place, meaning: boolean): ServerCommand {
  return {
    args: [join(repository, "bin", "recollect.cjs"), "start-mcp-server", "--project", place.project],
    env: { ...place.env, RECOLLECT_SEARCH_MEANING: String(meaning) },
  };
}

/** An answer from half an index would be quick for the wrong reason. */
function assertComplete(result: unknown): void {
  const { _meta } = result as { _meta?: { "recollect/details"?: { hits?: unknown[]; warnings?: string[] } } };
  const { hits = [], warnings = [] } = _meta?.["recollect/details"] ?? {};
  if (hits.length === 0 || warnings.length > 0) throw new Error(`not a whole answer: ${JSON.stringify(warnings)}`);
}
