import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../keyboard.ts";
import { NoteText } from "./note-text.tsx";

/** A text and what can be done with it: save (Ctrl-S), leave (Esc), look at it rendered. */
export function Editor(props: {
  label: string;
  content: string;
  isChanged: boolean;
  isBusy: boolean;
  takesFocus: boolean;
  onChange: (content: string) => void;
  onSave: () => void;
  onLeave: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setPreview] = useState(false);
  useKeys({ "Ctrl-s": props.onSave, Escape: props.onLeave });
  useLayoutEffect(() => {
    if (!props.takesFocus) return;
    area.current?.setSelectionRange(0, 0);
    area.current?.focus({ preventScroll: true });
    area.current?.scrollTo(0, 0);
  }, []);
  return (
    <>
      <div class="toolbar sticky">
        <button type="button" class="primary" disabled={props.isBusy} onClick={props.onSave}>
          {props.isBusy ? "Saving…" : "Save"}
        </button>
        <button type="button" onClick={props.onLeave}>
          Leave
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          Preview
        </button>
        <span class="muted" role="status">
          {props.isChanged ? "unsaved changes" : ""}
        </span>
      </div>
      <div class={isPreview ? "split" : ""}>
        <textarea
          ref={area}
          class="editor"
          aria-label={props.label}
          spellcheck={false}
          value={props.content}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
        {isPreview ? (
          <section class="preview" aria-label="Preview">
            <NoteText text={props.content} />
          </section>
        ) : null}
      </div>
    </>
  );
}
