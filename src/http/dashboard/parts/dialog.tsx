import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

/** A modal question. Esc and the cancel button close it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  // Before the next key is handled: one that comes at once belongs to the question already.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** Asks before something is done. What the question is about stands in `children`. */
export function Confirm(props: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  onYes: () => void;
  onNo: () => void;
  children: ComponentChildren;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  // A dialog gives the focus to its first control: Enter must not do what cannot be taken back lightly.
  useLayoutEffect(() => {
    if (props.isDangerous === true) cancel.current?.focus();
  }, []);
  return (
    <Dialog title={props.title} onClose={props.onNo}>
      {props.children}
      <div class="actions">
        <button
          type="button"
          class={props.isDangerous === true ? "danger" : "primary"}
          disabled={props.isBusy === true}
          onClick={props.onYes}
        >
          {props.action}
        </button>
        <button ref={cancel} type="button" onClick={props.onNo}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
