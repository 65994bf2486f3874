import type { ModelMessage, ModelRequest } from "./model-script.ts";
import { contentText, eventStream, type WireProtocol } from "./wire.ts";

interface Content {
  readonly role?: string;
  readonly parts?: readonly { functionResponse?: { response?: unknown } }[];
}

interface Body {
  readonly systemInstruction?: Content;
  readonly contents?: readonly Content[];
  readonly tools?: readonly {
    functionDeclarations?: readonly {
      name?: string;
      description?: string;
      parametersJsonSchema?: unknown;
      parameters?: unknown;
    }[];
  }[];
}

/** The Gemini API, as Gemini CLI speaks it. */
export const geminiProtocol: WireProtocol = {
  accepts: (url) => /:(?:stream)?[gG]enerateContent/.test(url),
  parse: (given) => {
    const body = given as Body;
    const declared = (body.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return {
      protocol: "gemini",
      body,
      system: contentText(body.systemInstruction?.parts),
      tools: declared.map(({ name = "", description = "", parametersJsonSchema, parameters }) => ({
        name,
        description,
        schema: parametersJsonSchema ?? parameters,
      })),
      messages: (body.contents ?? []).flatMap(messagesOf),
    } satisfies ModelRequest;
  },
  answer: ({ text, calls = [] }, _, url) => {
    const words = text === undefined ? [] : [{ text }];
    const parts = [...words, ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))];
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    const data = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }], usageMetadata };
    if (url.includes(":stream")) return eventStream([{ data }]);
    return { type: "application/json", body: JSON.stringify(data) };
  },
};

function messagesOf({ role, parts = [] }: Content): ModelMessage[] {
  return parts.map((part) => {
    if (part.functionResponse) return { role: "tool", text: contentText(part.functionResponse.response) };
    return { role: role === "model" ? "assistant" : "user", text: contentText(part) };
  });
}
