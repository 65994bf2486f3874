import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { png } from "./samples.ts";

const about = { description: "A fixture of the conformance suite" };
const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });

export function addResourceFixtures(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { ...about, mimeType: "text/plain" },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { ...about, mimeType: "image/png" },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: "image/png", blob: png }],
    }),
  );
  server.registerResource(
    "template",
    template,
    { ...about, mimeType: "application/json" },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  // Of what is no memory ours would say that there is none.
  server.server.setRequestHandler("resources/subscribe", async () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", async () => ({}));
}
