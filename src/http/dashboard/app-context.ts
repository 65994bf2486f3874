import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { ApiEvent } from "../api/contract/events.ts";
import type { ApiOperation, ApiRoot, ApiSession } from "../api/contract/session.ts";
import type { Api } from "./api.ts";
import type { Drafts } from "./drafts.ts";
import type { Live } from "./live.ts";
import type { NoteReader } from "./markdown/note-reader.ts";
import type { Router } from "./router.ts";

/** What every screen may use. */
export interface App {
  readonly api: Api;
  readonly session: ApiSession;
  readonly live: Live;
  readonly router: Router;
  readonly drafts: Drafts;
  readonly notes: NoteReader;
  /** Lists that were loaded page by page, for a way back to them. */
  readonly lists: Map<string, unknown>;
  /** Forgets the token of this tab. */
  signOut(): void;
  /** Shown for a while, and read out by screen readers; with somewhere to go to where that helps. */
  announce(text: string, link?: { readonly href: string; readonly text: string }): void;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("A screen stands outside of the app.");
  return app;
}

/** Hears of every change while the component is shown. */
export function useLive(listener: (event: ApiEvent) => void, keys: readonly unknown[]): void {
  const { live } = useApp();
  useEffect(() => live.subscribe(listener), [live, ...keys]);
}

export function rootNamed(session: ApiSession, name: string): ApiRoot | undefined {
  return session.roots.find((root) => root.name === name);
}

/** The roots that take a new note. Topics take entries, which are stored and not written. */
export function noteRoots(session: ApiSession): ApiRoot[] {
  return session.roots.filter(({ kind, operations }) => kind !== "topics" && operations.includes("write"));
}

export function may(session: ApiSession, root: string, operation: ApiOperation): boolean {
  return rootNamed(session, root)?.operations.includes(operation) ?? false;
}
