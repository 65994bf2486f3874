import { parentPort, workerData } from "node:worker_threads";
import { openLocalEngine } from "./local-engine.ts";
import type { ModelEngine, ModelPlace, ModelReply, ModelRequest } from "./model-engine.ts";
import { toUnitLength } from "./unit-length.ts";

/** Runs a model in a thread of its own, since each text takes it tens of milliseconds. */
async function serve(place: ModelPlace): Promise<void> {
  try {
    const engine = await openLocalEngine(place.folder);
    parentPort?.on("message", (request: ModelRequest) => void answer(engine, request));
    reply({ kind: "ready", dims: engine.dims });
  } catch (error) {
    reply({ kind: "unloadable", reason: reasonOf(error) });
  }
}

async function answer(engine: ModelEngine, { id, texts }: ModelRequest): Promise<void> {
  try {
    const vectors = await engine.embed(texts);
    if (vectors.length !== texts.length) throw new Error(`${vectors.length} vectors for ${texts.length} texts`);
    const numbers = new Float32Array(texts.length * engine.dims);
    for (const [at, values] of vectors.entries()) {
      const vector = toUnitLength(values);
      if (vector === undefined) throw new Error("a vector without direction");
      if (vector.length !== engine.dims) throw new Error(`${vector.length} dimensions instead of ${engine.dims}`);
      numbers.set(vector, at * engine.dims);
    }
    parentPort?.postMessage({ kind: "vectors", id, numbers } satisfies ModelReply, [numbers.buffer]);
  } catch (error) {
    reply({ kind: "failed", id, reason: reasonOf(error) });
  }
}

function reply(message: ModelReply): void {
  parentPort?.postMessage(message);
}

/** Messages of others may hold paths of the host; their codes do not. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  const text = error instanceof Error ? error.message : String(error);
  return /[/\\]/.test(text) ? "an error of the model's own" : text.slice(0, 200);
}

await serve(workerData as ModelPlace);
