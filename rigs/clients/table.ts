import { type ClientId, clientIds } from "./client-rows.ts";

const must = "must";
/** `must`, or why it cannot be asked of the client, with the line of the client's contract and where that was seen. */
type Cell = typeof must | { readonly not: string; readonly contract: string };
type Line = Readonly<Record<ClientId, Cell>>;

const all: Line = { "claude-code": must, codex: must, "gemini-cli": must, opencode: must };

const ownMemory: Cell = {
  not: "this is about the memory of Claude Code itself",
  contract: "Claude Code keeps ~/.claude/projects/PROJECT/memory; no other client reads or writes there",
};
const givesText: Cell = {
  not: "it gives its model the text of an answer, never the structured content",
  contract:
    "the results of our tools in its recorded requests hold the text alone (Gemini CLI 0.61.0, OpenCode 1.18.33)",
};

/** What is asked of each client. */
const table: Readonly<Record<string, Line>> = {
  loaded: all,
  told: all,
  cold: all,
  runs: all,
  author: all,
  lean: {
    ...all,
    "gemini-cli": givesText,
    opencode: givesText,
  },
  once: all,
  late: all,
  silent: all,
  budget: all,
  compacted: {
    ...all,
    "gemini-cli": {
      not: "it has no event after a compression",
      contract: "PreCompress came before every request although nothing was compressed, three times in a turn (0.61.0)",
    },
  },
  error: all,
  delegated: {
    ...all,
    "gemini-cli": {
      not: "it has no event at which a subagent starts",
      contract:
        "its events are SessionStart, BeforeAgent, BeforeModel, BeforeToolSelection, AfterModel, BeforeTool, AfterTool, AfterAgent, PreCompress, Notification and SessionEnd (0.61.0)",
    },
  },
  last: all,
  elsewhere: all,
  corrected: all,
  stranger: all,
  switches: all,
  broken: all,
  unattended: all,
  streamed: all,
  asked: all,
  seen: all,
  "first-day": { "claude-code": must, codex: ownMemory, "gemini-cli": ownMemory, opencode: ownMemory },
};

/** The table with what came of it. */
export interface Matrix {
  /** Why the client cannot be asked this; undefined where it must. */
  not(assertion: string, client: ClientId): Exclude<Cell, typeof must> | undefined;
  note(assertion: string, client: ClientId, holds: boolean): void;
  readonly passed: number;
  readonly failed: number;
  print(): void;
}

export function createMatrix(): Matrix {
  const seen = new Map<string, boolean>();
  const count = (holds: boolean) => [...seen.values()].filter((each) => each === holds).length;
  const not = (assertion: string, client: ClientId) => {
    const cell = table[assertion]?.[client];
    if (cell === undefined) throw new Error(`The table has no line for “${assertion}”.`);
    return cell === must ? undefined : cell;
  };
  return {
    not,
    note: (assertion, client, holds) => {
      seen.set(`${assertion} ${client}`, holds);
    },
    get passed() {
      return count(true);
    },
    get failed() {
      return count(false);
    },
    print: () => {
      const shown = (assertion: string, client: ClientId) => {
        if (not(assertion, client) !== undefined) return "–";
        const holds = seen.get(`${assertion} ${client}`);
        return holds === undefined ? "" : holds ? "✓" : "✗";
      };
      const line = (first: string, cells: readonly string[]) =>
        console.log(first.padEnd(14) + cells.map((cell) => cell.padEnd(13)).join(""));
      line("", clientIds);
      for (const assertion of Object.keys(table)) {
        line(
          assertion,
          clientIds.map((client) => shown(assertion, client)),
        );
      }
      for (const assertion of Object.keys(table)) {
        for (const client of clientIds) {
          const why = not(assertion, client);
          if (why !== undefined) console.log(`  – ${assertion}, ${client}: ${why.not}. Contract: ${why.contract}.`);
        }
      }
    },
  };
}
