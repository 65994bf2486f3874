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

/** How many frames a step waits for rows that a long list has still to bring in. */
const mostFrames = 120;

/** Walks from row to row, however fast the keys come: a step that finds no row yet is taken when it is there. */
export function createRowWalk(): (step: 1 | -1) => void {
  let [owed, frames] = [0, 0];

  function walk(): void {
    while (owed !== 0) {
      const step = owed > 0 ? 1 : -1;
      const moved = moveToRow(step);
      if (moved === "later" && frames < mostFrames) {
        frames += 1;
        requestAnimationFrame(walk);
        return;
      }
      owed = moved === "moved" ? owed - step : 0;
      frames = 0;
    }
  }

  return (step) => {
    const isWalking = owed !== 0;
    owed += step;
    if (!isWalking) walk();
  };
}

/** Moves the focus to the row after or before the one that has it. Rows are links that say so with `data-row`. */
export function moveToRow(step: 1 | -1): "moved" | "later" | "end" {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const from = rows.findIndex((row) => row.contains(document.activeElement));
  const visible = rows.findIndex((row) => row.getBoundingClientRect().bottom > 80);
  const next = from === -1 ? rows[Math.max(visible, 0)] : rows[from + step];
  if (next === undefined) return hasMore(rows[from], step) ? "later" : "end";
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return "moved";
}

/** Whether a list goes on beyond the rows of it that are in the page. */
function hasMore(row: HTMLElement | undefined, step: 1 | -1): boolean {
  const item = row?.closest("[aria-posinset]");
  const [at, all] = ["aria-posinset", "aria-setsize"].map((name) => Number(item?.getAttribute(name)));
  return item != null && at !== undefined && all !== undefined && (step > 0 ? at < all : at > 1);
}
