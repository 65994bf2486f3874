import { type CommandWord, commandWords } from "../command-words.ts";
import { plausibilityOf } from "../plausible-value.ts";
import type { Effort, Rule, Span } from "../rule.ts";
import { isRandom, isVaried, withoutFiller } from "../variety.ts";
import { made } from "./made.ts";

/**
 * Where programs take a password or a key: the names of the programs, and the words that lead to it. `X` is a password,
 * `K` a key that a machine made, `_` any one word or the part of a word up to the next sign; the rest is literal. Words
 * may stand anywhere in the command. A flag and its value may also be one word with an equals sign.
 */
const table = `
sqlcmd, osql, bcp, tsql                      | -P X | -PX
mssql-cli, usql, pgcli, mycli, litecli       | -p X | -P X
cqlsh, nodetool, sstableloader, dse          | -p X | -pw X
cypher-shell, neo4j-admin                    | -p X | set-initial-password X
beeline, hive, couchbase-cli, cbq, cbbackupmgr, cbexport | -p X
clickhouse-client                            | --password X
influx                                       | -p X | -t K | --token K
db2                                          | using X
isql, isql-fb, gbak, gsec, gfix              | -pas X | -p X
sqlplus, rman, expdp, impdp, sqlldr, sqlcl   | _/X@_ | _/X
mysqlsh, mysqlpump, mysqlslap, xtrabackup, mariabackup | -pX
mongostat, mongotop, mongofiles, mongoexport | -p X
redis-benchmark, redis-shake, valkey-cli, keydb-cli | -a X
elasticsearch-users                          | -p X
http, https, httpie, xh, xhs, curlie         | -a _:X | --auth _:X
wget2, aria2c, axel                          | --http-passwd X
curl                                         | --proxy-user _:X | -U _:X | --user _:X | -u_:X
lftp, ncftp, ncftpget, ncftpput              | -u _,X | -p X
smbclient, rpcclient, smbget, smbcacls, smbtree, net, wbinfo, smbmap | -U _%X | --user=_%X
nxc, netexec, crackmapexec, evil-winrm, wmiexec.py, psexec.py | -p X
mount.cifs                                   | -o _=_,_=X
psexec, psexec64, paexec, winrs, winrm, wmic, tasklist, taskkill | -p X | /p X | -p:X | /password:X
net                                          | user _ X | use _ X | use _ _ X
cmdkey                                       | /pass:X | /p:X
schtasks                                     | /rp X | /p X
dsadd, dsmod                                 | -pwd X
signtool, certutil, certreq, importpfx       | /p X | -p X
xfreerdp, xfreerdp3, wfreerdp, sdl-freerdp   | /p:X | -p X
rdesktop, remmina, vncdo, vncdotool          | -p X
plink, pscp, psftp, putty, kitty             | -pw X
winscp.com, winscp                           | /password=X
useradd, usermod, adduser, pw                | -p X | --password X
samba-tool                                   | create _ X | add _ X | setpassword _ X
ipa, dsidm                                   | --password X
addprinc, cpw, ank, change_password          | -pw X
dscl                                         | -passwd _ X
sysadminctl                                  | -newPassword X | -password X
security                                     | unlock-keychain -p X | -w X | -P X
networksetup                                 | -setairportnetwork _ _ X
rootpw                                       | --plaintext X | X
wpa_passphrase                               | _ X
nmcli                                        | password X | wifi-sec.psk X | 802-11-wireless-security.psk X
iwctl                                        | --passphrase X
rabbitmqctl                                  | add_user _ X | change_password _ X | authenticate_user _ X
rabbitmqadmin, rabbitmq-perf-test            | -p X
mosquitto_pub, mosquitto_sub, mosquitto_rr, mqttx, mqtt | -P X | -pw X
nats, stan-pub                               | --password X
kcat, kafkacat                               | -X _=X
ipmitool, ipmicfg, bmc-config, ipmi-chassis  | -P X | -p X
racadm, hponcfg, conrep                      | -p X
snmpget, snmpwalk, snmpset, snmpbulkwalk, snmpbulkget, snmptable, snmptrap | -A X | -X X | -c X
upscmd, upsrw                                | -p X
govc, ovftool, vmrun, esxcli, vim-cmd        | -p X | -gp X
mc, mcli                                     | alias set _ _ _ X | config host add _ _ _ X | user add _ _ X
vault                                        | login K | unseal K
consul, nomad                                | login K
snyk                                         | auth K | config set api=K
ngrok                                        | authtoken K | add-authtoken K
cloudflared                                  | service install K
doctl, hcloud, linode-cli                    | -t K | --access-token K
flyctl, fly, vercel, netlify, railway, surge | -t K | --token K | --auth K
cargo, wandb, huggingface-cli, hf            | login K | --token K
nuget, dotnet                                | setapikey K | -k K | user-secrets set _ X
pulumi                                       | --secret _ X
poetry, bundle, bundler                      | pypi-token._ K | http-basic._ _ X | _ _:X
twine                                        | -p X
npm, yarn, pnpm                              | //_/:_authToken=K | //_/:_authToken K | _authToken=K | _authToken K | _auth=K | _auth K | npmAuthToken K
codecov, codecovcli, codecov.io/bash)        | -t K | --token K
altool, notarytool                           | -p X | --password X
skopeo, buildah, podman, crictl, ctr, nerdctl | --creds _:X | --src-creds _:X | --dest-creds _:X | -u _:X | --user _:X
oc, argocd, cf, ibmcloud, az, helm           | -p X | auth _ X
jenkins-cli.jar, jenkins-cli                 | -auth _:X
openssl                                      | -passin pass:X | -passout pass:X | -pass pass:X | -K K | -hmac X | -k X
gpg, gpg2                                    | --passphrase X
pkcs12, jarsigner, keytool, apksigner        | -storepass X | -keypass X | -srcstorepass X | pass:X
unzip, zip, zipinfo, 7zz, funzip             | -P X | -p X | -pX
rar, unrar, wrar                             | -hpX | -pX
qpdf, pdftk, mutool, pdftotext, pdfunite     | --encrypt X | --encrypt _ X | input_pw X | user_pw X | owner_pw X | -upw X | -opw X | -p X
yt-dlp, youtube-dl, gallery-dl, streamlink   | -p X
imapsync                                     | --password1 X | --password2 X
swaks, msmtp, sendemail                      | -ap X | -xp X
p4                                           | -P X
svn, hg                                      | --password X
drush, occ                                   | upwd _ X | user:password _ X
wp                                           | --user_pass=X | --dbpass=X | --admin_password=X
rclone                                       | obscure X | pass X
ntfy                                         | -u _:X
oathtool                                     | -b X
expressvpn, nordvpn, openconnect, vpnc       | --token K | -p X
psexec.exe, sqlcmd.exe, net.exe, plink.exe   | -p X | -P X | user _ X | -pw X
`;

interface Item {
  readonly literal?: string;
  readonly pattern?: RegExp;
  readonly kind: "word" | "password" | "key";
}

interface Program {
  readonly name: string;
  readonly forms: readonly string[];
}

export const programs: readonly Program[] = mergedByName(
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [names = "", ...forms] = line.split(" | ").map((part) => part.trim());
      return names.split(", ").map((name) => ({ name, forms }));
    }),
);

function mergedByName(all: readonly Program[]): Program[] {
  const byName = new Map<string, string[]>();
  for (const { name, forms } of all) byName.set(name, [...(byName.get(name) ?? []), ...forms]);
  return [...byName].map(([name, forms]) => ({ name, forms }));
}

/** The part of a word that is any, and the value: neither can be read in two ways. */
const anyPart = "[^\\s:,%/=@]{1,80}";

function itemOf(written: string): Item {
  if (written === "_") return { kind: "word", pattern: /^[^-]/ };
  const value = /(?<![A-Za-z])[XK](?![A-Za-z])|(?<=^-[A-Za-z]{1,3})X$/.exec(written);
  const escaped = (part: string) =>
    part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&").replaceAll(/(?<![A-Za-z])_(?![A-Za-z])/g, anyPart);
  if (!value && /(?<![A-Za-z])_(?![A-Za-z])/.test(written))
    return { kind: "word", pattern: new RegExp(`^${escaped(written)}$`) };
  if (!value) return literally(written);
  const [before, after] = [written.slice(0, value.index), written.slice(value.index + 1)];
  // Where a name follows, as in “app/x@host”, the value ends before it.
  const inside = after === "" ? "(.{4,160})" : "([^@]{4,160})";
  return {
    kind: value[0] === "K" ? "key" : "password",
    pattern: new RegExp(`^${escaped(before)}${inside}${escaped(after)}$`),
  };
}

function literally(literal: string): Item {
  return { kind: "word", literal };
}

function itemsOf(form: string): Item[][] {
  const words = form.split(" ");
  const [flag = "", value = ""] = words;
  const asOne = words.length === 2 && flag.startsWith("--") ? [[itemOf(`${flag}=${value}`)]] : [];
  // `-X` and `-K` lead to a value themselves.
  const items = words.map((word) => (words.length > 1 && /^-[XK]$/.test(word) ? literally(word) : itemOf(word)));
  return [items, ...asOne];
}

const formsByName = new Map(programs.map(({ name, forms }) => [name, forms.flatMap(itemsOf)]));
/** In a shell a blank follows the name, and in a list of words a quote. */
const anchors = programs.flatMap(({ name }) => [`${name} `, ...(name.length > 3 ? [`${name}"`] : [])]);

/** Passwords and keys that a program is given among its words. */
export const commandRule: Rule = {
  id: "command-argument",
  title: "a password or key that a command is given",
  anchors,
  startsWord: true,
  knownByForm: false,
  find: (text, anchor, effort) => {
    effort.spent += 1;
    if (/[A-Za-z0-9.$@-]/.test(text[anchor.start - 1] ?? "")) return undefined;
    const words = commandWords(text, anchor.end - 1);
    effort.spent += 4 + words.length * 4;
    if (words.length === 0) return undefined;
    const forms = formsByName.get(text.slice(anchor.start, anchor.end - 1).toLowerCase()) ?? [];
    effort.spent += forms.length * words.length;
    for (const form of forms) {
      const found = valueIn(words, form, effort);
      if (found) return found;
    }
    return undefined;
  },
  matches: [
    `sqlcmd -S db1 -U sa -P '${made(14)}' -Q "select 1"`,
    `http -a bot:${made(20)} https://api.acme.dev/jobs`,
    `xh -a ada:${"Waffle"}93 https://api.acme.dev/me`,
    `npm config set _authToken ${made(8, "hex")}-${made(4, "hex")}-4${made(3, "hex")}-9${made(3, "hex")}-${made(12, "hex")}`,
    `smbclient //nas/share -U 'ACME\\ada%${made(12)}'`,
    `net user helpdesk ${made(12)} /add`,
    `rabbitmqctl add_user worker ${made(12)}`,
    `mc alias set prod https://s3.acme.dev ADA ${made(40)}`,
    `snyk auth ${made(8, "hex")}-${made(4, "hex")}-4${made(3, "hex")}-9${made(3, "hex")}-${made(12, "hex")}`,
    `RUN ["sqlcmd", "-U", "sa", "-P", "${made(12)}"]`,
    `ipmitool -I lanplus -H bmc1 \\\n  -U ADMIN -P ${made(12)} power status`,
    `openssl rsa -in a.key -des3 -K ${made(32, "hex")}`,
    `expdp app/${made(12)}@main schemas=app`,
    `rootpw --plaintext ${made(12)}`,
  ],
  passes: [
    'sqlcmd -S db1 -U sa -P "$SA_PASSWORD"',
    "sqlcmd -S db1 -U sa -P <password>",
    "http -a user:password https://api.acme.dev",
    "xh -a user:password1 https://api.acme.dev",
    "http -a $USER:$PASSWORD GET localhost:8080/jobs2",
    "net user helpdesk * /add",
    "net use Z: \\\\nas\\share /persistent:yes",
    "mc alias set prod https://s3.acme.dev ACCESS_KEY SECRET_KEY",
    "openssl pkcs12 -in a.p12 -passin env:P12_PASSWORD",
    "openssl pkcs12 -in a.p12 -passin file:/run/secrets/p12",
    'rabbitmqctl add_user worker "$(cat /run/secrets/mq2)"',
    "useradd -m -s /bin/bash deploy2024",
    "rabbitmqctl add_user worker worker2",
    "unzip -p archive.zip manifest2024.json",
    "snyk auth",
    "vault login -method=oidc role=admin2",
    "helm upgrade app charts/app -p 8080",
  ],
};

function valueIn(words: readonly CommandWord[], form: readonly Item[], effort: Effort): Span | undefined {
  for (let from = 0; from + form.length <= words.length; from += 1) {
    const found = valueFrom(words.slice(from), form, effort);
    if (found) return found;
  }
  return undefined;
}

function valueFrom(words: readonly CommandWord[], form: readonly Item[], effort: Effort): Span | undefined {
  let found: Span | undefined;
  for (const [index, { literal, pattern, kind }] of form.entries()) {
    const word = words[index];
    if (!word) return undefined;
    if (literal !== undefined && word.text !== literal) return undefined;
    const match = pattern?.exec(word.text);
    if (pattern && !match) return undefined;
    if (kind === "word") continue;
    effort.spent += 40 + word.text.length;
    found = givenIn(word, match?.[1] ?? "", kind, { isPaired: /[:%]/.test(pattern?.source ?? "") });
    if (!found) return undefined;
  }
  return found;
}

interface Given {
  /** Behind a name and a sign, “ada:x”, stands a password and nothing else. */
  readonly isPaired: boolean;
}

function givenIn(word: CommandWord, taken: string, kind: Item["kind"], { isPaired }: Given): Span | undefined {
  const value = taken.replaceAll(/^["']|["']$/g, "");
  if (!isGiven(value, kind) || (kind === "password" && (isPaired ? isExample : isNumbered).test(value)))
    return undefined;
  const start = word.start + word.text.lastIndexOf(value);
  return { start, end: start + value.length };
}

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** What a shell puts in, and options, files and addresses, which commands are given more often than passwords. */
const isPutIn = /^(?:[$`%<{*?~-]|\.{0,2}\/|https?:|[A-Za-z]:\\|\\\\)|\.[a-z]{2,4}$/;

function isGiven(value: string, kind: Item["kind"]): boolean {
  if (isPutIn.test(value) && !/^\$[^\s{(]{2,60}[!#%&*?+~^]/.test(value)) return false;
  if (kind === "key") {
    const key = isVaried(value) ? value : withoutFiller(value);
    return isUuid.test(key) || (key.length >= 16 && isRandom(key));
  }
  return plausibilityOf(value, { kind: "password", literal: true }) !== "none";
}

/** `worker2`, `app-01`: what else is given to a program; with a year behind it a word is a password as often as not. */
const isNumbered = /^(?:(?:[a-z][a-z_.-]{1,15}|[A-Z_]{2,16})[0-9]{1,3}|[A-Z][a-z_.-]{1,15}[0-9])$/;
const isExample = /^(?:my|your|the)?(?:pass(?:word|wd)?|pw|secret|token)[0-9]{1,3}$/i;
