/** The root, and the name of the folder, that hold the memories of all agents. */
export { sealedFolder as agentRoot } from "../../kernel/document-path.ts";
