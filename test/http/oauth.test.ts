import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveSettings } from "../../src/http/serve-settings.ts";
import { errorOf } from "../helpers/error-of.ts";
import { bearer, type HttpWorld, httpWorld, modernCall } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const issuer = "https://login.example.org";
const audience = "https://memory.example.org/mcp";
const keyId = "key-1";

let at: HttpWorld;
let keys: Server;
let own: CryptoKey;
let foreign: CryptoKey;
let rsa: CryptoKey;
let asked: string[] = [];
let isDown = false;

beforeAll(async () => {
  const pair = await generateKeyPair("ES256");
  own = pair.privateKey;
  foreign = (await generateKeyPair("ES256")).privateKey;
  const other = await generateKeyPair("RS512");
  rsa = other.privateKey;
  const published = [
    { ...(await exportJWK(pair.publicKey)), kid: keyId, alg: "ES256", use: "sig" },
    { ...(await exportJWK(other.publicKey)), kid: "rsa", use: "sig" },
  ];
  keys = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "without a token"}`);
    if (isDown) return response.writeHead(500).end();
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => keys.listen(0, "127.0.0.1", resolve));
  const jwksUri = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks.json`;
  at = await httpWorld(memoryWorld(folders.make()), {
    addresses: ["https://memory.example.org"],
    oauth: { issuer, audience, jwksUri, algorithms: ["RS256", "ES256"], agentClaim: "agent_id" },
  });
  await at.workspace.memories.write("note", "text\n");
});
afterAll(async () => {
  keys.close();
  await at.close();
});

interface Made {
  readonly claims?: JWTPayload;
  readonly key?: CryptoKey;
  readonly algorithm?: string;
  readonly kid?: string;
}

const fine: JWTPayload = { iss: issuer, aud: audience, sub: "ada", scope: "openid recollect:*:all" };

function make({ claims = {}, key = own, algorithm = "ES256", kid = keyId }: Made = {}): Promise<string> {
  const payload = { exp: Math.floor(Date.now() / 1000) + 60, ...fine, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(key);
}

const session = async (token: string) => {
  const { status, text, headers } = await at.ask({ path: "/api/session", headers: bearer(token) });
  return { status, headers, body: JSON.parse(text) };
};
const tool = async (token: string, name: string, args: object) => {
  const call = modernCall("tools/call", { name, arguments: args });
  const { text } = await at.ask({ ...call, headers: { ...call.headers, ...bearer(token) } });
  return text;
};

describe("WEB-2 tokens of an authorization server", () => {
  it("WEB-2 let their subject in, with the scopes that they have", async () => {
    const { status, body } = await session(await make());
    expect([status, body.author, body.isAdmin]).toEqual([200, "person:ada", false]);
    const reader = await make({ claims: { scope: "recollect:.serena/memories:read" } });
    expect((await session(reader)).body.roots).toEqual([
      { name: ".serena/memories", kind: "memories", operations: ["list", "read"], hasHistory: true },
    ]);
    expect(await tool(reader, "read_memory", { memory_name: "note" })).toContain("text");
    expect(await tool(reader, "write_memory", { memory_name: "note", content: "x" })).toMatch(/READ_ONLY|NOT_ALLOWED/);
  });

  it.each([
    ["as a list", { scope: undefined, scp: ["recollect:*:read"] }, 2],
    ["that are none of ours", { scope: "openid profile memory:all *:all" }, 0],
    ["that make no sense", { scope: "recollect: recollect:*:everything recollect:x" }, 0],
    ["at all missing", { scope: undefined }, 0],
  ] as const)("WEB-2 scopes %s grant what they say", async (_, claims, roots) => {
    const { status, body } = await session(await make({ claims }));
    expect([status, body.roots.length]).toEqual([200, roots]);
  });

  it("WEB-2 AGT-4 the agent comes from the claim, and its files are its own", async () => {
    const token = await make({ claims: { agent_id: "builder", scope: "recollect:*:read" } });
    const { body } = await session(token);
    expect([body.author, body.agentId]).toEqual(["agent:builder", "builder"]);
    await tool(token, "write_memory_file", { relative_file_path: "own.md", content: "mine\n" });
    expect(await tool(token, "read_memory_file", { relative_file_path: "own.md" })).toContain("mine");
    const other = await make({ claims: { agent_id: "reviewer" } });
    expect(await tool(other, "read_memory_file", { relative_file_path: "own.md" })).toContain("NOT_FOUND");
  });

  it.each([
    ["a control character", "ada\n"],
    ["what changes the reading direction", "ada\u202egnp"],
    ["an invisible character", "ad\u200ba"],
    ["8,000 characters", "a".repeat(8000)],
  ])("WEB-2 nobody is let in whose name has %s", async (_, sub) => {
    expect((await session(await make({ claims: { sub } }))).status).toBe(401);
  });

  it("WEB-2 an admin is who has the scope for it", async () => {
    expect((await session(await make({ claims: { scope: "recollect:admin" } }))).body.isAdmin).toBe(true);
  });

  const now = Math.floor(Date.now() / 1000);
  it.each([
    ["for another audience", { claims: { aud: "https://other.example.org" } }],
    ["for no audience", { claims: { aud: undefined } }],
    ["of another issuer", { claims: { iss: "https://evil.example.org" } }],
    ["of no issuer", { claims: { iss: undefined } }],
    ["that have expired", { claims: { exp: now - 60 } }],
    ["that never expire", { claims: { exp: undefined } }],
    ["that are not valid yet", { claims: { nbf: now + 600 } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["with an empty subject", { claims: { sub: "" } }],
    ["with a line break in their subject", { claims: { sub: "ada\nagent:root" } }],
    ["with an agent that is no name", { claims: { agent_id: "../ada" } }],
    ["with an agent that is no text", { claims: { agent_id: 7 } }],
    ["with a key that was not published", { kid: "key-9" }],
  ] as const)("WEB-2 %s are refused", async (_, made) => {
    const { status, headers, body } = await session(await make(made as Made));
    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(headers["www-authenticate"]).toBe(
      'Bearer error="invalid_token", resource_metadata="https://memory.example.org/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it("WEB-2 another's signature, a way of signing that is not allowed, a secret, or none are refused", async () => {
    const shared = new TextEncoder().encode(
      JSON.stringify(await exportJWK((await generateKeyPair("ES256")).publicKey)),
    );
    const payload = { ...fine, exp: now + 60 };
    const tokens = [
      await make({ key: foreign }),
      await make({ key: rsa, algorithm: "RS512", kid: "rsa" }),
      await new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: keyId }).sign(shared),
      `${new UnsecuredJWT(payload).encode()}x`,
      new UnsecuredJWT(payload).encode(),
      `${(await make()).slice(0, -4)}AAAA`,
    ];
    for (const token of tokens) expect((await session(token)).status).toBe(401);
  });

  it.each([
    ["https://login.example.org/jwks.json", true],
    ["http://127.0.0.1:9/jwks.json", true],
    ["http://[::1]:9/jwks.json", true],
    ["http://login.example.org/jwks.json", false],
    ["http://127.0.0.1.example.org/jwks.json", false],
  ])("WEB-2 keys are taken from %s: %s", async (jwksUri, isFine) => {
    const values = {
      ...at.workspace.settings.values,
      "serve.oauth_issuer": issuer,
      "serve.oauth_audience": audience,
      "serve.oauth_jwks_uri": jwksUri,
    };
    const refused = await errorOf(() => serveSettings(values));
    if (isFine) expect(refused).toBeUndefined();
    else expect(refused).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("WEB-2 tokens of our own are accepted beside them", async () => {
    expect((await session(await at.token())).status).toBe(200);
  });

  it("WEB-2 RFC 9728 says where they come from, to everybody", async () => {
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const answer = await at.ask({ path });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toEqual({
        resource: audience,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
        resource_name: "Recollect",
      });
    }
    const { headers } = await at.ask({ path: "/mcp", method: "POST" });
    expect(headers["www-authenticate"]).toContain("resource_metadata=");
  });

  it("WEB-2 no token is passed on: the keys are asked for without one", () => {
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((one) => one === "GET /jwks.json without a token")).toBe(true);
  });

  it("WEB-2 where the keys cannot be had, nobody is let in and nobody is told that a token is wrong", async () => {
    isDown = true;
    asked = [];
    const jwksUri = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks.json`;
    const oauth = { issuer, audience, jwksUri, algorithms: ["ES256"], agentClaim: "agent_id" };
    const down = await httpWorld(memoryWorld(folders.make()), { oauth });
    const answer = await down.ask({ path: "/api/session", headers: bearer(await make()) });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await down.ask({ path: "/api/session", headers: bearer(await down.token()) })).status).toBe(200);
    await down.close();
  });
});
