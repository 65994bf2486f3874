import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { noteRoots, useApp } from "./app-context.ts";
import { createRowWalk, keyTable, useKeys } from "./keyboard.ts";
import { useAsk } from "./parts/ask.tsx";
import { Author } from "./parts/basics.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { linkTo, linkToPlace, placeOf, type Route } from "./route.ts";
import { LiveMark, SearchBox, ThemeButton } from "./top-bar.tsx";
import { plural } from "./wording.ts";

const places = [
  ["overview", "Overview"],
  ["browse", "Browse"],
  ["topics", "Topics"],
  ["history", "History"],
  ["conflicts", "Conflicts"],
  ["guard", "Guard"],
  ["agents", "Agents and tokens"],
] as const;

const belongsTo: Readonly<Record<string, string>> = { read: "browse", edit: "browse", new: "browse", mem: "browse" };
const goKeys: Readonly<Record<string, (typeof places)[number][0]>> = {
  o: "overview",
  b: "browse",
  t: "topics",
  h: "history",
  c: "conflicts",
};

/** What stands around every screen. */
export function Shell({ route, children }: { route: Route; children: ComponentChildren }) {
  const { session, router } = useApp();
  const signOut = useSignOut();
  const search = useRef<HTMLInputElement>(null);
  const [isTellingKeys, setTellingKeys] = useState(false);
  const isGoing = useRef(false);
  const go = (event: KeyboardEvent) => {
    const place = isGoing.current ? goKeys[event.key] : undefined;
    isGoing.current = false;
    if (place !== undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      router.go(linkTo(place));
    }
  };
  useGoKeys(go);
  const [walkRows] = useState(createRowWalk);
  useKeys({
    "/": () => search.current?.select(),
    j: () => walkRows(1),
    k: () => walkRows(-1),
    g: () => {
      isGoing.current = true;
    },
    "?": () => setTellingKeys(true),
    ...(noteRoots(session).length > 0 ? { n: () => router.go(newNoteLink(route, session)) } : {}),
  });
  const current = belongsTo[route.screen] ?? route.screen;
  // On a phone the screens are a row that may be longer than the display.
  useEffect(() => {
    const link = document.querySelector<HTMLElement>(".places [aria-current]");
    const row = link?.closest("ul");
    row?.scrollTo(Math.max((link?.offsetLeft ?? 0) - row.clientWidth / 2, 0), 0);
  }, [current]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={linkTo("overview")}>
          Recollect
        </a>
        <SearchBox route={route} input={search} />
        <LiveMark />
        <ThemeButton />
        <button type="button" class="quiet" aria-label="Keys" title="Keys (?)" onClick={() => setTellingKeys(true)}>
          ?
        </button>
      </header>
      <div class="frame">
        <nav class="places" aria-label="Screens">
          <ul>
            {places
              .filter(([screen]) => session.isAdmin || (screen !== "guard" && screen !== "agents"))
              .map(([screen, name]) => (
                <li key={screen}>
                  <a href={linkTo(screen)} {...(current === screen ? { "aria-current": "page" } : {})}>
                    {name}
                  </a>
                </li>
              ))}
          </ul>
          <p class="who muted">
            {session.project === undefined ? null : <strong>{session.project}</strong>}
            <Author author={session.author} />
            <span>version {session.version}</span>
            <button type="button" class="link" onClick={signOut}>
              Sign out
            </button>
          </p>
        </nav>
        <main class="page" id="main">
          {session.warnings.map((warning) => (
            <p key={warning} class="note warn">
              {warning}
            </p>
          ))}
          {children}
        </main>
      </div>
      {isTellingKeys ? <KeysDialog onClose={() => setTellingKeys(false)} /> : null}
    </>
  );
}

/** In the folder that is open, where notes can be written there. */
function newNoteLink(route: Route, session: Parameters<typeof noteRoots>[0]): string {
  const place = placeOf(route);
  const isIn = route.screen === "browse" && noteRoots(session).some(({ name }) => name === place.root);
  return isIn ? linkToPlace("new", place) : linkTo("new");
}

/** The second key of `g o`: before the keys of a screen, which may be the same. */
function useGoKeys(listen: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  });
}

/** A bar below the header while the server cannot be reached. */
export function OfflineNote() {
  const { live } = useApp();
  const [isOffline, setOffline] = useState(false);
  useEffect(() => live.onState((state) => setOffline(state === "offline")), [live]);
  return (
    <div role="alert">
      {isOffline ? (
        <p class="note warn">
          <strong>The server cannot be reached.</strong> What you see may be outdated; what you type is kept. This page
          goes on by itself once <code>recollect serve</code> answers again.
        </p>
      ) : null}
    </div>
  );
}

function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table class="keys">
        <tbody>
          {keyTable.map(([key, meaning]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** Forgets the token of this tab and what was typed with it; asks first where a text is not saved. */
function useSignOut(): () => Promise<void> {
  const { drafts, router, signOut } = useApp();
  const ask = useAsk();
  return async () => {
    // What the full storage of the tab did not take is in the page alone, which then asks before it is left.
    const count = Math.max(drafts.count(), router.isGuarded() ? 1 : 0);
    const mayGo =
      count === 0 ||
      (await ask({
        title: "Sign out and drop unsaved text?",
        text: `This tab holds ${plural(count, "text")} that ${count === 1 ? "is" : "are"} not saved. Signing out drops ${count === 1 ? "it" : "them"}.`,
        yes: "Drop and sign out",
        no: "Stay",
      }));
    if (!mayGo) return;
    drafts.dropAll();
    signOut();
  };
}
