const key = "recollect.token";

/** The token of this tab. One in the address is kept for the tab and taken out of the address bar and history at once. */
export function takeToken(): string | undefined {
  const found = /^#token=([\w.~+/=-]+)/.exec(location.hash)?.[1];
  if (found !== undefined) {
    keepToken(found);
    history.replaceState(null, "", `${location.pathname}#/`);
  }
  return sessionStorage.getItem(key) ?? undefined;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(key, token);
}

export function dropToken(): void {
  sessionStorage.removeItem(key);
}
