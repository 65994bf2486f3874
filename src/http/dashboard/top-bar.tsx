import { useEffect, useState } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { moveToRow } from "./keyboard.ts";
import type { LiveState } from "./live.ts";
import { linkTo, type Route } from "./route.ts";
import { applyTheme, savedTheme, themes } from "./theme.ts";

/** Searches as one types. With unsaved text on the screen, Enter does: each letter would ask whether to leave. */
export function SearchBox({ route, input }: { route: Route; input: { current: HTMLInputElement | null } }) {
  const { router } = useApp();
  const isSearching = route.screen === "search";
  const [waiting, setWaiting] = useState("");
  useEffect(() => setWaiting(""), [route.screen]);
  const go = (q: string) =>
    router.go(linkTo("search", [], { ...(isSearching ? route.query : {}), q }), { replace: isSearching });
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (waiting === "") moveToRow(1);
          else go(waiting);
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search"
          aria-describedby="search-hint"
          placeholder="Search   /"
          autocomplete="off"
          value={isSearching ? (route.query["q"] ?? "") : waiting}
          onInput={(event) => {
            const q = event.currentTarget.value;
            if (router.isGuarded()) setWaiting(q);
            else go(q);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || waiting === "") return;
            // It would leave the editor.
            event.preventDefault();
            setWaiting("");
          }}
        />
        <span id="search-hint" class="search-hint" role="status">
          {waiting === "" ? "" : "Enter to search"}
        </span>
      </form>
    </search>
  );
}

const liveWords = { connecting: "connecting", live: "live", offline: "offline" } as const;

export function LiveMark() {
  const { live } = useApp();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => live.onState(setState), [live]);
  return (
    <span class={`live ${state}`} role="status" title="Whether changes of others show up at once">
      {liveWords[state]}
    </span>
  );
}

const themeSigns = { auto: "◐", light: "○", dark: "●" } as const;

export function ThemeButton() {
  const [theme, setTheme] = useState(savedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Colours: ${theme}. Change to ${next}`}
      onClick={() => {
        applyTheme(next);
        setTheme(next);
      }}
    >
      <span aria-hidden="true">{themeSigns[theme]}</span>&nbsp;{theme}
    </button>
  );
}
