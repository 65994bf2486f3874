const key = "recollect.token";

/** The token of this tab. */
export function keptToken(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined;
}

/** One in the address, which is taken out of the address bar and history at once; `home` stands there instead. */
export function takeOfferedToken(home: string): string | undefined {
  const found = /^#token=([\w.~+/=-]+)/.exec(location.hash)?.[1];
  if (location.hash.startsWith("#token=")) history.replaceState(null, "", `${location.pathname}${home}`);
  return found;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(key, token);
}

export function dropToken(): void {
  sessionStorage.removeItem(key);
}
