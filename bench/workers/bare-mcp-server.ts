// The least that a server of the official SDK can be: one tool that does nothing, no token, no limits.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool("nothing", { description: "Does nothing" }, async () => ({ content: [] }));
  return server;
});
const server = createServer(getRequestListener((request) => handler.fetch(request)));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.stdin.once("end", () => process.exit(0)).resume();
