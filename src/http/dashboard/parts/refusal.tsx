import { useState } from "preact/hooks";
import type { ApiGuardFinding } from "../../api/contract/guard.ts";
import { ApiError, messageOf } from "../api-error.ts";
import { useApp } from "../app-context.ts";
import { AllowDialog } from "./allow-dialog.tsx";
import { Command } from "./basics.tsx";
import { Trouble } from "./trouble.tsx";

/** What was to be done with a note, and was not. */
type Undone = "saved" | "moved" | "restored" | "settled";

/**
 * Why a text was not saved. What the guard refused can be allowed here, by those who may: the value is in no document,
 * so the guard's screen does not know of it.
 */
export function SaveTrouble(props: { error: unknown; undone?: Undone; onAllowed: () => void }) {
  const { error, undone = "saved", onAllowed } = props;
  const findings = findingsOf(error);
  return findings.length === 0 ? (
    <Trouble error={error} />
  ) : (
    <Refusal key={messageOf(error)} findings={findings} undone={undone} onAllowed={onAllowed} />
  );
}

function Refusal(props: { findings: readonly ApiGuardFinding[]; undone: Undone; onAllowed: () => void }) {
  const { findings, undone, onAllowed } = props;
  const { session } = useApp();
  const [allowing, setAllowing] = useState<ApiGuardFinding | undefined>(undefined);
  const [allowed, setAllowed] = useState<readonly string[]>([]);
  const left = findings.filter(({ fingerprint }) => !allowed.includes(fingerprint));
  return (
    <div class="note danger" role="alert">
      <p>
        <strong>Not {undone}: the guard takes this for a secret.</strong>
        {undone === "saved" ? " Write where the value is kept instead. Your text is still here." : null}
      </p>
      <ul class="changes">
        {left.map((finding) => (
          <li key={`${finding.line}:${finding.column} ${finding.rule}`}>
            <strong>{finding.rule}</strong>{" "}
            <span class="muted">
              line {finding.line}, column {finding.column}
            </span>{" "}
            {session.isAdmin ? (
              <button type="button" class="link" onClick={() => setAllowing(finding)}>
                Allow this value
                <span class="hidden">
                  {" "}
                  ({finding.rule}, line {finding.line})
                </span>
              </button>
            ) : (
              <code>{finding.fingerprint}</code>
            )}
          </li>
        ))}
      </ul>
      {session.isAdmin ? null : (
        <p>
          Is it harmless? An admin can allow it: <Command>recollect guard allow FINGERPRINT --reason "…"</Command>
        </p>
      )}
      {allowing === undefined ? null : (
        <AllowDialog
          finding={allowing}
          onDone={() => {
            setAllowed([...allowed, allowing.fingerprint]);
            if (left.every(({ fingerprint }) => fingerprint === allowing.fingerprint)) onAllowed();
          }}
          onClose={() => setAllowing(undefined)}
        />
      )}
    </div>
  );
}

function findingsOf(error: unknown): readonly ApiGuardFinding[] {
  if (!(error instanceof ApiError) || error.code !== "SENSITIVE_CONTENT") return [];
  const { findings } = Object(error.data);
  return Array.isArray(findings) ? findings : [];
}
