import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { image, text, wav } from "./samples.ts";

const answers: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ],
  },
  test_error_handling: {
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  },
};

/** Tools that answer with every kind of content. */
export function addContentFixtures(server: McpServer): void {
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: "A fixture of the conformance suite" }, async () => answer);
  }
}
