import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Embedder } from "./embedder.ts";
import { findNetwork } from "./find-network.ts";
import { createThreadEmbedder, type ThreadLimits } from "./thread-embedder.ts";

export interface OnnxModelOptions {
  /** With model.onnx and its tokenizer.json or vocab.txt. */
  readonly folder: string;
  readonly now: () => number;
  readonly limits?: ThreadLimits;
}

/** Any BERT-like model as ONNX, through onnxruntime-node where the user has installed that. */
export function openOnnxModel({ folder, now, limits }: OnnxModelOptions): Embedder {
  return createThreadEmbedder({
    name: nameOf(folder),
    place: { kind: "onnx", folder },
    now,
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Another network in the same folder has other vectors, so it needs another name. */
function nameOf(folder: string): string {
  const network = findNetwork(folder);
  const stat = network === undefined ? undefined : statSync(network, { throwIfNoEntry: false });
  const state = stat === undefined ? "none" : `${stat.size}-${Math.floor(stat.mtimeMs)}`;
  return `onnx:${basename(folder)}:${state}`;
}
