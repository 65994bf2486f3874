import { type Hit, nameOfPath } from "../index.ts";

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
  /** Whether it reads the files of topics as well. */
  readonly hasTopicFiles?: boolean;
}

type Found = Pick<Hit, "root" | "kind" | "path" | "lines">;

/** By the names of the parameters of the tools that read it; at least one of them is there. */
interface ToolPlace {
  readonly memory_name?: string;
  readonly relative_path?: string;
  readonly relative_file_path?: string;
}

/** Lines as the tools take them that read: from 0, both ends included. */
export function toolLines({ from, to }: Hit["lines"]): { readonly start_line: number; readonly end_line: number } {
  return { start_line: from - 1, end_line: to - 1 };
}

/** What names a hit's document to the tools that read it. */
export function toolPlace(hit: Omit<Found, "lines">, { bank, hasTopicFiles = false }: ToolPlaces): ToolPlace {
  const { root, kind, path } = hit;
  if (kind === "memory") return { memory_name: nameOfPath(path, root === "global") ?? path };
  if (kind === "agent") return { relative_file_path: path };
  const area = kind === "bank" ? (root === "templates" ? bank?.templates : bank?.project) : undefined;
  const place = `${(area ?? root).replace(/[/\\]$/, "")}/${path}`;
  return { ...(kind === "topic" && hasTopicFiles ? { memory_name: place } : {}), relative_path: place };
}

/** The same in words: what to give to the tool that reads it, and which lines of it, counted from 0. */
export function placeInWords(hit: Found, places: ToolPlaces): readonly [place: string, lines?: string] {
  const { start_line: from, end_line: to } = toolLines(hit.lines);
  const { memory_name, relative_path, relative_file_path } = toolPlace(hit, places);
  // That tool knows no lines.
  if (relative_file_path !== undefined) return [`read_memory_file ${relative_file_path}`];
  const place = hit.kind === "memory" ? `mem:${memory_name}` : (relative_path ?? "");
  return [place, from === to ? `line ${from}` : `lines ${from}-${to}`];
}

/** For a text that agents read: the lines of a piece as read_memory takes them, not as an editor shows them. */
export function placeForRecall(places: ToolPlaces): (item: Found) => string {
  return (item) => {
    const [place, lines] = placeInWords(item, places);
    return lines === undefined ? place : `${place}, ${lines} from 0`;
  };
}

/** How to read on, after hits that were shown with their places and lines. */
export function howToReadOn(hits: readonly Pick<Hit, "kind">[], places: ToolPlaces): string {
  const kinds = new Set(hits.map(({ kind }) => kind));
  const isForMemory = (kinds.has("memory") && places.hasNotes) || (kinds.has("topic") && places.hasTopicFiles);
  const tools = [...(isForMemory ? ["read_memory"] : []), ...(kinds.has("bank") ? ["read_file"] : [])];
  if (tools.length === 0) return "Lines count from 0.";
  return `${tools.join(" and ")} ${tools.length === 1 ? "reads" : "read"} these places; lines count from 0.`;
}
