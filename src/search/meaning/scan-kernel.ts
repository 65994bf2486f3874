import { assembleModule, type Code, wasm } from "./wasm-assembler.ts";
import { growMemory, instantiate, type WasmMemory } from "./wasm-instance.ts";

/** What multiplies a query with many rows, and the memory in which all of them lie. */
export interface ScanKernel {
  /** Another one after each growth, which makes the views on the old one useless. */
  buffer(): ArrayBuffer;
  /** To at least so many bytes; throws a RangeError where there is no memory left. */
  grow(bytes: number): void;
  /**
   * out[i] = dot(row i, query) · scale i · factor, each step rounded to 32 bits. All places are offsets in bytes.
   * Gives the greatest: most rows come after enough better ones, and then their scores need not be looked at.
   */
  score(places: ScorePlaces, count: number, factor: number): number;
}

interface ScorePlaces {
  /** Bytes, `width` for each row. */
  readonly rows: number;
  readonly scales: number;
  /** Numbers of 16 bits. */
  readonly query: number;
  readonly out: number;
}

/** A row's width in bytes: what the kernel takes in one step divides it. */
export function rowWidth(dims: number): number {
  return Math.ceil(dims / 16) * 16;
}

/** The greatest number in a query with which no sum leaves 32 bits, whatever the row. */
export function queryLimit(dims: number): number {
  return Math.min(32_767, Math.floor((2 ** 31 - 1) / (128 * dims)));
}

export function createScanKernel(dims: number): ScanKernel {
  return createSimdKernel(dims) ?? createPlainKernel(dims);
}

interface ScoreExports {
  readonly memory: WasmMemory;
  readonly score: (rows: number, scales: number, query: number, out: number, count: number, factor: number) => number;
}

/** Undefined where this machine has no WebAssembly with SIMD, or no address space for its memory. */
export function createSimdKernel(dims: number): ScanKernel | undefined {
  const exports = instantiate<ScoreExports>(assembleScore(rowWidth(dims)));
  if (exports === undefined) return undefined;
  const { memory, score } = exports;
  return {
    buffer: () => memory.buffer,
    grow: (needed) => growMemory(memory, needed),
    score: ({ rows, scales, query, out }, count, factor) => score(rows, scales, query, out, count, factor),
  };
}

/** The loop over rows; the loop over one row's numbers is written out. */
function assembleScore(width: number): Uint8Array<ArrayBuffer> {
  const [rows, scales, query, out, count, factor, even, odd, score, greatest] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  const { get, set } = wasm;
  const step = (local: number, bytes: number): Code[] => [get(local), wasm.i32Const(bytes), wasm.i32Add, set(local)];
  // Two sums, so that an addition need not wait for the one before.
  const products = Array.from({ length: width / 8 }, (_, part): Code[] => {
    const sum = part % 2 === 0 ? even : odd;
    return [
      get(rows),
      wasm.v128Load8x8(part * 8),
      get(query),
      wasm.v128Load(part * 16),
      wasm.i32x4Dot,
      get(sum),
      wasm.i32x4Add,
      set(sum),
    ];
  });
  const lanes = [0, 1, 2, 3].flatMap((lane): Code[] => [
    get(even),
    wasm.i32x4Lane(lane),
    ...(lane === 0 ? [] : [wasm.i32Add]),
  ]);
  return assembleModule({
    name: "score",
    parameters: ["i32", "i32", "i32", "i32", "i32", "f32"],
    locals: ["v128", "v128", "f32", "f32"],
    results: ["f32"],
    body: [
      ...[wasm.f32Const(Number.NEGATIVE_INFINITY), set(greatest)],
      wasm.block(
        ...[get(count), wasm.i32EqualsZero, wasm.branchIf(0)],
        wasm.loop(
          ...[wasm.v128Zero, set(even), wasm.v128Zero, set(odd)],
          ...products.flat(),
          ...[get(even), get(odd), wasm.i32x4Add, set(even)],
          get(out),
          ...lanes,
          ...[wasm.f32FromI32, get(scales), wasm.f32Load(0), wasm.f32Multiply, get(factor), wasm.f32Multiply],
          ...[wasm.tee(score), wasm.f32Store(0)],
          ...[get(score), get(greatest), wasm.f32Greater, set(greatest)],
          ...step(rows, width),
          ...step(scales, 4),
          ...step(out, 4),
          ...[get(count), wasm.i32Const(1), wasm.i32Subtract, wasm.tee(count), wasm.branchIf(0)],
        ),
      ),
      get(greatest),
    ],
  });
}

/** The same numbers, bit for bit, without WebAssembly. */
export function createPlainKernel(dims: number): ScanKernel {
  const width = rowWidth(dims);
  let buffer = new ArrayBuffer(0);
  return {
    buffer: () => buffer,
    grow: (needed) => {
      if (needed <= buffer.byteLength) return;
      const larger = new ArrayBuffer(needed);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    },
    score: (places, count, factor) => {
      const rows = new Int8Array(buffer, places.rows, count * width);
      const scales = new Float32Array(buffer, places.scales, count);
      const query = new Int16Array(buffer, places.query, width);
      const out = new Float32Array(buffer, places.out, count);
      const rounded = Math.fround(factor);
      let greatest = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < count; row++) {
        let sum = 0;
        for (let at = 0; at < width; at++) sum += (rows[row * width + at] as number) * (query[at] as number);
        out[row] = Math.fround(Math.fround(sum) * (scales[row] as number)) * rounded;
        greatest = Math.max(greatest, out[row] as number);
      }
      return greatest;
    },
  };
}
