import { inTime } from "../../kernel/in-time.ts";
import { type Program, type ProgramEnd, type ProgramStart, startProgram } from "./start-program.ts";

export type ServerTrial =
  | { readonly kind: "connected"; readonly tools: number; readonly ms: number }
  | { readonly kind: "failed"; readonly says: string };

/** Starts a server as a client does, asks for its tools, and ends it again. */
export async function tryServer(start: ProgramStart, patienceMs: number): Promise<ServerTrial> {
  const began = performance.now();
  const program = startProgram(start);
  try {
    const outcome = await inTime(Promise.race([handshake(program), program.ended]), patienceMs, () => "late" as const);
    if (outcome === "late") return { kind: "failed", says: lateWords(program, patienceMs) };
    if (outcome.kind === "listed") {
      return { kind: "connected", tools: outcome.tools, ms: performance.now() - began };
    }
    return { kind: "failed", says: outcome.kind === "refused" ? outcome.says : endWords(outcome, start, program) };
  } finally {
    await program.stop();
  }
}

type Handshake =
  | { readonly kind: "listed"; readonly tools: number }
  | { readonly kind: "refused"; readonly says: string };

function handshake(program: Program): Promise<Handshake> {
  const done = Promise.withResolvers<Handshake>();
  const send = (message: object) => program.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  program.onLine((line) => {
    const message = parsed(line);
    // What is no message is passed over, as clients do.
    if (message?.id !== 1 && message?.id !== 2) return;
    if (message.error !== undefined) {
      return done.resolve({
        kind: "refused",
        says: `it refuses ${message.id === 1 ? "to begin" : "to list its tools"}`,
      });
    }
    if (message.id === 2) return done.resolve({ kind: "listed", tools: message.result?.tools?.length ?? 0 });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list" });
  });
  const clientInfo = { name: "recollect-doctor", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  return done.promise;
}

interface Message {
  readonly id?: unknown;
  readonly error?: unknown;
  readonly result?: { readonly tools?: readonly unknown[] };
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export function lateWords(program: Program, patienceMs: number): string {
  const complaint = program.complaint();
  const words = `it did not answer within ${(patienceMs / 1000).toFixed(1)} s`;
  return complaint === "" ? words : `${words} (${complaint})`;
}

/** In words for people, how a program ended that should have answered. */
export function endWords(end: ProgramEnd, { command }: ProgramStart, program: Program): string {
  if (end.kind === "too much") return "it printed megabytes, and no answer";
  if (end.kind === "not started") {
    const why = end.code === "ENOENT" ? "was not found" : `cannot be started (${end.code})`;
    return `its command ${command} ${why}`;
  }
  const complaint = program.complaint();
  const how = end.signal === null ? `it ended with code ${end.code}` : `it was ended by ${end.signal}`;
  return complaint === "" ? `${how} and said nothing` : `${how}: ${complaint}`;
}
