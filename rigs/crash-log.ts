import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../src/app.ts";

/** What a worker writes down: the intention before an operation, the acknowledgement after it. */
export type LogLine =
  | { readonly kind: "intends"; readonly run: string; readonly doing: string }
  | { readonly kind: "acknowledged"; readonly run: string; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "torn"; readonly path: string; readonly says: string }
  | { readonly kind: "failed"; readonly run: string; readonly says: string };

export interface CrashLog {
  write(line: LogLine): void;
  close(): void;
}

/** One write() a line: a kill leaves whole lines. */
export function openCrashLog(file: string): CrashLog {
  const descriptor = openSync(file, "ax");
  return {
    write: (line) => void writeSync(descriptor, `${JSON.stringify(line)}\n`),
    close: () => closeSync(descriptor),
  };
}

export function readCrashLogs(folder: string): LogLine[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as LogLine),
  );
}
