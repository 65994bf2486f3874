import { inputRequired, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { pause, text } from "./samples.ts";

const description = "A fixture of the conformance suite";
const stepMs = 50;

/** Tools that talk with their client before they answer. */
export function addTalkFixtures(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description }, (ctx) => logging(ctx));
  server.registerTool("test_logging_tool", { description }, (ctx) => logging(ctx));
  server.registerTool("test_tool_with_progress", { description }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` };
      await mcpReq.notify({ method: "notifications/progress", params });
      await pause(stepMs);
    }
    return { content: [text(String(progressToken))] };
  });
  server.registerTool(
    "test_sampling",
    { description, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: text(prompt) }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      const said = Array.isArray(content) ? content[0] : content;
      return { content: [text(`LLM response: ${said?.type === "text" ? said.text : "no text"}`)] };
    },
  );
  server.registerTool(
    "test_elicitation",
    { description, inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const requestedSchema = {
        type: "object" as const,
        properties: {
          username: { type: "string" as const, description: "User's response" },
          email: { type: "string" as const, description: "User's email address" },
        },
        required: ["username", "email"],
      };
      const { action, content } = await mcpReq.elicitInput({ message, requestedSchema });
      return { content: [text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)] };
    },
  );
  server.registerTool("test_elicitation_sep1034_defaults", { description }, (ctx) => elicit(ctx, defaults));
  server.registerTool("test_elicitation_sep1330_enums", { description }, (ctx) => elicit(ctx, enums));
  server.registerTool("test_missing_capability", { description }, async () => {
    const messages = [{ role: "user" as const, content: text("Say something") }];
    return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 20 }) } });
  });
  server.registerTool("test_streaming_elicitation", { description }, async () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({ message: "What is your name?", requestedSchema: z.object({ name: z.string() }) }),
      },
    }),
  );
}

async function logging({ mcpReq }: ServerContext) {
  for (const says of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await mcpReq.log("info", says);
    await pause(stepMs);
  }
  return { content: [text("Tool with logging executed successfully")] };
}

type RequestedSchema = Extract<
  Parameters<ServerContext["mcpReq"]["elicitInput"]>[0],
  { requestedSchema: unknown }
>["requestedSchema"];

async function elicit({ mcpReq }: ServerContext, requestedSchema: RequestedSchema) {
  const { action, content } = await mcpReq.elicitInput({ message: "Please fill this in", requestedSchema });
  return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)] };
}

const defaults: RequestedSchema = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  required: [],
};

const enums: RequestedSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: {
      type: "string",
      oneOf: [
        { const: "value1", title: "First Option" },
        { const: "value2", title: "Second Option" },
        { const: "value3", title: "Third Option" },
      ],
    },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: {
      type: "array",
      items: {
        anyOf: [
          { const: "value1", title: "First Choice" },
          { const: "value2", title: "Second Choice" },
          { const: "value3", title: "Third Choice" },
        ],
      },
    },
  },
  required: [],
};
