import { Command } from "../parts/basics.tsx";

/** Shown while there is no token, or none that is accepted. */
export function SignIn({ isRefused, onToken }: { isRefused: boolean; onToken: (token: string) => void }) {
  return (
    <main class="page sign-in" id="main">
      <h1>Recollect</h1>
      {isRefused ? (
        <p class="note danger" role="alert">
          <strong>The server did not accept this token.</strong> It may have expired or been revoked, or the server was
          started anew. Text that you typed here is kept in this tab.
        </p>
      ) : (
        <p>To look at memory you need a token.</p>
      )}
      <ol>
        <li>
          Start the server with <Command>recollect serve</Command> and open the address that it prints: the token is in
          it.
        </li>
        <li>
          Or make one with <Command>recollect token create NAME</Command> and paste it here. It stays in this tab and is
          forgotten with it.
        </li>
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const token = String(new FormData(event.currentTarget).get("token") ?? "").trim();
          if (token !== "") onToken(token);
        }}
      >
        <label class="field">
          <span>Token</span>
          <input type="password" name="token" autocomplete="off" placeholder="rcl_…" required />
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </main>
  );
}
