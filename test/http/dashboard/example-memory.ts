import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { memoriesRoot, type ServedDashboard } from "./served-dashboard.ts";

const loginNote = `---
summary: How people log in
---
# Login

People log in with **one-time codes**, see mem:auth/tokens and [the standard](https://www.rfc-editor.org/rfc/rfc6238).

## Why

- passwords were reused
- [x] measured
- [ ] announced

## How it is built

| part | where |
|---|:-:|
| codes | \`auth/codes.ts\` |
| mails | \`auth/mail.ts\` |

\`\`\`ts
const code = randomInt(1_000_000);
\`\`\`

> Codes live for ten minutes.
`;

/** Files that were there before the server: also what its guard would refuse, and what a merge left. */
export function exampleFiles(project: string): void {
  const files: Readonly<Record<string, string>> = {
    "auth/tokens.md": "# Tokens\n\nAccess tokens live for five minutes.\n",
    "ops/deploy.md": "# Deploy\n\nDeploys go out on weekdays, by the release branch.\n",
    "ops/old-key.md": `# Old key\n\nThe key was AKIA${"IOSFODNN7QWERTYZ"} until May.\n`,
    "build.md": "# Build\n\nThe build takes two minutes.\n\nThe cache is on.\n",
    "build.conflict-1a2b3c4d.md": "# Build\n\nThe build takes three minutes.\n\nThe cache is on.\n",
  };
  for (const [path, content] of Object.entries(files)) {
    const place = join(project, memoriesRoot, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

/** What people and agents wrote through the server, so that there is history. */
export async function exampleWrites(served: ServedDashboard): Promise<void> {
  const builder = await served.tokenFor("builder-7");
  const own = served.server.secret ?? "";
  await served.write(own, "auth/login.md", "# Login\n\nPeople log in with passwords.\n");
  await served.write(builder, "auth/login.md", loginNote);
  await served.write(builder, "ops/rollback.md", "# Rollback\n\nA rollback is the previous tag, deployed again.\n");
  const topics = served.workspace.topics;
  // More than ten entries of a subtopic: the oldest go into the archive.
  for (let day = 1; day <= 13; day += 1) {
    await topics.store({
      topic: "build",
      subtopic: "cache",
      date: `2026-03-${String(day).padStart(2, "0")}`,
      title: `Cache lesson ${day}`,
      context: "Seen while **building**.",
      problem: "A cold cache costs four minutes.",
      solution: "Measure first, then change `one` thing.",
    });
  }
  await topics.store({
    topic: "tests",
    subtopic: "flaky",
    date: "2026-03-14",
    title: "Tests that sleep fail on busy machines",
    context: "Nightly runs.",
    problem: "A sleep of 50 ms was not enough.",
    solution: "Wait for what is expected, not for time.",
  });
}
