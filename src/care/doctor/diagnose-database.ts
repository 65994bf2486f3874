import type { DatabaseInspection } from "../../backends/postgres/inspect-database.ts";
import type { Finding } from "./diagnose.ts";
import type { Diagnosed } from "./open-unbroken.ts";

const about = "database";
const slowMs = 1000;

/** The database that the memory lies in, also where it cannot be opened. */
export async function databaseFindings({ settings }: Pick<Diagnosed, "settings">): Promise<Finding[]> {
  const url = settings.values["database.url"];
  if (url === undefined) return [];
  const { inspectHosts } = await import("../../backends/postgres/inspect-database.ts");
  const hosts = await inspectHosts(url);
  const reached = hosts.flatMap(({ name, found }) => (found.kind === "reachable" ? [{ name, found }] : []));
  // One that takes writes knows best.
  const best = reached.find(({ found }) => !found.isStandby) ?? reached[0];
  return [
    ...hosts.map(({ name, found }) => hostFinding(name, found, best !== undefined)),
    ...(best
      ? [
          ...formatFindings(best.name, best.found),
          ...roleFindings(best.found),
          ...keepingFindings(best.name, best.found),
        ]
      : []),
  ];
}

type Reachable = Extract<DatabaseInspection, { kind: "reachable" }>;

function hostFinding(name: string, found: DatabaseInspection, anotherAnswers: boolean): Finding {
  if (found.kind === "unreachable") {
    const { why, remedy } = found;
    return { level: anotherAnswers ? "note" : "problem", about, says: `${name} cannot be used: ${why}`, remedy };
  }
  const { ms, role, isStandby } = found;
  const says = `${name}, as ${role}${isStandby ? ", a standby" : ""}, answered after ${ms} ms`;
  if (ms < slowMs) return { level: "fine", about, says };
  return { level: "note", about, says, remedy: "Check its load, and the network between." };
}

function formatFindings(name: string, { format, newest, role }: Reachable): Finding[] {
  if (format === newest) return [];
  if (format !== undefined && format > newest) {
    const says = `the tables in ${name} have format ${format}, and this Recollect knows up to ${newest}`;
    return [{ level: "problem", about, says, remedy: "Update Recollect." }];
  }
  const says =
    format === undefined
      ? `${name} has no tables of Recollect yet`
      : `the tables in ${name} have format ${format}, and this Recollect needs ${newest}`;
  const remedy = `Start Recollect once as the role that owns the tables; “${role}” may not change them.`;
  return [{ level: "problem", about, says, remedy }];
}

/** Row-level security is the second wall between spaces; for some roles it is not there. */
function roleFindings({ role, isUnbound }: Reachable): Finding[] {
  if (!isUnbound) return [];
  const says = `the role “${role}” passes by the row-level security that keeps spaces apart`;
  const remedy =
    "Use a role of its own, without SUPERUSER and BYPASSRLS: CREATE ROLE recollect LOGIN PASSWORD '…'; and make it the owner of the schema “recollect” and its tables.";
  return [{ level: "problem", about, says, remedy }];
}

/** What is written is acknowledged as lasting, and may be in any language. */
function keepingFindings(name: string, { forgetful, encoding }: Reachable): Finding[] {
  const findings: Finding[] = forgetful.map((setting) => ({
    level: "note",
    about,
    says: `${name} has ${setting} off: a crash may lose acknowledged writes`,
    remedy: `Set ${setting} to on, in postgresql.conf or wherever it was set: for the role, for the database.`,
  }));
  if (encoding === "UTF8") return findings;
  const says = `${name} keeps texts in the encoding ${encoding}: names and authors with other characters are refused`;
  const remedy = "Make a database for it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.";
  return [...findings, { level: "problem", about, says, remedy }];
}
