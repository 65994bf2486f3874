import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { ModelEngine } from "./model-engine.ts";

/** Beside the installed packages, so that Node itself resolves their names from there. */
export const localModelEntry = "entry.mjs";

interface Engine {
  readonly dimensions: number;
  embed(texts: readonly string[]): Promise<number[][]>;
}

const entrySchema = z.object({
  createEmbedder: z.custom<(options: { readonly model: unknown }) => Promise<Engine>>(
    (value) => typeof value === "function",
  ),
  model: z.object({ dimensions: z.number().int().positive() }).loose(),
});

export async function openLocalEngine(folder: string): Promise<ModelEngine> {
  const entry = entrySchema.parse({ ...(await import(pathToFileURL(join(folder, localModelEntry)).href)) });
  const engine = await entry.createEmbedder({ model: entry.model });
  return { dims: engine.dimensions, embed: (texts) => engine.embed([...texts]) };
}
