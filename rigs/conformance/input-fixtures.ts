import { randomBytes } from "node:crypto";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { text } from "./samples.ts";

const description = "A fixture of the conformance suite";
const named = z.object({ name: z.string() });
interface State {
  readonly step: number;
}

/** What comes back from a client may be anything by then. */
export const states = createRequestStateCodec<State>({ key: randomBytes(32) });

const askName = (message: string) => inputRequired.elicit({ message, requestedSchema: named });
const askModel = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(question) }], maxTokens });
const confirm = () =>
  inputRequired.elicit({ message: "Please confirm", requestedSchema: z.object({ ok: z.boolean() }) });

/** Tools that answer with a question first, and keep what they have to in what the client sends back. */
export function addInputFixtures(server: McpServer): void {
  const add = (name: string, answer: (ctx: ServerContext) => ReturnType<typeof answerElicitation>) =>
    server.registerTool(`test_input_required_result_${name}`, { description }, answer);
  add("elicitation", answerElicitation);
  add("sampling", async ({ mcpReq }) => {
    const said = inputResponse(mcpReq.inputResponses, "capital_question");
    if (said.kind !== "missing") return { content: [text(JSON.stringify(said))] };
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?", 100) } });
  });
  add("list_roots", async ({ mcpReq }) => {
    const said = inputResponse(mcpReq.inputResponses, "client_roots");
    if (said.kind !== "missing") return { content: [text(JSON.stringify(said))] };
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ["request_state", "tampered_state"]) {
    add(name, async (ctx) => {
      const state = ctx.mcpReq.requestState<State>();
      if (state && ctx.mcpReq.inputResponses?.["confirm"] !== undefined) return { content: [text("state-ok")] };
      return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await states.mint({ step: 1 }) });
    });
  }
  add("multiple_inputs", async (ctx) => {
    const asked: InputRequests = {
      user_name: askName("What is your name?"),
      greeting: askModel("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    const state = ctx.mcpReq.requestState<State>();
    const hasAll = Object.keys(asked).every((key) => ctx.mcpReq.inputResponses?.[key] !== undefined);
    if (state && hasAll) return { content: [text("All three were answered.")] };
    return inputRequired({ inputRequests: asked, requestState: await states.mint({ step: 1 }) });
  });
  add("multi_round", async (ctx) => {
    const { step = 0 } = ctx.mcpReq.requestState<State>() ?? {};
    const responses = ctx.mcpReq.inputResponses ?? {};
    if (step === 2 && responses["step2"] !== undefined) return { content: [text("Both steps were answered.")] };
    const isSecond = step === 1 && responses["step1"] !== undefined;
    const question = isSecond
      ? inputRequired.elicit({
          message: "Step 2: What is your favorite color?",
          requestedSchema: z.object({ color: z.string() }),
        })
      : askName("Step 1: What is your name?");
    return inputRequired({
      inputRequests: { [isSecond ? "step2" : "step1"]: question },
      requestState: await states.mint({ step: isSecond ? 2 : 1 }),
    });
  });
  add("capabilities", async ({ mcpReq }) => {
    const envelope: Record<string, unknown> = { ...mcpReq.envelope };
    const declared = Object(envelope[CLIENT_CAPABILITIES_META_KEY]);
    const asked: InputRequests = {
      ...("sampling" in declared ? { model: askModel("Say something", 20) } : {}),
      ...("elicitation" in declared ? { person: askName("What is your name?") } : {}),
    };
    if (Object.keys(asked).length === 0 || mcpReq.inputResponses) return { content: [text("Done.")] };
    return inputRequired({ inputRequests: asked });
  });
}

async function answerElicitation({ mcpReq }: ServerContext) {
  const given = acceptedContent(mcpReq.inputResponses, "user_name", named);
  if (given) return { content: [text(`Hello, ${given.name}!`)] };
  return inputRequired({ inputRequests: { user_name: askName("What is your name?") } });
}
