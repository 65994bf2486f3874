import { isRecollectError } from "../../kernel/errors.ts";
import { withRecordsBy } from "../../workspace/user-records.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

/** Records of tokens that cannot be read: they let nobody in, and nobody but the log of a server would say so. */
export async function tokenFindings(
  workspace: Pick<Diagnosed, "dataFolder" | "settings" | "tokens">,
): Promise<Finding[]> {
  const { dataFolder, settings } = workspace;
  // They lie in a database that could not be opened, and that is said.
  if (settings.values["database.url"] !== undefined && !workspace.tokens) return [];
  const findings: Finding[] = [];
  const tell = (says: string) => void findings.push({ level: "problem", about: "tokens", says });
  try {
    const place = { values: settings.values, dataFolder, onUnreadable: tell };
    await withRecordsBy(place, ({ tokens }) => tokens.list());
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    tell(error.message);
  }
  return findings;
}
