import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { type ToolSet, toolSets, type Workspace } from "../../src/app.ts";
import { servedTools } from "../../src/mcp/served-tools.ts";
import { createMcpServer } from "../../src/mcp/server.ts";
import type { McpConnection } from "./mcp.ts";

/** The tools of a workspace, called through the protocol within this process. */
export async function toolSession(
  workspace: Workspace,
  tools: readonly ToolSet[] = toolSets,
): Promise<Pick<McpConnection, "client" | "call">> {
  const { memoryFolders, topicsRoot } = workspace;
  const historyRoots = [...memoryFolders.map(({ root }) => root), ...(topicsRoot === undefined ? [] : [topicsRoot])];
  const topicsWarning = () => workspace.topicsWarning;
  const session = workspace.session({ ...workspace.bearer, author: "agent:test" });
  const server = await createMcpServer({
    version: "1.0.0",
    ...servedTools(session, { tools, historyRoots, topicsWarning }),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(ours);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args })) as Awaited<ReturnType<McpConnection["call"]>>,
  };
}
