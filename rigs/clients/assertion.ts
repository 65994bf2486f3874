import { type ClientId, type ClientRow, clientIds } from "./client-rows.ts";
import type { Asked, AskOptions, ClientWorld } from "./client-world.ts";
import { type ModelRequest, type ModelScript, offeredName, type ToolCall } from "./model-script.ts";

interface Tried {
  readonly row: ClientRow;
  /** Another client of the same user. */
  readonly other: ClientRow;
  /** A new home and project; it is removed when the assertion ends. */
  open(): Promise<ClientWorld>;
}

/** What must be true of a client. */
export interface Assertion {
  /** As the table names it. */
  readonly id: string;
  readonly name: string;
  /** Builds that are broken in this point, and the clients with which they must be caught. */
  readonly broken: Readonly<Record<string, readonly ClientId[]>>;
  /** Undefined where it is true, otherwise what was seen. */
  check(tried: Tried): Promise<string | undefined>;
}

/** What should have come and never did. Any other error says that the assertion could not be tried at all. */
export class NeverCame extends Error {}

/** Prompts of one session, in order. */
export async function talk(
  world: ClientWorld,
  row: ClientRow,
  prompts: readonly string[],
  options: AskOptions = {},
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const prompt of prompts) {
    const isContinued = options.isContinued === true || asked.length > 0;
    const seen = await world.ask(row, prompt, { ...options, isContinued });
    if (seen.requests.length === 0) throw new NeverCame(`No request came (code ${seen.code}): ${seen.err.slice(-400)}`);
    asked.push(seen);
  }
  return asked;
}

/** A script in which the model calls a tool of ours, by the name under which the client offers it. */
export function calling(tool: string, input: ToolCall["input"]): ModelScript {
  return (request, nth) => {
    const name = offeredName(request, tool);
    return nth === 0 && name !== undefined ? { calls: [{ name, input }] } : { text: "Done." };
  };
}

/** What the model got back from the tools that it called. */
export function resultsIn(requests: readonly ModelRequest[]): readonly string[] {
  const last = requests.at(-1);
  return last === undefined ? [] : last.messages.filter(({ role }) => role === "tool").map(({ text }) => text);
}

export const everyClient: readonly ClientId[] = clientIds;

/** The model runs the project's check, which fails. */
export function running(row: ClientRow): ModelScript {
  return (_, nth) => (nth === 0 ? { calls: [row.shell("./check")] } : { text: "Done." });
}
