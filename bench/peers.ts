import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "./library.ts";
import type { Contestant } from "./peers/contestant.ts";
import { ours, peers } from "./peers/contestants.ts";
import { installPackage } from "./peers/install-package.ts";
import { measureContestant } from "./peers/measure-contestant.ts";
import { loadNoteSet } from "./peers/notes.ts";
import { cellsOfPeer, type PeerResult, peerHeadings } from "./peers/table.ts";
import { keepReport } from "./report.ts";
import { printColumns } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

const mostMs = 120_000;
const { positionals } = parseArgs({ allowPositionals: true });
const set = loadNoteSet();
const temporary = mkdtempSync(join(tmpdir(), "recollect-bench-peers-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

const contestants = [ours(pack()), ...peers].filter(({ name }) => isWanted(name));
const results: PeerResult[] = [];
for (const contestant of contestants) results.push(await compare(contestant));
printColumns([peerHeadings, ...results.map(cellsOfPeer)]);
for (const { name, why } of results) if (why !== undefined) console.log(`${name}: ${why}`);
keepReport("peers", { notes: { from: set.from, count: set.notes.length, questions: set.questions.length }, results });

function isWanted(name: string): boolean {
  return positionals.length === 0 || positionals.some((part) => name.startsWith(part));
}

/** What would be published. */
function pack(): string {
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", temporary];
  return join(temporary, execFileSync("npm", args, { cwd: repository, encoding: "utf8" }).trim());
}

async function compare(contestant: Contestant): Promise<PeerResult> {
  const { name, packageName } = contestant;
  console.error(`${name}: installing …`);
  const installed = installPackage(contestant, join(temporary, packageName.replaceAll("/", "-")));
  if ("why" in installed) return { name, ...installed };
  const { version, megabytes, folder } = installed;
  console.error(`${name}: measuring …`);
  const signal = AbortSignal.timeout(mostMs);
  try {
    const standing = await withWorkFolder((work) => measureContestant(contestant, folder, work, set, signal));
    return { name, version, megabytes, standing };
  } catch (error) {
    const why = signal.aborted ? "it took more than two minutes" : `it failed: ${messageOf(error)}`;
    return { name, version, megabytes, why };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
