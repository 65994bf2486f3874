import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";
import { readBertTokens } from "./bert-tokens.ts";
import { findNetwork } from "./find-network.ts";
import type { ModelEngine } from "./model-engine.ts";

interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
}

/** A folder with a BERT-like model, its vocabulary and its settings, as sentence-transformers publishes them. */
export async function openOnnxEngine(folder: string): Promise<ModelEngine> {
  const network = findNetwork(folder);
  if (network === undefined) throw new Error("There is no model.onnx.");
  const tokens = readBertTokens(folder);
  const poolsFirst = readPooling(folder);
  const runtime = loadRuntime(folder);
  // One thread: it works beside what the user does.
  const session = await runtime.InferenceSession.create(network, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const outputName = session.outputNames.find((name) => name === "sentence_embedding") ?? session.outputNames[0];
  if (outputName === undefined) throw new Error("The model has no output.");

  async function embedOne(text: string): Promise<Float32Array> {
    const ids = tokens(text);
    const all: Readonly<Record<string, (id: number) => bigint>> = {
      input_ids: (id) => BigInt(id),
      attention_mask: () => 1n,
      token_type_ids: () => 0n,
    };
    const inputs: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const numberOf = all[name];
      if (numberOf === undefined)
        throw new Error(`The model asks for an input that is unknown here: ${name.slice(0, 40)}.`);
      inputs[name] = new runtime.Tensor("int64", BigInt64Array.from(ids, numberOf), [1, ids.length]);
    }
    const output = (await session.run(inputs))[outputName as string];
    if (output === undefined) throw new Error("The model gave no output.");
    return pool(output, poolsFirst);
  }

  const { length: dims } = await embedOne("dimensions");
  return {
    dims,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
  };
}

/** From beside the model, or from wherever this package is installed. */
function loadRuntime(folder: string): Runtime {
  for (const place of [join(folder, "package.json"), import.meta.url]) {
    try {
      return createRequire(place)("onnxruntime-node") as Runtime;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    }
  }
  throw new Error("onnxruntime-node is not installed.");
}

const poolingSchema = z.object({ pooling_mode_cls_token: z.boolean().optional() });

/** Whether the first token's vector stands for the text; otherwise the mean of all does. */
function readPooling(folder: string): boolean {
  const file = join(folder, "1_Pooling", "config.json");
  if (!existsSync(file)) return false;
  return poolingSchema.parse(JSON.parse(readFileSync(file, "utf8"))).pooling_mode_cls_token ?? false;
}

function pool({ data, dims }: Tensor, takesFirst: boolean): Float32Array {
  const width = dims[dims.length - 1] ?? 0;
  const count = takesFirst || dims.length === 2 ? 1 : data.length / width;
  const vector = new Float32Array(width);
  for (let token = 0; token < count; token++) {
    for (let at = 0; at < width; at++) {
      vector[at] = (vector[at] as number) + (data[token * width + at] as number) / count;
    }
  }
  return vector;
}
