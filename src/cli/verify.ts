import { Command } from "commander";
import { counted, type OnVerifyProgress, type Verification, type VerifyFinding } from "../app.ts";
import { minuteOf } from "./local-time.ts";
import { showOneLine } from "./one-line-progress.ts";
import { type ExitCode, exitCodes, type Io, print, printable } from "./output.ts";
import { nothingHere, type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type VerifyOptions = WorkspaceOptions & { readonly searchIndex?: boolean; readonly acceptLoss?: boolean };

/** `recollect verify`: whether everything is as it was written. */
export function verifyCommand(io: Io, setExitCode: (code: number) => void): Command {
  return withWorkspaceOptions(new Command("verify"))
    .description("check that files, history, archive and indexes agree; changes nothing")
    .option("--no-search-index", "skip the search index, whose check takes as long as building it")
    .option("--accept-loss", "accept what was lost of history: it is recorded, and no longer an error")
    .option("--json", "answer with one JSON object")
    .action((options: VerifyOptions) =>
      withWorkspace(
        io,
        options,
        async (workspace) => {
          const json = options.json === true;
          if (options.acceptLoss) await workspace.history.acceptLoss();
          const progress = showOneLine(io, json);
          const { searchIndex = true } = options;
          const onProgress: OnVerifyProgress = ({ root, doing, done, total }) =>
            progress.show(`Checking the ${doing} of ${root}: ${done} of ${total}`);
          const verification = await workspace.verify({ searchIndex, onProgress });
          progress.end();
          if (verification.roots.length === 0 && verification.findings.length === 0) {
            throw nothingHere("nothing was checked");
          }
          print(io, json, linesOf(verification).map(printable).join("\n"), { ...verification });
          setExitCode(codes[verification.result]);
        },
        { opensVanished: true },
      ),
    )
    .addHelpText(
      "after",
      `
Exit codes of this command:
  0  everything agrees
  3  there is no project here, so nothing was checked
  6  not everything could be checked
  7  something was changed outside Recollect, by hand or by a disk error, which look alike; it can be restored
  8  damaged: files that only Recollect writes are missing or changed

What is not in history yet is compared with the journals.

Examples:
  $ recollect verify
  $ recollect verify --json --no-search-index`,
    );
}

const codes: Readonly<Record<Verification["result"], ExitCode>> = {
  ok: exitCodes.done,
  "changed outside": exitCodes.changedOutside,
  unchecked: exitCodes.storage,
  damaged: exitCodes.damaged,
};

const ends: Readonly<Record<Verification["result"], string>> = {
  ok: "Everything agrees.",
  "changed outside": "Changed outside Recollect: see above. Nothing is damaged.",
  unchecked: "Not everything could be checked: see above.",
  damaged: "DAMAGED: see above.",
};

function linesOf({ result, roots, findings }: Verification): string[] {
  const counts = roots.map(({ root, documents, revisions, pending, isUnchecked }) => {
    if (isUnchecked) return `${root}: not checked`;
    const waiting = pending === 0 ? "" : `, ${counted(pending, "record")} waiting to be recorded`;
    return `${root}: ${counted(documents, "document")}, ${counted(revisions, "revision")} in history${waiting}`;
  });
  return [...counts, ...findings.flatMap(toLines), ends[result]];
}

function toLines({ level, root, says, since, remedy }: VerifyFinding): string[] {
  const when = since === undefined || level === "note" ? "" : ` Last known good: ${minuteOf(since)}.`;
  return [`  ${level}: ${root}: ${says}${when}`, ...(remedy === "" ? [] : [`    ${remedy}`])];
}
