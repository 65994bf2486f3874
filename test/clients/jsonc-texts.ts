import fc from "fast-check";

/** How one author lays out a file. */
interface Layout {
  readonly eol: string;
  readonly indent: string;
  readonly multiline: boolean;
  readonly trailingComma: boolean;
  readonly lineComments: boolean;
  readonly blockComments: boolean;
  readonly bom: boolean;
  readonly finalNewline: boolean;
}

const layouts: fc.Arbitrary<Layout> = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "    ", "\t", " "),
  multiline: fc.boolean(),
  trailingComma: fc.boolean(),
  lineComments: fc.boolean(),
  blockComments: fc.boolean(),
  bom: fc.boolean(),
  finalNewline: fc.boolean(),
});

const words = fc.oneof(
  fc.stringMatching(/^[a-z][a-z-]{0,8}$/),
  fc.constantFrom("a // b", "/* c */", '"quoted"', "{", "}", ",", "ü😀", "tab\tand\nline", "\\", ""),
);
const names = words.filter((word) => !["recollect", "mcpServers", "servers", "__proto__"].includes(word));
const scalars = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 3 }));
const servers = fc.dictionary(names, fc.record({ command: words, args: fc.array(words, { maxLength: 3 }) }), {
  minKeys: 1,
  maxKeys: 3,
});
const others = fc.dictionary(names, fc.oneof(scalars, fc.dictionary(names, scalars, { maxKeys: 2 })), { maxKeys: 3 });

function write(value: unknown, layout: Layout, depth = 0): string {
  const { eol, indent, multiline, trailingComma, lineComments, blockComments } = layout;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const items = isArray
    ? value.map((each) => write(each, layout, depth + 1))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${write(each, layout, depth + 1)}`);
  const [open, close] = isArray ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  if (!multiline || isArray) return `${open} ${items.join(", ")}${trailingComma ? "," : ""} ${close}`;
  const lines = items.map((item, index) => {
    const comma = index < items.length - 1 || trailingComma ? "," : "";
    const block = blockComments ? " /* , } */" : "";
    const line = lineComments ? ` // "recollect": {} ,` : "";
    return `${indent.repeat(depth + 1)}${item}${block}${comma}${line}`;
  });
  return `${open}${eol}${lines.join(eol)}${eol}${indent.repeat(depth)}${close}`;
}

/** A client's file with servers and settings of others and nothing of ours, in any layout. */
export const jsoncTexts: fc.Arbitrary<string> = fc
  .record({ layout: layouts, before: others, servers: fc.option(servers), after: others })
  .map(({ layout, before, servers: some, after }) => {
    const value = { ...before, ...(some === null ? {} : { mcpServers: some }), ...after };
    const body = write(Object.keys(value).length === 0 ? { only: 1 } : value, layout);
    const head = layout.lineComments ? `// at the top${layout.eol}` : "";
    return `${layout.bom ? "\ufeff" : ""}${head}${body}${layout.finalNewline ? layout.eol : ""}`;
  });
