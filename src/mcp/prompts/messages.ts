import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isRecollectError } from "../../app.ts";

export function toMessages(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}

/** A prompt has no result for errors: the client's user is told by the protocol's. */
export async function toMessagesOr(make: () => Promise<GetPromptResult>): Promise<GetPromptResult> {
  try {
    return await make();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
  }
}
