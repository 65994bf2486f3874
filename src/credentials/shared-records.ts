import type { RecordPlace } from "../kernel/records.ts";
import type { RefusedValues } from "../kernel/refused-values.ts";
import { type AllowList, openAllowList } from "./allow-list.ts";
import { openTokens, type Tokens } from "./tokens.ts";

/** What every server of a memory must agree on, beside its documents (PG-2). */
export interface SharedRecords {
  readonly tokens: Tokens;
  readonly allowList: AllowList;
  readonly refused: RefusedValues;
}

/** `onUnreadable` is told once of each token's record that cannot be read. */
export function openSharedRecords(records: RecordPlace, onUnreadable: (message: string) => void): SharedRecords {
  return {
    tokens: openTokens({ records, onUnreadable }),
    allowList: openAllowList({ records }),
    refused: records.purgedValues,
  };
}
