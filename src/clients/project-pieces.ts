import type { Piece } from "./pieces.ts";
import { putBlock, type TextBlock, takeBlock } from "./text-block.ts";

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
