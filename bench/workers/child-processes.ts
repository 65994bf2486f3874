import { readFileSync } from "node:fs";

/** What the processes that this one has started have used so far, while they live. Linux alone tells. */
export interface ChildProcessUse {
  readonly cpuMs: number;
  /** Bytes, at most. */
  readonly peakMemory: number;
}

const tickMs = 10;

export function childProcesses(): ChildProcessUse[] {
  const list = read(`/proc/self/task/${process.pid}/children`).trim();
  return list === "" ? [] : list.split(" ").map(useOf);
}

function useOf(pid: string): ChildProcessUse {
  // The name comes second, in brackets, and may hold anything.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return { cpuMs: tickMs * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)), peakMemory: 1024 * Number(peak ?? 0) };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
