import { useApp } from "./app-context.ts";
import { useAsk } from "./parts/ask.tsx";
import { plural } from "./wording.ts";

/** Forgets the token of this tab and what was typed with it; asks first where a text is not saved. */
export function useSignOut(): () => Promise<void> {
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
