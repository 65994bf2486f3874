import type { ModelRequest, ModelTurn } from "./model-script.ts";

export interface WireAnswer {
  readonly type: string;
  readonly body: string;
}

/** One API of a model, reduced to what a scripted model needs. */
export interface WireProtocol {
  accepts(url: string): boolean;
  parse(body: unknown): ModelRequest;
  answer(turn: ModelTurn, body: unknown, url: string): WireAnswer;
}

interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** Everything at once: what a client does with a slow model is not our matter. */
export function eventStream(events: readonly StreamEvent[]): WireAnswer {
  const lines = events.map(({ event, data }) => `${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
  return { type: "text/event-stream", body: lines.join("") };
}

/** The words of a content in any of the three shapes; what has no text is shown as JSON. */
export function contentText(content: unknown): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(contentText).join("\n");
  const { text } = content as { text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(content);
}
