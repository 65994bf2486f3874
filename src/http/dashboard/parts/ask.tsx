import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";

interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

type Ask = (question: Question) => Promise<boolean>;

const AskContext = createContext<Ask>(async () => true);

/** Asks a question of which the answer is awaited. */
export function useAsk(): Ask {
  return useContext(AskContext);
}

export function AskProvider({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState<(Question & { readonly answer: (isYes: boolean) => void }) | undefined>(undefined);
  const ask = useCallback<Ask>(
    (question) =>
      new Promise((resolve) => {
        setOpen({
          ...question,
          answer(isYes) {
            setOpen(undefined);
            resolve(isYes);
          },
        });
      }),
    [],
  );
  return (
    <AskContext.Provider value={ask}>
      {children}
      {open === undefined ? null : (
        <Dialog title={open.title} onClose={() => open.answer(false)}>
          <p>{open.text}</p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => open.answer(false)}>
              {open.no}
            </button>
            <button type="button" onClick={() => open.answer(true)}>
              {open.yes}
            </button>
          </div>
        </Dialog>
      )}
    </AskContext.Provider>
  );
}
