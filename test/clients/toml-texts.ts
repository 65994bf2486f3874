import fc from "fast-check";

const pieces = fc.constantFrom(
  'model = "gpt" # [mcp_servers.recollect]',
  "",
  "# [mcp_servers.recollect]",
  "[mcp_servers.other]",
  'command = "x"',
  'long = """\n[mcp_servers.recollect]\ncommand = "no"\n"""',
  "literal = '''\n[mcp_servers.recollect]\n'''''",
  'list = [\n  "a", # ]\n  ["b"],\n]',
  'env = { A = "1", B = "]" }',
  "when = 1979-05-27 07:32:00 # date",
  "[ profiles . 'a.b' ]",
  "[[skills]]",
  'path = "a\\"b"',
  '"quoted key" = true',
  "  indented = 1",
);
/** A client's file with settings of others and nothing of ours. */
export const tomlTexts: fc.Arbitrary<string> = fc
  .tuple(fc.array(pieces, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.boolean())
  .map(([lines, eol, final, bom]) => {
    const body = lines.join("\n").replaceAll("\n", eol);
    return `${bom ? "\ufeff" : ""}${body}${final && body !== "" ? eol : ""}`;
  })
  .filter((text) => text.replace("\ufeff", "").trim() !== "");
