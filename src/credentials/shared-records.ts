import { openPurgedValues } from "../history/purged-values.ts";
import type { RefusedValues } from "../history/refused-values.ts";
import type { WorkspaceDatabase } from "../roots/workspace-database.ts";
import { type AllowList, openAllowList } from "./allow-list.ts";
import { recordsInSpace } from "./database-records.ts";
import { recordsInFolder } from "./records.ts";
import { refusedInRecords } from "./refused-in-records.ts";
import { openTokens, type Tokens } from "./tokens.ts";

/** What every server of a memory must agree on, beside its documents (PG-2). */
export interface SharedRecords {
  readonly tokens: Tokens;
  readonly allowList: AllowList;
  readonly refused: RefusedValues;
}

export interface SharedRecordsOptions {
  readonly dataFolder: string;
  readonly database: Pick<WorkspaceDatabase, "records"> | undefined;
  /** Whose records they are in the database. */
  readonly space: string;
  /** Told once of each token's record that cannot be read. */
  readonly onUnreadable?: (message: string) => void;
}

/** In the database where there is one: a server's own disk is nothing that others could see. */
export function openSharedRecords(options: SharedRecordsOptions): SharedRecords {
  const { dataFolder, database, space, onUnreadable } = options;
  const place = database ? recordsInSpace(database.records(space)) : recordsInFolder(dataFolder);
  return {
    tokens: openTokens({ folder: place, ...(onUnreadable ? { onUnreadable } : {}) }),
    allowList: openAllowList({ folder: place }),
    refused: database ? refusedInRecords(place) : openPurgedValues({ folder: dataFolder }),
  };
}
