/**
 * Claude Code defers the tools of a server until a model searches for them, so that a model never calls what it does
 * not know of. The tool that finds and the two that add are loaded from the start; all three are small (USE-1).
 */
export const alwaysLoaded = { "anthropic/alwaysLoad": true };
