import { useState } from "preact/hooks";
import type { ApiGuard } from "../../api/contract/guard.ts";
import { useApp } from "../app-context.ts";
import { AdminsOnly } from "../parts/admins-only.tsx";
import { AllowDialog } from "../parts/allow-dialog.tsx";
import { Ago, Command, Empty, PlaceLink, Title } from "../parts/basics.tsx";
import { Ready, Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { useLoaded, useReloadOnChange, useReloadWhilePartial } from "../use-loaded.ts";

export function GuardScreen() {
  const { session } = useApp();
  return (
    <>
      <Title note="Secrets and invisible characters are refused before they reach the disk">Guard</Title>
      {session.isAdmin ? <Guard /> : <AdminsOnly what="what the guard finds" />}
    </>
  );
}

function Guard() {
  const { api } = useApp();
  const guard = useLoaded((signal) => api.guard(signal), []);
  useReloadOnChange(guard.reload);
  useReloadWhilePartial(guard, guard.data?.isPartial ?? false);
  return (
    <Ready of={guard} rows={6}>
      {(data) => (
        <>
          <p>
            The policy is <code>{data.policy}</code>.{data.isPartial ? " Not every document was looked at yet." : ""}
          </p>
          <section aria-labelledby="flagged">
            <h2 id="flagged">Found in documents</h2>
            <Flagged guard={data} onChanged={guard.reload} />
          </section>
          <section aria-labelledby="allowed">
            <h2 id="allowed">Let pass</h2>
            <Allowed guard={data} onChanged={guard.reload} />
          </section>
        </>
      )}
    </Ready>
  );
}

function Flagged({ guard, onChanged }: { guard: ApiGuard; onChanged: () => void }) {
  const [allowing, setAllowing] = useState<{ fingerprint: string; rule: string } | undefined>(undefined);
  if (guard.flagged.length === 0) {
    return (
      <Empty title="Nothing that should not be kept.">
        <p>
          Values that are harmless are let pass by their fingerprint:{" "}
          <Command>recollect guard allow FINGERPRINT --reason "…"</Command>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <ul class="rows">
        {guard.flagged.map((document) => (
          <li key={`${document.root} ${document.path}`}>
            <PlaceLink place={document} isRow />
            <ul class="changes">
              {document.findings.map((finding) => (
                <li key={`${finding.line}:${finding.column} ${finding.rule}`}>
                  <strong>{finding.rule}</strong>{" "}
                  <span class="muted">
                    line {finding.line}, column {finding.column}, <code>{finding.fingerprint}</code>
                  </span>{" "}
                  <button type="button" class="link" onClick={() => setAllowing(finding)}>
                    Let it pass
                    <span class="hidden">
                      {" "}
                      ({finding.rule} in {document.path}, line {finding.line})
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p class="muted">
        A real secret is changed where it is used, then removed from every revision: <Command>recollect purge</Command>.
      </p>
      {allowing === undefined ? null : (
        <AllowDialog finding={allowing} onDone={onChanged} onClose={() => setAllowing(undefined)} />
      )}
    </>
  );
}

function Allowed({ guard, onChanged }: { guard: ApiGuard; onChanged: () => void }) {
  const { api, announce } = useApp();
  const removing = useAction();
  if (guard.allowed.length === 0) return <Empty title="No exceptions were made." />;
  return (
    <>
      {removing.error === undefined ? null : <Trouble error={removing.error} />}
      <ul class="rows plain">
        {guard.allowed.map((item) => (
          <li key={item.fingerprint}>
            <span>
              {item.reason} <code>{item.fingerprint}</code>{" "}
              <span class="muted">
                <Ago time={item.allowedAt} />
              </span>
            </span>
            <button
              type="button"
              class="link"
              disabled={removing.isBusy}
              onClick={() =>
                removing.run(async () => {
                  await api.disallow(item.fingerprint);
                  announce("The guard refuses it again.");
                  onChanged();
                })
              }
            >
              Refuse again<span class="hidden"> {item.fingerprint}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
