import { type Hit, printedName as nameInMemory } from "../app.ts";

/** The absolute paths of the bank's areas, as far as they are seen. */
export interface BankPlaces {
  readonly project: string | undefined;
  readonly templates: string | undefined;
}

/** What is served that reads what search finds. */
export interface ToolPlaces {
  readonly bank?: BankPlaces | undefined;
  /** Whether read_memory is there. */
  readonly hasNotes?: boolean;
  /** Whether it reads lessons as well. */
  readonly hasLessons?: boolean;
}

type Found = Pick<Hit, "root" | "kind" | "path" | "lines" | "title" | "breadcrumb" | "date">;

/** As every tool takes it: `ci/cache › Stale cache`; of the bank a path, of an agent's files one below its folder. */
export function printedName(hit: Omit<Found, "lines" | "date">, { bank }: ToolPlaces): string {
  const { root, kind, path } = hit;
  if (kind === "agent") return path;
  if (kind !== "bank") return nameInMemory(hit);
  const area = root === "templates" ? bank?.templates : bank?.project;
  return `${(area ?? root).replace(/[/\\]$/, "")}/${path}`;
}

const kinds = { memory: "note", topic: "lesson", bank: "file", agent: "your file" } as const;

/** What stands in parentheses behind the name: what it is, of which day, and where in its document. */
export function printedFacts({ kind, date, lines: { from, to } }: Found): readonly string[] {
  return [kinds[kind], date, from === to ? `line ${from}` : `lines ${from}-${to}`];
}

/** Which tool reads on, after hits that were shown with their names. */
export function howToReadOn(hits: readonly Pick<Hit, "kind">[], places: ToolPlaces): string | undefined {
  const found = new Set(hits.map(({ kind }) => kind));
  const isForMemory = (found.has("memory") && places.hasNotes) || (found.has("topic") && places.hasLessons);
  const tools = [
    ...(isForMemory ? ["read_memory"] : []),
    ...(found.has("bank") ? ["read_file"] : []),
    ...(found.has("agent") ? ["read_memory_file"] : []),
  ];
  return tools.length === 0 ? undefined : `${tools.join(" or ")} reads one in full, by its name.`;
}
