import type { Random } from "./random.ts";
import type { Gate } from "./versions-gate.ts";
import type { Operation, Surface } from "./versions-surfaces.ts";
import type { Place, VersionsWorld } from "./versions-world.ts";

/** A version that a surface has acknowledged. Times are milliseconds since 1970. */
export interface Acknowledged {
  readonly operation: Operation;
  readonly surface: Surface;
  readonly place: Place;
  readonly file: string;
  /** Undefined where the surface does not print one. */
  readonly rev: string | undefined;
  /** No other request has this text. */
  readonly text: string;
  readonly sent: number;
  /** When the answer arrived; for a command, when it had ended. */
  readonly answered: number;
}

export interface Period {
  readonly begun: number;
  readonly ended: number;
}

/** A file or folder that was deleted with everything in it. */
export interface Deletion extends Period {
  readonly path: string;
}

/** What happened in one world. */
export interface StepsReport {
  readonly acknowledged: Acknowledged[];
  readonly deletions: Deletion[];
  /** From the kill of the servers to the start of new ones: nothing is recorded in between. */
  readonly kills: Period[];
  /** How often each kind of step was done. */
  readonly counts: Map<string, number>;
  /** Files that the rig's own editor saved in place, which changes every name of a file. */
  readonly savedInPlace: Set<string>;
  /** Broken promises that show at once, by kind. */
  readonly broken: { readonly kind: string; readonly says: string }[];
}

/** What a step works with. */
export interface StepsContext {
  readonly world: VersionsWorld;
  readonly random: Random;
  readonly report: StepsReport;
  readonly gate: Gate;
}

export function createStepsReport(): StepsReport {
  return { acknowledged: [], deletions: [], kills: [], counts: new Map(), savedInPlace: new Set(), broken: [] };
}

export function count({ counts }: StepsReport, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
