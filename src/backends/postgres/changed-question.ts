/** Which paths changed; undefined where nobody knows. */
export type Changed = readonly string[] | undefined;

interface Question {
  /**
   * What changed until now. An answer that is under way may be from before what the caller has just done: it gets that
   * one, which tells it what is not told again, and the next one.
   */
  ask(): Promise<Changed>;
  /** The answer that is under way, or else a new one: for who wants no more than that it was asked for. */
  begun(): Promise<Changed>;
}

/** Never asks twice at the same time: each answer tells what came after the one before. */
export function createQuestion(askOnce: () => Promise<Changed>): Question {
  let asking: Promise<Changed> | undefined;
  let next: Promise<Changed> | undefined;

  function begun(): Promise<Changed> {
    asking ??= askOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  /** What an answer that failed would have told, the next one tells. */
  async function askAfter(before: Promise<Changed>): Promise<Changed> {
    const told = await before.catch(() => []);
    next = undefined;
    const later = await ask();
    return told && later && [...new Set([...told, ...later])];
  }

  function ask(): Promise<Changed> {
    if (!asking) return begun();
    next ??= askAfter(asking);
    return next;
  }

  return { ask, begun };
}
