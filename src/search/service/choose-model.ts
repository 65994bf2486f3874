import { existsSync } from "node:fs";
import { localModelFolder } from "../../settings/local-model-place.ts";
import type { SettingValues } from "../../settings/settings.ts";

/** The larger model that search goes by, as the settings have it. */
export type ChosenModel =
  | { readonly kind: "none" }
  | { readonly kind: "local"; readonly folder: string }
  | { readonly kind: "endpoint"; readonly base: string; readonly model: string; readonly keyVariable?: string }
  /** Asked for, but not there or not complete: search goes by the table. */
  | { readonly kind: "unusable"; readonly says: string; readonly remedy: string };

export type TriedModel =
  | { readonly kind: "none" }
  | { readonly kind: "works"; readonly name: string; readonly dims: number }
  | { readonly kind: "unavailable"; readonly reason: string; readonly remedy?: string };

/** Nothing is loaded or asked: what can be seen from here. */
export function chooseModel(values: SettingValues, dataFolder: string): ChosenModel {
  if (!values["search.meaning"]) return { kind: "none" };
  switch (values["search.model"]) {
    case "none":
      return { kind: "none" };
    case "local":
      return chooseLocal(localModelFolder(dataFolder));
    case "endpoint":
      return chooseEndpoint(values);
  }
}

function chooseLocal(folder: string): ChosenModel {
  // It is put in its place as a whole, and only once it has worked.
  if (existsSync(folder)) return { kind: "local", folder };
  return {
    kind: "unusable",
    says: "The local model is not installed.",
    remedy: "recollect embeddings enable (or disable, to do without)",
  };
}

function chooseEndpoint(values: SettingValues): ChosenModel {
  const [base, model] = [values["search.endpoint"], values["search.endpoint_model"]];
  const keyVariable = values["search.endpoint_key_variable"];
  if (base !== undefined && model !== undefined) {
    return { kind: "endpoint", base, model, ...(keyVariable === undefined ? {} : { keyVariable }) };
  }
  const missing = base === undefined ? "search.endpoint" : "search.endpoint_model";
  return {
    kind: "unusable",
    says: `search.model is endpoint, but ${missing} is not set.`,
    remedy: `Set ${missing} in your own settings file, or search.model: none`,
  };
}
