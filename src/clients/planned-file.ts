import { basename, dirname, join, relative, sep } from "node:path";
import { repositoryOf } from "../settings/recall-consent.ts";
import { placeFile, shownPath, type UserFolders } from "./client-places.ts";
import type { Client, Scope } from "./clients.ts";
import { type Piece, type PieceRequest, piecesOf } from "./pieces.ts";
import { ignoredParts, ignorePiece, instructionsPiece } from "./project-pieces.ts";
import type { SetupRecord } from "./setup-record.ts";

/** Where files lie, and how this copy is started: what planning needs beside the choice of clients. */
export interface PlanRequest extends UserFolders, Omit<PieceRequest, "client" | "scope"> {}

/** Whose file it is: a client's, or the project's own. */
export type Owner = Pick<Client, "name" | "title" | "isVerified"> | typeof projectOwner;

export const projectOwner = { name: "project", title: "This project" } as const;

/** A file with all parts of ours that go into it. */
export interface PlannedFile {
  readonly client: Owner;
  readonly scope: Scope;
  readonly project: string;
  readonly path: string;
  readonly below?: string | undefined;
  readonly shown: string;
  readonly pieces: readonly Piece[];
}

export function filesOf(request: PlanRequest & { readonly client: Client; readonly scope: Scope }): PlannedFile[] {
  const { client, scope, project } = request;
  const byFile = Map.groupBy(piecesOf(request), ({ file }) => file);
  return [...byFile].map(([file, pieces]) => ({ client, scope, project, pieces, ...placeFile(file, client, request) }));
}

/** As `init` wrote it, in whichever project that was. Without parts where this version would not write it. */
export function filesOfRecord(record: SetupRecord, request: PlanRequest, clients: readonly Client[]): PlannedFile[] {
  // It may be any project's.
  const shown = shownPath(record.file, request.home);
  if (record.clients.includes("project")) return [{ ...projectFileOfRecord(record, request), shown }];
  const { file: path, scope, project } = record;
  const owners = clients.filter(({ name }) => record.clients.includes(name));
  const found = owners
    .flatMap((client) => filesOf({ ...request, client, scope, project }))
    .filter((file) => file.path === path);
  if (found.length > 0) return found.map((file) => ({ ...file, shown }));
  return owners.slice(0, 1).map((client) => ({ client, scope, project, path, shown, pieces: [] }));
}

/** Wherever git keeps it: a worktree shares that of its repository. An archive may bring links, which lead nowhere else. */
export function placeOfRules(
  path: string,
  project: string,
  below = dirname(dirname(path)),
): Pick<PlannedFile, "path" | "below" | "shown"> {
  return { path, below, shown: relative(project, path).split(sep).join("/") };
}

/** Where `init` writes into a project itself, for what no record tells of any more. */
export function projectFilesOf({ project, home, ...user }: UserFolders & { readonly project: string }): PlannedFile[] {
  const files = [
    join(repositoryOf(project, home) ?? project, "info", "exclude"),
    join(project, instructionsPiece.file),
  ];
  return files.map((file) => ({
    ...projectFileOfRecord({ file, scope: "user", project }, { home, ...user }),
    shown: shownPath(file, home),
  }));
}

function projectFileOfRecord(
  { file, scope, project }: Pick<SetupRecord, "file" | "scope" | "project">,
  request: UserFolders,
): PlannedFile {
  const owner = { client: projectOwner, scope, project };
  if (basename(file) === instructionsPiece.file) {
    return { ...owner, ...placeFile(instructionsPiece.file, {}, { ...request, project }), pieces: [instructionsPiece] };
  }
  const pieces = ignoredParts.map((part) => ignorePiece(file, part, []));
  return { ...owner, ...placeOfRules(file, project), pieces };
}
