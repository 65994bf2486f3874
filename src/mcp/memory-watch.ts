import { isRecollectError, type Memories, RecollectError, type Rev } from "../app.ts";

/** How often those who listen are told what others have changed. */
const lookEveryMs = 1000;
/** Who subscribes to more is told of the latest alone. */
export const mostSubscribed = 500;
/** Those of one watch follow so many different names together: each is read at each look. */
const mostFollowed = 2000;
/** One is looked at in a fraction of that. */
const lookMsEach = 2;

/** What somebody who listens is told. */
interface MemoryNotices {
  updated(name: string): void;
  listChanged(): void;
}

export interface MemoryListener {
  /** Refused as BUSY where too many are followed already: whoever follows one goes on to be told of it. */
  subscribe(name: string): Promise<void>;
  unsubscribe(name: string): void;
  /** From now on also when there is another list of memories. */
  followList(): Promise<void>;
  /** It has just read that revision, and need not be told of it. */
  knows(name: string, rev: Rev): void;
  end(): void;
}

/**
 * Notices changes of memories: our own at once, those that other processes, editors or a `git pull` make by looking
 * again, which costs nothing as long as nobody listens. It sees what these memories show, and no more.
 */
export interface MemoryWatch {
  listen(notices: MemoryNotices): MemoryListener;
  /** To be called when something was changed here, so that nobody waits for the next look. */
  changed(): void;
}

interface Listening {
  readonly notices: MemoryNotices;
  /** What it wants to hear of, with the revision that it knows. */
  readonly subscribed: Map<string, Rev | undefined>;
  listed: readonly string[] | undefined;
}

export function createMemoryWatch(memories: Memories): MemoryWatch {
  const all = new Set<Listening>();
  /** By how many each name is followed. */
  const followed = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isWaiting = false;

  async function revOf(name: string): Promise<Rev | undefined> {
    try {
      return (await memories.read(name, { maxChars: 1 })).rev;
    } catch (error) {
      if (isRecollectError(error)) return undefined;
      throw error;
    }
  }

  /** As it was at the last look, where somebody follows it: who comes later need not read it again. */
  async function seen(name: string): Promise<Rev | undefined> {
    for (const { subscribed } of all) if (subscribed.has(name)) return subscribed.get(name);
    return revOf(name);
  }

  function add({ subscribed }: Listening, name: string, rev: Rev | undefined): void {
    if (!subscribed.has(name)) followed.set(name, (followed.get(name) ?? 0) + 1);
    subscribed.set(name, rev);
  }

  function remove({ subscribed }: Listening, name: string): void {
    if (!subscribed.delete(name)) return;
    const others = (followed.get(name) ?? 0) - 1;
    if (others > 0) followed.set(name, others);
    else followed.delete(name);
  }

  function watch(): void {
    timer ??= nextLook();
  }

  /** Many names are looked at less often: 10,000 of them cost a tenth of a second each time. */
  function nextLook(): NodeJS.Timeout {
    const most = Math.max(0, ...[...all].map(({ listed }) => listed?.length ?? 0));
    return setTimeout(
      () => {
        lookSoon();
        timer = nextLook();
      },
      Math.max(lookEveryMs, most / 2, followed.size * lookMsEach),
    ).unref();
  }

  /** One look after the other, and one at most that waits: two at once would tell of one change twice. */
  function lookSoon(): void {
    if (isWaiting) return;
    isWaiting = true;
    looking = looking
      .then(() => {
        isWaiting = false;
        return look();
      })
      .catch(() => {});
  }

  async function look(): Promise<void> {
    for (const name of [...followed.keys()]) {
      const now = await revOf(name);
      for (const one of all) tellOfRevision(one, name, now);
    }
    if (![...all].some(({ listed }) => listed !== undefined)) return;
    const names = await memories.names();
    for (const one of all) tellOfList(one, names);
  }

  return {
    listen: (notices) => {
      const own: Listening = { notices, subscribed: new Map(), listed: undefined };
      all.add(own);
      return {
        subscribe: async (name) => {
          if (own.subscribed.has(name)) return;
          if (!followed.has(name) && followed.size >= mostFollowed) throw tooManyFollowed();
          const rev = await seen(name);
          // It may have ended meanwhile.
          if (!all.has(own)) return;
          add(own, name, rev);
          const [oldest] = own.subscribed.keys();
          if (own.subscribed.size > mostSubscribed && oldest !== undefined) remove(own, oldest);
          watch();
        },
        unsubscribe: (name) => remove(own, name),
        followList: async () => {
          own.listed ??= await memories.names();
          if (all.has(own)) watch();
        },
        knows: (name, rev) => {
          if (own.subscribed.has(name)) own.subscribed.set(name, rev);
        },
        end: () => {
          for (const name of [...own.subscribed.keys()]) remove(own, name);
          all.delete(own);
          if (all.size > 0) return;
          clearTimeout(timer);
          timer = undefined;
        },
      };
    },
    changed: () => {
      if (timer) lookSoon();
    },
  };
}

function tooManyFollowed(): RecollectError {
  const says = `Together at most ${mostFollowed} memories are followed. End a subscription, or follow the list instead.`;
  return new RecollectError("BUSY", says);
}

function tellOfRevision({ subscribed, notices }: Listening, name: string, now: Rev | undefined): void {
  if (!subscribed.has(name) || subscribed.get(name) === now) return;
  subscribed.set(name, now);
  notices.updated(name);
}

function tellOfList(one: Listening, names: readonly string[]): void {
  const before = one.listed;
  if (before === undefined) return;
  one.listed = names;
  if (before !== names && before.join("\n") !== names.join("\n")) one.notices.listChanged();
}
