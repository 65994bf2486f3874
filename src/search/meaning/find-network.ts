import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where exporters put the network, the plain one first. */
const networkFiles = ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx"];

export function findNetwork(folder: string): string | undefined {
  return networkFiles.map((file) => join(folder, file)).find((file) => existsSync(file));
}
