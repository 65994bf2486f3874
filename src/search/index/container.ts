import type { Connection } from "./connection.ts";

/** Where an index lies. */
export interface Container {
  /**
   * The open database. Throws an IndexFailure: "lost" once where another database has taken the place of the one
   * before, "unavailable" where there is none to be had.
   */
  connection(): Connection;
  close(): void;
}
