import { namesError, type ProgramStart, startProgram } from "./start-program.ts";
import { endWords, lateWords } from "./try-server.ts";

export type HookTrial =
  | { readonly kind: "answers"; readonly ms: number }
  | { readonly kind: "failed"; readonly says: string };

/** Runs a hook as a client does, with an event that no client sends: it is read, and nothing is kept of it. */
export async function tryHook(start: ProgramStart, folder: string, patienceMs: number): Promise<HookTrial> {
  const began = performance.now();
  const program = startProgram(start);
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), patienceMs);
  try {
    program.write(JSON.stringify({ session_id: "doctor", hook_event_name: "Doctor", cwd: folder }));
    program.endInput();
    const end = await Promise.race([program.ended, late.promise]);
    if (end === "late") return { kind: "failed", says: lateWords(program, patienceMs) };
    // Whatever is wrong with it, a hook of ours ends well, so that no client takes that for a refusal.
    const complaint = program.complaint();
    const endsWell = end.kind === "ended" && end.code === 0;
    if (endsWell && namesError(complaint)) return { kind: "failed", says: `it says: ${complaint}` };
    if (endsWell) return { kind: "answers", ms: performance.now() - began };
    return { kind: "failed", says: endWords(end, start, program) };
  } finally {
    clearTimeout(timer);
    await program.stop();
  }
}
