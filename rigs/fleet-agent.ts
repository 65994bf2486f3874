import { setTimeout as delay } from "node:timers/promises";
import { type CallOutcome, callTool } from "./mcp-call.ts";
import type { Random } from "./random.ts";
import type { Violations } from "./rig-report.ts";

/** What all agents together were told. */
export interface FleetReport {
  /** Those that were answered. */
  operations: number;
  readonly says: Map<string, number>;
  /** Marks of writes that were acknowledged, and of those of which nobody knows. */
  readonly acknowledged: Mark[];
  readonly unknown: Mark[];
  checkedReads: number;
  checkedSearches: number;
}

/** A word that stands in one place, and the document that it was put into. */
export interface Mark {
  readonly word: string;
  readonly space: "agents" | "memories" | "topics";
  readonly path: string;
  /** Whether a later write may have taken it away: then it is there at most once. */
  readonly isReplaced: boolean;
}

export interface FleetAgentOptions {
  readonly name: string;
  readonly token: string;
  readonly origins: readonly string[];
  readonly random: Random;
  readonly isOver: () => boolean;
  readonly report: FleetReport;
  readonly violations: Violations;
}

interface Operation {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What it writes, and how it is read again. */
  readonly mark?: Mark;
  readonly read?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
}

/** What a server or the database says that was just taken away, or that a busy machine leaves no time. */
const passing =
  /^(429|50[0-9])|STORAGE_FAILED.*(?:cannot be reached|may be done or not)|BUSY|READ_ONLY.*takes no writes|took longer than \d+ ms and was stopped/;
const pauseMs = 100;
const triesToCheck = 100;

/** One agent with a token of its own: it works on any server, and looks on another one for what it wrote. */
export async function runFleetAgent(options: FleetAgentOptions): Promise<void> {
  const { name, token, origins, random, isOver, report, violations } = options;
  const anyOrigin = () => origins[Math.floor(random() * origins.length)] ?? "";

  async function call(origin: string, { tool, args }: Pick<Operation, "tool" | "args">): Promise<CallOutcome> {
    const outcome = await callTool({ origin, token }, tool, args);
    const says = outcome.kind === "answered" ? "answered" : `${outcome.kind}: ${outcome.says.slice(0, 70)}`;
    report.says.set(says, (report.says.get(says) ?? 0) + 1);
    if (outcome.kind === "refused" && !passing.test(outcome.says))
      violations.add("answers", `${tool}: ${outcome.says}`);
    if (outcome.kind !== "answered") await delay(pauseMs);
    return outcome;
  }

  /** On another server than the one that wrote it, as soon as that one can be asked. */
  async function check(asked: Pick<Operation, "tool" | "args">, from: string, word: string): Promise<boolean> {
    for (let attempt = 0; attempt < triesToCheck; attempt += 1) {
      const others = origins.filter((origin) => origin !== from);
      const outcome = await call(others[Math.floor(random() * others.length)] ?? from, asked);
      if (outcome.kind !== "answered") continue;
      const said = outcome.text + JSON.stringify(outcome.content);
      if (said.includes(word)) return true;
      // A server that has just begun says that it does not know everything yet.
      if (said.includes("still being built")) {
        await delay(pauseMs);
        continue;
      }
      violations.add("own writes", `${name}: ${asked.tool} does not show ${word}: ${outcome.text.slice(0, 300)}`);
      return true;
    }
    return false;
  }

  for (let turn = 0; !isOver(); turn += 1) {
    const operation = pick(random(), name, turn);
    const origin = anyOrigin();
    const outcome = await call(origin, operation);
    if (outcome.kind === "answered") report.operations += 1;
    const { mark, read } = operation;
    if (!mark) continue;
    (outcome.kind === "answered" ? report.acknowledged : report.unknown).push(mark);
    if (outcome.kind !== "answered") continue;
    const chance = random();
    if (read && chance < 0.25 && (await check(read, origin, mark.word))) report.checkedReads += 1;
    const search = { tool: "search_memory", args: { query: mark.word } };
    if (chance > 0.85 && (await check(search, origin, mark.word))) report.checkedSearches += 1;
  }
}

function pick(chance: number, name: string, turn: number): Operation {
  const word = `mk${name.replace(/\D/g, "")}x${turn}q`;
  const line = `${word} was learned by ${name}\n`;
  if (chance < 0.25) {
    const args = { relative_file_path: "log.md" };
    const mark = { word, space: "agents", path: "log.md", isReplaced: false } as const;
    return {
      tool: "append_to_memory_file",
      args: { ...args, content: line },
      mark,
      read: { tool: "read_memory_file", args },
    };
  }
  if (chance < 0.4) {
    const path = `notes/${turn % 5}.md`;
    const args = { relative_file_path: path };
    const mark = { word, space: "agents", path, isReplaced: true } as const;
    return {
      tool: "write_memory_file",
      args: { ...args, content: line },
      mark,
      read: { tool: "read_memory_file", args },
    };
  }
  if (chance < 0.5) {
    const memory = `shared/${turn % 4}`;
    const args = { memory_name: memory };
    const mark = { word, space: "memories", path: `${memory}.md`, isReplaced: false } as const;
    return { tool: "append_memory", args: { ...args, content: line }, mark, read: { tool: "read_memory", args } };
  }
  if (chance < 0.6) {
    const memory = `own/${name}/${turn % 3}`;
    const args = { memory_name: memory };
    const mark = { word, space: "memories", path: `${memory}.md`, isReplaced: true } as const;
    const content = `# ${name}\n\nnow: ${line}`;
    return { tool: "write_memory", args: { ...args, content }, mark, read: { tool: "read_memory", args } };
  }
  if (chance < 0.66) {
    const memory = `edited/${name}`;
    const args = { memory_name: memory };
    const mark = { word, space: "memories", path: `${memory}.md`, isReplaced: true } as const;
    const edit = { ...args, needle: "now: \\w+", repl: `now: ${word}`, mode: "regex" };
    return { tool: "edit_memory", args: edit, mark, read: { tool: "read_memory", args } };
  }
  if (chance < 0.7) {
    const mark = { word, space: "topics", path: "fleet", isReplaced: false } as const;
    const entry = {
      topic: "fleet",
      subtopic: name,
      title: `Turn ${turn} of ${name}`,
      context: "rig",
      problem: "none",
      solution: line,
    };
    return { tool: "store_in_memory", args: entry, mark };
  }
  if (chance < 0.8) return { tool: "read_memory", args: { memory_name: `edited/${name}` } };
  if (chance < 0.86) return { tool: "list_memory_files", args: {} };
  if (chance < 0.9) return { tool: "list_memories", args: {} };
  return { tool: "search_memory", args: { query: `learned by ${name}` } };
}
