import { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { ApiSession } from "../api/contract/session.ts";
import { createApi } from "./api.ts";
import { createApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { type App, AppContext } from "./app-context.ts";
import { dropToken, keepToken, keptToken, takeOfferedToken } from "./credential.ts";
import { createDrafts } from "./drafts.ts";
import { followEvents } from "./live.ts";
import { createNoteReader } from "./markdown/note-reader.ts";
import { AskProvider } from "./parts/ask.tsx";
import { Waiting } from "./parts/basics.tsx";
import { Confirm } from "./parts/dialog.tsx";
import { useNotices } from "./parts/notices.tsx";
import { Trouble } from "./parts/trouble.tsx";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";
import { AgentsScreen } from "./screens/agents.tsx";
import { BrowseScreen } from "./screens/browse.tsx";
import { ConflictsScreen } from "./screens/conflicts.tsx";
import { EditScreen } from "./screens/edit.tsx";
import { GuardScreen } from "./screens/guard.tsx";
import { HistoryScreen } from "./screens/history.tsx";
import { MemScreen } from "./screens/mem.tsx";
import { NewScreen } from "./screens/new.tsx";
import { OverviewScreen } from "./screens/overview.tsx";
import { ReadScreen } from "./screens/read.tsx";
import { SearchScreen } from "./screens/search.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { TopicsScreen } from "./screens/topics.tsx";
import { OfflineNote, Shell } from "./shell.tsx";
import { useArrival } from "./use-arrival.ts";
import { titleOf } from "./wording.ts";

const screenFor = {
  overview: OverviewScreen,
  browse: BrowseScreen,
  read: ReadScreen,
  edit: EditScreen,
  new: NewScreen,
  history: HistoryScreen,
  search: SearchScreen,
  topics: TopicsScreen,
  conflicts: ConflictsScreen,
  guard: GuardScreen,
  agents: AgentsScreen,
  mem: MemScreen,
} as const;

/** Signed in or not: everything else needs a token. `offered` is one that stood in the address. */
export function Dashboard({ router, offered: first }: { router: Router; offered: string | undefined }) {
  const [token, setToken] = useState(keptToken);
  const [offered, setOffered] = useState(first);
  const [isRefused, setRefused] = useState(false);
  const signIn = (given: string) => {
    keepToken(given);
    setOffered(undefined);
    setRefused(false);
    setToken(given);
  };
  useEffect(() => {
    // Another address with a token may be opened in the same tab.
    const listen = () => {
      const given = takeOfferedToken(router.shown());
      if (given !== undefined) setOffered(given);
    };
    addEventListener("hashchange", listen, { capture: true });
    return () => removeEventListener("hashchange", listen, { capture: true });
  }, [router]);
  const isOther = offered !== undefined && offered !== token;
  useLayoutEffect(() => {
    if (isOther && token === undefined) signIn(offered);
  }, [isOther, token]);
  const leave = (wasRefused: boolean) => {
    dropToken();
    setToken(undefined);
    setRefused(wasRefused);
  };
  const refuse = (refused: string) => {
    // Late answers to the token before say nothing about the one that is kept now.
    if (keptToken() === refused) leave(true);
  };
  if (token === undefined) return <SignIn isRefused={isRefused} onToken={signIn} />;
  return (
    <>
      <SignedIn
        key={token}
        token={token}
        router={router}
        onRefused={() => refuse(token)}
        onSignOut={() => leave(false)}
      />
      {isOther ? (
        <OtherToken
          onYes={() => {
            signIn(offered);
            router.go("#/", { replace: true });
          }}
          onNo={() => setOffered(undefined)}
        />
      ) : null}
    </>
  );
}

/** Anybody can write a link: with somebody else's token what one writes next would go to them. */
function OtherToken({ onYes, onNo }: { onYes: () => void; onNo: () => void }) {
  return (
    <Confirm title="Sign in with another token?" action="Change to it" onYes={onYes} onNo={onNo}>
      <p>
        The address that was opened brings a token, and this tab is signed in with another one. Change only if you
        opened it yourself, as <code>recollect serve</code> printed it.
      </p>
    </Confirm>
  );
}

function SignedIn(props: { token: string; router: Router; onRefused: () => void; onSignOut: () => void }) {
  const { token, router, onRefused, onSignOut } = props;
  const client = useMemo(() => createApiClient(token, onRefused), [token]);
  const api = useMemo(() => createApi(client), [client]);
  const live = useMemo(() => followEvents(client), [client]);
  const notes = useMemo(createNoteReader, []);
  const { announce, element } = useNotices();
  const [session, setSession] = useState<ApiSession | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const load = () => {
    setError(undefined);
    api.session().then(setSession, setError);
  };
  useEffect(load, [api]);
  useEffect(() => () => live.stop(), [live]);
  // A server that is started later is found without a click.
  useEffect(
    () =>
      live.onState((state) => {
        if (state === "live" && session === undefined) load();
      }),
    [live, session === undefined],
  );
  const app = useMemo<App | undefined>(
    () =>
      session === undefined
        ? undefined
        : {
            api,
            session,
            live,
            router,
            notes,
            drafts: createDrafts(session),
            lists: new Map(),
            announce,
            signOut: onSignOut,
          },
    [api, session, live, router, notes, announce],
  );
  if (app === undefined) return <Opening error={error} onRetry={load} />;
  return (
    <AppContext.Provider value={app}>
      <AskProvider>
        <Routed router={router} />
        {element}
      </AskProvider>
    </AppContext.Provider>
  );
}

/** As the page was before any script ran, so that nothing jumps. */
function Opening({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isShown = error !== undefined && !(error instanceof ApiError && error.status === 401);
  return (
    <>
      <header class="top">
        <span class="brand">Recollect</span>
      </header>
      <main class="page" id="main">
        <h1 class="hidden">Recollect</h1>
        {isShown ? <Trouble error={error} onRetry={onRetry} /> : <Waiting rows={6} />}
      </main>
    </>
  );
}

function Routed({ router }: { router: Router }) {
  const [route, setRoute] = useState<Route>(router.route);
  useEffect(() => router.subscribe(setRoute), [router]);
  useArrival(`${route.screen} ${route.parts.join("/")}`, router.scrolledTo);
  useEffect(() => {
    document.title = titleOf(route);
  }, [route]);
  return (
    <Shell route={route}>
      <OfflineNote />
      <Screen key={route.screen} route={route} />
    </Shell>
  );
}

/** A fault in one screen leaves the others usable. */
function Screen({ route }: { route: Route }) {
  const [error, reset] = useErrorBoundary();
  const Shown = screenFor[route.screen];
  useEffect(() => reset(), [route]);
  if (error !== undefined && error !== null) {
    return (
      <>
        <h1 tabIndex={-1}>Something went wrong</h1>
        <Trouble error={error} onRetry={reset} />
      </>
    );
  }
  return <Shown route={route} />;
}
