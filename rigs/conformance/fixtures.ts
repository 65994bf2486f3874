import type { McpFixtures } from "../../src/mcp/server.ts";
import { addContentFixtures } from "./content-fixtures.ts";
import { addInputFixtures, states } from "./input-fixtures.ts";
import { addPromptFixtures } from "./prompt-fixtures.ts";
import { addResourceFixtures } from "./resource-fixtures.ts";
import { addTalkFixtures } from "./talk-fixtures.ts";

/** What the official suite calls by name. It stands beside our own tools, on the same server. */
export const fixtures: McpFixtures = {
  add: (server) => {
    server.server.registerCapabilities({ logging: {}, completions: {} });
    addContentFixtures(server);
    addTalkFixtures(server);
    addInputFixtures(server);
    addPromptFixtures(server);
    addResourceFixtures(server);
  },
  verifyState: (state, context) => states.verify(state, context),
};
