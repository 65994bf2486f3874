/** The root, and the name of the folder, that hold the memories of all agents. */
export const agentRoot = "agent_memory";
