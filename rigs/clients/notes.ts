import type { ClientWorld } from "./client-world.ts";

interface Note {
  readonly name: string;
  readonly text: string;
}

/** Of what the assertions ask; each has words that no other text of the rig has. */
export const cacheNote: Note = {
  name: "ci/cache",
  text: `# Stale dependency cache in CI

CI restored an outdated dependency cache after an upgrade, because the restore key lacked the lockfile. The key now contains the SHA of \`package-lock.json\`, see the step “restore-amber”.
`,
};

/** About the same, in other words. */
export const aboutCache = "Why does our CI build keep using an outdated cache of dependencies?";

export const deployNote: Note = {
  name: "deploy/staging",
  text: `# Deploying to staging

Staging is deployed from the branch release-teal, never from main. The deployment runs \`scripts/deploy.sh\` and needs the VPN.
`,
};

/** What `./check` prints, with another number and another time. */
export const errorNote: Note = {
  name: "ledger/locked",
  text: `# Ledger locked by a writer

\`\`\`
LedgerError: ledger 17 is locked by writer 4411 since 09:12
\`\`\`

A worker that was killed leaves its lock. Run \`make unlock-indigo\`, then try again.
`,
};
export const failingCheck = `#!/bin/sh
echo "LedgerError: ledger 23 is locked by writer 9025 since 14:47" >&2
exit 1
`;

const parts = ["importer", "scheduler", "renderer", "dispatcher", "exporter", "compactor", "notifier", "archiver"];

/** Each has more to say than a prompt may get, and all together more than 20 prompts may. */
export const longNotes: readonly Note[] = parts.map((part) => ({
  name: `parts/${part}`,
  text: `# How the ${part} works\n\n${Array.from({ length: 60 }, (_, at) => `Step ${at + 1}: the ${part} reads queue number ${at * 17}, checks the result of step ${at} and logs what it did.`).join("\n")}\n`,
}));

/** A project has more than one subject. */
const otherNotes: readonly Note[] = [
  {
    name: "db/migrations",
    text: "# Database migrations\n\nMigrations run with `make migrate`; each is idempotent, and a column is dropped one release after its last use.\n",
  },
  {
    name: "api/pagination",
    text: "# Pagination of the API\n\nLists use cursors, not offsets: with offsets, rows were skipped while others were inserted.\n",
  },
  {
    name: "auth/sessions",
    text: "# Login sessions\n\nA session lives for 30 days and is renewed at each visit. Signing keys rotate on the first Monday of a quarter.\n",
  },
  {
    name: "payments/rounding",
    text: "# Rounding of amounts\n\nAmounts are integers in cents. Tax is rounded per invoice, not per line, as the accountants asked.\n",
  },
  {
    name: "frontend/images",
    text: "# Product images\n\nImages are resized by the worker into three widths; the original stays in the bucket.\n",
  },
  {
    name: "mail/templates",
    text: "# Mail templates\n\nTemplates are compiled from MJML; edit the source in `mail/src`, the HTML is generated.\n",
  },
  {
    name: "search/synonyms",
    text: "# Synonyms of the product search\n\nSynonyms are a CSV that the merchandisers edit; reload it with the admin command `synonyms reload`.\n",
  },
  {
    name: "infra/backups",
    text: "# Backups\n\nThe database is copied every night to the second region. A restore is practised each March.\n",
  },
];

export function putNotes(world: ClientWorld, ...notes: readonly Note[]): void {
  for (const { name, text } of [...otherNotes, ...notes]) world.put(`.serena/memories/${name}.md`, text);
}

/** So many that a search has to be quick. */
export function putManyNotes(world: ClientWorld, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const words = [subjects[at % subjects.length], aspects[(at >> 4) % aspects.length]];
    world.put(
      `.serena/memories/area-${at % 97}/note-${at}.md`,
      `# ${words.join(" ")} ${at}\n\nThe ${words.join(" of module ")} ${at} was changed in sprint ${at % 53}, see ticket ${at * 7}.\n`,
    );
  }
}

const subjects = "billing export import ledger catalogue basket voucher courier".split(" ");
const aspects = "retries timeouts schema naming ownership limits logging layout".split(" ");
