import type { FilePlan } from "../app.ts";
import { type Io, printable, shellWord } from "./output.ts";

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

export function createPaint(colour: boolean): Paint {
  const code = (open: number, close: number) => (text: string) =>
    colour && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), red: code(31, 39), yellow: code(33, 39) };
}

export function say(io: Io, lines: readonly string[]): void {
  if (lines.length > 0) io.out(`${lines.join("\n")}\n`);
}

/** Client by client, each file with what becomes of it and what its parts are for. */
export function planLines(plans: readonly FilePlan[], paint: Paint): string[] {
  return [...Map.groupBy(plans, ({ title }) => title)].flatMap(([title, files]) => [
    "",
    files[0]?.isDocumented ? `${paint.bold(title)}  (documented, not verified by us)` : paint.bold(title),
    ...withSkillsTogether(files).flatMap((plan) => {
      const status = { refused: paint.red, unchanged: paint.dim }[plan.status as string] ?? paint.green;
      const isPut = !plan.isRemoval && (plan.status === "new" || plan.status === "changed");
      const does = isPut ? plan.does : [];
      return [`  ${plan.shown}  ${status(statusWords(plan))}`, ...does.map((line) => `      ${line}`)];
    }),
  ]);
}

/** The skills of a client are alike: one line is enough. */
function withSkillsTogether(plans: readonly FilePlan[]): FilePlan[] {
  const skill = /^(.*\/skills\/)([\w-]+)\/SKILL\.md$/;
  const together = Map.groupBy(plans, ({ shown, status, reason }) => {
    const [, folder] = skill.exec(shown) ?? [];
    return folder === undefined ? shown : `${folder} ${status} ${reason}`;
  });
  return [...together.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined || alike.length === 1) return alike;
    const names = alike.map(({ shown }) => skill.exec(shown)?.[2] ?? "");
    return [{ ...first, shown: `${skill.exec(first.shown)?.[1]}{${names.join(",")}}/SKILL.md` }];
  });
}

/** What people must know of an entry that was there before us, and of its neighbours. */
export function entryLines(plans: readonly FilePlan[], paint: Paint): string[] {
  const named = (keys: readonly string[]) => keys.map((key) => `“${printable(key)}”`).join(", ");
  const lines = plans.flatMap(({ shown, kept, dropped, serena }) => [
    ...(dropped.length === 0
      ? []
      : [
          `${shown}: the entry has ${named(dropped)}, which can change what is run or asked, and goes.`,
          `  If you put it there yourself: ${dropped.map((key) => `--keep ${shellWord(key)}`).join(" ")}`,
        ]),
    ...(kept.length === 0 ? [] : [`${shown}: the entry keeps ${named(kept)}, which init did not write.`]),
    ...(serena.length === 0
      ? []
      : [
          `${shown}: the server ${named(serena)} is set up beside ours: two servers on one folder of memories.`,
          "  Both can stay; if you do not need the old one any more, take its entry out yourself.",
        ]),
  ]);
  return lines.length === 0 ? [] : ["", ...lines.map((line) => `  ${paint.yellow(line)}`)];
}

/** The changes of each file that has some. */
export function diffLines(plans: readonly FilePlan[], paint: Paint): string[] {
  return plans
    .filter(({ diff }) => diff.length > 0)
    .flatMap(({ shown, diff, status }) => {
      // Of a file that is all new or all gone, the line numbers say nothing.
      const lines = status === "changed" ? diff : diff.filter((line) => !line.startsWith("@@"));
      return ["", paint.bold(shown), ...lines.map((line) => `  ${diffLine(line, paint)}`)];
    });
}

/** A path as people write it. */
export function tildePath(path: string, home: string): string {
  if (path === home) return "~";
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

/** A plan as scripts get it. */
export function planData(plan: FilePlan): Record<string, unknown> {
  const { client, isDocumented, shown, status, does, replaces, kept, dropped, serena, diff, reason } = plan;
  const entry = { replaces, kept, dropped, serena };
  return {
    client,
    verified: !isDocumented,
    path: shown,
    status,
    does,
    ...entry,
    diff: diff.join("\n"),
    ...(reason === undefined ? {} : { reason }),
  };
}

function statusWords({ status, replaces, reason }: FilePlan): string {
  if (status === "refused") return `left alone: ${printable(reason ?? "")}`;
  if (reason !== undefined) return `${status}, but in part left alone: ${printable(reason)}`;
  if (status === "deleted") return "deleted: nothing else is in it";
  return status === "changed" && replaces ? "changed: an entry of recollect that differs is replaced" : status;
}

function diffLine(line: string, paint: Paint): string {
  // Tabs are the one control character that people indent with.
  const text = printable(line.replaceAll("\t", "    "));
  if (line.startsWith("@@")) return paint.dim(text);
  if (line.startsWith("+")) return paint.green(text);
  return line.startsWith("-") ? paint.red(text) : text;
}
