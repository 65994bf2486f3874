import { decodeFloat16 } from "./float16.ts";
import { assembleModule, type Code, wasm } from "./wasm-assembler.ts";
import { growMemory, instantiate, type WasmMemory } from "./wasm-instance.ts";

/** Rows of bytes, each with a scale of 16 bits. */
export interface RowTable {
  readonly dims: number;
  readonly rows: Int8Array;
  readonly scales: Uint16Array;
}

/**
 * Adds up the rows of some tokens. Each step is rounded to 32 bits, in the order of the tokens: so every machine gets
 * the same bits, with SIMD or without.
 */
export interface RowSum {
  readonly table: RowTable;
  (tokens: readonly number[]): Float32Array;
}

export function createPlainRowSum(table: RowTable): RowSum {
  const { dims, rows, scales } = table;
  const add = (tokens: readonly number[]) => {
    const sum = new Float32Array(dims);
    for (const token of tokens) {
      const scale = decodeFloat16(scales[token] as number);
      const start = token * dims;
      for (let at = 0; at < dims; at++) sum[at] = (sum[at] as number) + scale * (rows[start + at] as number);
    }
    return sum;
  };
  return Object.assign(add, { table });
}

/** So many numbers are added up at once: their sums fit into a processor's registers. */
const blockDims = 32;

/**
 * The same in WebAssembly, ten times as fast. The table is moved into its memory, so keep `table` of what comes back and
 * let the old one go. Undefined where this machine cannot do it.
 */
export function createSimdRowSum({ dims, rows, scales }: RowTable, mostTokens: number): RowSum | undefined {
  if (dims % blockDims !== 0) return undefined;
  const exports = instantiate<SumExports>(assembleSum(dims));
  if (exports === undefined) return undefined;
  const { memory, sum } = exports;
  const outAt = mostTokens * 8;
  const rowsAt = outAt + dims * 4;
  try {
    growMemory(memory, rowsAt + rows.length);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const moved = new Int8Array(memory.buffer, rowsAt, rows.length);
  moved.set(rows);
  const places = new Uint32Array(memory.buffer, 0, mostTokens * 2);
  const factors = new Float32Array(memory.buffer, 0, mostTokens * 2);
  const out = new Float32Array(memory.buffer, outAt, dims);
  const add = (tokens: readonly number[]) => {
    const count = Math.min(tokens.length, mostTokens);
    for (let at = 0; at < count; at++) {
      const token = tokens[at] as number;
      places[2 * at] = rowsAt + token * dims;
      factors[2 * at + 1] = decodeFloat16(scales[token] as number);
    }
    sum(0, outAt, count);
    return out.slice();
  };
  return Object.assign(add, { table: { dims, rows: moved, scales } });
}

interface SumExports {
  readonly memory: WasmMemory;
  /** `list` has two words for each token: where its row is, and its scale. */
  readonly sum: (list: number, out: number, count: number) => void;
}

function assembleSum(dims: number): Uint8Array<ArrayBuffer> {
  const [list, out, count, place, left, row, scale, bytes, firstSum] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const { get, set } = wasm;
  const sums = Array.from({ length: blockDims / 4 }, (_, at) => firstSum + at);
  const addTo = (sum: number, widen: Code): Code[] => [
    ...[get(bytes), widen, wasm.f32x4FromI32x4, get(scale), wasm.f32x4Multiply],
    ...[get(sum), wasm.f32x4Add, set(sum)],
  ];
  const addRow = (start: number): Code[] =>
    Array.from({ length: blockDims / 8 }, (_, part): Code[] => [
      ...[get(row), wasm.v128Load8x8(start + part * 8), set(bytes)],
      ...addTo(firstSum + 2 * part, wasm.i32x4FromLowI16x8),
      ...addTo(firstSum + 2 * part + 1, wasm.i32x4FromHighI16x8),
    ]).flat();
  const addBlock = (start: number): Code[] => [
    ...sums.flatMap((sum) => [wasm.v128Zero, set(sum)]),
    ...[get(list), set(place), get(count), set(left)],
    wasm.block(
      ...[get(count), wasm.i32EqualsZero, wasm.branchIf(0)],
      wasm.loop(
        ...[get(place), wasm.i32Load(0), set(row), get(place), wasm.f32Load(4), wasm.f32x4Splat, set(scale)],
        ...addRow(start),
        ...[get(place), wasm.i32Const(8), wasm.i32Add, set(place)],
        ...[get(left), wasm.i32Const(1), wasm.i32Subtract, wasm.tee(left), wasm.branchIf(0)],
      ),
    ),
    ...sums.flatMap((sum, at) => [get(out), get(sum), wasm.v128Store((start + at * 4) * 4)]),
  ];
  return assembleModule({
    name: "sum",
    parameters: ["i32", "i32", "i32"],
    results: [],
    locals: ["i32", "i32", "i32", "v128", "v128", ...sums.map(() => "v128" as const)],
    body: Array.from({ length: dims / blockDims }, (_, block) => addBlock(block * blockDims)).flat(),
  });
}
