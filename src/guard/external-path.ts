import { attempt } from "../kernel/attempt.ts";
import { RecollectError } from "../kernel/errors.ts";

/** Where memory is never kept, by whole components (TOP-8). */
export const systemFolders: Readonly<Record<"posix" | "windows", readonly string[]>> = {
  posix: [
    ..."/bin /sbin /usr /etc /var /sys /proc /boot /dev /lib /lib32 /lib64 /run".split(" "),
    ..."/System /Library /Applications /private/etc /private/var /private/tmp/launchd".split(" "),
  ],
  windows: ["C:/Windows", "C:/Program Files", "C:/Program Files (x86)", "C:/ProgramData", "C:/$Recycle.Bin"],
};

/** Folders of a home that hold keys. */
export const keyFolders: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
  ".config/gcloud",
  ".config/gh",
  ".local/share/keyrings",
  "Library/Keychains",
  "AppData/Roaming/Microsoft/Credentials",
];

/** The seed's own words, in the order in which they are asked. */
const pathViolations = {
  traversal: "Security violation: Path traversal not allowed in memory path",
  root: "Security violation: Cannot use root directory for memory storage",
  system: "Security violation: Cannot use system directory for memory storage",
  access: "Path validation failed: Cannot access configured memory path",
} as const;

export type PathViolation = keyof typeof pathViolations;

export interface ExternalPlace {
  /** The user's home, as configured and as it really is; undefined where there is none. */
  readonly homes: readonly string[];
  /** Where the user's account has its home, whatever home is configured: keys lie there as well. */
  readonly accountHomes?: readonly string[];
  readonly isWindows: boolean;
  /** Whether names that differ in case are one, as on Windows and macOS; by default as on Windows. */
  readonly foldsCase?: boolean;
  /** Where a path really leads, as far as it exists. */
  readonly realPath: (path: string) => string;
  /** Against the project. */
  readonly resolve: (path: string) => string;
}

/** The absolute path of a configured external memory, or the violation. Whether it can be used is asked elsewhere. */
export function checkExternalPath(
  given: string,
  place: ExternalPlace,
): { path: string } | { violation: PathViolation } {
  if (given.split(/[/\\]/).includes("..")) return { violation: "traversal" };
  if (given.trim() === "" || given.includes("\0")) return { violation: "access" };
  const folders = toFolders(place);
  const expanded = expandHome(given, folders.homes[0]?.path);
  if (expanded === undefined) return { violation: "access" };
  const path = place.resolve(expanded);
  const real = realPathOrNone(path, place);
  const spellings = [path, ...(real === undefined ? [] : [real])].map((one) => componentsOf(one, place));
  if (spellings.some(isRoot)) return { violation: "root" };
  if (spellings.some((one) => isSystem(one, folders))) return { violation: "system" };
  // Where it leads cannot be told, so it may lead anywhere.
  return real === undefined ? { violation: "access" } : { path };
}

export function externalPathError(violation: PathViolation, cause?: unknown): RecollectError {
  return new RecollectError("NOT_ALLOWED", `${pathViolations[violation]}.`, { data: { violation }, cause });
}

/** Another user's home is not ours to find. */
function expandHome(given: string, home: string | undefined): string | undefined {
  if (!given.startsWith("~")) return given;
  if (given !== "~" && !/^~[/\\]/.test(given)) return undefined;
  return home === undefined ? undefined : home + given.slice(1);
}

/** Undefined for a loop of links, or a folder that may not be looked into. */
function realPathOrNone(path: string, place: ExternalPlace): string | undefined {
  return attempt(() => place.realPath(path));
}

type Components = readonly string[];

interface Folders {
  readonly system: readonly Components[];
  readonly homes: readonly { readonly path: string; readonly components: Components }[];
  readonly keys: readonly Components[];
}

/**
 * An empty home, a relative one, `/` or a system folder itself is none: services are run with such homes, and
 * everything below would be exempt.
 */
function toFolders(place: ExternalPlace): Folders {
  const toComponents = (path: string) => componentsOf(path, place);
  const system = systemFolders[place.isWindows ? "windows" : "posix"].map(toComponents);
  const isAbsolute = place.isWindows ? /^(?:[A-Za-z]:)?[/\\]/ : /^\//;
  const homes = place.homes
    .filter((path) => isAbsolute.test(path))
    .map((path) => ({ path, components: toComponents(path) }))
    .filter(({ components }) => !isRoot(components) && !system.some((one) => isBelow(one, components)));
  const keys = [...homes.map(({ path }) => path), ...(place.accountHomes ?? [])]
    .filter((path) => isAbsolute.test(path))
    .flatMap((path) => keyFolders.map((folder) => toComponents(`${path}/${folder}`)));
  return { system, homes, keys };
}

function isRoot(path: Components): boolean {
  return path.every((part) => part === "" || /^[A-Za-z]:$/.test(part));
}

function isSystem(path: Components, { system, homes, keys }: Folders): boolean {
  const isInHome = homes.some(({ components }) => isBelow(path, components));
  return (isInHome ? keys : [...keys, ...system]).some((folder) => isBelow(path, folder));
}

/** By whole components: `/variable` is not below `/var`. */
function isBelow(path: Components, folder: Components): boolean {
  return folder.every((part, index) => path[index] === part);
}

/** As the system compares them: Windows skips `\\?\` before a drive, and dots and blanks at the end of a name. */
function componentsOf(path: string, { isWindows, foldsCase = isWindows }: ExternalPlace): Components {
  const slashed = path.replaceAll("\\", "/");
  const parts = (isWindows ? slashed.replace(/^\/\/[?.]\//, "") : slashed).split("/");
  return parts
    .filter((part, index) => part !== "" || index === 0)
    .map((part) => (isWindows ? part.replace(/(?<![. ])[. ]+$/, "") : part))
    .map((part) => (foldsCase ? part.toLowerCase() : part));
}
