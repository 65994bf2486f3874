import { useState } from "preact/hooks";
import type { ApiCreatedToken } from "../../api/contract/tokens.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAction } from "../parts/use-action.ts";

/** Who writes also moves, deletes and settles conflicts, unless somebody wants less; the dialog says so. */
const rights = [
  ["read", "read"],
  ["all", "read and write"],
  ["read,write,append", "write, never move or delete"],
] as const;

/** Makes a token; its secret is shown this once. */
export function NewToken({ onCreated }: { onCreated: () => void }) {
  const { api, session } = useApp();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<ApiCreatedToken | undefined>(undefined);
  const creating = useAction();
  const close = () => {
    setOpen(false);
    setCreated(undefined);
    creating.forget();
  };
  const create = (form: HTMLFormElement) =>
    creating.run(async () => {
      const fields = new FormData(form);
      const text = (name: string) => String(fields.get(name) ?? "").trim();
      const days = Number(text("days"));
      const token = await api.createToken({
        name: text("name"),
        scopes: [`${text("root")}:${text("right")}`],
        ...(text("agent") === "" ? {} : { agentId: text("agent") }),
        ...(text("admin") === "on" ? { isAdmin: true } : {}),
        ...(days > 0 ? { expiresInDays: days } : {}),
      });
      setCreated(token);
      onCreated();
    });
  return (
    <>
      <p>
        <button type="button" class="primary" onClick={() => setOpen(true)}>
          New token
        </button>
      </p>
      {isOpen ? (
        <Dialog title={created === undefined ? "New token" : "Copy it now"} onClose={close}>
          {created === undefined ? (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                create(event.currentTarget);
              }}
            >
              <label class="field">
                <span>Name, such as what uses it</span>
                <input type="text" name="name" required maxLength={100} />
              </label>
              <label class="field">
                <span>Agent id, if an agent uses it (history then names the agent)</span>
                <input type="text" name="agent" placeholder="builder-7" />
              </label>
              <div class="fields">
                <label class="field grow">
                  <span>Where</span>
                  <select name="root">
                    <option value="*">all roots</option>
                    {session.roots.map((root) => (
                      <option key={root.name} value={root.name}>
                        {root.name}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="field grow">
                  <span>May</span>
                  <select name="right">
                    {rights.map(([value, words]) => (
                      <option key={value} value={value}>
                        {words}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <p class="muted">Read and write means to move and delete as well, and so to settle conflicts.</p>
              <label class="field">
                <span>Days until it expires; empty for never</span>
                <input type="number" name="days" min={1} max={36_500} />
              </label>
              <label class="check">
                <input type="checkbox" name="admin" /> Admin: sees health, guard and tokens, and may make tokens
              </label>
              {creating.error === undefined ? null : <Trouble error={creating.error} />}
              <div class="actions">
                <button type="submit" class="primary" disabled={creating.isBusy}>
                  Create
                </button>
                <button type="button" onClick={close}>
                  Cancel
                </button>
              </div>
            </form>
          ) : (
            <Secret token={created} onClose={close} />
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function Secret({ token, onClose }: { token: ApiCreatedToken; onClose: () => void }) {
  const [isCopied, setCopied] = useState<boolean | undefined>(undefined);
  return (
    <>
      <p>Only a hash of it is kept: nobody can show it again.</p>
      {token.warnings.map((warning) => (
        <p key={warning} class="note warn" role="alert">
          {warning}
        </p>
      ))}
      <label class="field">
        <span>Token of {token.name}</span>
        <input
          type="text"
          class="secret"
          readOnly
          value={token.secret}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() =>
            navigator.clipboard.writeText(token.secret).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          Copy
        </button>
        <button type="button" onClick={onClose}>
          Done
        </button>
        <span role="status">
          {isCopied === true ? "Copied." : isCopied === false ? "The browser refused: select it and copy by hand." : ""}
        </span>
      </div>
    </>
  );
}
