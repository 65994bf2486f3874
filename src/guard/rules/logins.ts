import { isPlaceholder } from "../placeholder.ts";
import { plausibilityOf } from "../plausible-value.ts";
import { knownByPlace, type Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { isWordy } from "../wordiness.ts";
import { made } from "./made.ts";

const isPassword = (value: string) => plausibilityOf(value, { kind: "password", literal: true }) !== "none";
/** Letters that change their case as no word and no name does. */
const isRandomCase = (value: string) => /[a-z][A-Z].{0,60}[a-z][A-Z]/.test(value) && !isWordy(value);
// Beside an address also stand names and words; a digit, or a sign among letters of both cases, is in neither.
const isSurePassword = (value: string) =>
  isPassword(value) &&
  /[^0-9a-f]/i.test(value) &&
  (/[0-9]/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\w[!#$%^&*?+=~]\w/.test(value)));

/** Where a name and a password, or a header and its value, stand together. */
export const loginRules: readonly Rule[] = [
  knownByPlace({
    id: "url-password",
    title: "a password in an address",
    anchors: ["://"],
    // Up to the last “@” before the path: passwords hold it, too.
    pattern:
      /:\/\/[^\s:/@"'`<>]{0,80}:([^\s/@"'`]{3,200}(?:@[^\s/@"'`]{1,80}){0,2}|[^\s/@"'`]{1,2}(?:@[^\s/@"'`]{1,80}){1,2})@[A-Za-z0-9_[$<{-]/y,
    accepts: isUrlPassword,
    matches: [
      `postgres://app:${made(10)}@db.acme.dev:5432/app`,
      `https://ci:${made(20)}@git.acme.dev/x.git`,
      "amqp://app:letmeinplease@mq.acme.dev",
      `postgres://app:p@${made(8)}@db.acme.dev/app`,
      `postgres://app:$${made(10)}@db.acme.dev/app`,
    ],
    passes: [
      "postgres://user:password@localhost:5432/app",
      `redis://:$${"{REDIS_PASSWORD}"}@cache:6379`,
      "https://user:****@git.acme.dev",
      "amqp://guest:guest@localhost",
    ],
  }),
  knownByPlace({
    id: "database-url-password",
    title: "a password with a slash in the address of a database",
    anchors: [
      "postgres://",
      "postgresql://",
      "mysql://",
      "mariadb://",
      "mongodb://",
      "redis://",
      "rediss://",
      "amqp://",
    ],
    pattern: /[a-z]{5,10}:\/\/[^\s:/@"'`<>]{0,80}:([^\s/@"'`$<{]{0,60}\/[^\s/@"'`$<{]{3,60})@[A-Za-z0-9]/iy,
    accepts: (value) => !/^[0-9]{1,5}\//.test(value) && isPassword(value),
    matches: [`postgres://app:ab/${made(8)}@db.acme.dev/app`],
    passes: ["redis://cache:6379/0?client=me@acme", "mongodb://host:27017/db?replicaSet=rs0"],
  }),
  knownByPlace({
    id: "driver-login",
    title: "a name and password for a driver of MySQL",
    anchors: ["@tcp(", "@unix("],
    pattern: /@(?:tcp|unix)\((?<=(?<before>(?<=["'`\s=/(][\w.+-]{1,64}:)[^\s"'`]{4,128})@(?:tcp|unix)\()/y,
    accepts: (value) => isPassword(value.slice(0, value.lastIndexOf("@"))),
    matches: [
      `sql.Open("mysql", "app:${made(14)}@tcp(db1:3306)/app")`,
      `DSN=app:s@${made(9)}@unix(/run/mysqld.sock)/app`,
    ],
    passes: ["user:password@tcp(localhost:3306)/app", `$${"{DB_USER}"}:$${"{DB_PASS}"}@tcp(db1)/app`],
  }),
  knownByPlace({
    id: "oracle-login",
    title: "a name and password for Oracle",
    anchors: ["jdbc:oracle:", "sqlplus "],
    pattern:
      /(?:jdbc:oracle:[a-z]{3,5}:|sqlplus (?:-[A-Za-z]{1,4} ){0,3}["']?)[\w$#.-]{1,40}\/["']?([^\s@"'`/<$]{4,80})["']?@/iy,
    accepts: isPassword,
    matches: [`jdbc:oracle:thin:app/${made(10)}@//db.acme.dev:1521/main`, `sqlplus app/${made(10)}@main`],
    passes: ["jdbc:oracle:thin:@//db:1521/main", "sqlplus app/<password>@main", "sqlplus app@main"],
  }),
  knownByPlace({
    id: "app-password",
    title: "an app password of four groups",
    anchors: [
      "app password",
      "app-password",
      "app specific password",
      "app-specific password",
      "smtp_pass",
      "smtp pass",
      "mail_pass",
      "gmail pass",
      "imap_pass",
      "specific_password",
      "app_password",
      "apppassword",
    ],
    pattern:
      /(?:(?:app[- _]?|specific_)(?:specific )?password|(?:smtp|mail|imap)[_ ]pass(?:word|wd)?)["'`*]{0,3}[^\n]{0,40}?[\s:="'`]((?:[a-z]{4}[ -]){3}[a-z]{4})/iy,
    // Four words of four letters read as words when they are put together, too.
    accepts: (value) => !isWordy(value.replaceAll(/[ -]/g, "")),
    matches: [`app-specific password: ${"xqzk-jvpw"}-qkzx-wvjq`, `Gmail app password ${"xqzk jvpw"} qkzx wvjq`],
    passes: ["An app password must only work once.", "app password: <xxxx xxxx xxxx xxxx>"],
  }),
  knownByPlace({
    id: "url-token",
    title: "a token in an address",
    anchors: ["://"],
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})(?::(?:x-oauth-basic)?)?@[a-z0-9-]{1,60}[.:/]/y,
    // The key of a client that reports errors to Sentry is public: it stands in every page.
    accepts: (value, text, start) =>
      isRandom(value) &&
      !(
        /^[0-9a-f]{32}$/.test(value) && publicReceiver.test(text.slice(start + value.length, start + value.length + 80))
      ),
    matches: [
      `https://${made(40)}@github.com/acme/x.git`,
      `git clone https://${made(40, "hex")}:x-oauth-basic@github.com/a/b`,
    ],
    passes: [
      "https://GITHUB_PERSONAL_ACCESS_TOKEN@github.com/acme/x",
      "ssh://deployment-automation-user@host.acme.dev",
    ],
  }),
  knownByPlace({
    id: "authorization-header",
    title: "a token in an Authorization header",
    anchors: ["authorization"],
    pattern:
      /authorization["'`]{0,2}[ \t]{0,2}[:=,][ \t]{0,3}["'`]?(?!basic |bearer )(?:[A-Za-z][A-Za-z0-9-]{1,20} {1,2}(?:(?:token|key|apikey)=)?)?["'`]?([A-Za-z0-9_.~+/=-]{20,500})/iy,
    accepts: isRandom,
    matches: [
      `Authorization: token ${made(40, "hex")}`,
      `"Authorization": "ApiKey ${made(40)}"`,
      `Authorization: ${made(40)}`,
      `Authorization: SSWS 00${made(40)}`,
    ],
    passes: [
      "Authorization: Token <token>",
      "Authorization: token must-be-set-in-the-header",
      "authorization: config.headers.authorization",
    ],
  }),
  knownByPlace({
    id: "bearer-token",
    title: "a bearer token",
    anchors: ["bearer "],
    pattern: /bearer {1,4}["'`]?([A-Za-z0-9_.~+/=-]{10,500})/iy,
    accepts: isRandom,
    matches: [`Authorization: Bearer ${made(40)}`, `authorization: "bearer ${made(40, "hex")}"`],
    passes: [
      "Authorization: Bearer <token>",
      "Authorization: Bearer $TOKEN",
      "bearer tokens are checked",
      "Bearer authentication-and-authorization",
    ],
  }),
  knownByPlace({
    id: "basic-authorization",
    title: "a name and password in a Basic header",
    anchors: ["basic "],
    pattern: /basic {1,4}["'`]?([A-Za-z0-9+/_-]{8,400}={0,2})/iy,
    accepts: isBasic,
    matches: [`Authorization: Basic ${Buffer.from(`app:${made(12)}`).toString("base64")}`],
    passes: [
      "Authorization: Basic <base64>",
      "Basic authentication",
      `Authorization: Basic ${Buffer.from("user:password").toString("base64")}`,
    ],
  }),
  knownByPlace({
    id: "registry-authorization",
    title: "a name and password for a registry",
    anchors: ['auth"', "_auth", "dockerconfig", "auth field", "auth string", "auth value", "auth header", "auth entry"],
    pattern:
      /(?:_?auth["']? {0,4}[:=] {0,4}["']?|(?:dockerconfig|auth (?:field|string|value|header|entry))[^\n]{0,60}?[ :="'`]{1,4})([A-Za-z0-9+/_-]{16,400}={0,2}|(?<=[:=] {0,4}["']?)[A-Za-z0-9+/_-]{8,400}={0,2})(?![A-Za-z0-9])/iy,
    accepts: isBasic,
    matches: [`"auth": "${Buffer.from(`app:${made(12)}`).toString("base64")}"`],
    passes: [
      "the .dockerconfigjson auth field is base64 of user and password",
      '"auth": "basic"',
      `_auth=$${"{NPM_AUTH}"}`,
      '"auth": "required-for-all"',
    ],
  }),
  knownByPlace({
    id: "command-line-password",
    title: "a password on a command line",
    anchors: [
      "-u ",
      "--user ",
      "--user=",
      "sshpass -p",
      "mysql",
      "mariadb",
      "mongo",
      " login ",
      "redis-cli ",
      "identified by ",
      "identified with ",
      "requirepass ",
      "securestring ",
      "htpasswd ",
      "mosquitto_passwd ",
      "masterauth ",
      "acl setuser ",
      "auth=(",
      "auth = (",
      "http-basic.",
      "openssl enc ",
      "7z ",
      "7za ",
      "unrar ",
      "zip -p ",
      "ldapsearch ",
      "ldapmodify ",
      "ldapadd ",
      "ldapwhoami ",
      "ldappasswd ",
    ],
    pattern:
      /(?:(?:-u|--user)[ =]{1,2}["']?[\w.@+-]{1,128}:|sshpass -p {0,2}["']?|(?:mysql(?:dump|admin|import|sh)?|mariadb(?:-[a-z]{1,10})?)(?: [^\n|;&]{0,80}?)? -p["']?|mongo(?:sh|dump|restore|export|import)? [^\n|;&]{0,80}?-p ["']?| login [^\n|;&]{0,80}?-p[ =]{1,2}["']?|redis-cli [^\n]{0,60}?-a {1,2}["']?|identified (?:with ["']?\w{1,40}["']? )?by {1,2}["']|(?<=(?:user|to) ["'`]?[\w.$#@%]{1,40}["'`]? )identified by {1,2}|requirepass {1,2}["']?|securestring (?:-string )?["']|masterauth {1,2}["']?|acl setuser [^\n>]{1,60}>|auth ?= ?\(["'][\w.@-]{1,40}["'], ?["']|http-basic\.[\w.-]{1,60} [^\s]{1,64} |ldap[a-z]{3,8} [^\n|;]{0,120}? -w {1,2}["']?|openssl enc [^\n|;&]{0,80}?-k {1,2}["']?|(?:7za?|unrar) [a-z] (?:[^\n|;&]{0,80}? )?-p["']?|zip -p {1,2}["']?|(?:htpasswd|mosquitto_passwd) -[a-zB]{0,4}b[a-zB]{0,4} (?:[\w./~-]{1,80} )?[\w.@-]{1,40} ["']?)([^\s"']{4,128})/iy,
    accepts: isPassword,
    matches: [
      `curl -u app:${made(12)} https://acme.dev`,
      `sshpass -p '${made(9)}' ssh db`,
      `ALTER USER app IDENTIFIED BY '${made(9)}'`,
      `redis-cli -a ${made(20)} ping`,
      `mysql -uroot -p${made(12)} app`,
      `docker login -u acme -p ${made(20)} registry.acme.dev`,
      `requirepass ${made(24)}`,
      `ConvertTo-SecureString "${made(12)}" -AsPlainText -Force`,
      `htpasswd -b .htpasswd admin ${made(10)}`,
      `masterauth ${made(20)}`,
      `openssl enc -aes-256-cbc -k ${made(16)} -in a -out b`,
      `7z x backup.7z -p${made(18)}`,
      `unzip -P ${made(12)} a.zip`,
      `ldapsearch -x -D "cn=admin,dc=acme" -w '${made(12)}' -b dc=acme`,
      `ACL SETUSER app on >${made(16)} ~* +@all`,
      `requests.get(url, auth=("svc", "${made(14)}"))`,
      `composer config http-basic.repo.acme.dev ada ${made(32, "hex")}`,
    ],
    passes: [
      'curl -u "$USER:$PASSWORD" https://acme.dev',
      "sudo -u postgres psql",
      "sshpass -p $PASS ssh db",
      'redis-cli -a "$REDIS_PASSWORD" ping',
      "git push -u origin:main",
      "mkdir -p'foo1234'",
      "mysql -u root -p app",
      "docker login -u acme -p $TOKEN",
      "htpasswd -c .htpasswd admin",
      "7z x backup.7z -pass",
      "openssl enc -aes-256-cbc -k $KEY",
    ],
  }),
  knownByPlace({
    id: "piped-password",
    title: "a password that a command is given",
    anchors: ["echo ", "printf "],
    pattern:
      /(?:(?:echo|printf) (?:-[a-z]{1,3} )?["']?(?:%s(?:\\n)?["'] ["']?)?(?:[\w.-]{1,40}:(?=[^\n]{1,140}chpasswd))?([^\s"'|]{6,128})["']? {0,2}\| {0,2}(?:sudo (?:-[A-Za-z] ){0,3}(?:-S|chpasswd|cryptsetup)|chpasswd|s?u?passwd |smbpasswd|pdbedit |cryptsetup|kinit |su -|gpg2? [^\n]{0,80}--passphrase-fd|openssl [^\n]{0,120}stdin|ssh-add|mysql_config_editor|keepassxc-cli|bw |security |realm join|net ads|adcli |openconnect [^\n]{0,80}--passwd-on-stdin|wpa_passphrase|htpasswd -[a-z]{0,3}i|vncpasswd|ansible-[a-z]{4,10} [^\n]{0,80}-(?:password|pass)-file|(?:docker|podman|helm registry|gh auth|az acr|vault|op|npm|oras|crane) [^\n]{0,80}(?:-stdin|--with-token)|(?:npx |pnpm |yarn |bunx |sudo )?(?:wrangler (?:pages )?secret put|gh secret set|gcloud secrets |(?:docker|podman) secret create|firebase functions:secrets:set|doppler secrets set)))/y,
    accepts: isPassword,
    matches: [
      `echo "${made(12)}" | sudo -S apt update`,
      `echo ada:${made(12)} | chpasswd`,
      `echo '${"Maple"}+482' | kinit svc_web@ACME.DEV`,
      `echo ${made(30)} | docker login -u ada --password-stdin`,
      `printf '%s' ${made(40, "hex")} | npx wrangler secret put INGEST`,
    ],
    passes: [
      'echo "$PASSWORD" | sudo -S apt update',
      "echo done | sudo tee /etc/motd",
      "echo $TOKEN | docker login -u ada --password-stdin",
      'echo "$NEW" | chpasswd',
    ],
  }),
  knownByPlace({
    id: "said-login",
    title: "a name and password to log in with",
    anchors: [
      "log in as ",
      "login as ",
      "logged in as ",
      "sign in as ",
      "log in with ",
      "sign in with ",
      "logged in with ",
      "anmeldung mit ",
      "anmelden mit ",
      "user ",
      "user: ",
      "username ",
      "username: ",
    ],
    // “pass” is a verb unless it stands in a list, behind a name: “the user input and pass Base64Encoder2 to it”.
    pattern:
      /(?:(?:(?:log|logged|sign) ?in (?:as|with)|anmeld(?:ung|en) mit) ["'`]?[\w.@+-]{1,60}["'`]?(?: {0,2}[/|,] {0,2}|:| with )(?:password |pw |pass )?|user(?:name)?:? ["'`]?[\w.@+-]{1,60}["'`]?(?: {0,2}[/|,;] {0,2}(?:pass|pw|pwd)|(?: and| with)? (?:pw|pwd))[: ]{1,2})["'`]?([^\s"'`]{8,64})/iy,
    // Roles and tenants stand there, too: a password has both cases and a digit, or a sign among them.
    accepts: (value) =>
      isSurePassword(value) &&
      (/[a-z].{0,60}[A-Z]|[A-Z].{0,60}[a-z]/.test(value) ||
        /\w[!#$%^&*?+=~]/.test(value) ||
        /^[a-z]{5,16}[0-9]{3,4}$/.test(value)),
    matches: [
      `log in as reporting / ${made(12)}`,
      `sign in with ada@acme.dev : ${made(12)}`.replace(" : ", ":"),
      `here they are: user opsadmin, pass ${made(12)}`,
    ],
    passes: [
      "log in as admin / viewer",
      "log in as ada, tenant-42-eu",
      "log in with alice/bob",
      "For each user tests, pass rate-95 or more",
      "user input and pass HmacSha256 to it",
    ],
  }),
  knownByPlace({
    id: "password-argument",
    title: "a password in the call that connects",
    anchors: [
      "mysqli(",
      "mysqli_connect(",
      "getconnection(",
      "new pdo(",
      "oci_connect(",
      "ftp_login(",
      "ldap_bind(",
      "networkcredential(",
      "httpbasicauth(",
      "passwordcredentials(",
      "passwordauthentication(",
      "connect(",
      ":basic, ",
      "basic_auth",
      "basicauth(",
    ],
    pattern:
      /(?:(?:mysqli|mysqli_connect|connect|getConnection|new PDO|ftp_login|ldap_bind)\([^\n,()]{1,120}, {0,2}[^\n,()]{1,60}, {0,2}|(?:oci_connect|NetworkCredential|HTTPBasicAuth|PasswordCredentials|PasswordAuthentication|basic_?auth)[( ][^\n,()]{1,60}, {0,2}|:basic, {1,2}["'][\w.@-]{1,60}["'], {0,2})["']([^\s"']{4,128})["']/iy,
    // Much else is connected by a call of that name alone.
    accepts: (value, text, start) =>
      (/(?<![\w$])connect\([^\n]{1,190}$/i.test(text.slice(Math.max(0, start - 200), start))
        ? isSurePassword
        : isPassword)(value),
    matches: [
      `$db = new mysqli("localhost", "ci", "${made(14)}", "shop");`,
      `DriverManager.getConnection("jdbc:x://db/app", "app", "${made(12)}")`,
      `requests.get(url, auth=HTTPBasicAuth("ada", "${made(12)}"))`,
      `my $dbh = DBI->connect("dbi:Pg:dbname=stock;host=pg3", "stock", "${made(12)}");`,
      `f.request :authorization, :basic, 'sync', '${made(12)}'`,
      `request.basic_auth("sync", "${made(12)}")`,
    ],
    passes: [
      'socket.connect("host", "8080", "tcp")',
      'request.basic_auth("sync", ENV["DB_PASSWORD"])',
      'new mysqli("localhost", "ci", $password, "shop2024db1")',
      'new PDO($dsn, "root", "password")',
      'HTTPBasicAuth("user", "pass")',
    ],
  }),
  knownByPlace({
    id: "wordpress-salt",
    title: "a key or salt of WordPress",
    anchors: ["auth_salt", "auth_key", "logged_in_salt", "logged_in_key", "nonce_salt", "nonce_key"],
    pattern: /(?:auth|logged_in|nonce)_(?:salt|key)["'], {0,8}["']([^\n"']{40,80})["']/iy,
    accepts: (value) => /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value),
    matches: [`define('AUTH_SALT', '${made(30)} (${made(30)}');`],
    passes: ["define('AUTH_SALT', 'put your unique phrase here');"],
  }),
  knownByPlace({
    id: "stored-by-command",
    title: "a value that a command stores as a secret",
    anchors: ["secret set ", "--secret-string ", "--secret-string=", "put-parameter ", "secrets versions add "],
    pattern:
      /(?:secret set [^\n|;&]{1,120}?(?:--body|-b|--value)[ =]{1,2}["']?|--secret-string[ =]{1,2}["']?|put-parameter [^\n|;&]{1,160}?securestring[^\n|;&]{0,80}?--value[ =]{1,2}["']?)([^\s"']{8,500})/iy,
    accepts: (value) => isPassword(value) && isRandom(value),
    matches: [
      `gh secret set DEPLOY --body "${made(40, "hex")}"`,
      `az keyvault secret set --vault-name kv --name db --value ${made(16)}`,
      `aws secretsmanager create-secret --name db --secret-string "${made(20)}"`,
      `aws ssm put-parameter --name /db --type SecureString --value ${made(20)}`,
    ],
    passes: [
      'gh secret set DEPLOY --body "$TOKEN"',
      "gh secret set DEPLOY < token.txt",
      "aws secretsmanager create-secret --secret-string file://secret.json",
    ],
  }),
  knownByPlace({
    id: "device-password",
    title: "a password in the configuration of a network device",
    anchors: [
      "enable secret ",
      "enable password ",
      "snmp-server community ",
      "-server key ",
      "username ",
      "isakmp key ",
      "pre-shared-key ",
      "key-string ",
      "key-chain ",
    ],
    pattern:
      /(?:enable (?:secret|password) (?:level [0-9]{1,2} )?(?:[05-9] )?|snmp-server community |-server key (?:[07] )?|isakmp key (?:[06] )?|pre-shared-key (?:[06] |ascii-text |local |remote )?|key-string (?:[07] )?|username [\w.-]{1,40} (?:privilege [0-9]{1,2} )?(?:secret|password) (?:[05-9] )?)["']?([^\s"'`]{6,128})(?=["']?[ \t]{0,4}(?:\r?\n|$|r[ow](?![a-z])|view |address |hostname |[0-9]))/iy,
    accepts: (value) => isPassword(value) && (/[0-9]/.test(value) || isRandomCase(value)),
    matches: [
      `enable secret 0 ${made(10)}`,
      `snmp-server community ${made(14)} RO`,
      `username ada privilege 15 secret 5 ${made(20)}`,
    ],
    passes: [
      "enable secret rotation on all devices",
      "enable password reset2fa flow for tenants",
      "snmp-server community public RO",
      "username and password",
    ],
  }),
  knownByPlace({
    id: "pgpass-line",
    title: "a line of a .pgpass file",
    anchors: [":5432:", ":5433:", ":6432:", ":*:"],
    pattern: /:(?:[0-9]{4}|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:"'`]{4,128})/y,
    accepts: isPassword,
    matches: [`db.acme.dev:5432:app:app:${made(12)}`],
    passes: ["localhost:5432:app:app:password", "hostname:5432:database:username:<password>", "*:*:*:postgres:*"],
  }),
  knownByPlace({
    id: "mail-login",
    title: "a mail address beside what looks like its password",
    anchors: ["@gmail.com"],
    pattern:
      /@gmail\.com["'`)>*]{0,3}(?:[ \t]{0,3}[,;:|/][ \t/]{0,3}|[ \t]{1,3}(?:with|and|\/|-|–) {0,2})(?:(?:the |its |my )?(?:password|passwd|pass|pwd|pw|credentials?|login|token)[ \t]{0,2}(?:is |was |[:=] ?)?[ \t]{0,2})?["'`]?([^\s"'`|,]{6,128})/iy,
    accepts: isSurePassword,
    matches: [`someone@gmail.com / ${made(10)}`, `qa.someone@gmail.com, password ${made(10)}`],
    passes: ["Write to someone@gmail.com", "someone@gmail.com, other@gmail.com", "someone@gmail.com and tell them"],
  }),
];

const publicReceiver =
  /^@(?:o[0-9]{1,20}\.ingest(?:\.[a-z]{2})?\.sentry\.io|sentry\.[a-z0-9.-]{1,60})\/[0-9]{1,20}(?![\w/])/;

/** Refused unless it is plain that nobody's password stands there: examples use a few words over and over. */
function isUrlPassword(value: string, text: string, start: number): boolean {
  const password = decoded(value);
  // Variables and masks; `host:8080/path@x`, where a port stands.
  if (/^[a-z]{1,3}$|^[0-9]{1,5}(?:[/?#]|$)/i.test(password)) return false;
  if (/^[$<{%*[]/.test(password) && isPlaceholder(password)) return false;
  const user = /:\/\/([^\s:/@]{0,80}):$/.exec(text.slice(Math.max(0, start - 90), start))?.[1] ?? "";
  const host = text.slice(start + value.length + 1, start + value.length + 64);
  const isExample = exampleUser.test(user) || exampleHost.test(host);
  return !(isExample && (password === user || isPlaceholder(password))) && !/^x{3,}$/i.test(password);
}

const exampleUser = /^(?:user(?:name)?|name|login|me|you|[<${%[].{0,80})$/i;
const exampleHost =
  /^(?:localhost|127\.|0\.0\.0\.0|\[::1|[a-z0-9_-]{1,30}(?:[:/?#\s"'`)]|$)|(?:[\w-]{1,40}\.){0,4}example\b|[<${%[])/i;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isBasic(value: string): boolean {
  const login = Buffer.from(value, "base64").toString("latin1");
  const [, password] = /^[\x20-\x7e]{0,100}?:([\x20-\x7e]{3,200})$/.exec(login) ?? [];
  return password !== undefined && !isPlaceholder(password);
}
