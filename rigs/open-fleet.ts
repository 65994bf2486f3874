import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FleetReport, runFleetAgent } from "./fleet-agent.ts";
import { judgeChains, judgeReplaced, judgeWrites } from "./fleet-judge.ts";
import { makeAgentTokens } from "./fleet-tokens.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { createRandom } from "./random.ts";
import { createViolations, type Violations } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";
import { createServeProcess, type ServeProcess } from "./serve-process.ts";

/** By the names of the agents. */
export type AgentTokens = ReadonlyMap<string, string>;

export interface BeginOptions {
  /** One server for each. */
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly agents: number;
}

/** Servers of one database, agents that work on all of them, and what became of their writes. */
export interface Fleet {
  /** Where its databases lie as well. */
  readonly base: string;
  readonly servers: readonly ServeProcess[];
  readonly report: FleetReport;
  readonly violations: Violations;
  begin(options: BeginOptions): Promise<AgentTokens>;
  /** All agents at once, until it is over. */
  work(tokens: AgentTokens, seed: number, isOver: () => boolean): Promise<void>;
  /** What they were answered, after what else is to be said. */
  print(says: string): void;
  /** No acknowledged write is lost or doubled, and revisions form chains. */
  judge(postgres: PostgresServer): Promise<void>;
  /** Whether anything is wrong. A broken build counts as caught by what it does, not by errors that come with it. */
  isCaught(): boolean;
  end(databases: readonly PostgresServer[]): Promise<void>;
}

export function openFleet(rig: string, broken: string | undefined): Fleet {
  const base = mkdtempSync(join(tmpdir(), `recollect-rig-${rig}-`));
  const violations = createViolations();
  const source = sourceOf(broken);
  const servers: ServeProcess[] = [];
  const report: FleetReport = {
    operations: 0,
    says: new Map(),
    acknowledged: [],
    unknown: [],
    checkedReads: 0,
    checkedSearches: 0,
  };
  return {
    base,
    servers,
    report,
    violations,
    begin: async ({ names, env, agents }) => {
      for (const name of names) servers.push(await createServeProcess({ name, base, source, env }));
      for (const server of servers) await server.start();
      return makeAgentTokens(servers[0], agents);
    },
    work: async (tokens, seed, isOver) => {
      const shared = { origins: servers.map(({ origin }) => origin), isOver, report, violations };
      await Promise.all(
        [...tokens].map(([name, token], index) =>
          runFleetAgent({ ...shared, name, token, random: createRandom(seed + index) }),
        ),
      );
    },
    print: (says) => {
      const { acknowledged, unknown, checkedReads, checkedSearches } = report;
      console.log(
        `  ${says}: ${acknowledged.length} writes acknowledged, ${unknown.length} not; ` +
          `${checkedReads} read and ${checkedSearches} found on another server`,
      );
      const mostFirst = [...report.says].toSorted(([, a], [, b]) => b - a);
      for (const [answer, times] of mostFirst.slice(0, 8)) console.log(`    ${times} × ${answer}`);
    },
    judge: async (postgres) => {
      await judgeWrites(postgres, report, violations);
      await judgeReplaced(postgres, report, violations);
      await judgeChains(postgres, violations);
    },
    isCaught: () => {
      const besides = violations.count("answers") + violations.count("slow");
      return violations.total > (broken === undefined ? 0 : besides);
    },
    end: async (databases) => {
      for (const server of servers) await server.kill();
      for (const postgres of databases) await postgres.dispose();
      rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}
