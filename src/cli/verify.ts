import { Command } from "commander";
import { counted, type OnVerifyProgress, type Verification, type VerifyFinding } from "../index.ts";
import { minuteOf } from "./local-time.ts";
import { showOneLine } from "./one-line-progress.ts";
import { type ExitCode, exitCodes, type Io, print, printable } from "./output.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type VerifyOptions = WorkspaceOptions & { readonly searchIndex?: boolean; readonly acceptLoss?: boolean };

/** `recollect verify`: whether everything is as it was written. */
export function verifyCommand(io: Io, setExitCode: (code: number) => void): Command {
  return withWorkspaceOptions(new Command("verify"))
    .description("prove that files, history, archive and indexes agree; changes nothing")
    .option("--no-search-index", "leave the search index out, which takes as long as to make it anew")
    .option("--accept-loss", "say that you know what was lost of history; recorded, and no fault from now on")
    .option("--json", "answer with one JSON object")
    .action((options: VerifyOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const json = options.json === true;
        if (options.acceptLoss) {
          const history = await workspace.history();
          await history.acceptLoss(history.stamp.author);
        }
        const progress = showOneLine(io, json);
        const { searchIndex = true } = options;
        const onProgress: OnVerifyProgress = ({ root, doing, done, total }) =>
          progress.show(`Looking at the ${doing} of ${root}: ${done} of ${total}`);
        const verification = await workspace.verify({ searchIndex, onProgress });
        progress.end();
        print(io, json, linesOf(verification).map(printable).join("\n"), { ...verification });
        setExitCode(codes[verification.result]);
      }),
    )
    .addHelpText(
      "after",
      `
Exit codes of this command:
  0  everything agrees
  7  something was changed without Recollect, by hand or by a fault of the disk: nobody can tell; it can be restored
  8  damaged: what only Recollect writes is not as it was written

What was written but is not in history yet is compared with the journals, which wait for it.

Examples:
  $ recollect verify
  $ recollect verify --json --no-search-index`,
    );
}

const codes: Readonly<Record<Verification["result"], ExitCode>> = {
  ok: exitCodes.done,
  "changed outside": exitCodes.changedOutside,
  damaged: exitCodes.damaged,
};

const ends: Readonly<Record<Verification["result"], string>> = {
  ok: "Everything agrees.",
  "changed outside": "Changed outside: see above. Nothing that Recollect keeps is damaged.",
  damaged: "DAMAGED: see above.",
};

function linesOf({ result, roots, findings }: Verification): string[] {
  const counts = roots.map(
    ({ root, documents, revisions, pending }) =>
      `${root}: ${counted(documents, "document")}, ${counted(revisions, "revision")} in history${pending === 0 ? "" : `, ${counted(pending, "record")} on the way there`}`,
  );
  return [...counts, ...findings.flatMap(toLines), ends[result]];
}

function toLines({ level, root, says, since, remedy }: VerifyFinding): string[] {
  const when = since === undefined || level === "note" ? "" : ` Last known good: ${minuteOf(since)}.`;
  return [`  ${level}: ${root}: ${says}${when}`, ...(remedy === "" ? [] : [`    ${remedy}`])];
}
