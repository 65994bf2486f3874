import { type Edit, lineEndingOf } from "./edit.ts";
import type { Piece } from "./pieces.ts";

/** Our lines in a file that belongs to the user, between two marker lines. */
interface TextBlock {
  readonly begin: string;
  readonly lines: readonly string[];
  readonly end: string;
}

const instructions: TextBlock = {
  begin: "<!-- recollect:begin -->",
  lines: [
    "## Project memory",
    "If the Recollect tools are available in this session:",
    "- `search_memory` before changing unfamiliar code, when a command fails, and when earlier work is mentioned.",
    "- `store_in_memory` after a fix that took several attempts, a decision with its reason, or a correction.",
    "- Search before storing. Correct an existing record rather than adding a second one. Never store secrets.",
    "- Records can be out of date: trust the code, then fix the record.",
  ],
  end: "<!-- recollect:end -->",
};

export const instructionLines: readonly string[] = [instructions.begin, ...instructions.lines, instructions.end];

/** Tells clients without hooks when to look something up. */
export const instructionsPiece: Piece = blockPiece(
  "AGENTS.md",
  "tells agents in six lines when to search and when to store",
  instructions,
);

/** What of a project git is told to ignore, in this copy of the repository alone. */
export const ignoredParts = ["notes", "clients"] as const;

export function ignorePiece(file: string, part: (typeof ignoredParts)[number], rules: readonly string[]): Piece {
  const does = {
    notes: `keeps notes private: git ignores ${rules.join(" and ")} in this copy of the repository`,
    clients: "keeps the files of your clients yours: git ignores them in this copy of the repository",
  }[part];
  return blockPiece(file, does, {
    begin: `# recollect: ${part} (recollect uninstall takes this out)`,
    lines: rules,
    end: `# recollect: end of ${part}`,
  });
}

function blockPiece(file: string, does: string, block: TextBlock): Piece {
  return {
    file,
    does,
    put: (text) => putBlock(text, block),
    take: (text) => takeBlock(text, block),
    had: () => [],
  };
}

/** Puts the block at the end, or in the place of an older one. */
function putBlock(text: string, block: TextBlock): Edit {
  const eol = lineEndingOf(text);
  const written = [block.begin, ...block.lines, block.end].join(eol);
  const found = findBlock(text, block);
  if (found === undefined) {
    const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
    return { kind: "changed", text: `${text}${gap}${written}${eol}`, replaces: false };
  }
  const changed = text.slice(0, found.start) + written + text.slice(found.end);
  return changed === text ? { kind: "unchanged" } : { kind: "changed", text: changed, replaces: false };
}

/** Takes the block out, with the line end behind it and the blank line before it. */
function takeBlock(text: string, block: TextBlock): Edit {
  const found = findBlock(text, block);
  if (found === undefined) return { kind: "unchanged" };
  const before = text.slice(0, found.start).replace(/(\n)\r?\n$/, "$1");
  const left = before + text.slice(found.end).replace(/^\r?\n/, "");
  return left.trim() === "" ? { kind: "emptied", text: left } : { kind: "changed", text: left, replaces: false };
}

function findBlock(text: string, { begin, end }: TextBlock): { start: number; end: number } | undefined {
  const start = text.indexOf(begin);
  const stop = start === -1 ? -1 : text.indexOf(end, start);
  return stop === -1 ? undefined : { start, end: stop + end.length };
}
