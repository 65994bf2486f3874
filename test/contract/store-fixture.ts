import type { Store } from "../../src/app.ts";
import type { WrittenRecords } from "../helpers/written-records.ts";

/** What a store implementation gives to the contract suite: fresh data, and clients on it. */
export interface StoreFixture {
  /** Another client on the same data, as another process would be. */
  open(): Promise<Store>;
  /** What the clients have recorded so far in a root. */
  written(root: string): Promise<WrittenRecords>;
  /** Closes every client and takes the data away. */
  dispose(): Promise<void>;
}

/** Makes an empty store with these roots. */
export type CreateStoreFixture = (roots: readonly string[]) => Promise<StoreFixture>;
