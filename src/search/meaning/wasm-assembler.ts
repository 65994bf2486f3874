/**
 * As much of an assembler for WebAssembly as a loop over vectors needs, so that no toolchain is. Names and numbers are
 * those of the specification's binary format.
 */
export type Code = readonly number[];

const valueTypes = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
type ValueType = keyof typeof valueTypes;

const emptyBlock = 0x40;
const simd = 0xfd;

export const wasm = {
  block: (...body: Code[]): Code => [0x02, emptyBlock, ...body.flat(), 0x0b],
  loop: (...body: Code[]): Code => [0x03, emptyBlock, ...body.flat(), 0x0b],
  branchIf: (depth: number): Code => [0x0d, ...unsigned(depth)],
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  tee: (local: number): Code => [0x22, ...unsigned(local)],
  i32Const: (value: number): Code => [0x41, ...signed(value)],
  i32EqualsZero: [0x45] as Code,
  i32Add: [0x6a] as Code,
  i32Subtract: [0x6b] as Code,
  i32Load: (offset: number): Code => [0x28, ...memory(2, offset)],
  f32Load: (offset: number): Code => [0x2a, ...memory(2, offset)],
  f32Store: (offset: number): Code => [0x38, ...memory(2, offset)],
  f32Const: (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  f32Multiply: [0x94] as Code,
  f32Greater: [0x97] as Code,
  f32FromI32: [0xb2] as Code,
  v128Load: (offset: number): Code => [simd, 0, ...memory(4, offset)],
  /** Eight bytes with their signs, as eight numbers of 16 bits. */
  v128Load8x8: (offset: number): Code => [simd, 1, ...memory(3, offset)],
  v128Store: (offset: number): Code => [simd, 11, ...memory(4, offset)],
  v128Zero: [simd, 12, ...new Array<number>(16).fill(0)] as Code,
  f32x4Splat: [simd, 19] as Code,
  i32x4Lane: (lane: number): Code => [simd, 27, lane],
  i32x4Add: [simd, ...unsigned(0xae)] as Code,
  /** Products of eight pairs of 16 bits, each two of them added up: four sums of 32 bits. */
  i32x4Dot: [simd, ...unsigned(0xba)] as Code,
  i32x4FromLowI16x8: [simd, ...unsigned(0xa7)] as Code,
  i32x4FromHighI16x8: [simd, ...unsigned(0xa8)] as Code,
  f32x4FromI32x4: [simd, ...unsigned(0xfa)] as Code,
  f32x4Add: [simd, ...unsigned(0xe4)] as Code,
  f32x4Multiply: [simd, ...unsigned(0xe6)] as Code,
};

export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly body: readonly Code[];
}

/** A module of one function and a memory of one page that can grow; both are exported. */
export function assembleModule({ name, parameters, results, locals, body }: WasmFunction): Uint8Array<ArrayBuffer> {
  const code = [...list(locals.map((type) => [1, valueTypes[type]])), ...body.flat(), 0x0b];
  const types = [
    0x60,
    ...list(parameters.map((type) => [valueTypes[type]])),
    ...list(results.map((type) => [valueTypes[type]])),
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([types])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, 1]])),
    ...section(7, list([exported(name, 0, 0), exported("memory", 2, 0)])),
    ...section(10, list([[...unsigned(code.length), ...code]])),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function exported(name: string, kind: number, index: number): Code {
  return [...list([...Buffer.from(name)].map((byte) => [byte])), kind, ...unsigned(index)];
}

function memory(alignment: number, offset: number): Code {
  return [alignment, ...unsigned(offset)];
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
