import type { GuardFinding } from "../../app.ts";
import type { ApiGuardFinding } from "./contract/guard.ts";

/** Where something was found and by which rule; the value is in none of it (GUARD-3). */
export function toGuardFindings(findings: readonly GuardFinding[]): ApiGuardFinding[] {
  return findings.map(({ rule, line, column, fingerprint }) => ({ rule, line, column, fingerprint }));
}
