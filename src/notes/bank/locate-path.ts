import { auxiliaryFolder, type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type BankArea, bankRoots, parseProjectName } from "./bank-roots.ts";

/**
 * The absolute paths of the two areas, each as configured first, then other spellings, such as its real path. An area
 * that somebody may not see has none.
 */
export interface BankAreas {
  readonly bank: readonly string[];
  readonly templates: readonly string[];
}

/** A place that a tool was asked for; without a path, the area or the project itself. */
export interface Located {
  readonly area: BankArea;
  readonly path: ExistingPath | undefined;
}

export type LocatePath = (given: string) => Located;

/** Turns the path argument of a tool into a place, or refuses it: there is no third way (BANK-2). */
export function createLocatePath(options: { areas: BankAreas | undefined; hasProject: boolean }): LocatePath {
  const { areas, hasProject } = options;
  const spellings = (["bank", "templates"] as const).flatMap((area) =>
    (areas?.[area] ?? []).map((path) => ({ area, segments: segmentsOf(path) })),
  );
  if (areas) assertApart(areas);
  const advice = adviceOf(areas, hasProject);

  function refuse(why: string): RecollectError {
    // The advice is for tools; a surface whose paths mean something else has its own.
    return new RecollectError("NOT_ALLOWED", `${why} ${advice}`, { data: { why } });
  }

  function locateAbsolute(given: string): Located {
    const segments = segmentsOf(given);
    if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
      throw refuse("An absolute path with an empty, “.” or “..” segment is refused.");
    }
    // Whole segments: “NAME-evil” begins with “NAME” and is another project.
    const found = spellings.find((one) => one.segments.every((segment, index) => segment === segments[index]));
    if (!found) throw refuse("This absolute path is outside of what these tools may reach.");
    return { area: found.area, path: pathOf(segments.slice(found.segments.length)) };
  }

  return (given) => {
    if (typeof given !== "string" || given === "") throw refuse("The path is empty.");
    if (/^[a-z][a-z0-9+.-]+:\/|^file:/i.test(given)) throw refuse("An address with a scheme is not a path.");
    if (given.startsWith("~")) throw refuse("“~” is not expanded here.");
    if (isAbsolute(given)) return locateAbsolute(given);
    if (given.includes("\\")) throw refuse("A backslash is refused; use “/” between folders.");
    if (!hasProject) throw refuse("There is no project here, so a relative path means nothing.");
    // Models like to write “./” in front, which says nothing.
    const plain = given.replace(/^(?:\.\/)+(?=.)/, "");
    return { area: "project", path: plain === "." || plain === ".//" ? undefined : pathOf(plain.split("/")) };
  };
}

/** Where a place lies as a caller would name it again. */
export function nameOf({ area, path }: Located, areas: BankAreas | undefined): string {
  if (area === "project") return path ?? ".";
  const base = areas?.[area][0] ?? "";
  return path === undefined ? base : `${base.replace(/[/\\]$/, "")}/${path}`;
}

/** A drive on Windows counts as the first segment, and both slashes separate there. */
function segmentsOf(path: string): string[] {
  const plain = /^[A-Za-z]:[\\/]/.test(path) ? `/${path.replaceAll("\\", "/")}` : path;
  return plain.slice(1).split("/");
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}

function pathOf(segments: readonly string[]): ExistingPath | undefined {
  if (segments.length === 0) return undefined;
  const reserved = segments.find(isReservedSpelling);
  if (reserved === undefined) return parseExistingPath(segments.join("/"));
  throw new RecollectError(
    "NOT_ALLOWED",
    "“.git” and “.recollect” are never reached by these tools, in any spelling.",
    {
      data: { segment: reserved },
    },
  );
}

/** Also what Windows and macOS take for these folders: `.GIT`, `.git.`, `.git::$DATA`, `GIT~1`. */
function isReservedSpelling(segment: string): boolean {
  const folded = segment
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const [stem = ""] = folded.split(":");
  const name = stem.replace(/[. ]+$/, "");
  return name === ".git" || name === auxiliaryFolder || /^(git|recoll)~[0-9]+$/.test(name);
}

/** The project's own area and the shared one must not be one and the same, whatever they are called. */
function assertApart({ bank, templates }: BankAreas): void {
  for (const path of [...bank, ...templates]) {
    if (isAbsolute(path) && !segmentsOf(path).some((one) => one === "" || one === "." || one === "..")) continue;
    throw new RecollectError("INVALID_ARGUMENT", "The areas of the bank are given as plain absolute paths.");
  }
  const [named] = bank;
  if (named !== undefined) parseProjectName(segmentsOf(named).at(-1) ?? "");
  if (!bank.some((path) => templates.includes(path))) return;
  throw new RecollectError("INVALID_ARGUMENT", "The project's area of the bank and its templates are one folder.");
}

function adviceOf(areas: BankAreas | undefined, hasProject: boolean): string {
  const [bank] = areas?.bank ?? [];
  const [templates] = areas?.templates ?? [];
  const ways = [
    ...(hasProject ? ["a path relative to the project, such as src/main.ts or “.”"] : []),
    ...(bank === undefined ? [] : [`an absolute path in “${bank}” (${bankRoots.bank})`]),
    ...(templates === undefined ? [] : [`one in “${templates}” (read-only)`]),
  ];
  return ways.length === 0 ? "No project and no bank are configured." : `Use ${ways.join(", or ")}.`;
}
