import { alphanumeric, base64, base64Url, digits, hex, lower, type Random, upper } from "./random.ts";

/**
 * What a secret of each kind looks like, from the vendors' documentation and from leaks that were published; written
 * without looking at the rules. Prefixes are put together at run time so that no scanner takes this file for a leak.
 */
export interface Kind {
  readonly kind: string;
  /** `token`: known by its form, wherever it stands. `value`: known by what it stands beside. `text`: a text of its own. */
  readonly carried: "token" | "value" | "text";
  /** Names under which people keep a `value`. */
  readonly names?: readonly string[];
  make(random: Random): string;
}

const token = (kind: string, make: Kind["make"]): Kind => ({ kind, carried: "token", make });
const value = (kind: string, names: readonly string[], make: Kind["make"]): Kind => ({
  kind,
  carried: "value",
  names,
  make,
});
const text = (kind: string, make: Kind["make"]): Kind => ({ kind, carried: "text", make });
const join = (...parts: readonly string[]) => parts.join("");
const uuid = (r: Random) => [8, 4, 4, 4, 12].map((length) => r.text(hex, length)).join("-");
const encode = (content: string) => Buffer.from(content).toString("base64");
const block = (r: Random, lines: number) => Array.from({ length: lines }, () => r.text(base64, 64)).join("\n");
const pem = (r: Random, label: string, lines = 6) =>
  join("-----BEG", `IN ${label}-----\n`, block(r, lines), `\n${r.text(base64, 30)}==\n-----END ${label}-----`);
const host = (r: Random) => r.pick(["db.internal", "10.2.0.14", "cache-1.acme.dev", "pg.prod.acme.io", "mq.acme.net"]);
const user = (r: Random) => r.pick(["app", "deploy", "svc_orders", "mina", "admin", "readonly"]);

function makePassword(r: Random): string {
  const word = r.pick(["Summer", "winter", "Acme", "dragon", "Berlin", "coffee", "Falcon", "orchid"]);
  return r.pick([
    () => `${word}${2019 + r.below(7)}!`,
    () => `${word}#${r.text(digits, 4)}`,
    () => `${r.text(alphanumeric, 10)}!${r.text(digits, 2)}`,
    () => `${r.text(lower, 4)}${r.text(digits, 3)}${r.text(upper, 4)}`,
    () => r.text(`${alphanumeric}!#%*^_-`, 14),
    () => `${r.text(alphanumeric, 16)}${r.text(digits, 1)}`,
    () => `${word.toLowerCase()}-${r.pick(["tiger", "lamp", "cloud"])}-${r.text(digits, 2)}`,
    () => `${r.text(lower, 5)}2${r.text(lower, 2)}`,
  ])();
}

export const kinds: readonly Kind[] = [
  token("github-classic", (r) => join("gh", r.pick([..."pousr"]), "_", r.text(alphanumeric, 36))),
  token("github-fine-grained", (r) =>
    join("github", "_pat_", r.text(upper + digits, 22), "_", r.text(alphanumeric, 59)),
  ),
  token("gitlab", (r) => join("glp", "at-", r.text(base64Url, 20))),
  token("gitlab-other", (r) => join(r.pick(["gldt", "glrt", "glptt", "glcbt"]), "-", r.text(alphanumeric, 24))),
  token("aws-access-key-id", (r) => join(r.pick(["AK", "AS"]), "IA", r.text(`${upper}234567`, 16))),
  value("aws-secret", ["AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "secretAccessKey"], (r) => r.text(base64, 40)),
  token("google-api-key", (r) => join("AI", "za", r.text(base64Url, 35))),
  token("google-oauth-token", (r) => join("ya", "29.", r.text(base64Url, 68))),
  token("google-client-secret", (r) => join("GOC", "SPX-", r.text(base64Url, 28))),
  text("gcp-service-account", (r) =>
    JSON.stringify({
      type: "service_account",
      project_id: "acme-prod",
      private_key_id: r.text(hex, 40),
      private_key: `${pem(r, "PRIVATE KEY")}\n`,
      client_email: "ci@acme-prod.iam.gserviceaccount.com",
    }),
  ),
  text("azure-storage", (r) =>
    join(
      "DefaultEndpointsProtocol=https;AccountName=acmeprod;Account",
      `Key=${r.text(base64, 86)}==;EndpointSuffix=core.windows.net`,
    ),
  ),
  text("azure-sas", (r) =>
    join(
      "https://acmeprod.blob.core.windows.net/backups/db.dump?sv=2022-11-02&se=2026-01-01T00%3A00%3A00Z&sr=b&sp=r&si",
      `g=${encodeURIComponent(`${r.text(base64, 43)}=`)}`,
    ),
  ),
  token("azure-client-secret", (r) => join(r.text(alphanumeric, 3), "8", "Q~", r.text(`${alphanumeric}_~.-`, 34))),
  text("azure-service-bus", (r) =>
    join(
      "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=RootManage;SharedAccess",
      `Key=${r.text(base64, 43)}=`,
    ),
  ),
  token("slack-bot", (r) =>
    join("xo", "xb-", r.text(digits, 12), "-", r.text(digits, 13), "-", r.text(alphanumeric, 24)),
  ),
  token("slack-user", (r) =>
    join("xo", "xp-", r.text(digits, 11), "-", r.text(digits, 11), "-", r.text(digits, 12), "-", r.text(hex, 32)),
  ),
  token("slack-app", (r) =>
    join("xa", "pp-1-A", r.text(upper + digits, 10), "-", r.text(digits, 13), "-", r.text(hex, 64)),
  ),
  token("slack-webhook", (r) =>
    join(
      "https://hooks.slack",
      ".com/services/T",
      r.text(upper + digits, 8),
      "/B",
      r.text(upper + digits, 10),
      "/",
      r.text(alphanumeric, 24),
    ),
  ),
  token("stripe", (r) =>
    join(r.pick(["sk", "rk"]), "_", r.pick(["live", "test"]), "_", r.text(alphanumeric, r.pick([24, 99]))),
  ),
  token("stripe-webhook", (r) => join("wh", "sec_", r.text(alphanumeric, 32))),
  token("twilio-api-key", (r) => join("S", "K", r.text(hex, 32))),
  value("twilio-auth-token", ["TWILIO_AUTH_TOKEN", "twilio_auth_token"], (r) => r.text(hex, 32)),
  token("sendgrid", (r) => join("S", "G.", r.text(base64Url, 22), ".", r.text(base64Url, 43))),
  token("mailgun", (r) => join("ke", "y-", r.text(hex, 32))),
  token("mailchimp", (r) => join(r.text(hex, 32), "-u", `s${1 + r.below(20)}`)),
  token("npm", (r) => join("np", "m_", r.text(alphanumeric, 36))),
  token("pypi", (r) => join("py", "pi-AgEIcHlwaS5vcmc", r.text(base64Url, 120))),
  token("docker", (r) => join("dck", "r_pat_", r.text(base64Url, 27))),
  token("hugging-face", (r) => join("h", "f_", r.text(alphanumeric, 34))),
  token("openai-project", (r) => join("s", "k-proj-", r.text(base64Url, 74), "T3Blb", "kFJ", r.text(base64Url, 74))),
  token("openai-legacy", (r) => join("s", "k-", r.text(alphanumeric, 20), "T3Blb", "kFJ", r.text(alphanumeric, 20))),
  token("sk-of-somebody", (r) => join("s", "k-", r.text(alphanumeric, r.pick([32, 40, 48])))),
  token("anthropic", (r) => join("s", "k-ant-api03-", r.text(base64Url, 93), "AA")),
  token("openrouter", (r) => join("s", "k-or-v1-", r.text(hex, 64))),
  token("discord-bot", (r) =>
    join(r.pick(["M", "N"]), r.text(alphanumeric, 25), ".", r.text(base64Url, 6), ".", r.text(base64Url, 38)),
  ),
  token("discord-webhook", (r) =>
    join("https://discord", ".com/api/webhooks/", r.text(digits, 18), "/", r.text(base64Url, 68)),
  ),
  token("telegram-bot", (r) => join(`${1 + r.below(9)}`, r.text(digits, 9), ":A", "A", r.text(base64Url, 33))),
  value("cloudflare", ["CLOUDFLARE_API_TOKEN", "CF_API_KEY", "cloudflare_api_token"], (r) => r.text(base64Url, 40)),
  token("digitalocean", (r) => join("do", "p_v1_", r.text(hex, 64))),
  value("heroku", ["HEROKU_API_KEY", "heroku_api_key"], uuid),
  token("heroku-new", (r) => join("HR", "KU-", r.text(base64Url, 60))),
  token("databricks", (r) => join("da", "pi", r.text(hex, 32))),
  value("datadog", ["DD_API_KEY", "DATADOG_APP_KEY", "dd_api_key"], (r) => r.text(hex, r.pick([32, 40]))),
  token("new-relic", (r) => join("NR", "AK-", r.text(upper + digits, 27))),
  token("sentry-auth", (r) => join("snt", r.pick(["rys", "ryu"]), "_", r.text(alphanumeric, 64))),
  token("sentry-dsn", (r) =>
    join("https://", r.text(hex, 32), "@o", r.text(digits, 6), ".ingest.sentry.io/", r.text(digits, 7)),
  ),
  token("shopify", (r) => join("sh", r.pick(["pat", "pss", "pca"]), "_", r.text(hex, 32))),
  token("square", (r) =>
    r.pick([join("EA", "AAE", r.text(base64Url, 59)), join("sq0", "csp-", r.text(base64Url, 43))]),
  ),
  token("braintree", (r) => join("access", "_token$production$", r.text(lower + digits, 16), "$", r.text(hex, 32))),
  value("paypal", ["PAYPAL_CLIENT_SECRET", "paypal_secret"], (r) => join("E", r.text(base64Url, 79))),
  token("linear", (r) => join("lin", "_api_", r.text(alphanumeric, 40))),
  token("notion", (r) =>
    r.pick([join("nt", "n_", r.text(alphanumeric, 46)), join("secr", "et_", r.text(alphanumeric, 43))]),
  ),
  token("airtable", (r) => join("pa", "t", r.text(alphanumeric, 14), ".", r.text(hex, 64))),
  token("atlassian", (r) => join("ATA", "TT3xFfGF0", r.text(base64Url, 180), "=", r.text(upper + digits, 8))),
  token("vault", (r) => join("hv", "s.", r.text(base64Url, 90))),
  token("terraform-cloud", (r) => join(r.text(alphanumeric, 14), ".atl", "asv1.", r.text(base64Url, 67))),
  token("age", (r) => join("AGE-SECRET", "-KEY-1", r.text("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
  text("rsa-private-key", (r) => pem(r, "RSA PRIV".concat("ATE KEY"), 8)),
  text("ec-private-key", (r) => pem(r, "EC PRIV".concat("ATE KEY"), 3)),
  text("openssh-private-key", (r) => pem(r, "OPENSSH PRIV".concat("ATE KEY"))),
  text("pgp-private-key", (r) => pem(r, "PGP PRIV".concat("ATE KEY BLOCK"))),
  text("key-on-one-line", (r) => `TLS_KEY="${pem(r, "PRIV".concat("ATE KEY"), 3).replaceAll("\n", "\\n")}"`),
  token("jwt", (r) =>
    [JSON.stringify({ alg: "HS256", typ: "JWT" }), JSON.stringify({ sub: r.text(digits, 8), iat: 1_700_000_000 })]
      .map((part) => Buffer.from(part).toString("base64url"))
      .concat(r.text(base64Url, 43))
      .join("."),
  ),
  text("basic-header", (r) => `Authorization: Basic ${encode(`${user(r)}:${makePassword(r)}`)}`),
  text("basic-curl", (r) => `curl -u ${user(r)}:${makePassword(r)} https://api.acme.dev/v1/orders`),
  text("bearer-header", (r) => `Authorization: Bearer ${r.text(base64Url, r.pick([24, 40, 64]))}`),
  text("bearer-curl", (r) => `curl -s -H 'authorization: bearer ${r.text(hex, 40)}' https://api.acme.dev/v1/me`),
  text("url-password", (r) => `https://${user(r)}:${encodeURIComponent(makePassword(r))}@${host(r)}/reports/daily`),
  text(
    "postgres-url",
    (r) => `DATABASE_URL=postgres://${user(r)}:${encodeURIComponent(makePassword(r))}@${host(r)}:5432/app`,
  ),
  text("mongo-url", (r) => `mongodb+srv://${user(r)}:${r.text(alphanumeric, 16)}@cluster0.ab1cd.mongodb.net/app`),
  text("redis-url", (r) => `REDIS_URL: "rediss://:${r.text(alphanumeric, 32)}@${host(r)}:6379/0"`),
  text(
    "sql-server",
    (r) => `Server=tcp:${host(r)},1433;Database=app;User Id=${user(r)};Password=${makePassword(r)};Encrypt=True;`,
  ),
  text("libpq", (r) => `psql "host=${host(r)} user=${user(r)} password=${makePassword(r)} dbname=app"`),
  text("jdbc", (r) => `jdbc:mysql://${host(r)}:3306/app?user=${user(r)}&password=${r.text(alphanumeric, 12)}7`),
  text("netrc", (r) => `machine ${host(r)} login ${user(r)} password ${makePassword(r)}`),
  text("pgpass", (r) => `${host(r)}:5432:app:${user(r)}:${makePassword(r).replaceAll(":", "")}`),
  text("npmrc", (r) => `//npm.acme.dev/:_auth${"Token"}=${r.text(alphanumeric, 36)}`),
  text(
    "docker-config",
    (r) => `"auths": { "registry.acme.dev": { "auth": "${encode(`${user(r)}:${makePassword(r)}`)}" } }`,
  ),
  text("amazonaws-key", (r) => `https://s3.amazonaws.com/key/${r.text(alphanumeric, 32)}`),
  token("ak-prefix", (r) => join("a", "k_", r.pick(["", "live_", "prod_"]), r.text(alphanumeric, 32))),
  text("gmail-login", (r) => `Log in as ${r.text(lower, 6)}.${r.text(lower, 5)}@gmail.com / ${makePassword(r)}`),
  text("gmail-password", (r) => `Google test account: qa.${r.text(lower, 5)}@gmail.com, password ${makePassword(r)}`),
  text("sql-user", (r) => `CREATE USER ${user(r)} WITH PASSWORD '${makePassword(r)}';`),
  text("identified-by", (r) => `ALTER USER 'app'@'%' IDENTIFIED BY '${makePassword(r)}';`),
  text("sshpass", (r) => `sshpass -p '${makePassword(r)}' ssh ${user(r)}@${host(r)}`),
  text("wireguard", (r) => `[Interface]\nPrivate${"Key"} = ${r.text(base64, 43)}=\nAddress = 10.7.0.2/32`),
  text("kubernetes-secret", (r) => `kind: Secret\ndata:\n  password: ${encode(r.text(alphanumeric, 18))}`),
  text("kubernetes-env", (r) => `- name: DB_PASSWORD\n  value: "${makePassword(r)}"`),
  value("password", ["password", "PASSWORD", "DB_PASSWORD", "passwd", "adminPassword", "root_password"], makePassword),
  value("passphrase", ["passphrase", "GPG_PASSPHRASE", "pass_phrase"], (r) =>
    r.text(`${alphanumeric}!#-`, 20).concat("4"),
  ),
  value("api-key", ["api_key", "API_KEY", "apiKey", "x-api-key", "ACME_APIKEY"], (r) =>
    r.pick([r.text(hex, 32), r.text(alphanumeric, 32).concat("7"), uuid(r)]),
  ),
  value("secret", ["secret", "CLIENT_SECRET", "client_secret", "clientSecret", "JWT_SECRET", "session_secret"], (r) =>
    r.pick([r.text(base64, 43).concat("="), r.text(hex, 64), r.text(base64Url, 32).concat("9")]),
  ),
  value("token", ["token", "AUTH_TOKEN", "access_token", "refreshToken", "deploy_token", "BOT_TOKEN"], (r) =>
    r.pick([r.text(alphanumeric, 40).concat("3"), r.text(hex, 40), r.text(base64Url, 64)]),
  ),
  value("signing-key", ["signing_key", "ENCRYPTION_KEY", "SECRET_KEY", "private_key", "master_key"], (r) =>
    r.pick([r.text(hex, 64), r.text(base64, 43).concat("="), r.text(`${lower}${digits}!@#%^&*(-_=+)`, 50)]),
  ),
];
