import { type ModelMessage, type ModelRequest, type ModelTurn, tokensUsed } from "./model-script.ts";
import { contentText, eventStream, type WireProtocol } from "./wire.ts";

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly name?: string;
  readonly arguments?: string;
}

interface Tool {
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  /** Codex gathers the tools of an MCP server in a namespace. */
  readonly tools?: readonly Tool[];
}

interface Body {
  readonly instructions?: string;
  readonly input?: string | readonly Item[];
  readonly tools?: readonly Tool[];
}

/** The Responses API, as Codex speaks it. */
export const openaiProtocol: WireProtocol = {
  accepts: (url) => /\/responses(?:\?|$)/.test(url),
  parse: (given) => {
    const body = given as Body;
    const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : (body.input ?? []);
    const isSystem = ({ role }: Item) => role === "system" || role === "developer";
    const system = [body.instructions ?? "", ...items.filter(isSystem).map(({ content }) => contentText(content))];
    return {
      protocol: "openai",
      body,
      system: system.join("\n"),
      tools: (body.tools ?? []).flatMap((tool) => toolsOf(tool)),
      messages: items.filter((item) => !isSystem(item)).map(messageOf),
    } satisfies ModelRequest;
  },
  answer: (turn) => {
    const output = outputOf(turn);
    const response = { id: "resp_fake", object: "response", created_at: 0, status: "completed", model: "fake", output };
    const used = tokensUsed(turn);
    const usage = { input_tokens: used, output_tokens: 10, total_tokens: used + 10 };
    return eventStream([
      { data: { type: "response.created", response: { ...response, status: "in_progress", output: [] } } },
      ...output.flatMap((item, output_index) => [
        { data: { type: "response.output_item.added", output_index, item } },
        { data: { type: "response.output_item.done", output_index, item } },
      ]),
      { data: { type: "response.completed", response: { ...response, usage } } },
    ]);
  },
};

function toolsOf(tool: Tool, namespace = ""): { name: string; description: string; schema: unknown }[] {
  const name = namespace + (tool.name ?? tool.type ?? "");
  if (tool.tools) return tool.tools.flatMap((inner) => toolsOf(inner, `${name}__`));
  return [{ name, description: tool.description ?? "", schema: tool.parameters }];
}

function messageOf(item: Item): ModelMessage {
  if (item.output !== undefined) return { role: "tool", text: contentText(item.output) };
  if (item.type === "function_call") return { role: "assistant", text: `${item.name} ${item.arguments}` };
  return { role: item.role === "assistant" ? "assistant" : "user", text: contentText(item.content) };
}

function outputOf({ text, calls = [] }: ModelTurn) {
  const words =
    text === undefined
      ? []
      : [
          {
            type: "message",
            id: "msg_fake",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ];
  const uses = calls.map(({ name, input }) => ({
    type: "function_call",
    id: `fc_${crypto.randomUUID()}`,
    call_id: `call_${crypto.randomUUID()}`,
    ...namespaced(name),
    arguments: JSON.stringify(input),
    status: "completed",
  }));
  return [...words, ...uses];
}

function namespaced(name: string): { name: string; namespace?: string } {
  const [, namespace, tool] = /^(mcp__[a-z0-9-]+|multi_agent_v1)__(\w+)$/.exec(name) ?? [];
  return namespace && tool ? { namespace, name: tool } : { name };
}
