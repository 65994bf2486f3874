import { acceptedContent, completable, inputRequired, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { image, text } from "./samples.ts";

const description = "A fixture of the conformance suite";
const context = z.object({ context: z.string() });
const words = ["paris", "park", "party"];

const two = z.object({
  arg1: completable(z.string(), (value) => words.filter((word) => word.startsWith(value))),
  arg2: z.string(),
});
const embedded = z.object({ resourceUri: z.string() });

export function addPromptFixtures(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description }, async () =>
    messages(text("This is a simple prompt for testing.")),
  );
  server.registerPrompt("test_prompt_with_arguments", { description, argsSchema: two }, async ({ arg1, arg2 }) =>
    messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: embedded },
    async ({ resourceUri }) =>
      messages(
        {
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
        text("Please process the embedded resource above."),
      ),
  );
  server.registerPrompt("test_prompt_with_image", { description }, async () =>
    messages(image, text("Please analyze the image above.")),
  );
  server.registerPrompt("test_input_required_result_prompt", { description }, async ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_context", context);
    if (given) return messages(text(`Use this context: ${given.context}`));
    const message = "What context should the prompt use?";
    return inputRequired({
      inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: context }) },
    });
  });
}

type Content =
  | typeof image
  | ReturnType<typeof text>
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

function messages(...contents: Content[]) {
  return { messages: contents.map((content) => ({ role: "user" as const, content })) };
}
