import { isRecollectError } from "../core/errors.ts";
import type { Finding } from "./diagnose.ts";
import { openTokens } from "./tokens.ts";

/** Records of tokens that cannot be read: they let nobody in, and nobody but the log of a server would say so. */
export function tokenFindings({ dataFolder }: { readonly dataFolder: string }): Finding[] {
  const findings: Finding[] = [];
  const tell = (says: string) => void findings.push({ level: "problem", about: "tokens", says });
  try {
    openTokens({ folder: dataFolder, onUnreadable: tell }).list();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    tell(error.message);
  }
  return findings;
}
