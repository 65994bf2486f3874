import type { DefaultContext, SettingTable } from "../setting.ts";
import {
  booleanType,
  choiceType,
  endpointText,
  integerType,
  numberType,
  textType,
  variableText,
} from "../setting-types.ts";
import { noOwnModel } from "../withdrawn-settings.ts";

const searchModels = ["none", "local", "endpoint"] as const;
type SearchModel = (typeof searchModels)[number];

/** What search goes by. */
export const searchSettings = {
  "search.meaning": {
    type: booleanType(),
    default: true,
    env: "RECOLLECT_SEARCH_MEANING",
    flags: [{ name: "--search-meaning" }],
    trust: "safe",
    description: "Whether search also goes by meaning: by the table that comes with the package, or by search.model.",
  },
  "search.model": {
    type: choiceType(searchModels),
    withdrawn: { onnx: `onnx was withdrawn. ${noOwnModel}` },
    default: ({ isLocalModelEnabled }: DefaultContext): SearchModel => (isLocalModelEnabled() ? "local" : "none"),
    chosenBy: ({ isLocalModelEnabled }) => (isLocalModelEnabled() ? "recollect embeddings enable" : undefined),
    env: "RECOLLECT_SEARCH_MODEL",
    flags: [{ name: "--search-model" }],
    trust: "user",
    why: "chooses which model is loaded, or where your notes are sent",
    description:
      "The larger model that search goes by: none, local (recollect embeddings enable) or endpoint (search.endpoint).",
  },
  "search.endpoint": {
    type: textType("an address such as http://localhost:11434/v1", endpointText),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT",
    flags: [{ name: "--search-endpoint" }],
    trust: "user",
    why: "says to where your notes and searches are sent",
    description: "Address of an OpenAI-compatible service of embeddings, for search.model: endpoint.",
  },
  "search.endpoint_model": {
    type: textType("the name of a model, as text"),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT_MODEL",
    flags: [{ name: "--search-endpoint-model" }],
    trust: "user",
    why: "says what is asked of the service that you chose",
    description: "The model that is asked for at search.endpoint.",
  },
  "search.endpoint_key_variable": {
    type: textType("the name of an environment variable, such as OPENAI_API_KEY", variableText),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT_KEY_VARIABLE",
    flags: [{ name: "--search-endpoint-key-variable" }],
    trust: "user",
    why: "says which of your environment variables is sent to the endpoint",
    description: "Name of the environment variable that holds the key for search.endpoint.",
  },
  "search.recency_weight": {
    type: numberType(0, 10),
    default: 0.05,
    env: "RECOLLECT_SEARCH_RECENCY_WEIGHT",
    flags: [{ name: "--search-recency-weight" }],
    trust: "safe",
    description: "How much a note of today gains in a search; text and meaning are at most 1 together.",
  },
  "search.recency_half_life_days": {
    type: integerType(1, 36_500),
    default: 60,
    env: "RECOLLECT_SEARCH_RECENCY_HALF_LIFE_DAYS",
    flags: [{ name: "--search-recency-half-life-days" }],
    trust: "safe",
    description: "After how many days that gain is half of it.",
  },
  "search.context_weight": {
    type: numberType(0, 10),
    default: 0.3,
    env: "RECOLLECT_SEARCH_CONTEXT_WEIGHT",
    flags: [{ name: "--search-context-weight" }],
    trust: "safe",
    description: "How much a note gains that has to do with the topic, the task and the files being worked on.",
  },
} as const satisfies SettingTable;
