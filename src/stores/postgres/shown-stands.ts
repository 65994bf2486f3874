import type { Row, Statement } from "./database.ts";

/** How far a space is: both numbers only rise, unless its database is set back. */
interface Stand {
  readonly change: bigint;
  readonly purges: bigint;
}

interface NoticedStand extends Stand {
  readonly noticedAt: number;
}

/** Rows that `standStatement` was answered with, and what they are of. */
interface StandAnswer {
  readonly spaces: readonly string[];
  readonly rows: readonly Row[];
}

/** How far each space was in what was shown of it, so that nothing older is shown later. */
interface ShownStands {
  /** To be asked for before something is read: `shown` wants to know what came after what. */
  moment(): number;
  /** Whether a place that answers so lacks something that was shown. */
  isBehind(answer: StandAnswer): boolean;
  /** What was read is not newer than this; `sureSince` is the moment before it, where it is of the primary. */
  shown(answer: StandAnswer, sureSince?: number): void;
}

/** Before what is read it says what that has at least, after it what that has at most. */
export function standStatement(spaces: readonly string[]): Statement {
  return {
    name: "recollect stands",
    text: "SELECT space, last_change, purges FROM recollect.spaces WHERE space = ANY($1)",
    values: [spaces],
  };
}

/**
 * Of so many spaces at most, those that were shown last. Of one that was forgotten nobody knows what was shown: any
 * place but the primary counts as behind there.
 */
export function createShownStands(mostSpaces = 10_000): ShownStands {
  const stands = new Map<string, NoticedStand>();
  let moments = 0;
  /** When the latest that is forgotten was noticed. */
  let forgottenAt = 0;

  function moment(): number {
    moments += 1;
    return moments;
  }

  function keep(space: string, stand: NoticedStand): void {
    stands.delete(space);
    stands.set(space, stand);
    for (const [oldest, { noticedAt }] of stands) {
      if (stands.size <= mostSpaces) return;
      stands.delete(oldest);
      forgottenAt = Math.max(forgottenAt, noticedAt);
    }
  }

  return {
    moment,
    isBehind: (answer) =>
      standsIn(answer).some(([space, stand]) => {
        const before = stands.get(space);
        return before ? !reaches(stand, before) : forgottenAt > 0;
      }),
    shown: (answer, sureSince = 0) => {
      for (const [space, stand] of standsIn(answer)) {
        const before = stands.get(space);
        const isSame = before !== undefined && reaches(before, stand) && reaches(stand, before);
        // A primary that has less than it had was set back; one that was asked earlier may only have answered late.
        const isSure = (before?.noticedAt ?? forgottenAt) <= sureSince;
        if (isSame) keep(space, before);
        else if (isSure || (before && reaches(stand, before))) keep(space, { ...stand, noticedAt: moment() });
      }
    },
  };
}

function reaches(one: Stand, other: Stand): boolean {
  return one.change >= other.change && one.purges >= other.purges;
}

function standsIn({ spaces, rows }: StandAnswer): readonly (readonly [string, Stand])[] {
  return spaces.map((space) => {
    const row = rows.find((one) => one["space"] === space);
    const number = (column: string) => BigInt(String(row?.[column] ?? 0));
    return [space, { change: number("last_change"), purges: number("purges") }];
  });
}
