import { useState } from "preact/hooks";
import type { ApiAgents } from "../../api/contract/agents.ts";
import type { ApiToken, ApiTokens } from "../../api/contract/tokens.ts";
import { useApp } from "../app-context.ts";
import { AdminsOnly } from "../parts/admins-only.tsx";
import { Ago, Author, Badge, Command, Empty, Title } from "../parts/basics.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Ready, Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";
import { linkTo } from "../route.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { formatTime, plural } from "../wording.ts";
import { NewToken } from "./new-token.tsx";

export function AgentsScreen() {
  const { session } = useApp();
  return (
    <>
      <Title note="Who writes here, and with which tokens">Agents and tokens</Title>
      {session.isAdmin ? <AgentsAndTokens /> : <AdminsOnly what="agents and tokens" />}
    </>
  );
}

function AgentsAndTokens() {
  const { api } = useApp();
  const agents = useLoaded((signal) => api.agents(signal), []);
  const tokens = useLoaded((signal) => api.tokens(signal), []);
  useReloadOnChange(agents.reload);
  const reload = () => {
    agents.reload();
    tokens.reload();
  };
  return (
    <>
      <section aria-labelledby="agents">
        <h2 id="agents">Who wrote here</h2>
        <Ready of={agents}>{(data) => <Agents agents={data.agents} />}</Ready>
      </section>
      <section aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <NewToken onCreated={reload} />
        <Ready of={tokens}>
          {(data) => (
            <>
              <Unreadable records={data.unreadable} />
              <Tokens tokens={data.tokens} onChanged={reload} />
            </>
          )}
        </Ready>
      </section>
    </>
  );
}

function Agents({ agents }: { agents: ApiAgents["agents"] }) {
  if (agents.length === 0) {
    return (
      <Empty title="Nobody yet.">
        <p>
          Connect an agent with <Command>recollect init</Command>, or give one a token below.
        </p>
      </Empty>
    );
  }
  return (
    <ul class="rows plain">
      {agents.map((agent) => (
        <li key={agent.author}>
          <a href={linkTo("history", [], { author: agent.author })} data-row="">
            <Author author={agent.author} />
          </a>
          <span class="muted">
            {plural(agent.changes, "change")}
            {agent.last === undefined ? null : (
              <>
                , last active <Ago time={agent.last} />
              </>
            )}
            {agent.tokens === 0 ? "" : `, ${plural(agent.tokens, "token")}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Whoever has one of these is refused, and should not have to guess why. */
function Unreadable({ records }: { records: ApiTokens["unreadable"] }) {
  if (records.length === 0) return null;
  return (
    <div class="note warn" role="alert">
      <p>
        <strong>{plural(records.length, "token")} cannot be read, and nobody gets in with what is in there.</strong>
      </p>
      <ul>
        {records.map(({ id, says }, index) => (
          <li key={index}>
            {id === undefined ? "A record" : <code>{id}</code>} {says}.
          </li>
        ))}
      </ul>
      <p>
        <Command>recollect doctor</Command> on the server’s machine says where the record lies and what to do; then make
        a new token.
      </p>
    </div>
  );
}

function Tokens({ tokens, onChanged }: { tokens: readonly ApiToken[]; onChanged: () => void }) {
  const [revoking, setRevoking] = useState<ApiToken | undefined>(undefined);
  if (tokens.length === 0) {
    return (
      <Empty title="No tokens were made.">
        <p>
          Each agent and each person gets one of their own, so that history says who wrote. On the command line:{" "}
          <Command>recollect token create NAME</Command>.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <ul class="rows">
        {tokens.map((token) => (
          <li key={token.id} class="token">
            <div>
              <strong>{token.name}</strong> {token.isAdmin ? <Badge kind="warn">admin</Badge> : null}
              <p class="muted">
                writes as <Author author={token.author} /> · {token.scopes.join(" ")}
              </p>
              <p class="muted">
                made <Ago time={token.created} />
                {token.expires === undefined ? ", never expires" : `, until ${formatTime(token.expires)}`}
                {token.lastUsed === undefined ? (
                  ", never used"
                ) : (
                  <>
                    , used <Ago time={token.lastUsed} />
                  </>
                )}
              </p>
            </div>
            <button type="button" onClick={() => setRevoking(token)}>
              Revoke<span class="hidden"> {token.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {revoking === undefined ? null : (
        <RevokeDialog token={revoking} onDone={onChanged} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

function RevokeDialog(props: { token: ApiToken; onDone: () => void; onClose: () => void }) {
  const { api, announce } = useApp();
  const revoking = useAction();
  return (
    <Confirm
      title={`Revoke ${props.token.name}?`}
      action="Revoke"
      isDangerous
      isBusy={revoking.isBusy}
      onYes={() =>
        revoking.run(async () => {
          await api.revokeToken(props.token.id);
          announce(`Revoked ${props.token.name}.`);
          props.onClose();
          props.onDone();
        })
      }
      onNo={props.onClose}
    >
      <p>Whoever uses it is refused from the next request on. What was written with it stays.</p>
      {revoking.error === undefined ? null : <Trouble error={revoking.error} />}
    </Confirm>
  );
}
