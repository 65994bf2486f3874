import { isRecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";
import { openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import type { JournalRecord } from "./journal-record.ts";
import { readJournalTail } from "./journal-tail.ts";
import { parseAddress, type RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";

/** What the journal of its folder last says of a document, as far as its end still tells: one short read. */
export function lastRecordOf(at: Address, roots: RootFolders): JournalRecord | undefined {
  const { place, name } = parseAddress(at);
  let folder: Directory | undefined;
  let auxiliary: Directory | undefined;
  try {
    folder = roots.isPlain(place) ? undefined : roots.open(place, "listed");
    auxiliary = folder && openAuxiliary(folder);
    return auxiliary && readJournalTail(auxiliary).findLast((record) => record.name === name);
  } catch (error) {
    // Who wrote it is not known then, which is no reason to fail whoever asks.
    if (isRecollectError(error) || hasCode(error, "EACCES", "EPERM", "ENOENT")) return undefined;
    throw error;
  } finally {
    auxiliary?.close();
    folder?.close();
  }
}
