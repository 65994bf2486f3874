/** What a client asked of the model, the same for every protocol. */
export interface ModelRequest {
  readonly protocol: "anthropic" | "openai" | "gemini";
  /** Everything that the client sent, as it was sent. */
  readonly body: unknown;
  /** The system prompt, developer messages and instructions, joined. */
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  /** The conversation, oldest first, with tool calls and tool results as text. */
  readonly messages: readonly ModelMessage[];
}

interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

export interface ModelMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model answers: words, and tools that it calls. Without a call the turn ends. */
export interface ModelTurn {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
  /** Says that the context of the model is full. */
  readonly isFull?: boolean;
}

/** What a model says that a request took: a full context is larger than that of any model. */
export function tokensUsed({ isFull = false }: ModelTurn): number {
  return isFull ? 2_000_000 : 10;
}

/** Plays the model. Requests beside the conversation, such as the one for a title, do not reach it. */
export type ModelScript = (request: ModelRequest, nth: number) => ModelTurn;

/** The name under which a client offers a tool of ours, such as `mcp__recollect__search_memory`. */
export function offeredName({ tools }: ModelRequest, tool: string): string | undefined {
  return tools.find(({ name }) => name === tool || name.endsWith(`_${tool}`) || name.endsWith(`.${tool}`))?.name;
}
