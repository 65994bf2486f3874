import { createHash } from "node:crypto";
import { createDisposableDatabase } from "../../backends/files/disposable-database.ts";
import type { QuantisedRow } from "./quantise.ts";

/** Vectors by the model and the hash of the text: what took a model long is computed once. */
export interface VectorCache {
  /** One answer for each text, in their order. */
  get(model: string, texts: readonly string[]): readonly (QuantisedRow | undefined)[];
  put(model: string, rows: readonly CachedText[]): void;
  close(): void;
}

interface CachedText {
  readonly text: string;
  readonly quantised: QuantisedRow;
}

export interface VectorCacheOptions {
  /** In the user's cache folder; made with its folder where missing. */
  readonly file: string;
  /** The oldest are forgotten. */
  readonly mostRows?: number;
}

const begin = `
  PRAGMA busy_timeout = 500; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    hash BLOB NOT NULL,
    bytes BLOB NOT NULL,
    scale REAL NOT NULL,
    UNIQUE (model, hash)
  )
`;

/** Derived and disposable: where it cannot be used everything is a miss. */
export function openVectorCache({ file, mostRows = 500_000 }: VectorCacheOptions): VectorCache {
  const { use, close } = createDisposableDatabase({ file, begin });
  return {
    get: (model, texts) =>
      use((one) => {
        const select = one.prepare("SELECT bytes, scale FROM vectors WHERE model = ? AND hash = ?");
        return texts.map((text) => toRow(select.get(model, hashOf(text))));
      }) ?? texts.map(() => undefined),
    put: (model, rows) => {
      use((one) => {
        const insert = one.prepare("INSERT OR REPLACE INTO vectors (model, hash, bytes, scale) VALUES (?, ?, ?, ?)");
        one.exec("BEGIN IMMEDIATE");
        for (const { text, quantised } of rows) {
          insert.run(model, hashOf(text), new Uint8Array(quantised.row), quantised.scale);
        }
        one.prepare("DELETE FROM vectors WHERE id <= (SELECT max(id) FROM vectors) - ?").run(mostRows);
        one.exec("COMMIT");
      });
    },
    close,
  };
}

function toRow(found: Record<string, unknown> | undefined): QuantisedRow | undefined {
  const [bytes, scale] = [found?.["bytes"], found?.["scale"]];
  if (!(bytes instanceof Uint8Array) || typeof scale !== "number" || !Number.isFinite(scale)) return undefined;
  return { row: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), scale };
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
