import { counted } from "../../kernel/counted.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";
import { scanMemory } from "./scan-memory.ts";

const about = "guard";
const mostShown = 3;

/** What somebody wrote by hand, or pulled, that no write would have let pass (GUARD-1). */
export async function guardFindings({ roots, documents, allowList, settings }: Diagnosed): Promise<Finding[]> {
  if (!roots || !documents || !allowList) return [];
  try {
    const { flagged } = await scanMemory({ roots, documents, allowList, settings });
    if (flagged.length === 0) return [];
    const places = flagged.slice(0, mostShown).map(({ root, path, findings: [first] }) => {
      const where = first?.where === "name" ? "in its name" : `line ${first?.line}`;
      return `${root}/${path} (${where}: ${first?.title})`;
    });
    const more = flagged.length > mostShown ? `, and ${flagged.length - mostShown} more` : "";
    const says = `${counted(flagged.length, "document holds", "documents hold")} what looks like a secret: ${places.join(", ")}${more}`;
    const remedy =
      "recollect guard scan (shows each place), then: recollect purge --document PATH --line NUMBER, or recollect guard allow";
    return [{ level: "problem", about, says, remedy, count: flagged.length }];
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return [{ level: "problem", about, says: error.message }];
  }
}
