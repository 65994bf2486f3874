import { type ModelMessage, type ModelRequest, type ModelTurn, tokensUsed } from "./model-script.ts";
import { contentText, eventStream, type WireProtocol } from "./wire.ts";

interface Body {
  readonly system?: unknown;
  readonly stream?: boolean;
  readonly model?: string;
  readonly tools?: readonly { name?: string; description?: string; input_schema?: unknown }[];
  readonly messages?: readonly { role: string; content: unknown }[];
}

/** The Messages API, as Claude Code and OpenCode speak it. */
export const anthropicProtocol: WireProtocol = {
  accepts: (url) => /\/v1\/messages(?:\?|$)/.test(url),
  parse: (given) => {
    const body = given as Body;
    const messages = (body.messages ?? []).flatMap(({ role, content }) => messagesOf(role, content));
    const tools = (body.tools ?? []).map(({ name = "", description = "", input_schema }) => ({
      name,
      description,
      schema: input_schema,
    }));
    return { protocol: "anthropic", body, system: contentText(body.system), tools, messages } satisfies ModelRequest;
  },
  answer: (turn, given) => {
    const { stream = false, model = "fake" } = given as Body;
    const blocks = blocksOf(turn);
    const stop = turn.calls?.length ? "tool_use" : "end_turn";
    const usage = { input_tokens: tokensUsed(turn), output_tokens: 10 };
    const message = { id: "msg_fake", type: "message", role: "assistant", model, stop_sequence: null };
    if (!stream) {
      return {
        type: "application/json",
        body: JSON.stringify({ ...message, content: blocks, stop_reason: stop, usage }),
      };
    }
    const events: { type: string; [key: string]: unknown }[] = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    ];
    blocks.forEach((block, index) => {
      const isText = block.type === "text";
      const start = isText ? { type: "text", text: "" } : { ...block, input: {} };
      const delta = isText
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      events.push({ type: "content_block_start", index, content_block: start });
      events.push({ type: "content_block_delta", index, delta });
      events.push({ type: "content_block_stop", index });
    });
    events.push({ type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage });
    events.push({ type: "message_stop" });
    return eventStream(events.map((event) => ({ event: event.type, data: event })));
  },
};

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

function blocksOf({ text, calls = [] }: ModelTurn): Block[] {
  const words: Block[] = text === undefined ? [] : [{ type: "text", text }];
  const uses = calls.map(
    ({ name, input }): Block => ({ type: "tool_use", id: `toolu_${crypto.randomUUID()}`, name, input }),
  );
  return [...words, ...uses];
}

function messagesOf(role: string, content: unknown): ModelMessage[] {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block): ModelMessage => {
    const isResult = typeof block === "object" && block !== null && block.type === "tool_result";
    const by = role === "assistant" ? "assistant" : "user";
    return { role: isResult ? "tool" : by, text: contentText(isResult ? block.content : block) };
  });
}
