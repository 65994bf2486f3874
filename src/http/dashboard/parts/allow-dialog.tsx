import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Confirm } from "./dialog.tsx";
import { Trouble } from "./trouble.tsx";
import { useAction } from "./use-action.ts";

/** Allows one value by its fingerprint, with a reason that is kept. */
export function AllowDialog(props: {
  finding: { readonly fingerprint: string; readonly rule: string };
  onDone: () => void;
  onClose: () => void;
}) {
  const { api, announce } = useApp();
  const [reason, setReason] = useState("");
  const allowing = useAction();
  const allow = () =>
    allowing.run(async () => {
      await api.allow({ fingerprint: props.finding.fingerprint, reason: reason.trim() });
      announce("The guard lets it pass from now on.");
      props.onClose();
      props.onDone();
    });
  return (
    <Confirm
      title="Let this value pass?"
      action="Let it pass"
      isBusy={allowing.isBusy || reason.trim() === ""}
      onYes={allow}
      onNo={props.onClose}
    >
      <p>
        The guard takes it for: {props.finding.rule}. Only this very value passes then, everywhere, and for whoever
        looks later the reason is kept.
      </p>
      <label class="field">
        <span>Why is it harmless?</span>
        <input type="text" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      {allowing.error === undefined ? null : <Trouble error={allowing.error} />}
    </Confirm>
  );
}
