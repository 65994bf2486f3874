import { isChosenFromWords } from "../chosen-words.ts";
import { isPlaceholder } from "../placeholder.ts";
import { isMixed, isSignedPassword, plausibilityOf } from "../plausible-value.ts";
import { knownByForm, knownByPlace, type Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { isNamed } from "../wordiness.ts";
import { made } from "./made.ts";

const isPassword = (value: string) => plausibilityOf(value, { kind: "password", literal: true }) !== "none";

/** `req.csrfToken2`, `process.env.API_KEY2` */
const isPathOfNames = /^[A-Za-z_$]\w{0,30}(?:\.[A-Za-z_$]\w{0,30}){1,6}$/;

/** Commands that ask for a password and take what they are given. */
const readsPassword =
  /(?:sudo [^\n|;]{0,30}-S|passwd|login|cryptsetup|kinit|\bsu\b|stdin|passphrase-fd|smbpasswd|ssh-add|askpass|unlock)[^\n|;]{0,60}<<< ?["']?$/;

/** No name of a group, a tag or a host. */
const isDrawn = (value: string) =>
  isMixed(value) ||
  (/[0-9]{2}/.test(value) && (!isNamed(value) || /^\w@\w/.test(value)) && isRandom(value) && !/^sha[0-9]/.test(value));
/** `ops@web-01`, and not `p@ssw3rd-x71`. */
const isAtHost = (value: string) => /^[^@]{2,40}@[a-z0-9-]{1,40}$/.test(value) && isNamed(value);

/** Where servers, devices and scripts keep what they log in with. */
export const configurationRules: readonly Rule[] = [
  knownByPlace({
    id: "header-value",
    title: "a header that carries a key, as servers and proxies set it",
    anchors: [
      "set_header ",
      "set-header ",
      "add-header ",
      "add_header ",
      "header_up ",
      "header_down ",
      "requestheader ",
      "more_set_input_headers ",
      "header set ",
      "header add ",
      "header(",
      "headers.add(",
      "headers.set(",
      "headers.append(",
      "addheader(",
      "setheader(",
      "setrequestheader(",
      "defaultrequestheaders.add(",
      ".set(",
    ],
    pattern:
      /(?:(?:set|add)[_-]header|header_(?:up|down)|requestheader (?:set|add|append)|more_set_input_headers|header (?:set|add)|header|headers\.(?:add|set|append)|(?:add|set|setrequest)header|defaultrequestheaders\.add|\.set)[( ]{1,2}(?:always )?["']?[+]?[\w-]{0,48}(?:key|token|secret|auth|password|passwd|credential|signature)["']?[,: ]{1,4}["']?([A-Za-z0-9_.~+/=-]{16,500})/iy,
    accepts: (value) => isRandom(value) && !isPathOfNames.test(value) && !isPlaceholder(value),
    matches: [
      `proxy_set_header X-Internal-Key ${made(32)};`,
      `http-request set-header X-Api-Auth ${made(40, "hex")}`,
      `header_up X-Auth ${made(24)}`,
      `req.setHeader("X-Backend-Auth", "${made(30)}")`,
    ],
    passes: [
      "proxy_set_header X-Internal-Key $internal_key;",
      "http-request set-header X-Api-Token %[var(txn.token)]",
      'res.setHeader("X-Csrf-Token", req.csrfToken2())',
      "proxy_set_header Authorization $http_authorization;",
      'headers.set("X-Api-Key", process.env.API_KEY2)',
    ],
  }),
  knownByPlace({
    id: "cookie-header",
    title: "a cookie that lets its bearer in",
    anchors: ["cookie: ", "cookie:", "cookie ", "-b '", '-b "', "--cookie "],
    pattern:
      /(?:cookie:? {0,2}|-b |--cookie )["'`]?[^\n"'`]{0,120}?((?<![\w.-])[A-Za-z][\w.-]{1,40}=[A-Za-z0-9%._~+/|!*-]{32,1000}={0,2})(?![A-Za-z0-9])/iy,
    accepts: (value) =>
      !/^(?:_g[ac]|_gid|_gcl|_fb|_hj|__utm|__cf|_mkto|_uet|amp_|ajs_|optimizely|intercom-id|euconsent|consent|csrf|xsrf|theme|lang|locale|amplitude|mp_|_pk_|cookieconsent|visitor)/i.test(
        value,
      ) && isRandom(value.slice(value.indexOf("=") + 1)),
    matches: [`Cookie: theme=dark; MYSAPSSO2=${made(90)}`, `curl -b 'ory_kratos=${made(60)}' https://acme.dev/me`],
    passes: [
      `Cookie: _ga=GA1.2.${made(40, "digits")}`,
      "Cookie: theme=dark; consent=analytics-and-marketing-accepted-by-user",
      "Cookie: name=<value>",
    ],
  }),
  knownByPlace({
    id: "login-lines",
    title: "a name and password in the lines of a configuration",
    anchors: ["auth-user-pass", "chpasswd:", "chpasswd <<", "machine "],
    pattern:
      /(?:machine[ \t]{1,4}[\w.:-]{1,80}\s{1,8}login\s{1,4}\S{1,64}\s{1,8}password\s{1,4}|auth-user-pass>?[^\n]{0,40}\n[ \t]{0,8}[\w.@\\-]{1,64}\r?\n[ \t]{0,8}|chpasswd(?::|[ \t]{0,2}<<)[^\n]{0,40}\n(?:[^\n:]{0,40}:[^\n]{0,24}\n){0,3}?[ \t-]{0,12}["']?[\w.-]{1,40}:[ \t]{0,1})["']?([^\s"'<>]{6,128})/iy,
    accepts: isPassword,
    matches: [
      `<auth-user-pass>\nada\n${made(12)}\n</auth-user-pass>`,
      `chpasswd:\n  list: |\n    root:${"Maple"}+482\n`,
      `chpasswd <<EOF\nada:${made(12)}\nEOF`,
      `machine git.acme.dev login ada password ${made(40, "hex")}`,
    ],
    passes: [
      "auth-user-pass /etc/openvpn/login.txt\nada\nremote vpn.acme.dev",
      "chpasswd:\n  expire: false\n  list: []",
      "chpasswd <<EOF\nada:$PASSWORD\nEOF",
      "machine api.acme.dev login <mail> password <api-key>",
    ],
  }),
  knownByForm({
    id: "wireless-code",
    title: "the code that joins a wireless network",
    anchors: ["wifi:t:", "wifi:s:", "wifi:p:"],
    pattern: /WIFI:(?:[TSHAER]:[^\n;]{0,64};){0,4}P:((?:\\.|[^\n;\\]){8,63});/iy,
    accepts: (value) => isPassword(value.replaceAll("\\", "")),
    matches: [`WIFI:T:WPA;S:Guest;P:${made(10)};;`],
    passes: ["WIFI:T:WPA;S:Guest;P:<password>;;", "WIFI:T:nopass;S:Guest;;", "WIFI:T:WPA;S:Guest;P:password;;"],
  }),
  knownByForm({
    id: "private-calendar",
    title: "the private address of a calendar",
    anchors: ["/private-"],
    pattern: /\/private-([0-9a-f]{32})\/[a-z]{4,8}(?:\.ics)?/y,
    accepts: isRandom,
    matches: [`https://calendar.google.com/calendar/ical/ada%40acme.dev/private-${made(32, "hex")}/basic.ics`],
    passes: ["https://calendar.google.com/calendar/ical/x/private-token/basic.ics"],
  }),
  knownByPlace({
    id: "sent-password",
    title: "a password that a script types",
    anchors: ["send ", "sendline(", "send_keys(", "sendkeys(", "send_text("],
    pattern:
      /(?:send (?:-- )?["']([^\s"'\\]{6,64})(?:\\[rn]){1,2}["']|(?:sendline|send_keys|sendkeys|send_text)\(b?["']([^\s"'\\]{6,64})["']\))/y,
    // Commands and answers are sent as well: what tells a password is a sign among letters and digits, or a drawn mixture.
    accepts: (value) => {
      const sent = /["']([^\s"'\\]{6,64})/.exec(value)?.[1] ?? value;
      return (
        isPassword(sent) &&
        /[0-9]/.test(sent) &&
        !isPlaceholder(sent) &&
        (/\w[!#%&*?+~^@]\w/.test(sent) || (/[a-z]/.test(sent) && /[A-Z]/.test(sent) && isRandom(sent)))
      );
    },
    matches: [`expect "assword:"\nsend "${made(12)}\\r"`, `child.sendline("${"Maple"}!482")`],
    passes: ['send "yes\\r"', 'send "$password\\r"', 'child.sendline("show version2")', 'element.send_keys("user42")'],
  }),
  knownByPlace({
    id: "opens-with",
    title: "a password that something opens with",
    anchors: [
      "opens with ",
      "open with ",
      "unlocks with ",
      "unlock with ",
      "unlocked with ",
      "unlock it with ",
      "logs in with ",
      "decrypts with ",
      "decrypt with ",
      "decrypt it with ",
      "encrypted with ",
      "unzip with ",
      "get in with ",
      "got in with ",
      "works with ",
      "locked with ",
      "locked by ",
      "protected with ",
      "secured with ",
      "sealed with ",
      "gesperrt mit ",
      "geschützt mit ",
      "protegido con ",
      "protegido com ",
      "protégé par ",
      "защищён паролем ",
      "защищен паролем ",
      "открывается с ",
      "открывается паролем ",
      "öffnet mit ",
      "entsperrt mit ",
      "s'ouvre avec ",
      "se abre con ",
      "abre com ",
    ],
    pattern:
      /(?:(?:opens?|unlock(?:s|ed)?|logs in|decrypts?|encrypted|unzip|g[eo]t in|works|locked|protected|secured|sealed)(?: it)? (?:with|by)|защищ[её]н паролем|(?:gesperrt|geschützt) mit|protegido (?:con|com)|protégé par|открывается (?:с|паролем)|(?:öffnet|entsperrt) mit|s'ouvre avec|se abre con|abre com) ["'`]?([^\s"'`;,]{8,64})/iy,
    accepts: (value) => {
      const password = value.replace(/[.!?)\]}>*_~%]{1,6}$/, "");
      if (!isPassword(password) || !(isMixed(password) || isSignedPassword(password))) return false;
      // Keys on a keyboard, and programs with their versions.
      if (/^(?:ctrl|cmd|alt|shift|meta|super|option|win|f[0-9]{1,2})[-+]/i.test(password)) return false;
      return !/^[A-Za-z.]{2,20}[-/]v?[0-9]{1,3}(?:\.[0-9]{1,3}){0,3}$/.test(password);
    },
    matches: [
      `Her mailbox opens with Copper-HQ${made(4)}69; the host is mail.acme.dev`,
      `The archive unlocks with ${made(12)}.`,
    ],
    passes: [
      "It opens with Ctrl-Shift-F12.",
      "The client works with PostgreSQL-17.2 and later.",
      "Works with Node-v22.13, TypeScript-5.6 and others.",
      "Backups are encrypted with AES-256-GCM.",
    ],
  }),
  knownByPlace({
    id: "here-string",
    title: "a password that a command reads from a here-string",
    anchors: ["<<< ", "<<<"],
    pattern: /<<< ?["']?([^\s"'<|]{6,128})/y,
    accepts: (value, text, start) =>
      readsPassword.test(text.slice(Math.max(0, start - 90), start)) && isPassword(value) && /[0-9]/.test(value),
    matches: [`sudo -S apt update <<< '${made(12)}'`, `kinit svc_web@ACME.DEV <<<"${made(12)}"`],
    passes: ['sudo -S apt update <<< "$PASSWORD"', 'jq .items2 <<< "abcdef123"', "grep -c main2 <<< result2024"],
  }),
  knownByPlace({
    id: "wireless-login",
    title: "the name of a wireless network and its password",
    anchors: ["wi-fi", "wifi", "wlan", "ssid"],
    pattern:
      /(?:wi-?fi|wlan|ssid)(?:[^\n:=|]{0,32}:|) ["'`]?[\w-]{2,32}["'`]?(?: ?[/|,;] ?| - )["'`]?([^\s"'`,;]{8,63})(?![/=:])/iy,
    accepts: (value) =>
      isPassword(value) && /[A-Za-z]/.test(value) && !isNamed(value.replace(/[.!?)]{1,3}$/, "")) && !/[/:]/.test(value),
    matches: [`Wi-Fi: HomeNet / ${made(12)}`, `SSID AcmeGuest, ${made(10)}`, `wifi at the cabin: Lake / ${made(10)}`],
    passes: [
      "WiFi: 2.4 GHz / 802.11ax",
      "ssid: HomeNet, channel-11",
      "SSID AcmeGuest / wpa2-psk",
      "Wi-Fi: HomeNet, ask2024",
    ],
  }),
  knownByPlace({
    id: "directory-login",
    title: "a name of a directory and its password",
    anchors: [",dc="],
    pattern: /,dc=[\w-]{1,40}["'`]?(?: ?[/|] ?| - |:)["'`]?([^\s"'`,;/]{8,64})/iy,
    accepts: (value) => {
      const password = value.replace(/[.!?)\]}>*_~%]{1,6}$/, "");
      return isPassword(password) && /[0-9]/.test(password) && (isMixed(password) || isSignedPassword(password));
    },
    matches: [`LDAP bind: cn=svc,dc=acme / ${made(12)}`],
    passes: ["cn=svc,dc=acme / read-only", "bind cn=admin,dc=acme,dc=dev", "ou=groups,dc=acme | members2024"],
  }),
  knownByPlace({
    id: "usual-login",
    title: "a usual user name and its password",
    anchors: [
      "admin/",
      "root/",
      "administrator/",
      "admin:",
      "root:",
      "administrator:",
      "admin / ",
      "root / ",
      "postgres / ",
      "deploy / ",
      "guest / ",
      "operator / ",
    ],
    pattern:
      /(?:(?:admin|root|administrator)(?: \/ |[/:])|(?:postgres|deploy|guest|operator) \/ )["'`]?([A-Za-z0-9@][\w!#$%&*?+~^@-]{6,40})(?![/=:])/iy,
    accepts: (value, text, start) =>
      !/(?:[A-Za-z0-9/.:@-]|chown [^\n]{0,12})(?:admin|root|administrator|postgres|deploy|guest|operator)(?: \/ |[/:])["'`]?$/i.test(
        text.slice(Math.max(0, start - 24), start),
      ) &&
      (/[A-Za-z][!$%*^~?+@&][A-Za-z0-9]{0,12}[0-9]{2}/.test(value) ||
        (text[start - 1] !== "/" && isDrawn(value)) ||
        (text[start - 1] === " " && isChosenFromWords(value))) &&
      !isAtHost(value) &&
      isPassword(value),
    matches: [
      `admin/${"Maple"}*948 works on the old switch`,
      `root:${"Maple"}!482`,
      `- wiki admin:${"m@pl"}3-x73${made(4, "digits")}`,
    ],
    passes: [
      "admin:ops@web-01",
      "admin:role-2024-01",
      "admin/users?page=12",
      "root:x:0:0:root",
      "admin/settings#section12",
      "admin:admin",
      "root/.ssh/id_ed25519",
    ],
  }),
];
