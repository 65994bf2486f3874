import { expect, it, onTestFinished } from "vitest";
import { openFakeModel } from "../../rigs/clients/fake-model.ts";
import { recordsIn, startIn } from "../../rigs/clients/requests.ts";

const said = "Why?\n\nFrom Recollect: 1 record.\n\nci/cache\n> Hash it.\n\nEnd of records. More.";

/** The same request as the clients send it: one tool, one prompt, one result of a tool. */
const requests = {
  anthropic: {
    url: "/v1/messages?beta=true",
    body: {
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "mcp__recollect__search_memory", input_schema: { properties: {} } }],
      messages: [
        { role: "user", content: [{ type: "text", text: said }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "found" }] },
      ],
    },
  },
  openai: {
    url: "/v1/responses",
    body: {
      instructions: "Be brief.",
      tools: [
        {
          type: "namespace",
          name: "mcp__recollect",
          tools: [{ name: "search_memory", parameters: { properties: {} } }],
        },
      ],
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: said }] },
        { type: "function_call_output", call_id: "1", output: "found" },
      ],
    },
  },
  gemini: {
    url: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    body: {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      tools: [{ functionDeclarations: [{ name: "mcp_recollect_search_memory", parameters: { properties: {} } }] }],
      contents: [
        { role: "user", parts: [{ text: said }] },
        { role: "user", parts: [{ functionResponse: { name: "x", response: "found" } }] },
      ],
    },
  },
} as const;

it.each(Object.entries(requests))(
  "the scripted model of rig:clients understands %s",
  async (protocol, { url, body }) => {
    const model = await openFakeModel();
    onTestFinished(() => model.close());
    model.play((_, nth) =>
      nth === 0 ? { text: "I look.", calls: [{ name: "run", input: { x: 1 } }] } : { text: "Done." },
    );
    const ask = async () => (await fetch(model.origin + url, { method: "POST", body: JSON.stringify(body) })).text();
    const [first, second] = [await ask(), await ask()];
    expect(first).toContain("I look.");
    expect(first).toContain("run");
    expect(second).toContain("Done.");
    const [request] = model.requests;
    expect(request).toMatchObject({
      protocol,
      system: "Be brief.",
      tools: [{ name: expect.stringMatching(/recollect_+search_memory$/), schema: { properties: {} } }],
      messages: [
        { role: "user", text: said },
        { role: "tool", text: "found" },
      ],
    });
    expect(recordsIn(request)).toHaveLength(1);
    expect(startIn(request)).toBe("");
  },
);

it("the scripted model of rig:clients keeps what is beside the conversation apart", async () => {
  const model = await openFakeModel();
  onTestFinished(() => model.close());
  const body = JSON.stringify({ messages: [{ role: "user", content: "A title, please." }] });
  expect(await (await fetch(`${model.origin}/v1/messages`, { method: "POST", body })).text()).toContain("Summary");
  expect((await fetch(`${model.origin}/v1/telemetry`, { method: "POST", body: "{}" })).status).toBe(404);
  expect(model.requests).toEqual([]);
  expect(model.asides).toHaveLength(2);
});
