import { behindMark, type Edit, lineEndingOf, refused } from "./edit.ts";
import { type FoundServers, isSerena, ownKeys } from "./found-entry.ts";
import { type ServerEntry, serverName } from "./server-entry.ts";
import { parseTomlString, readStatements, type Statement } from "./toml-statements.ts";

/**
 * Puts our table into a client's TOML, or brings it up to date without the keys in `drops`; what else is in the text
 * stays byte by byte.
 */
export function putTomlEntry(text: string, holderKey: string, entry: ServerEntry, drops: readonly string[] = []): Edit {
  return behindMark(text, (whole) => {
    const former = findTable(whole, holderKey);
    if ("reason" in former) return refused(former.reason);
    const plain = withoutKeys(whole, former.own, drops);
    const edit = putTable(plain, holderKey, entry);
    if (plain === whole || edit.kind === "refused") return edit;
    return { kind: "changed", text: edit.kind === "changed" ? edit.text : plain, replaces: true };
  });
}

function putTable(plain: string, holderKey: string, entry: ServerEntry): Edit {
  const found = findTable(plain, holderKey);
  if ("reason" in found) return refused(found.reason);
  const eol = lineEndingOf(plain);
  const { command, args } = lineOf(entry);
  const pairs = [`command = ${tomlString(command)}`, `args = ${tomlArray(args)}`];
  const block = [`[${holderKey}.${serverName}]`, ...pairs].join(eol);
  const { header, own } = found;
  if (header !== undefined) return updateTable(plain, header, own, entry);
  const firstPart = own[0];
  if (firstPart !== undefined) {
    const before = plain.slice(0, firstPart.start);
    const added = `${before}${block}${eol}${eol}${plain.slice(firstPart.start)}`;
    return { kind: "changed", text: added, replaces: true };
  }
  return { kind: "changed", text: appendBlock(plain, block, eol), replaces: false };
}

/** Takes our table and its parts out. */
export function takeTomlEntry(text: string, holderKey: string): Edit {
  return behindMark(text, (plain) => {
    const found = findTable(plain, holderKey);
    if ("reason" in found) return refused(found.reason);
    if (found.own.length === 0) return { kind: "unchanged" };
    let taken = plain;
    for (const { start, end } of spansOf(found.own).reverse()) taken = withoutSpan(taken, start, end);
    return taken.trim() === "" ? { kind: "emptied", text: taken } : { kind: "changed", text: taken, replaces: false };
  });
}

/**
 * Has the client call these tools of ours without asking: a line for each in a table of their own. What the user said
 * of a tool, in whichever form, stays.
 */
export function putTomlTools(text: string, path: readonly string[], tools: readonly string[]): Edit {
  return behindMark(text, (plain) => {
    const statements = readStatements(plain);
    if ("reason" in statements) return refused(statements.reason);
    const isSaid = (tool: string) =>
      statements.some((statement) => startsWith(statement.path, [...path, tool, "approval_mode"]));
    const lines = tools.filter((tool) => !isSaid(tool)).map((tool) => `${tool}.approval_mode = "approve"`);
    if (lines.length === 0) return { kind: "unchanged" };
    const header = statements.find(({ kind, path: own }) => kind === "table" && own.join(".") === path.join("."));
    const eol = lineEndingOf(plain);
    if (header === undefined) {
      const block = [`[${path.join(".")}]`, ...lines].join(eol);
      return { kind: "changed", text: appendBlock(plain, block, eol), replaces: false };
    }
    const isComplete = plain.endsWith("\n") || header.end < plain.length;
    const added = isComplete ? `${lines.join(eol)}${eol}` : `${eol}${lines.join(eol)}`;
    return { kind: "changed", text: plain.slice(0, header.end) + added + plain.slice(header.end), replaces: false };
  });
}

/** What the text has of us. Of a text that cannot be read, nothing. */
export function readTomlServers(text: string, holderKey: string): FoundServers {
  // The mark stays in the text, so that the offsets are those of the text.
  const plain = text.replace(/^\ufeff/, " ");
  const statements = readStatements(plain);
  const found = findTable(plain, holderKey);
  if ("reason" in statements || "reason" in found) return { serena: [] };
  const servers = statements.filter(({ path }) => path[0] === holderKey && path.length > 1 && path[1] !== serverName);
  const serena = servers
    .filter((each) => isSerena(each.path[1] ?? "", sourceOf(plain, each)))
    .map(({ path }) => path[1] ?? "");
  const { own } = found;
  if (own.length === 0) return { serena: [...new Set(serena)] };
  const sourcesOf = (key: string) =>
    own.filter(({ kind, path }) => kind === "pair" && path[2] === key).map((each) => sourceOf(plain, each));
  const keys = [...new Set(own.flatMap(({ path }) => path[2] ?? []))].filter((key) => !ownKeys.includes(key));
  const words = arrayItems(sourcesOf("args")[0] ?? "")?.map(parseTomlString);
  return {
    serena: [...new Set(serena)],
    entry: {
      command: parseTomlString(sourcesOf("command")[0] ?? ""),
      args: words?.every((word) => word !== undefined) ? words : undefined,
      others: keys.map((key) => [key, sourcesOf(key).join(", ")]),
      spans: spansOf(own),
    },
  };
}

interface Table {
  /** `[mcp_servers.recollect]` itself. */
  readonly header?: Statement;
  /** It, its pairs, and its sub-tables with theirs, in order. */
  readonly own: readonly Statement[];
}

function findTable(text: string, holderKey: string): Table | { readonly reason: string } {
  const statements = readStatements(text);
  if ("reason" in statements) return statements;
  const ours = [holderKey, serverName];
  let table: readonly string[] = [];
  for (const statement of statements) {
    if (statement.kind !== "pair") table = statement.path;
    const reason = obstacleIn(statement, table, ours);
    if (reason !== undefined) return { reason };
  }
  const own = statements.filter(({ path }) => startsWith(path, ours));
  const headers = own.filter(({ kind, path }) => kind === "table" && path.length === ours.length);
  if (headers.length > 1) return { reason: `it has [${ours.join(".")}] twice; keep one of them` };
  return { own, ...(headers[0] === undefined ? {} : { header: headers[0] }) };
}

/** Only a header makes our entry a run of whole lines; other ways to write it are left to their author. */
function obstacleIn({ kind, path }: Statement, table: readonly string[], ours: readonly string[]): string | undefined {
  const concernsUs = startsWith(path, ours) || startsWith(ours, path);
  if (!concernsUs || kind === "table") return undefined;
  if (kind === "table array") return `it has an array of tables [[${path.join(".")}]]`;
  if (startsWith(table, ours)) return undefined;
  return `it defines “${path.join(".")}” outside of a table of its own; write it as [${ours.join(".")}]`;
}

function updateTable(text: string, header: Statement, own: readonly Statement[], entry: ServerEntry): Edit {
  const wanted = lineOf(entry);
  const pairOf = (key: string) =>
    own.filter(({ kind, path }) => kind === "pair" && path.length === 3 && path[2] === key);
  if (pairOf("url").length > 0)
    return refused(`its entry “${serverName}” is a remote server; rename or remove that first`);
  const doubled = ["command", "args"].find((key) => pairOf(key).length > 1);
  if (doubled !== undefined) return refused(`its entry “${serverName}” has “${doubled}” twice; keep one of them`);
  const eol = lineEndingOf(text);
  const [command, args] = [pairOf("command")[0], pairOf("args")[0]];
  const edits: { start: number; end: number; by: string }[] = [];
  const missing: string[] = [];
  if (command === undefined) missing.push(`command = ${tomlString(wanted.command)}`);
  else if (parseTomlString(sourceOf(text, command)) !== wanted.command) {
    edits.push({ ...command.value, by: tomlString(wanted.command) });
  }
  if (args === undefined) missing.push(`args = ${tomlArray(wanted.args)}`);
  else if (!isSameArray(sourceOf(text, args), wanted.args)) edits.push({ ...args.value, by: tomlArray(wanted.args) });
  if (missing.length > 0) {
    const lines = missing.join(eol);
    const complete = text.endsWith("\n") || header.end < text.length;
    edits.push({ start: header.end, end: header.end, by: complete ? `${lines}${eol}` : `${eol}${lines}` });
  }
  if (edits.length === 0) return { kind: "unchanged" };
  let changed = text;
  for (const { start, end, by } of edits.sort((one, other) => other.start - one.start)) {
    changed = changed.slice(0, start) + by + changed.slice(end);
  }
  return { kind: "changed", text: changed, replaces: true };
}

/** A text without a line end at its end keeps that, so that taking the block out gives back the same bytes. */
function appendBlock(text: string, block: string, eol: string): string {
  if (text === "") return `${block}${eol}`;
  return text.endsWith("\n") ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** Runs of our statements; comments between two of them go along, comments after the last one stay. */
function spansOf(own: readonly Statement[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { kind, start, end } of own) {
    const last = spans.at(-1);
    if (kind !== "pair" || last === undefined) spans.push({ start, end });
    else last.end = end;
  }
  return spans;
}

function withoutKeys(text: string, own: readonly Statement[], drops: readonly string[]): string {
  const isDropped = (statement: Statement | undefined) => drops.includes(statement?.path[2] ?? "");
  const spans: { kind: Statement["kind"]; start: number; end: number }[] = [];
  for (const [index, statement] of own.entries()) {
    if (!isDropped(statement)) continue;
    const { kind, start, end } = statement;
    const last = spans.at(-1);
    // Comments between two that go are about them.
    if (kind === "pair" && last !== undefined && isDropped(own[index - 1])) last.end = end;
    else spans.push({ kind, start, end });
  }
  let rest = text;
  for (const { kind, start, end } of spans.reverse()) {
    rest = kind === "pair" ? rest.slice(0, start) + rest.slice(end) : withoutSpan(rest, start, end);
  }
  return rest;
}

function withoutSpan(text: string, start: number, end: number): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const blankBefore = /(?:^|\n)(\r?\n)$/.exec(before.slice(-4))?.[1];
  const endsOpen = after === "" && !text.endsWith("\n");
  if (endsOpen) return before.replace(/(?:\r?\n){1,2}$/, "");
  if (blankBefore !== undefined) return before.slice(0, -blankBefore.length) + after;
  return before === "" ? after.replace(/^\r?\n/, "") : before + after;
}

function isSameArray(source: string, wanted: readonly string[]): boolean {
  const items = arrayItems(source);
  return items?.length === wanted.length && items.every((item, index) => parseTomlString(item) === wanted[index]);
}

/** Of an array of words. */
function arrayItems(source: string): string[] | undefined {
  const inner = /^\[([\s\S]*)\]$/.exec(source)?.[1];
  return inner === undefined ? undefined : (inner.match(/"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[^\s,]+/g) ?? []);
}

function sourceOf(text: string, { value }: Statement): string {
  return text.slice(value.start, value.end);
}

function startsWith(path: readonly string[], head: readonly string[]): boolean {
  return head.every((part, index) => path[index] === part);
}

function lineOf({ command, args }: ServerEntry): { command: string; args: readonly string[] } {
  return { command: String(command), args: Array.isArray(args) ? args : [] };
}

/** JSON's escapes are TOML's, but for DEL. */
function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
}

function tomlArray(values: readonly string[]): string {
  return `[${values.map(tomlString).join(", ")}]`;
}
