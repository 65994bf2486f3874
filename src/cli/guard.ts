import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Command } from "commander";
import {
  counted,
  createGuard,
  type ErrorCode,
  type Guard,
  type GuardFinding,
  RecollectError,
  refusalOf,
  removeSearchIndexes,
  scanMemory,
  type Workspace,
  withUserRecords,
} from "../app.ts";
import { attempt } from "../kernel/attempt.ts";
import { withExamples } from "./examples.ts";
import { dayOf } from "./local-time.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { ownGuard } from "./own-guard.ts";
import { type RecordOptions, recordsOf, withRecordOptions } from "./record-options.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

interface FileFindings {
  readonly file: string;
  readonly findings: readonly GuardFinding[];
}

/** Why something was not looked at. */
const reasons = {
  link: "linked",
  special: "special",
  size: "over 16 MiB",
  binary: "not text",
  unreadable: "not readable",
} as const;

/** What may hold a secret all the same is named, each by itself. */
const unchecked: Partial<Record<keyof typeof reasons, string>> = {
  size: "not checked, over 16 MiB",
  binary: "not checked, not text",
  unreadable: "cannot be read",
};

interface LeftOut {
  readonly file: string;
  readonly why: keyof typeof reasons;
}

interface Scan {
  files: number;
  readonly found: FileFindings[];
  readonly leftOut: LeftOut[];
}

const maxBytes = 16 * 1024 * 1024;

/** `recollect guard …`: what the guard finds in files that are there already, and what it lets pass. */
export function guardCommand(io: Io, setExitCode: (code: number) => void): Command {
  const guard = new Command("guard").description("look for secrets in files, and allow what is none");

  withExamples(
    withWorkspaceOptions(
      guard
        .command("scan")
        .description("look for secrets in all of memory, or in files and folders; exit code 1 if there are any"),
    ),
    "recollect guard scan .serena/memories memory",
  )
    .argument("[path...]", "files and folders; without any, everything that memory keeps")
    .option("--json", "answer with one JSON object")
    .action((paths: string[], options: WorkspaceOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const scan: Scan = paths.length === 0 ? await scanAll(workspace) : { files: 0, found: [], leftOut: [] };
        const scanner = await ownGuard(workspace);
        for (const given of paths) {
          const path = resolve(io.place?.cwd ?? process.cwd(), given);
          if (!attempt(() => lstatSync(path))) throw new RecollectError("NOT_FOUND", `There is no “${given}”.`);
          const [, folder = "", name = ""] = /^(.*?)([^/\\]*)[/\\]*$/.exec(given) ?? [];
          scanPath({ path, folder, name }, scanner, scan);
        }
        print(io, options.json === true, linesOf(scan).map(printable).join("\n"), { ...scan });
        // What could not be looked at is not clean.
        if (scan.found.length > 0 || unreadableIn(scan).length > 0) setExitCode(exitCodes.failed);
      }),
    );

  withExamples(
    withRecordOptions(guard.command("allow")),
    `recollect guard allow 0123456789abcdef0123456789abcdef --reason "the example key of the vendor's documentation"`,
  )
    .description("let one value pass from now on, by its fingerprint")
    .argument("<fingerprint>", "from recollect guard scan, or from a refusal with --json")
    .requiredOption("--reason <text>", "why it is harmless")
    .option("--json", "answer with one JSON object")
    .action(async (fingerprint: string, options: RecordOptions & { readonly reason: string }) => {
      const inReason = createGuard({ policy: "standard", allowed: new Set() }).scan(options.reason);
      if (inReason.length > 0) throw refusalOf(inReason);
      const allowed = await withUserRecords(recordsOf(io, options), ({ allowList }) =>
        allowList.allow(fingerprint, options.reason),
      );
      print(
        io,
        options.json === true,
        "Allowed. Running servers let it pass at once; restart them for search to show it.",
        { ...allowed },
      );
    });

  withExamples(withRecordOptions(guard.command("revoke")), "recollect guard revoke 0123456789abcdef0123456789abcdef")
    .description("take that back")
    .argument("<fingerprint>", "what was allowed")
    .option("--json", "answer with one JSON object")
    .action(async (fingerprint: string, options: RecordOptions) => {
      const revoked = await withUserRecords(recordsOf(io, options), ({ allowList }) => allowList.revoke(fingerprint));
      // What it let pass is in their words.
      if (revoked) removeSearchIndexes(io.place ?? {});
      print(io, options.json === true, revoked ? "Taken back." : "It was not allowed.", { fingerprint, revoked });
    });

  withExamples(withRecordOptions(guard.command("list")), "recollect guard list --json")
    .description("show what is allowed, and why")
    .option("--json", "answer with one JSON object")
    .action(async (options: RecordOptions) => {
      const allowed = await withUserRecords(recordsOf(io, options), ({ allowList }) => allowList.list());
      const lines = allowed.map(
        ({ fingerprint, reason, allowedAt }) => `${dayOf(allowedAt)}  ${fingerprint}  ${reason}`,
      );
      print(io, options.json === true, lines.map(printable).join("\n") || "Nothing is allowed.", { allowed });
    });

  return guard.addHelpText(
    "after",
    `
Examples:
  $ recollect guard scan .serena/memories memory
  $ recollect guard allow 0123456789abcdef0123456789abcdef --reason "the example key of the vendor's documentation"`,
  );
}

/** Wherever memory lies, also in a database; places are folder and path, as search shows them. */
async function scanAll(workspace: Workspace): Promise<Scan> {
  const { documents, flagged, unreadable } = await scanMemory(workspace);
  return {
    files: documents,
    found: flagged.map(({ root, path, findings }) => ({ file: `${root}/${path}`, findings })),
    leftOut: unreadable.map(({ place, code }) => ({ file: place, why: whyNot(code) })),
  };
}

function whyNot(code: ErrorCode): LeftOut["why"] {
  if (code === "NOT_UTF8") return "binary";
  return code === "NOT_A_DOCUMENT" ? "link" : "unreadable";
}

interface Place {
  readonly path: string;
  /** The path of its parent, as it may be printed. */
  readonly folder: string;
  readonly name: string;
}

/**
 * Looks at a file or a folder, and at its name: a name can be the secret, and is then found and not shown. Links are
 * not followed, and .git is not looked into.
 */
function scanPath({ path, folder, name }: Place, scanner: Guard, scan: Scan): void {
  const named = scanner.scanName(name);
  const shown = folder + (named.length > 0 ? "(name left out)" : name);
  addFindings(shown, named, scan);
  const stat = attempt(() => lstatSync(path));
  if (stat?.isDirectory()) scanFolder(path, shown, scanner, scan);
  else {
    const text = stat ? textIn(path, stat) : "unreadable";
    if (typeof text === "string") scan.leftOut.push({ file: shown, why: text });
    else {
      scan.files += 1;
      addFindings(shown, scanner.scan(text.text), scan);
    }
  }
}

function scanFolder(path: string, shown: string, scanner: Guard, scan: Scan): void {
  if (basename(path) === ".git" || basename(path) === "node_modules") return;
  const names = attempt(() => readdirSync(path));
  if (!names) scan.leftOut.push({ file: shown, why: "unreadable" });
  const folder = `${shown}/`;
  for (const name of names?.sort() ?? []) scanPath({ path: join(path, name), folder, name }, scanner, scan);
}

function textIn(path: string, stat: Stats): { readonly text: string } | LeftOut["why"] {
  if (stat.isSymbolicLink()) return "link";
  if (!stat.isFile()) return "special";
  if (stat.size > maxBytes) return "size";
  const bytes = attempt(() => readFileSync(path));
  if (!bytes) return "unreadable";
  if (isUtf8(bytes)) return { text: bytes.toString("utf8") };
  const text = wideTextIn(bytes);
  return text === undefined ? "binary" : { text };
}

/** UTF-16 that says so by its byte order mark, as Windows writes it. */
function wideTextIn(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "";
  if (encoding === "") return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    // Two bytes that happen to look like a mark.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function addFindings(file: string, findings: readonly GuardFinding[], { found }: Scan): void {
  if (findings.length > 0) found.push({ file, findings });
}

function linesOf(scan: Scan): string[] {
  const { files, found, leftOut } = scan;
  const hits = found.flatMap(({ file, findings }) => findings.map((finding) => toLine(file, finding)));
  const count = hits.length === 0 ? "nothing found" : `${hits.length} found`;
  return [
    ...hits,
    ...leftOut.filter(({ why }) => why in unchecked).map(({ file, why }) => `${file}: ${unchecked[why]}`),
    `${counted(files, "file")}, ${count}.${countsOf(leftOut)}`,
  ];
}

function unreadableIn({ leftOut }: Scan): LeftOut[] {
  return leftOut.filter(({ why }) => why === "unreadable");
}

function countsOf(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return "";
  const kinds = Object.entries(reasons).flatMap(([why, words]) => {
    const count = leftOut.filter((one) => one.why === why).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return ` ${leftOut.length} left out: ${kinds.join(", ")}.`;
}

function toLine(file: string, { rule, title, line, column, where, fingerprint, andAllAfter }: GuardFinding): string {
  const place = where === "name" ? "in its name" : `${line}:${column}`;
  return `${file}:${place}  ${title}${andAllAfter ? ", and all after it" : ""} (${rule})  ${fingerprint}`;
}
