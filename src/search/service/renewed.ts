import { isRecollectError, RecollectError } from "../../kernel/errors.ts";

/** Something that was opened for a state of affairs, and is opened anew once that is another one. */
export interface Renewed<Value> {
  /** What is open, whatever became of its state since; opened where nothing is. */
  opened(): Promise<Value>;
  /** With one for the state as it is now, which stays open until the work is done. */
  use<Answer>(work: (value: Value) => Promise<Answer>): Promise<Answer>;
  /** With what is open, if anything is. */
  useOpened(work: (value: Value) => Promise<void>): Promise<void>;
  /** Waits for no work. */
  close(): Promise<void>;
}

export interface RenewedOptions<State, Value> {
  /** The same object as long as it is the same. */
  readonly state: () => Promise<State>;
  readonly open: (state: State) => Promise<Value>;
  /** `isOutdated` where another one took its place. */
  readonly close: (value: Value, isOutdated: boolean) => Promise<void>;
}

interface Opened<State, Value> {
  readonly state: State;
  readonly value: Promise<Value>;
  uses: number;
}

export function createRenewed<State, Value>(options: RenewedOptions<State, Value>): Renewed<Value> {
  let current: Opened<State, Value> | undefined;
  const open = new Set<Opened<State, Value>>();
  /** Those that could not be closed stay in it, for who closes everything to hear of. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  function begin(state: State): Opened<State, Value> {
    const begun = { state, value: options.open(state), uses: 0 };
    open.add(begun);
    // Whoever waits for it is told; what kept it from opening may be mended by the next time.
    begun.value.catch(() => {
      open.delete(begun);
      if (current === begun) current = undefined;
    });
    return begun;
  }

  /** In use from here on, before anybody can think that it is not. */
  async function take(): Promise<Opened<State, Value>> {
    const state = await options.state();
    if (isClosed) throw closedError();
    const former = current;
    const taken = former && former.state === state ? former : begin(state);
    taken.uses += 1;
    current = taken;
    if (former && former !== taken && former.uses === 0) end(former, true);
    return taken;
  }

  async function work<Answer>(taken: Opened<State, Value>, doing: (value: Value) => Promise<Answer>): Promise<Answer> {
    try {
      return await doing(await taken.value);
    } catch (error) {
      // Whatever it was in the middle of.
      throw isClosed && !isRecollectError(error) ? closedError(error) : error;
    } finally {
      taken.uses -= 1;
      if (taken !== current && taken.uses === 0) end(taken, true);
    }
  }

  function end(one: Opened<State, Value>, isOutdated: boolean): void {
    if (!open.delete(one)) return;
    const ended = one.value.then(
      (value) => options.close(value, isOutdated),
      () => {},
    );
    ending.add(ended);
    ended.then(
      () => ending.delete(ended),
      () => {},
    );
  }

  const use: Renewed<Value>["use"] = async (doing) => work(await take(), doing);

  return {
    opened: () => current?.value ?? use(async (value) => value),
    use,
    useOpened: async (doing) => {
      if (!current) return;
      current.uses += 1;
      await work(current, doing);
    },
    close: async () => {
      isClosed = true;
      for (const one of open) end(one, one !== current);
      await Promise.all(ending);
    },
  };
}

function closedError(cause?: unknown): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "This workspace was closed. Open it again.", { cause });
}
