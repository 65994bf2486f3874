import { useEffect } from "preact/hooks";
import type { ApiPlace } from "../../api/contract/place.ts";
import type { ApiSession } from "../../api/contract/session.ts";
import type { Api } from "../api.ts";
import { ApiError } from "../api-error.ts";
import { noteRoots, useApp } from "../app-context.ts";
import { Empty, Title } from "../parts/basics.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, linkToPlace, type Route } from "../route.ts";
import { useLoaded } from "../use-loaded.ts";

/** A `mem:` reference: finds the note that has the name, and goes there. */
export function MemScreen({ route }: { route: Route }) {
  const { api, session, router } = useApp();
  const name = route.parts.join("/");
  const found = useLoaded(async (signal) => ({ place: await findMemory(api, session, name, signal) }), [name]);
  const place = found.data?.place;
  useEffect(() => {
    if (place !== undefined) router.go(linkToPlace("read", place), { replace: true });
  }, [place]);
  return (
    <>
      <Title>mem:{name}</Title>
      <Ready of={found}>
        {(data) =>
          data.place === undefined ? (
            <Empty title="This reference leads nowhere.">
              <p>
                No note that this token may see has the name.{" "}
                <a href={linkTo("search", [], { q: name })}>Search for it</a>, or{" "}
                <a href={linkToNew(session, name)}>write it</a>.
              </p>
            </Empty>
          ) : null
        }
      </Ready>
    </>
  );
}

/** The form for a note of that name, in the root where the reference would find it. */
function linkToNew(session: ApiSession, name: string): string {
  const { own, roots } = rootsFor(session, name);
  const root = roots.find((one) => noteRoots(session).includes(one));
  return linkTo("new", root === undefined ? [] : [root.name], { name: root === undefined ? name : own });
}

function rootsFor(session: ApiSession, name: string) {
  const isGlobal = name.startsWith("global/");
  return {
    own: isGlobal ? name.slice("global/".length) : name,
    roots: session.roots.filter(({ kind }) => kind === (isGlobal ? "global" : "memories")),
  };
}

/** As the tools look: the primary folder first, then the others in their order; `global/` is a folder of its own. */
async function findMemory(
  api: Api,
  session: ApiSession,
  name: string,
  signal: AbortSignal,
): Promise<ApiPlace | undefined> {
  const { own, roots } = rootsFor(session, name);
  for (const root of roots) {
    const place = { root: root.name, path: `${own}.md` };
    try {
      await api.document(place, signal);
      return place;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 0) throw error;
    }
  }
  return undefined;
}
