/** What a client sent, of which nothing is believed. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The words of a value in any of the shapes in which clients send what a tool printed. */
export function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(wordsOf).join("\n");
  const { text, content, stdout, stderr, output, llmContent, error } = fieldsOf(value);
  return [stdout, stderr, text, content, output, llmContent, error]
    .filter((one) => one !== undefined && one !== null)
    .map(wordsOf)
    .filter((words) => words !== "")
    .join("\n");
}
