import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import { RecollectError } from "../kernel/errors.ts";
import { nearestName } from "./nearest-name.ts";
import { refusalOf, shorten } from "./refuse-setting.ts";
import { isSettingKey, type SettingKey, settingKeys, settingOf } from "./settings.ts";
import { withdrawnSetting } from "./withdrawn-settings.ts";

export interface FileSetting {
  /** As it stands in the file, of the setting's type. */
  readonly raw: unknown;
  readonly line: number;
}

/** What every step of reading one file needs. */
interface Source {
  /** How messages call the file. */
  readonly name: string;
  readonly lines: LineCounter;
  readonly found: Map<SettingKey, FileSetting>;
}

const sections = new Set(settingKeys.flatMap((key) => (key.includes(".") ? [key.slice(0, key.indexOf("."))] : [])));

/**
 * Reads the text of a settings file, strictly. Keys are nested, and only nested:
 *
 * ```yaml
 * memories:
 *   folder: notes
 * ```
 *
 * One form instead of two means that a setting cannot stand in a file twice. This module alone loads
 * `yaml`; it is imported only where there is a file, so that a start without one does not pay for it.
 */
export function parseSettings(text: string, name: string): ReadonlyMap<SettingKey, FileSetting> {
  const source: Source = { name, lines: new LineCounter(), found: new Map() };
  try {
    const document = parseYaml(text, source);
    const top = document.contents;
    if (top === null || (isScalar(top) && top.value === null)) return source.found;
    readSection(top, "", source);
    return source.found;
  } catch (error) {
    // The parser calls itself for every level, so that ten thousand brackets empty the stack.
    if (error instanceof RangeError) throw new RecollectError("INVALID_ARGUMENT", `${name} is nested too deeply.`);
    throw error;
  }
}

function parseYaml(text: string, source: Source): Document.Parsed {
  const document = parseDocument(text, {
    lineCounter: source.lines,
    prettyErrors: false,
    // Theirs compares every key with every other, minutes for a hostile file; ours is in `readSection`.
    uniqueKeys: false,
    schema: "core",
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw invalid(source, problem.pos[0], saysOfYaml(problem.code, problem.message));
  // A few lines of aliases to aliases are gigabytes once they are followed, and no setting needs one.
  visit(document, {
    Alias: (_, alias) => {
      throw invalid(source, offsetOf(alias), "uses an alias (*), which is not supported");
    },
    Value: (_, value) => {
      if (value.anchor) throw invalid(source, offsetOf(value), "uses an anchor (&), which is not supported");
      if (value.tag) throw invalid(source, offsetOf(value), "uses a tag (!), which is not supported");
    },
  });
  return document;
}

function saysOfYaml(code: string, message: string): string {
  if (code === "TAB_AS_INDENT") return "is indented with a tab; YAML wants blanks";
  if (code === "MULTIPLE_DOCS") return "holds more than one document (---)";
  if (code === "TAG_RESOLVE_FAILED") return "uses a tag (!), which is not supported";
  return `is not valid YAML: ${message.replace(/\.?\s*$/, "")}`;
}

function readSection(node: unknown, prefix: string, source: Source): void {
  if (!isMap(node)) {
    const what = prefix === "" ? "the file" : prefix.slice(0, -1);
    throw invalid(source, offsetOf(node), `is wrong at ${what}: expected keys with values, found ${kindOf(node)}`);
  }
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined) throw invalid(source, offsetOf(key), "has a key that is not a text");
    const full = prefix + name;
    if (seen.has(name)) throw invalid(source, offsetOf(key), `has the key ${shorten(full)} twice`, { key: full });
    seen.add(name);
    if (name.includes(".") || !(isSettingKey(full) || isSection(full))) throw unknownKey(full, key, value, source);
    if (isSettingKey(full)) readSetting(full, key, value, source);
    else if (!isEmpty(value)) readSection(value, `${full}.`, source);
  }
}

function isSection(name: string): boolean {
  return sections.has(name);
}

function readSetting(key: SettingKey, keyNode: unknown, node: unknown, source: Source): void {
  const raw = toRaw(node);
  const refusal = refusalOf(settingOf(key), raw);
  if (refusal) {
    const element = refusal.element !== undefined && isSeq(node) ? node.items[refusal.element] : node;
    const offset = offsetOf(element) ?? offsetOf(keyNode);
    throw invalid(source, offset, `is wrong at ${key}: ${refusal.says}`, { key });
  }
  source.found.set(key, { raw, line: source.lines.linePos(offsetOf(keyNode) ?? 0).line });
}

function unknownKey(full: string, node: unknown, value: unknown, source: Source): RecollectError {
  const withdrawn = withdrawnSetting("key", full);
  if (withdrawn !== undefined) return invalid(source, offsetOf(node), withdrawn, { key: full });
  const meansSection = isMap(value) && !full.includes(".");
  const nearest = nearestName(full, meansSection ? [...sections] : settingKeys) ?? "";
  const written = nearest.includes(".") ? `, written as ${nested(nearest)}` : "";
  const says = isSettingKey(full)
    ? `has ${full} in one word: write ${nested(full)}`
    : `has an unknown key ${shorten(full)}: did you mean ${nearest}${written}?`;
  return invalid(source, offsetOf(node), says, { key: full.slice(0, 200), nearest });
}

function nested(key: string): string {
  const [section, name] = key.split(".");
  return `“${section}:” and below it “  ${name}: …”`;
}

function toRaw(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(toRaw);
  if (isMap(node)) return {};
  return null;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

function kindOf(node: unknown): string {
  if (isSeq(node)) return "a list";
  return isScalar(node) ? shorten(String(node.value)) : "something else";
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}

function invalid(
  { name, lines }: Source,
  offset: number | undefined,
  says: string,
  data: Readonly<Record<string, unknown>> = {},
): RecollectError {
  const { line, col } = lines.linePos(offset ?? 0);
  const at = line === 0 ? { line: 1, column: 1 } : { line, column: col };
  const end = says.endsWith("?") ? "" : ".";
  return new RecollectError("INVALID_ARGUMENT", `${name}:${at.line}:${at.column} ${says}${end}`, {
    data: { file: name, ...at, ...data },
  });
}
