import type { Measurement } from "../measurement.ts";
import { measureServers } from "../postgres/servers.ts";
import { measureSpaces } from "../postgres/spaces.ts";
import { measureWrites } from "../postgres/writes.ts";

/** Memory in PostgreSQL: writes beside bare ones, one server beside two, few spaces beside many. */
export const postgres: Measurement = {
  name: "postgres",
  run: async () => [...(await measureWrites()), ...(await measureServers()), ...(await measureSpaces())],
};
