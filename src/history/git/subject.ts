import type { DocumentChange } from "../../kernel/root-history.ts";
import type { Sighting } from "./message.ts";

/** The first line of a commit, for people. */
export function subjectOf(changes: readonly DocumentChange[], sighting?: Sighting): string {
  if (sighting?.kind === "import") return "import what was there";
  const main =
    changes.find(({ from }) => from !== undefined) ?? changes.find(({ rev }) => rev !== undefined) ?? changes[0];
  if (!main) return "Nothing took effect";
  const what = main.from === undefined ? main.path : `${main.from} → ${main.path}`;
  const covered = changes.filter(({ path }) => path === main.path || path === main.from).length;
  const others = changes.length - covered;
  const verb = main.rev === undefined ? "remove" : verbOf(main);
  return `${verb} ${what}${others > 0 ? ` and ${others} more` : ""}`;
}

function verbOf({ kind, was }: DocumentChange): string {
  if (kind === "put") return was === undefined ? "create" : "write";
  return kind === "outside" ? "changed outside:" : kind;
}
