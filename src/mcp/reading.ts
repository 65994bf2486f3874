import { type Hit, nameOfPath } from "../index.ts";

/** The absolute paths of the bank's areas, as far as they are seen. */
export interface BankPlaces {
  readonly project: string | undefined;
  readonly templates: string | undefined;
}

type ToolPlace =
  | { readonly memory_name: string; readonly relative_path?: never; readonly relative_file_path?: never }
  | { readonly relative_path: string; readonly memory_name?: never; readonly relative_file_path?: never }
  | { readonly relative_file_path: string; readonly memory_name?: never; readonly relative_path?: never };

/** Lines as the tools take them that read: from 0, both ends included. */
export function toolLines({ from, to }: Hit["lines"]): { readonly start_line: number; readonly end_line: number } {
  return { start_line: from - 1, end_line: to - 1 };
}

/** What names a hit's document to the tool that reads it, by the name of the parameter there. */
export function toolPlace(hit: Pick<Hit, "root" | "kind" | "path">, bank: BankPlaces | undefined): ToolPlace {
  const { root, kind, path } = hit;
  if (kind === "memory") return { memory_name: nameOfPath(path, root === "global") ?? path };
  if (kind === "agent") return { relative_file_path: path };
  const area = kind === "bank" ? (root === "templates" ? bank?.templates : bank?.project) : undefined;
  return { relative_path: `${(area ?? root).replace(/[/\\]$/, "")}/${path}` };
}
