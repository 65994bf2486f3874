import type { Bank, Memories } from "../index.ts";

/** What a tool works on. */
export interface MemoriesSession {
  readonly memories: Memories;
  /** Told when a tool changed memories, so that the client's resources follow at once. */
  readonly changed: () => void;
}

export interface FilesSession {
  readonly bank: Bank;
}
