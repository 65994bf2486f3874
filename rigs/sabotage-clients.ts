import type { Sabotage } from "./sabotage.ts";

/** Broken builds that `rig:clients` must catch: see which assertion names which. */
export const clientSabotages: readonly Sabotage[] = [
  {
    name: "clients-toolless",
    why: "the tool that finds has another name than the instructions say",
    edits: [{ file: "mcp/search-memory.ts", from: `    "search_memory",\n`, to: `    "find_in_memory",\n` }],
  },
  {
    name: "clients-untold",
    why: "the server says nothing of when to search and when to store",
    edits: [
      {
        file: "mcp/instructions.ts",
        from: `if (!memories && !topics && !canSearch) return [];`,
        to: `if (!memories || topics || canSearch) return [];`,
      },
    ],
  },
  {
    name: "clients-slow-start",
    why: "the server answers later than any client waits for it",
    edits: [
      {
        file: "cli/start-mcp-server.ts",
        from: `  assertTransport(options);\n`,
        to: `  assertTransport(options);\n  await new Promise((resolve) => setTimeout(resolve, 100_000));\n`,
      },
    ],
  },
  {
    name: "clients-no-author",
    why: "nobody knows which client wrote something",
    edits: [
      {
        file: "mcp/client-author.ts",
        from: `(plain || "unknown")`,
        to: `(plain && "unknown")`,
      },
    ],
  },
  {
    name: "clients-mute",
    why: "a prompt gets nothing, whatever is on record",
    edits: [
      { file: "hooks/on-prompt.ts", from: `if (!switches.prompt) return {};`, to: `if (switches.prompt) return {};` },
    ],
  },
  {
    name: "clients-twice",
    why: "a session gets a record again and again",
    edits: [
      { file: "hooks/give-records.ts", from: `filter((record) => !given.has(keyOf(record)))`, to: `slice()` },
      {
        file: "hooks/give-records.ts",
        from: `if (claimed.length === framed.shown.length) return framed;`,
        to: `if (claimed.length <= framed.shown.length) return framed;`,
      },
    ],
  },
  {
    name: "clients-dry",
    why: "what the first prompts of a session got is all that it ever gets",
    edits: [
      { file: "hooks/token-budget.ts", from: `const windowPrompts = 20;`, to: `const windowPrompts = 2000;` },
      { file: "hooks/token-budget.ts", from: `const windowTokens = 1500;`, to: `const windowTokens = 170;` },
    ],
  },
  {
    name: "clients-talkative",
    why: "a prompt gets what is nearest, however far away that is",
    edits: [{ file: "hooks/relevance.ts", from: `fits: sum >= needed`, to: `fits: sum < 1e9` }],
  },
  {
    name: "clients-greedy",
    why: "a prompt gets as much as is on record",
    edits: [
      { file: "hooks/token-budget.ts", from: `  prompt: 600,`, to: `  prompt: 60_000,` },
      { file: "hooks/token-budget.ts", from: `const windowTokens = 1500;`, to: `const windowTokens = 600_000;` },
    ],
  },
  {
    name: "clients-deferred",
    why: "a client is not told to load the tools that must be seen",
    edits: [
      { file: "mcp/always-loaded.ts", from: `"anthropic/alwaysLoad": true`, to: `"anthropic/alwaysLoad": false` },
      { file: "clients/clients.ts", from: `entryExtras: { alwaysLoad: true },`, to: `entryExtras: {},` },
    ],
  },
  {
    name: "clients-bulky",
    why: "the details for programs stand in what a client hands to its model",
    edits: [
      {
        file: "mcp/reply.ts",
        from: `structuredContent: Readonly<Record<string, unknown>> = { text },`,
        to: `structuredContent: Readonly<Record<string, unknown>> = { text, again: text, details },`,
      },
      {
        file: "mcp/reply.ts",
        from: `toolOutput(z.object({ text: z.string() }))`,
        to: `toolOutput(z.looseObject({ text: z.string() }))`,
      },
    ],
  },
  {
    name: "clients-forgetful",
    why: "a compaction takes away for good what a session had been given",
    edits: [
      {
        file: "hooks/on-session-start.ts",
        from: `if (given.length === 0 || !host.switches.compaction)`,
        to: `if (given.length === 0 || host.switches.compaction)`,
      },
    ],
  },
  {
    name: "clients-no-errors",
    why: "a command that failed gets nothing, whatever is on record of its error",
    edits: [
      { file: "hooks/on-tool.ts", from: `if (!switches.errors) return {};`, to: `if (switches.errors) return {};` },
    ],
  },
  {
    name: "clients-no-sessions",
    why: "no session knows of the one before",
    edits: [
      {
        file: "hooks/on-session-start.ts",
        from: `const last = switches.sessions\n`,
        to: `const last = !switches.sessions\n`,
      },
    ],
  },
  {
    name: "clients-stale",
    why: "a correction is acknowledged, and not made",
    edits: [{ file: "notes/memories/edit-text.ts", from: `pieces.join(replacement)`, to: `pieces.join(needle)` }],
  },
  {
    name: "clients-no-switches",
    why: "what the user switched off goes on",
    edits: [
      {
        file: "hooks/switches.ts",
        from: `if (!isInEnvironment && !mayConcernHooks(`,
        to: `if (isInEnvironment || !isInEnvironment || !mayConcernHooks(`,
      },
    ],
  },
  {
    name: "clients-crash",
    why: "a hook fails as a process does, and so does the plugin that stands for hooks",
    edits: [
      {
        file: "hooks/process.ts",
        from: `  const failed = Promise.withResolvers<never>();\n`,
        to: `  if (client !== "opencode") process.exit(2);\n  const failed = Promise.withResolvers<never>();\n`,
      },
      {
        file: "clients/opencode-plugin.ts",
        from: `      child = spawn(command[0], command.slice(1), {`,
        to: `      setTimeout(() => process.exit(2));\n      child = spawn(command[0], command.slice(1), {`,
      },
    ],
  },
  {
    name: "clients-hang",
    why: "a hook answers when it likes, and no client is told how long to wait for it",
    edits: [
      {
        file: "hooks/process.ts",
        from: `failed]), patienceMs,`,
        to: `failed]), 100 * patienceMs,`,
      },
      {
        file: "hooks/process.ts",
        from: `    const event = await readEvent(input);\n`,
        to: `    const event = await readEvent(input);\n    await new Promise((resolve) => setTimeout(resolve, 300_000));\n`,
      },
      { file: "clients/client-hooks.ts", from: `const patience = 10;`, to: `const patience = 600;` },
      { file: "clients/opencode-plugin.ts", from: `const patienceMs = 5000;`, to: `const patienceMs = 600000;` },
    ],
  },
  {
    name: "clients-chatty",
    why: "a session without a person is asked what is worth keeping",
    edits: [
      {
        file: "hooks/on-tool.ts",
        from: `switches.ask === "attended" && isAttended()`,
        to: `switches.ask === "attended" && (isAttended() || true)`,
      },
      {
        file: "clients/opencode-plugin.ts",
        from: `if (!text || !isAttended || asked.has(id)) return;`,
        to: `if (!text || asked.has(id)) return;`,
      },
    ],
  },
  {
    name: "clients-lone-subagents",
    why: "a subagent knows nothing of what its session was given",
    edits: [
      {
        file: "hooks/answer-hook.ts",
        from: `if (!host.switches.subagents ||`,
        to: `if (host.switches.subagents ||`,
      },
    ],
  },
  {
    name: "clients-incurious",
    why: "no session is asked what is worth keeping",
    edits: [{ file: "hooks/on-tool.ts", from: `switches.ask === "always" ||`, to: `switches.ask.length > 99 &&` }],
  },
  {
    name: "clients-insistent",
    why: "a session is asked as often as something happens in it",
    edits: [
      {
        file: "hooks/on-stop.ts",
        from: `if (entries.some(({ t }) => t === "asked")) {`,
        to: `if (entries.length < 0) {`,
      },
      { file: "hooks/on-stop.ts", from: ` || !log.claim("asked")) return {};`, to: `) return {};` },
      {
        file: "clients/opencode-plugin.ts",
        from: `if (!text || !isAttended || asked.has(id)) return;`,
        to: `if (!text || !isAttended) return;`,
      },
      { file: "clients/opencode-plugin.ts", from: `is_continued: asked.has(id)`, to: `is_continued: false` },
    ],
  },
  {
    name: "clients-credulous",
    why: "hooks recall what a stranger wrote",
    edits: [
      {
        file: "hooks/hook-memory.ts",
        from: `project === undefined || allowsRecall(project.folder, user);`,
        to: `project === undefined || allowsRecall(project.folder, user) || project.folder !== "";`,
      },
    ],
  },
  {
    name: "clients-unseen",
    why: "the person is told nothing",
    edits: [
      {
        file: "hooks/answer-hook.ts",
        from: `return host.switches.notices ? answer :`,
        to: `return !host.switches.notices ? answer :`,
      },
    ],
  },
  {
    name: "clients-overheard",
    why: "what is for the person goes to the model as well",
    edits: [
      {
        file: "hooks/answer-hook.ts",
        from: `return host.switches.notices ? answer :`,
        to: `return host.switches.notices ? { ...answer, context: [answer.context, answer.notice].filter(Boolean).join("\\n") || undefined } :`,
      },
    ],
  },
  {
    name: "clients-no-adoption",
    why: "what Claude Code remembers of a project by itself is left where it is",
    edits: [
      {
        file: "clients/find-client-memories.ts",
        from: `if (notes > 0 && !isOfAnother(`,
        to: `if (notes < 0 && !isOfAnother(`,
      },
    ],
  },
];
