import { parseArgs } from "node:util";

/** How a rig was asked to run. */
export interface RigOptions {
  readonly long: boolean;
  readonly seconds: number;
  /** The name of a deliberately broken build, which the rig must catch. */
  readonly broken: string | undefined;
  /** rig:race alone: see `buildJournalTraps`. */
}

export function readRigOptions(defaultSeconds: number): RigOptions {
  const { values } = parseArgs({
    options: {
      long: { type: "boolean" },
      seconds: { type: "string" },
      broken: { type: "string" },
    },
  });
  return {
    long: values.long ?? false,
    seconds: Number(values.seconds ?? defaultSeconds),
    broken: values.broken,
  };
}

/** What went wrong, counted by kind, with the first few of each in words. */
export interface Violations {
  add(kind: string, says: string): void;
  count(kind: string): number;
  readonly total: number;
  print(): void;
}

export function createViolations(): Violations {
  const found = new Map<string, string[]>();
  const count = (kind: string) => found.get(kind)?.length ?? 0;
  return {
    add: (kind, says) => {
      found.set(kind, [...(found.get(kind) ?? []).slice(0, 9_999), says]);
    },
    count,
    get total() {
      return [...found.keys()].reduce((sum, kind) => sum + count(kind), 0);
    },
    print: () => {
      for (const [kind, all] of found) {
        console.log(`  ${kind}: ${all.length}`);
        for (const says of all.slice(0, 5)) console.log(`    ${says.slice(0, 600)}`);
      }
    },
  };
}

/** Ends the process: 0 where a good build passed, or where a broken one was caught. */
export function closeRig(rig: string, broken: string | undefined, caught: boolean): never {
  if (broken === undefined) console.log(caught ? `${rig}: FAILED` : `${rig}: passed`);
  else console.log(caught ? `${rig}: the broken build “${broken}” was caught` : `${rig}: “${broken}” was NOT caught`);
  process.exit(caught === (broken !== undefined) ? 0 : 1);
}
