import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantise, quantiseAll } from "../../../src/search/meaning/quantise.ts";
import {
  createPlainKernel,
  createSimdKernel,
  queryLimit,
  rowWidth,
  type ScanKernel,
} from "../../../src/search/meaning/scan-kernel.ts";
import { createVectorScan, type VectorScan } from "../../../src/search/meaning/vector-scan.ts";

function simdKernel(dims: number): ScanKernel {
  const kernel = createSimdKernel(dims);
  if (kernel === undefined) throw new Error("This Node has no WebAssembly SIMD.");
  return kernel;
}

const kernels = [
  ["SIMD", simdKernel],
  ["plain", createPlainKernel],
] as const;

/** Repeatable numbers from -1 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function vectors(count: number, dims: number, seed: number): Float32Array[] {
  const next = numbersFrom(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: dims }, next));
}

function fill(scan: VectorScan, chunk: number, count: number, seed: number): Float32Array[] {
  const made = vectors(count, scan.dims, seed);
  scan.append(chunk, quantiseAll(made, scan.dims));
  return made;
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
}

describe.each(kernels)("the %s kernel", (_, create) => {
  it("SRCH-2 multiplies any bytes and any query exactly, at the extremes too", () => {
    const byte = fc.oneof(fc.constantFrom(-128, 127, 0, -1), fc.integer({ min: -128, max: 127 }));
    const property = fc.property(
      fc.constantFrom(1, 7, 16, 100, 128, 384, 1536),
      fc.integer({ min: 0, max: 9 }),
      fc.infiniteStream(byte),
      fc.infiniteStream(fc.constantFrom(1, -1, 0.5, 0, 0.001)),
      fc.double({ min: 2 ** -20, max: 2, noNaN: true }),
      (dims, count, bytes, parts, factor) => {
        const width = rowWidth(dims);
        const limit = queryLimit(dims);
        const kernel = create(dims);
        const places = { query: 0, out: 2 * width, scales: 2 * width + 64, rows: 2 * width + 128 };
        kernel.grow(places.rows + width * 10);
        const take = <Value>(stream: Iterator<Value>) => stream.next().value as Value;
        const query = new Int16Array(kernel.buffer(), places.query, width).map((_zero, at) =>
          at < dims ? Math.round(limit * take(parts)) : 0,
        );
        new Int16Array(kernel.buffer(), places.query, width).set(query);
        const rows = new Int8Array(kernel.buffer(), places.rows, width * count);
        for (let at = 0; at < rows.length; at++) rows[at] = at % width < dims ? take(bytes) : 0;
        const scales = new Float32Array(kernel.buffer(), places.scales, count).map((_zero, row) => 0.25 + row);
        new Float32Array(kernel.buffer(), places.scales, count).set(scales);
        const greatest = kernel.score(places, count, factor);
        const expected = Float32Array.from({ length: count }, (_zero, row) => {
          const sum = query.reduce((total, value, at) => total + value * (rows[row * width + at] as number), 0);
          return Math.fround(Math.fround(sum) * (scales[row] as number)) * Math.fround(factor);
        });
        expect(new Float32Array(kernel.buffer(), places.out, count)).toEqual(expected);
        expect(greatest).toBe(Math.max(...expected));
      },
    );
    fc.assert(property, { numRuns: 60 });
  });

  it("SRCH-2 cannot overflow: the worst row and the worst query", () => {
    for (const dims of [128, 384, 1536, 4096]) {
      const width = rowWidth(dims);
      const kernel = create(dims);
      kernel.grow(4 * width + 64);
      new Int16Array(kernel.buffer(), 0, width).fill(-queryLimit(dims));
      new Float32Array(kernel.buffer(), 2 * width, 1).fill(1);
      new Int8Array(kernel.buffer(), 2 * width + 64, width).fill(-128);
      const places = { query: 0, scales: 2 * width, out: 2 * width + 16, rows: 2 * width + 64 };
      expect(kernel.score(places, 1, 1)).toBe(Math.fround(128 * queryLimit(dims) * width));
    }
  });
});

describe.each(kernels)("the scan with the %s kernel", (_, create) => {
  it.each([128, 384, 100])("SRCH-2 finds the nearest of %i dimensions as a comparison of all finds them", (dims) => {
    const scan = createVectorScan(dims, create(dims));
    const all = [fill(scan, 7, 700, 1), fill(scan, 3, 1, 2), fill(scan, 4, 256, 3)];
    const numbers = [7, 3, 4];
    const [query] = vectors(1, dims, 99) as [Float32Array];
    const exact = all
      .flatMap((chunk, index) =>
        chunk.map((vector, unit) => ({ chunk: numbers[index], unit, score: dot(query, vector) })),
      )
      .sort((left, right) => right.score - left.score);
    const found = scan.top(query, { count: 20 });
    expect(found).toHaveLength(20);
    for (const [rank, hit] of found.entries()) {
      // A byte for each number moves a score by some hundredths of the scores' spread.
      expect(hit.score).toBeCloseTo(exact[rank]?.score as number, 0);
    }
    const first = exact.slice(0, 5).map(({ chunk, unit }) => `${chunk}:${unit}`);
    const names = found.map(({ chunk, unit }) => `${chunk}:${unit}`);
    expect(names).toEqual(expect.arrayContaining(first));
    for (const [index, number] of numbers.entries()) {
      const scores = scan.scores(query, number);
      expect(scores).toHaveLength(all[index]?.length as number);
      for (const hit of found) if (hit.chunk === number) expect(scores[hit.unit]).toBe(hit.score);
    }
  });

  it("SRCH-2 finds nothing where nothing is", () => {
    const scan = createVectorScan(128, create(128));
    const [query] = vectors(1, 128, 5) as [Float32Array];
    expect(scan.top(query, { count: 10 })).toEqual([]);
    expect(scan.scores(query, 1)).toEqual(new Float32Array(0));
    scan.append(1, quantiseAll([], 128));
    expect(scan.top(query, { count: 10 })).toEqual([]);
  });

  it("SRCH-2 grows by many appends without losing a row", () => {
    const scan = createVectorScan(128, create(128));
    const made: Float32Array[] = [];
    for (let part = 0; part < 40; part++) made.push(...fill(scan, 1, 97, part));
    expect(scan.unitCount(1)).toBe(made.length);
    const query = made[1234] as Float32Array;
    expect(scan.top(query, { count: 1 })).toMatchObject([{ chunk: 1, unit: 1234 }]);
    const scores = scan.scores(query, 1);
    for (const [unit, vector] of made.entries()) {
      const { row, scale } = quantise(vector);
      const exact = query.reduce((sum, value, at) => sum + value * scale * (row[at] as number), 0);
      expect(Math.abs((scores[unit] as number) - exact)).toBeLessThan(0.01);
    }
  });

  it("SRCH-2 leaves out deleted units and those without meaning", () => {
    const scan = createVectorScan(128, create(128));
    const [query, other] = vectors(2, 128, 5) as [Float32Array, Float32Array];
    const empty = new Float32Array(128);
    scan.append(1, quantiseAll([query, empty, other, query], 128));
    const skipped = () => Uint8Array.of(0b0001);
    expect(scan.top(query, { count: 10, skipped }).map(({ unit }) => unit)).toEqual([3, 2]);
    expect(scan.top(query, { count: 10 }).map(({ unit }) => unit)).toEqual([0, 3, 2]);
    expect(scan.top(empty, { count: 10 })).toEqual([]);
    expect(scan.top(query, { count: 0 })).toEqual([]);
  });

  it("SRCH-3 lets the caller order equal scores, also at the end of the list", () => {
    const scan = createVectorScan(128, create(128));
    const [query] = vectors(1, 128, 5) as [Float32Array];
    for (let chunk = 0; chunk < 4; chunk++) {
      scan.append(chunk, quantiseAll(new Array(300).fill(query), 128));
    }
    const isBefore = (left: { unit: number; chunk: number }, right: { unit: number; chunk: number }) =>
      left.unit > right.unit || (left.unit === right.unit && left.chunk > right.chunk);
    const found = scan.top(query, { count: 5, isBefore }).map(({ chunk, unit }) => [chunk, unit]);
    expect(found).toEqual([
      [3, 299],
      [2, 299],
      [1, 299],
      [0, 299],
      [3, 298],
    ]);
    expect(scan.top(query, { count: 2 }).map(({ chunk, unit }) => [chunk, unit])).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  it("SRCH-3 uses the memory of dropped chunks again", () => {
    const scan = createVectorScan(128, create(128));
    for (let chunk = 0; chunk < 3; chunk++) fill(scan, chunk, 300, chunk);
    const before = scan.memoryBytes();
    for (let round = 1; round <= 6; round++) {
      for (let chunk = 0; chunk < 3; chunk++) {
        scan.drop(chunk + (round - 1) * 10);
        fill(scan, chunk + round * 10, 300, chunk);
      }
    }
    expect(scan.memoryBytes()).toBe(before);
    const [query] = vectors(1, 128, 77) as [Float32Array];
    const fresh = createVectorScan(128, create(128));
    for (let chunk = 0; chunk < 3; chunk++) fill(fresh, chunk + 60, 300, chunk);
    expect(scan.top(query, { count: 50 })).toEqual(fresh.top(query, { count: 50 }));
    scan.clear();
    expect(scan.top(query, { count: 50 })).toEqual([]);
    expect(scan.unitCount(60)).toBe(0);
  });

  it("SRCH-2 refuses rows and queries of other dimensions", () => {
    const scan = createVectorScan(128, create(128));
    expect(() => scan.append(1, { rows: new Int8Array(100), scales: new Float32Array(1) })).toThrow(RangeError);
    expect(() => scan.top(new Float32Array(384), { count: 1 })).toThrow(RangeError);
  });

  it("SRCH-2 answers nothing for a query that is no number, and never with a damaged scale", () => {
    const scan = createVectorScan(128, create(128));
    const [query] = vectors(1, 128, 5) as [Float32Array];
    const { rows } = quantiseAll([query, query], 128);
    scan.append(1, { rows, scales: Float32Array.of(Number.NaN, 1) });
    expect(scan.top(query, { count: 10 }).map(({ unit }) => unit)).toEqual([1]);
    expect(scan.top(new Float32Array(128).fill(Number.NaN), { count: 10 })).toEqual([]);
  });
});

describe("both kernels", () => {
  it("SRCH-2 give the same bits", () => {
    for (const dims of [128, 384, 100]) {
      const [simd, plain] = [createVectorScan(dims, simdKernel(dims)), createVectorScan(dims, createPlainKernel(dims))];
      fill(simd, 1, 513, 8);
      fill(plain, 1, 513, 8);
      const [query] = vectors(1, dims, 9) as [Float32Array];
      expect(plain.scores(query, 1)).toEqual(simd.scores(query, 1));
      expect(plain.top(query, { count: 100 })).toEqual(simd.top(query, { count: 100 }));
    }
  });

  it("SRCH-2 take nothing where memory is at its end, and go on with what they have", () => {
    const kernel = createPlainKernel(128);
    const scan = createVectorScan(128, {
      ...kernel,
      grow: (bytes) => {
        if (bytes > 200_000) throw new RangeError("no memory");
        kernel.grow(bytes);
      },
    });
    fill(scan, 1, 500, 1);
    expect(() => fill(scan, 2, 5000, 2)).toThrow(RangeError);
    expect(scan.unitCount(2)).toBe(0);
    fill(scan, 3, 200, 3);
    expect(scan.unitCount(3)).toBe(200);
  });
});

describe("quantise", () => {
  it("SRCH-2 keeps each number to half a step", () => {
    const property = fc.property(
      fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 1, maxLength: 200 }),
      (values) => {
        const vector = Float32Array.from(values);
        const { row, scale } = quantise(vector);
        for (const [at, value] of vector.entries()) {
          expect(Math.abs(value - scale * (row[at] as number))).toBeLessThanOrEqual(scale * 0.5001 + 1e-40);
        }
      },
    );
    fc.assert(property);
  });

  it("SRCH-2 gives zeros the scale 0", () => {
    expect(quantise(new Float32Array(4))).toEqual({ row: new Int8Array(4), scale: 0 });
  });
});
