export interface WasmMemory {
  /** Another one after each growth. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** TypeScript has these types for browsers alone. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

const pageBytes = 65_536;

/** Undefined where this machine has no WebAssembly, not all of what the module uses, or no room for its memory. */
export function instantiate<Exports>(bytes: Uint8Array<ArrayBuffer>): Exports | undefined {
  const host = (globalThis as { WebAssembly?: WebAssemblyHost }).WebAssembly;
  if (host === undefined || !host.validate(bytes)) return undefined;
  try {
    return new host.Instance(new host.Module(bytes)).exports as Exports;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** To at least so many bytes; throws a RangeError where there is no memory left. */
export function growMemory(memory: WasmMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
}
