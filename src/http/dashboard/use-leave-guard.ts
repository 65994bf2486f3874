import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { useAsk } from "./parts/ask.tsx";

/** Asks before a screen is left while something on it is not saved. What is returned ends that: it is, or is given up. */
export function useLeaveGuard(isUnsaved: boolean): () => void {
  const { router } = useApp();
  const ask = useAsk();
  const isFinished = useRef(false);

  useLayoutEffect(() => {
    if (!isUnsaved) {
      router.guardWith(undefined);
      return;
    }
    const warn = (event: BeforeUnloadEvent) => {
      if (!isFinished.current) event.preventDefault();
    };
    router.guardWith(async () => {
      if (isFinished.current) return true;
      return ask({
        title: "Leave with unsaved text?",
        text: "It stays in this tab: come back here to go on. Nobody else sees it until you save.",
        yes: "Leave",
        no: "Stay",
      });
    });
    addEventListener("beforeunload", warn);
    return () => {
      router.guardWith(undefined);
      removeEventListener("beforeunload", warn);
    };
  }, [isUnsaved]);

  return () => {
    isFinished.current = true;
    router.guardWith(undefined);
  };
}
