import { useEffect, useErrorBoundary, useMemo, useState } from "preact/hooks";
import type { ApiSession } from "../api/contract.ts";
import { createApi } from "./api.ts";
import { createApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { type App, AppContext } from "./app-context.ts";
import { dropToken, keepToken, takeToken } from "./credential.ts";
import { followEvents } from "./live.ts";
import { AskProvider } from "./parts/ask.tsx";
import { useFocusOnHeading, Waiting } from "./parts/basics.tsx";
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

/** Signed in or not: everything else needs a token. */
export function Dashboard({ router }: { router: Router }) {
  const [token, setToken] = useState(takeToken);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    // Another address with a token may be opened in the same tab.
    const listen = () => {
      if (!location.hash.startsWith("#token=")) return;
      setToken(takeToken());
      setRefused(false);
      router.go("#/", { replace: true });
    };
    addEventListener("hashchange", listen, { capture: true });
    return () => removeEventListener("hashchange", listen, { capture: true });
  }, []);
  const leave = (wasRefused: boolean) => {
    dropToken();
    setToken(undefined);
    setRefused(wasRefused);
  };
  if (token === undefined) {
    return (
      <SignIn
        isRefused={isRefused}
        onToken={(given) => {
          keepToken(given);
          setRefused(false);
          setToken(given);
        }}
      />
    );
  }
  return (
    <SignedIn key={token} token={token} router={router} onRefused={() => leave(true)} onSignOut={() => leave(false)} />
  );
}

function SignedIn(props: { token: string; router: Router; onRefused: () => void; onSignOut: () => void }) {
  const { token, router, onRefused, onSignOut } = props;
  const client = useMemo(() => createApiClient(token, onRefused), [token]);
  const api = useMemo(() => createApi(client), [client]);
  const live = useMemo(() => followEvents(client), [client]);
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
    () => (session === undefined ? undefined : { api, session, live, router, announce, signOut: onSignOut }),
    [api, session, live, router, announce],
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
  useFocusOnHeading(`${route.screen} ${route.parts.join("/")}`);
  useEffect(() => {
    document.title = [...route.parts.slice(-1), route.screen, "Recollect"].join(" · ");
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
