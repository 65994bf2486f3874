import { useLayoutEffect, useRef } from "preact/hooks";

/** What the keys do, for the screen that tells them. */
export const keyTable = [
  ["/", "search"],
  ["j, k", "next and previous row"],
  ["Enter", "open the row"],
  ["e", "edit the open note"],
  ["h", "history of the open note"],
  ["n", "new note"],
  ["Ctrl-S or ⌘-S", "save"],
  ["Esc", "leave the editor, the search or a dialog"],
  ["g o, g b, g t, g h, g c", "go to overview, browse, topics, history, conflicts"],
  ["?", "show these keys"],
] as const;

type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Runs while the component is shown; keys that are typed into a field are left alone, those with Ctrl are not. */
export function useKeys(handlers: KeyHandlers): void {
  // Those of the last rendering: one that lags behind would save a text without its last letter.
  const current = useRef(handlers);
  current.current = handlers;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
      const name = event.ctrlKey || event.metaKey ? `Ctrl-${event.key.toLowerCase()}` : event.key;
      const handler = event.altKey ? undefined : current.current[name];
      if (handler === undefined || (isTyping(event.target) && !name.startsWith("Ctrl-") && name !== "Escape")) return;
      event.preventDefault();
      handler(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select")
  );
}

/** Moves the focus to the row after or before the one that has it. Rows are links that say so with `data-row`. */
export function moveToRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const from = rows.findIndex((row) => row.contains(document.activeElement));
  const visible = rows.findIndex((row) => row.getBoundingClientRect().bottom > 80);
  const next = from === -1 ? rows[Math.max(visible, 0)] : rows[from + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
