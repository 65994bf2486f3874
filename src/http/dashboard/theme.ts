export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "recollect.theme";

export function savedTheme(): Theme {
  const saved = localStorage.getItem(key);
  return themes.find((theme) => theme === saved) ?? "auto";
}

/** `auto` is what the system prefers. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") {
    localStorage.removeItem(key);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(key, theme);
    document.documentElement.dataset["theme"] = theme;
  }
}
