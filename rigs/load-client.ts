import { Agent, type ClientRequest, request } from "node:http";
import type { Random } from "./random.ts";

export interface LoadTarget {
  readonly origin: string;
  readonly token: string;
}

/** What a client saw: how often each answer, and which of its writes were acknowledged. */
export interface LoadReport {
  readonly statuses: Map<string, number>;
  readonly acknowledged: string[];
  /** Sent, but it did not stay for the answer: may be there or not. */
  readonly unknown: string[];
  slowestMs: number;
}

export function createReport(): LoadReport {
  return { statuses: new Map(), acknowledged: [], unknown: [], slowestMs: 0 };
}

export interface LoadClientOptions {
  readonly target: LoadTarget;
  readonly name: string;
  readonly random: Random;
  readonly until: number;
  readonly report: LoadReport;
}

const slowPartMs = 50;
const retryMs = 100;

/** One client: reads, searches, lists and writes; now and then it sends slowly, or goes away before it is answered. */
export async function runLoadClient({ target, name, random, until, report }: LoadClientOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; Date.now() < until; turn += 1) {
    const line = `${name}:${turn};`;
    const chance = random();
    const [tool, args] = pick(chance, name, line);
    const isWrite = tool === "append_memory";
    const manner = random() < 0.03 ? "vanishes" : random() < 0.05 ? "slow" : "plain";
    const begun = Date.now();
    const answer = await send({ target, agent, tool, args, manner });
    report.slowestMs = Math.max(report.slowestMs, Date.now() - begun);
    report.statuses.set(answer.says, (report.statuses.get(answer.says) ?? 0) + 1);
    if (isWrite && answer.says === "200") report.acknowledged.push(line);
    if (isWrite && answer.says === "gone") report.unknown.push(line);
    if (answer.says === "429" || answer.says === "503") await later(retryMs);
  }
  agent.destroy();
}

function pick(chance: number, name: string, line: string): [tool: string, args: Record<string, unknown>] {
  if (chance < 0.4) return ["read_memory", { memory_name: "load/shared" }];
  if (chance < 0.6) return ["search_memory", { query: "shared note about load" }];
  if (chance < 0.7) return ["list_memories", {}];
  return ["append_memory", { memory_name: `load/${name}`, content: line }];
}

interface Sending {
  readonly target: LoadTarget;
  readonly agent: Agent;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly manner: "plain" | "slow" | "vanishes";
}

/** The status; `error` for a tool that failed, `gone` where the client went away, or a failing connection's code. */
function send({ target, agent, tool, args, manner }: Sending): Promise<{ readonly says: string }> {
  const body = bodyOf(tool, args);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": tool,
    "content-length": Buffer.byteLength(body),
    authorization: `Bearer ${target.token}`,
  };
  return new Promise((resolve) => {
    const outgoing = request(`${target.origin}/mcp`, { method: "POST", headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        const failed = response.statusCode === 200 && (!text.includes('"result"') || text.includes('"isError":true'));
        resolve({ says: failed ? `error ${text.slice(0, 200)}` : String(response.statusCode) });
      });
      response.on("error", () => resolve({ says: "gone" }));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ says: manner === "vanishes" ? "gone" : (error.code ?? error.message) }),
    );
    if (manner === "slow") return void sendSlowly(outgoing, body);
    outgoing.end(body);
    if (manner === "vanishes") setTimeout(() => outgoing.destroy(), 2);
  });
}

async function sendSlowly(outgoing: ClientRequest, body: string): Promise<void> {
  const half = Math.floor(body.length / 2);
  outgoing.write(body.slice(0, half));
  await later(slowPartMs);
  outgoing.end(body.slice(half));
}

function bodyOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "load", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } });
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
