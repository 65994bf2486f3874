import { type Embedder, isUnavailable, type Unavailable, unavailable } from "../meaning/embedder.ts";
import { openEndpointModel } from "../meaning/endpoint-model.ts";
import { openLocalModel } from "../meaning/local-model.ts";
import type { ChosenModel } from "./choose-model.ts";

export type UsableModel = Exclude<ChosenModel, { readonly kind: "none" | "unusable" }>;

export interface OpenModelOptions {
  /** In a process that ends with its answer, which waits for the model: no later one will find it loaded. */
  readonly loadsForEachQuery: boolean;
}

/** As long as a person waits without doubt. A service may have to load its model first. */
const patienceMs = 20_000;

/** Nothing is loaded or asked before the first text. */
export function openModel(
  chosen: UsableModel,
  env: NodeJS.ProcessEnv,
  { loadsForEachQuery }: OpenModelOptions,
): Embedder {
  if (chosen.kind !== "endpoint") {
    const limits = loadsForEachQuery ? { queryMs: patienceMs } : {};
    return openLocalModel({ folder: chosen.folder, now: Date.now, limits });
  }
  const { base, model, keyVariable } = chosen;
  const key = keyVariable === undefined ? {} : { apiKeyVariable: keyVariable };
  return openEndpointModel({ base, model, env, now: Date.now, ...key });
}

/** Whether it answers, by one harmless sentence. */
export async function tryModel(
  chosen: UsableModel,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly kind: "works"; readonly name: string; readonly dims: number } | Unavailable> {
  const model = openModel(chosen, env, { loadsForEachQuery: true });
  const patience = AbortSignal.timeout(patienceMs);
  try {
    const vectors = await model.embedTexts(["Does this model answer?"], patience);
    return isUnavailable(vectors) ? vectors : { kind: "works", name: model.name, dims: vectors[0]?.length ?? 0 };
  } catch (error) {
    if (!patience.aborted) throw error;
    return unavailable(`The model ${model.name} did not answer within ${patienceMs / 1000} seconds.`);
  } finally {
    await model.close();
  }
}
