import type { Locator, Page } from "playwright-core";
import { memoriesRoot } from "./served-dashboard.ts";

/** What tests look for on a page. */
export function note(path: string): { readonly root: string; readonly path: string } {
  return { root: memoriesRoot, path };
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

export function button(page: Page, name: string, exact = true): Locator {
  return page.getByRole("button", { name, exact });
}

export function editor(page: Page): Locator {
  return page.getByRole("textbox", { name: /^Text of/ });
}
