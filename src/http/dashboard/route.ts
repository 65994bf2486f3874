export const screens = [
  "overview",
  "browse",
  "read",
  "edit",
  "new",
  "history",
  "search",
  "topics",
  "conflicts",
  "guard",
  "agents",
  "mem",
] as const;

type Screen = (typeof screens)[number];

/** What the fragment of the address says: `#/read/ROOT/folder/note.md?view=source`. */
export interface Route {
  readonly screen: Screen;
  /** The segments after the screen, decoded. A root's name is one segment, whatever slashes it has. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first, ...parts] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  const query = Object.fromEntries(new URLSearchParams(search));
  return { screen: screens.find((screen) => screen === first) ?? "overview", parts, query };
}

export function linkTo(
  screen: Screen,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") search.set(name, value);
  const path = [screen, ...parts].map(encodeURIComponent).join("/");
  return `#/${path}${search.size > 0 ? `?${search}` : ""}`;
}

/** A link to what a screen shows of one document or folder. */
export function linkToPlace(
  screen: Screen,
  place: { readonly root: string; readonly path: string },
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return linkTo(screen, [place.root, ...place.path.split("/").filter((part) => part !== "")], query);
}

/** The root and the path that a route is about. */
export function placeOf(route: Route): { readonly root: string; readonly path: string } {
  return { root: route.parts[0] ?? "", path: route.parts.slice(1).join("/") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
