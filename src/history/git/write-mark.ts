import { commitHead } from "./import-stream.ts";
import { type HistoryMark, outsideAuthor, type RunEnd, toMessage } from "./message.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";

/** A commit that changes no document, and says something of history itself. Its id; the branch of history stays. */
export async function writeMark(
  mark: HistoryMark & { readonly subject: string; readonly end?: RunEnd },
  time: string,
  parent: string | undefined,
  { branch, git }: { readonly branch: ReturnType<Repository["runBranch"]>; readonly git: Git },
): Promise<string> {
  const when = `${Math.floor(Date.parse(time) / 1000)} +0000`;
  const people = `author ${outsideAuthor} <> ${when}\ncommitter Recollect <> ${when}\n`;
  const message = toMessage({ ...mark, sighting: { kind: "outside", time }, lines: [] });
  const input = [
    Buffer.from("feature done\n"),
    commitHead(branch.name, people, message),
    Buffer.from(`${parent === undefined ? "" : `from ${parent}\n`}\ndone\n`),
  ];
  await git.run(["fast-import", "--quiet", "--done"], { input });
  const made = branch.tip();
  if (made === undefined) throw new Error("git fast-import made no commit");
  branch.remove();
  return made;
}
