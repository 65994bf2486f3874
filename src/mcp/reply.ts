import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ErrorCode, isRecollectError } from "../index.ts";

/** What a model can do about an error, by its code. */
const hints: Partial<Record<ErrorCode, string>> = {
  INVALID_PATH: "Use a relative path with plain names, such as notes/build.md.",
  NOT_FOUND: "List the files to see what exists.",
  NOT_A_DOCUMENT: "Choose another path.",
  CONFLICT: "Read the file again, then repeat the change with its new revision.",
  TOO_LARGE: "Split the text over several files.",
  BUSY: "Wait a moment, then try again.",
  READ_ONLY: "Write somewhere else.",
  NOT_ALLOWED: "Use another operation.",
};

export function toReply(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** Runs a tool. Errors become results that the model reads, with the code and a hint, not protocol errors. */
export async function answer(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    return toErrorReply(error);
  }
}

function toErrorReply(error: unknown): CallToolResult {
  if (!isRecollectError(error)) throw error;
  const hint = hints[error.code];
  const text = `${error.code}: ${error.message}${hint ? ` ${hint}` : ""}`;
  return { content: [{ type: "text", text }], isError: true };
}
