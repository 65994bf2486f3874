import type { Kind } from "./kinds.ts";
import type { Random } from "./random.ts";

/** A document that holds a secret, as people and agents write them. */
export interface Carried {
  readonly name: string;
  readonly content: string;
}

const plain = (content: string): Carried => ({ name: "notes/today.md", content });

/** Where tokens that are known by their form were seen: anywhere. */
const tokenCarriers: readonly ((token: string, random: Random) => Carried)[] = [
  (t) => plain(`The CI job failed until I put ${t} into the settings.`),
  (t) => plain(`- use \`${t}\` for the staging account (Mina's)\n`),
  (t) => plain(`Found this in the old wiki: "${t}". Rotate it!`),
  (t) => plain(`export SERVICE_AUTH=${t}\nmake deploy\n`),
  (t) => plain(`# .env\nPORT=8080\nSERVICE=${t}\nDEBUG=0\n`),
  (t) => plain(`services:\n  api:\n    environment:\n      UPSTREAM: "${t}"\n      PORT: 80\n`),
  (t) => plain(`{\n  "name": "acme",\n  "upstream": { "auth": "${t}", "retries": 3 }\n}\n`),
  (t) => plain(`curl -H "X-Auth: ${t}" https://api.acme.dev/v1/things\n`),
  (t) => plain(`curl "https://api.acme.dev/v1/things?auth=${t}&page=2"\n`),
  (t) => plain(`| service | value |\n|---|---|\n| staging | ${t} |\n`),
  (t) => plain(`| staging | \`${t}\` | 2025-01-01 |\n`),
  (t) => plain(`\`\`\`ts\nconst client = createClient("${t}", { retries: 2 });\n\`\`\`\n`),
  (t) => plain(`client = Client(auth='${t}')  # TODO: move to vault\n`),
  (t) => plain(`---\ntitle: Deploy\nauth: ${t}\n---\n\n# Deploy\n`),
  (t) => plain(`# Login with ${t}\n\nSee the wiki.\n`),
  (t) => plain(`## 2025-02-03: Use ${t}\n**Context:** deploy\n**Problem:** 401\n**Solution:** new one\n---\n`),
  (t) => plain(`> Mina wrote: try ${t}, it worked for me.\n`),
  (t) => plain(`[link](https://acme.dev/x?k=${t})\n`),
  (t) => plain(`<config><auth>${t}</auth></config>\n`),
  (t) => plain(`2025-02-03T10:11:12Z DEBUG request auth=${t} status=200\n`),
  (t) => plain(`git remote set-url origin https://x-access:${t}@git.acme.dev/app.git\n`),
  (t) => plain(`(${t})\n`),
  (t) => plain(`Old: ${t}; new: see vault.\n`),
  (t) => plain(t),
  (t, r) =>
    /^[\w.~-]+$/.test(t) && !t.startsWith(".") && t.length < 190
      ? { name: r.pick([`auth/${t}.md`, `${t}.md`, `notes/login-${t}.md`]), content: "See the name.\n" }
      : plain(`name: ${t}\n`),
];

/** Where values that look like nothing in particular were seen: beside a word that says what they are. */
const valueCarriers: readonly ((name: string, value: string, random: Random) => Carried)[] = [
  (n, v) => plain(`${n}=${v}\n`),
  (n, v) => plain(`PORT=8080\n${n}="${v}"\nDEBUG=0\n`),
  (n, v) => plain(`export ${n}='${v}'\n`),
  (n, v) => plain(`${n}: ${v}\n`),
  (n, v) => plain(`db:\n  host: localhost\n  ${n}: "${v}"\n  port: 5432\n`),
  (n, v) => plain(`{ "user": "app", "${n}": "${v}" }\n`),
  (n, v) => plain(`{\n  "${n}" : "${v}",\n  "port": 1\n}\n`),
  (n, v) => plain(`const ${n.replaceAll("-", "_")} = "${v}";\n`),
  (n, v) => plain(`${n} := "${v}"\n`),
  (n, v) => plain(`$config['${n}'] = '${v}';\n`),
  (n, v) => plain(`'${n}' => '${v}',\n`),
  (n, v) => plain(`:${n} => "${v}"\n`),
  (n, v) => plain(`client(${n}="${v}", timeout=3)\n`),
  (n, v) => plain(`<${n}>${v.replaceAll("&", "&amp;")}</${n}>\n`),
  (n, v) => plain(`deploy --${n.replaceAll("_", "-").toLowerCase()} '${v}' --env prod\n`),
  (n, v) => plain(`docker run -e ${n}=${v} acme/api\n`),
  (n, v) => plain(`- **${n}:** ${v}\n`),
  (n, v) => plain(`- ${n}: \`${v}\`\n`),
  (n, v) => plain(`| ${n} | ${v} |\n`),
  (n, v) => plain(`The ${n.replaceAll("_", " ")} is ${v}\n`),
  (n, v) => plain(`The ${n.replaceAll("_", " ")} for staging is \`${v}\`, do not tell anyone.\n`),
  (n, v) => plain(`I set the ${n} to "${v}" on db-1.\n`),
  (n, v) => plain(`---\ntitle: Access\n${n}: ${v}\n---\n`),
  (n, v) => plain(`# ${n} = ${v}\n\nbody\n`),
  (n, v) => plain(`https://api.acme.dev/v1/things?${n}=${encodeURIComponent(v)}&page=2\n`),
  (n, v) => plain(`variable "${n}" {\n  default = "${v}"\n}\n`),
  (n, v) => plain(`public static final String ${n.replaceAll("-", "_")} = "${v}";\n`),
  (n, v) => plain(`${n}: str = "${v}"\n`),
  (n, v) => plain(`app.${n}=${v}\n`),
  (n, v) => plain(`SET @${n} = '${v}';\n`),
];

export function carry(kind: Kind, random: Random, round: number): Carried {
  const made = kind.make(random);
  if (kind.carried === "text") {
    return random.pick([
      () => plain(made),
      () => plain(`Notes from today:\n\n${made}\n\nDone.\n`),
      () => plain(`\`\`\`\n${made}\n\`\`\`\n`),
    ])();
  }
  if (kind.carried === "token") {
    return (tokenCarriers[(round * 7 + random.below(3)) % tokenCarriers.length] ?? plain)(made, random);
  }
  const carrier = valueCarriers[(round * 5 + random.below(4)) % valueCarriers.length];
  return carrier ? carrier(random.pick(kind.names ?? ["secret"]), made, random) : plain(made);
}
