import { readClientText } from "../approval/read-client-file.ts";
import type { UserFolders } from "../client-places.ts";
import { placeFile } from "../client-places.ts";
import type { Client, Scope } from "../clients.ts";
import { readConfigFile } from "../config-file.ts";
import { readJsonServers } from "../json-config.ts";
import { type Judgement, judgeEntry } from "../judge-entry.ts";
import type { PieceRequest } from "../pieces.ts";
import { readTomlServers } from "../toml-config.ts";

export type FindRequest = Omit<PieceRequest, "client" | "scope"> & UserFolders;

export interface FoundServer {
  readonly scope: Scope;
  readonly shown: string;
  readonly judgement: Judgement;
}

/** Our entry in the file of a client, and how it compares with what `init` would write. */
export function findEntry(client: Client, scope: Scope, request: FindRequest): FoundServer | undefined {
  const file = client.files[scope]?.entry;
  if (file === undefined) return undefined;
  const place = placeFile(file, client, request);
  const text = readFor(scope, place);
  const { holder, format } = client;
  const { entry } = format === "toml" ? readTomlServers(text, holder[0] as string) : readJsonServers(text, holder);
  if (entry === undefined) return undefined;
  return { scope, shown: place.shown, judgement: judgeEntry(entry, { ...request, client, scope }) };
}

/** The user's own files may be read-only and large; those of a project may be links that lead out of it. */
export function readFor(scope: Scope, place: Parameters<typeof readConfigFile>[0]): string {
  if (scope === "user") {
    const read = readClientText(place.path);
    return read.kind === "read" ? read.content : "";
  }
  const read = readConfigFile(place);
  return read.kind === "present" ? read.text : "";
}
