import pg from "pg";
import { databaseHostsOf, databaseNameOf } from "./database-hosts.ts";
import { migrations } from "./schema.ts";

/** What can be said of one host of a database without changing anything in it. */
export type DatabaseInspection =
  | {
      readonly kind: "reachable";
      readonly ms: number;
      /** Whether it follows another one, and takes no writes itself. */
      readonly isStandby: boolean;
      readonly role: string;
      /** Whether the policies of the tables mean nothing to this role. */
      readonly isUnbound: boolean;
      /** Which of its settings let it forget what it has acknowledged. */
      readonly forgetful: readonly string[];
      /** In which encoding it keeps texts. */
      readonly encoding: string;
      /** The form that the tables have; undefined where there are none yet. */
      readonly format: number | undefined;
      /** The one that they should have. */
      readonly newest: number;
    }
  | { readonly kind: "unreachable"; readonly why: string; readonly remedy: string };

interface InspectedRow extends Pick<Reachable, "role" | "isUnbound" | "isStandby" | "forgetful" | "encoding"> {
  readonly found: string | null;
}

type Reachable = Extract<DatabaseInspection, { kind: "reachable" }>;

const nothingKnown: InspectedRow = {
  role: "",
  isUnbound: false,
  isStandby: false,
  forgetful: [],
  encoding: "UTF8",
  found: null,
};
const patienceMs = 5000;

/** By what the system or the database says. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  "28P01": ["it does not take this user or password", "Correct the address: user and password are part of it."],
  "28000": ["it does not let this user in", "Allow the user in pg_hba.conf, or use another one."],
  "3D000": ["it has no database of that name", "Make it: CREATE DATABASE …"],
  "53300": ["it has no connection left", "Raise its max_connections, or lower database.connections of each server."],
  ENOTFOUND: ["nobody knows that host", "Correct the address."],
  EAI_AGAIN: ["nobody knows that host just now", "Look whether this machine has a network."],
};
const unanswered: readonly [string, string] = [
  "nothing answers at that address",
  "Start the database, or correct the address: database.url, --database-url or RECOLLECT_DATABASE_URL.",
];

/** All hosts that an address names, in their order, each by its name. */
export function inspectHosts(
  url: string,
): Promise<readonly { readonly name: string; readonly found: DatabaseInspection }[]> {
  const look = async (one: string) => ({ name: databaseNameOf(one), found: await inspectHost(one) });
  return Promise.all(databaseHostsOf(url).urls.map(look));
}

async function inspectHost(url: string): Promise<DatabaseInspection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: "recollect doctor",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const begun = performance.now();
    const { rows } = await client.query<InspectedRow>(
      `SELECT current_user AS role, rolsuper OR rolbypassrls AS "isUnbound", pg_is_in_recovery() AS "isStandby",
          ARRAY(SELECT name FROM unnest($1::text[]) AS name WHERE current_setting(name, true) = 'off') AS forgetful,
          coalesce(current_setting('server_encoding', true), 'UTF8') AS encoding,
          to_regclass('recollect.format')::text AS found
        FROM pg_roles WHERE rolname = current_user`,
      [["synchronous_commit", "fsync"]],
    );
    const ms = Math.round(performance.now() - begun);
    const [{ found, ...about } = nothingKnown] = rows;
    const format = found === null ? undefined : await formatOf(client);
    return { kind: "reachable", ms, ...about, format, newest: migrations.length };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const [why, remedy] = reasons[code] ?? unanswered;
    return { kind: "unreachable", why, remedy };
  } finally {
    await client.end().catch(() => {});
  }
}

async function formatOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ version: number }>("SELECT version FROM recollect.format");
  return rows[0]?.version;
}
