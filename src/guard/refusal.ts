import { RecollectError } from "../kernel/errors.ts";
import type { Finding } from "./finding.ts";
import { invisibleRule } from "./invisible.ts";

const shown = 5;

/** The words of a refusal (GUARD-3). They name the rule and the place; the value is in none of them. */
export function refusalOf(findings: readonly Finding[]): RecollectError {
  const places = findings.slice(0, shown).map(placeOf);
  if (findings.length > shown) places.push(`and ${findings.length - shown} more`);
  const message = `Security violation: Cannot store sensitive data (${places.join("; ")}). ${adviceFor(findings)}`;
  return new RecollectError("SENSITIVE_CONTENT", message, { data: { findings } });
}

function placeOf({ rule, title, line, column, where, andAllAfter }: Finding): string {
  const place = where === "name" ? `in the name, column ${column}` : `line ${line}, column ${column}`;
  return `${rule}: ${title}, ${place}${andAllAfter ? ", and all after it" : ""}`;
}

function adviceFor(findings: readonly Finding[]): string {
  const invisible = findings.filter(({ rule }) => rule === invisibleRule).length;
  const advice = [
    ...(invisible > 0 ? ["Take the invisible characters out."] : []),
    ...(invisible < findings.length
      ? ["Store where the value is kept instead: the entry of a vault, or the name of an environment variable."]
      : []),
  ];
  return advice.join(" ");
}
