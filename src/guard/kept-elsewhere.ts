import { isNamed } from "./wordiness.ts";

/** Where a value is kept, and not the value: a path, an address, an entry of a vault, the name of a password manager. */
export function isReference(value: string): boolean {
  if (
    /^(?:op|env|vault|file|secrets?|ssm|keyring|keychain|sm|ref\+[a-z0-9]{1,20}|aws|gcp|azure|kms|awskms)[:/]/i.test(
      value,
    )
  )
    return true;
  if (/^(?:ENC\[|AQICAH|vault:v[0-9])/.test(value) || isSealed(value)) return true;
  // Which key it is, as key management services name them.
  if (/^id=(?:mrk-)?[0-9a-f-]{8,40}$/.test(value)) return true;
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)) return true;
  // Google Cloud Run takes the name of a secret and its version.
  if (/^[a-z][\w-]{2,60}:latest$/.test(value) && isNamed(value)) return true;
  return isFilePath(value) || isResourceName(value) || isInPasswordManager(value);
}

/** What only a key opens that is kept elsewhere: sealed for a cluster, for Jasypt, Spring's configuration server or Jenkins. */
function isSealed(value: string): boolean {
  return (
    /^Ag[A-D][A-Za-z0-9+/]{80,300}={0,2}$/.test(value) ||
    /^(?:ENC\([A-Za-z0-9+/]{24,200}={0,2}\)|\{cipher\}[A-Za-z0-9+/]{32,240}={0,2}|\{AQAAABAAAA[A-Za-z0-9+/]{20,200}={0,2}\})$/.test(
      value,
    )
  );
}

function isFilePath(value: string): boolean {
  return (
    /^(?:~|\.{0,2})\/[\w./@-]{1,200}$/.test(value) &&
    /\.[a-z]{1,5}$|^(?:~|\.|\/(?:etc|run|var|home|usr|opt|tmp|srv|mnt))/.test(value)
  );
}

/** What clouds call an entry of theirs, up to the part that its owner named. */
const resourceLeads: readonly RegExp[] = [
  /^arn:aws[a-z-]{0,12}:[a-z0-9-]{2,30}:[^\s:]{0,40}:[^\s:]{0,40}:/,
  /^(?:\/\/[a-z]{2,30}\.googleapis\.com\/)?projects\/[^\s/]{1,64}\/(?:secrets|locations|serviceAccounts)\//,
  /^[a-z0-9-]{3,24}\.vault\.(?:azure\.net|azure\.cn|usgovcloudapi\.net)\/(?:secrets|keys|certificates)\//i,
  /^\/subscriptions\/[^\s/]{1,64}\/resourceGroups\/[^\s/]{1,90}\/providers\/Microsoft\./i,
];

/**
 * The form alone excuses nothing (GUARD-4): what follows it must be names as well, since anything may be written behind
 * `arn:`. AWS puts six letters behind the name of a secret, and versions are numbers or hexadecimal.
 */
function isResourceName(value: string): boolean {
  const lead = resourceLeads.map((form) => form.exec(value)?.[0]).find((found) => found !== undefined);
  return lead !== undefined && value.slice(lead.length).split(/[/:]/).every(isResourcePart);
}

const longestUnread = 20;

function isResourcePart(part: string): boolean {
  const name = part.replace(/-[A-Za-z0-9]{6}[.,;!?]?$/, "");
  return (
    name.length <= longestUnread ||
    isNamed(name) ||
    /^[\w!-]{0,20}?(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27})$/.test(name)
  );
}

/** More than the lead of a resource name is long, and its end may be as far again. */
const resourceReach = 120;

/** Whether the word at `at` is a part of such a name: `arn:aws:secretsmanager:…:secret:prod/db-…`. */
export function isInResourceName(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - resourceReach), at);
  const run = before.slice(before.search(/[^\s"'`(,=<]{1,120}$/));
  const [rest = ""] = /^[^\s"'`),<>]{1,200}/.exec(text.slice(at, at + 200)) ?? [];
  const start = run.search(/arn:aws/);
  return start >= 0 && isResourceName(run.slice(start) + rest);
}

/** Their names are the same in every language; a particle or the entry may follow: “1Password의”, `Bitwarden/Infra`. */
const passwordManager =
  /^(?:1password|bitwarden|vaultwarden|keepass(?:xc|dx|2)?|lastpass|dashlane|nordpass|proton[ -]?pass|enpass|roboform|passbolt|keychain|aws[-_ ]?(?:sm|secrets?[-_ ]?manager|ssm)|(?:hashicorp[-_ ]?)?vault(?=[^-])|keeper(?=[^-])|doppler(?=[^-])|infisical|pass(?=\/))(?=$|[^A-Za-z0-9!@#$%^&*+=?~_])/i;

function isInPasswordManager(value: string): boolean {
  const name = passwordManager.exec(value)?.[0];
  return name !== undefined && isNamed(value.slice(name.length).replaceAll(/[^\x21-\x7e]/g, " "));
}
