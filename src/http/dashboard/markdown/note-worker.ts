// Taking a note apart, beside the page: whatever a text does to the lexer, the page goes on.
import type { NoteOptions, NoteParts } from "./note-parts.ts";
import { takeApart } from "./take-apart.ts";

/** A text, or nothing: then the next chunk of the one before. */
export interface NoteRequest {
  readonly text: string;
  readonly options: NoteOptions;
}

export type NoteAnswer =
  | { readonly kind: "ready" }
  /** All but the chunks, or one of them more. */
  | { readonly kind: "part"; readonly part: NoteParts }
  | { readonly kind: "end" }
  | { readonly kind: "refused" };

const say = (answer: NoteAnswer) => postMessage(answer);
const state: { answers: Iterator<NoteAnswer> } = { answers: answersOf(undefined) };

addEventListener("message", ({ data }: MessageEvent<NoteRequest | undefined>) => {
  if (data !== undefined) state.answers = answersOf(takeApart(data.text, data.options));
  const next = state.answers.next();
  if (next.done !== true) say(next.value);
});
say({ kind: "ready" });

function* answersOf(parts: NoteParts | undefined): Generator<NoteAnswer> {
  if (parts === undefined) return yield { kind: "refused" };
  const { chunks, ...rest } = parts;
  yield { kind: "part", part: { ...rest, chunks: [] } };
  for (const chunk of chunks) yield { kind: "part", part: { ...rest, chunks: [chunk] } };
  yield { kind: "end" };
}
