import type { ApiPlace } from "../api/contract/place.ts";
import { rootNamed, useApp } from "./app-context.ts";
import { linkToPlace } from "./route.ts";

/** The way back to something that was deleted; undefined where its root keeps no history. */
export function useHistoryLink(): (place: ApiPlace) => { readonly href: string; readonly text: string } | undefined {
  const { session } = useApp();
  return (place) =>
    rootNamed(session, place.root)?.hasHistory === true
      ? { href: linkToPlace("history", place), text: "Bring it back from history" }
      : undefined;
}
