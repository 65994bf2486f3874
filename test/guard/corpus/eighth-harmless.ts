/** Lines that hold no secret, written without a look at the rules. */
export const eighthHarmless = `
placeholder env, your | OPENAI_API_KEY=your-api-key-here
placeholder env, angle | GITHUB_TOKEN=<your-github-token>
placeholder env, xxx | STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
placeholder env, empty | DB_PASSWORD={n}DB_USER=app
placeholder env, changeme | POSTGRES_PASSWORD=changeme
placeholder env, replace_me | JWT_SECRET=REPLACE_ME_WITH_A_LONG_RANDOM_STRING
placeholder env, ellipsis | ANTHROPIC_API_KEY=sk-ant-...
placeholder env, example comment | # .env.example{n}SLACK_BOT_TOKEN=xoxb-your-bot-token{n}SLACK_CHANNEL=#ops
placeholder, github x | git clone https://ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@github.com/acme/web.git
placeholder, url user:password | DATABASE_URL=postgres://user:password@localhost:5432/dbname
placeholder, url brackets | mongodb+srv://<username>:<password>@cluster0.mongodb.net/<dbname>
placeholder, url upper | redis://:PASSWORD@HOST:6379/0
placeholder, curl | curl -H "Authorization: Bearer YOUR_ACCESS_TOKEN" https://api.example.com/v1/me
placeholder, curl basic | curl -u username:password https://api.example.com/items
placeholder, yaml | password: "<insert password here>"
placeholder, stars | password: ********
placeholder, asterisk tail | The key in use is sk-proj-****************************ab3f
placeholder, zeros | ghp_000000000000000000000000000000000000
placeholder, aws x | aws_access_key_id = AKIAXXXXXXXXXXXXXXXX
placeholder, german | Das Passwort ist <hier eintragen>.
placeholder, spanish | contraseña: tu_contraseña_aquí
placeholder, mustache | token: "{{ slack_token }}"
placeholder, at signs | db.password=@db.password@
placeholder, prose redacted | The password is [REDACTED], ask Lea.
placeholder, masked log | Using token ghp_**** for github.com
placeholder, github actions mask | env:{n}  NPM_TOKEN: ***{n}  NODE_VERSION: 22
placeholder, hidden | "password": "(hidden)"
placeholder, filtered rails | Parameters: {"email"=>"lea@acme.io", "password"=>"[FILTERED]"}
placeholder, terraform sensitive | password = (sensitive value)
placeholder, known after apply | + master_password = (known after apply)
placeholder, bullets | Password: ••••••••••••
placeholder, null | "client_secret": null
placeholder, undefined | apiKey: undefined, // set by the runtime
placeholder, pem | -----BEGIN PRIVATE KEY-----{n}...{n}-----END PRIVATE KEY-----
docs, aws example pair | AWS documentation uses AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.
docs, jwt.io | jwt.io sample token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c
docs, azurite | Azurite's well-known development account key is Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==
docs, format of token | GitHub classic tokens start with ghp_ and have 36 characters after the prefix.
docs, format of slack | Slack bot tokens look like xoxb-<team>-<bot>-<secret>.
docs, regex github | const GITHUB = /gh[pousr]_[A-Za-z0-9]{36,}/;
docs, regex pem | /-----BEGIN (RSA |EC )?PRIVATE KEY-----/
docs, regex password | const rule = /^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{12,}$/;
docs, rfc basic | RFC 7617 example: Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
docs, man page | -p, --password <password>  Password to use when connecting
docs, option table | | Option | Env | Default |{n}|---|---|---|{n}| token | ACME_TOKEN | none |
docs, openapi | password:{n}  type: string{n}  format: password{n}  minLength: 8
docs, json schema | "apiKey": { "type": "string", "description": "API key of the tenant" }
docs, oauth flow | The client sends client_id and client_secret to /oauth/token and gets an access_token back.
docs, example domain creds | https://user:pass@example.com/path is parsed into user, pass and host.
docs, stripe test card | Use card number 4242 4242 4242 4242 with any CVC for the test checkout.
docs, tok_visa | const charge = await stripe.charges.create({ amount: 500, currency: "eur", source: "tok_visa" });
docs, turnstile test key | Turnstile always-passes test secret: 1x0000000000000000000000000000000AA
docs, header pattern | Authorization: Basic base64(username:password)
docs, bearer in prose | We send the bearer token in the Authorization header, not in the query string.
hash, commit full | Fixed in commit {h40}.
hash, commit short | reverted {h7}, see the discussion in #812
hash, git log | commit {h40}{n}Author: Lea Roth <lea@acme.io>{n}Date:   Mon Feb 3 10:11:12 2025 +0100{n}{n}    rotate API keys
hash, git rebase | pick {h8} add token refresh{n}pick {h8} fix password reset mail
hash, git index | diff --git a/src/token.ts b/src/token.ts{n}index {h7}..{h7} 100644
hash, submodule | Subproject commit {h40}
hash, action pinned | - uses: actions/checkout@{h40} # v4.2.2
hash, merge base prose | The merge base of both branches is {h40}; bisect starts there.
hash, tree url | https://github.com/acme/web/blob/{h40}/src/auth/password.ts#L20-L44
hash, sha256 file | {h64}  node-v22.11.0-linux-x64.tar.xz
hash, sha256sum label | sha256: {h64}
hash, md5 | MD5 (dump.sql) = {h32}
hash, sha512 | sha512sum of the iso: {h128}
hash, docker digest | FROM node:22-slim@sha256:{h64}
hash, docker image id | Successfully built {h12}
hash, container id | docker logs {h64}
hash, etag | ETag: "{h32}"
hash, etag s3 | "ETag": "\\"{h32}-12\\"", "Key": "tokens/export.csv"
hash, cache key | cache-key: linux-npm-{h64}
hash, nix | sha256 = "{k52}";
hash, go sum | golang.org/x/crypto v0.31.0 h1:{b43}=
hash, cargo lock | [[package]]{n}name = "secrecy"{n}version = "0.10.3"{n}checksum = "{h64}"
hash, pip hashes | keyring==25.5.0 --hash=sha256:{h64}
hash, package-lock integrity | "integrity": "sha512-{b86}=="
hash, package-lock entry | "node_modules/jsonwebtoken": { "version": "9.0.2", "resolved": "https://registry.npmjs.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz", "integrity": "sha512-{b86}==" }
hash, yarn resolved | resolved "https://registry.yarnpkg.com/passport/-/passport-0.7.0.tgz#{h40}"
hash, yarn berry | checksum: 10c0/{h128}
hash, pnpm lock | resolution: {integrity: sha512-{b86}==}
hash, sri script | <script src="https://cdn.example.com/a.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
hash, csp | Content-Security-Policy: script-src 'self' 'sha256-{b43}='
hash, terraform lock | hashes = [{n}  "h1:{b43}=",{n}  "zh:{h64}",{n}]
hash, podfile lock | SPEC CHECKSUMS:{n}  KeychainSwift: {h40}
hash, composer lock | "content-hash": "{h32}"
hash, uv lock | sdist = { url = "https://files.pythonhosted.org/packages/{h2}/{h2}/{h60}/passlib-1.7.4.tar.gz", hash = "sha256:{h64}" }
hash, snapshot test | exports[\`renders token field 1\`] = \`"{h32}"\`;
hash, content hash asset | dist/assets/index-{w8}.js  143.20 kB{n}dist/assets/login-{w8}.css  4.10 kB
hash, block hash | block 19,204,441 has hash 0x{h64}
hash, tx hash | https://etherscan.io/tx/0x{h64}
hash, contract address | The token contract is 0x{h40} on mainnet.
hash, ipfs cid | ipfs://bafybei{k52}
hash, kubeadm ca only | --discovery-token-ca-cert-hash sha256:{h64}
hash, ssh fingerprint | SHA256:{b43} deploy@ci (ED25519)
hash, gpg fingerprint | Key fingerprint = {H4} {H4} {H4} {H4} {H4}  {H4} {H4} {H4} {H4} {H4}
hash, gpg recv | gpg --keyserver hkps://keys.openpgp.org --recv-keys {H40}
hash, cert thumbprint | Thumbprint: {H40}
hash, android cert | SHA1: {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
hash, build id | BuildID[sha1]={h40}, stripped
uuid, request id log | 2025-01-12T08:00:01Z ERROR request_id={uuid} password check failed
uuid, json id | { "id": "{uuid}", "name": "api-key-rotation" }
uuid, azure subscription | az account set --subscription {uuid}
uuid, azure tenant client ids | AZURE_TENANT_ID={uuid}{n}AZURE_CLIENT_ID={uuid}
uuid, session path | ~/.claude/projects/-work-main/{uuid}.jsonl
uuid, sql select | SELECT * FROM tokens WHERE user_id = '{uuid}';
uuid, route | GET /api/v1/secrets/{uuid}/metadata -> 404
uuid, xcode object | {H24} /* TokenStore.swift in Sources */ = {isa = PBXBuildFile; fileRef = {H24}; };
id, mongo objectid | user 65{h22} has no password set
id, ulid | event id 01J{K23}
id, trace | traceparent: 00-{h32}-{h16}-01
id, span log | trace_id={h32} span_id={h16} msg="token refreshed"
id, stripe objects | cus_{a14} pays with pm_{a24}; the invoice is in_{a24}
id, stripe price env | STRIPE_PRICE_ID=price_{a24}
id, aws arn secret | arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/db-{a6}
id, aws arn role | role-to-assume: arn:aws:iam::{d12}:role/github-deploy
id, aws kms arn | kms_key_id = "arn:aws:kms:eu-central-1:{d12}:key/{uuid}"
id, aws resources | vpc-0{h16} has subnet-0{h16} and sg-0{h16}
id, cognito pool | userPoolId: eu-west-1_{a9}, userPoolWebClientId: {k26}
id, cloudfront | aws cloudfront create-invalidation --distribution-id E{K13} --paths "/*"
id, lambda request | RequestId: {uuid} Duration: 102.44 ms Billed Duration: 103 ms
id, google client id | GOOGLE_CLIENT_ID={d12}-{k32}.apps.googleusercontent.com
id, google drive doc | https://docs.google.com/spreadsheets/d/1{w43}/edit#gid=0
id, google analytics | gtag('config', 'G-{K10}');
id, figma file | https://www.figma.com/design/{a22}/Login-screens?node-id=12-3404
id, notion page | https://www.notion.so/acme/Key-rotation-{h32}
id, slack permalink | https://acme.slack.com/archives/C{K10}/p{d16}
id, discord ids | guild {d18}, channel {d18}
id, twilio sid | Message SID: SM{h32}
id, twilio account sid | TWILIO_ACCOUNT_SID=AC{h32}
id, vercel ids | "projectId": "prj_{a28}", "orgId": "team_{a24}"
id, cloudflare zone | zone_id = "{h32}"{n}account_id = "{h32}"
id, openai objects | file-{a24} is attached to asst_{a24}, run run_{a24}
id, anthropic msg | "id": "msg_01{a22}", "type": "message", "role": "assistant"
id, tool use | "tool_use_id": "toolu_01{a22}"
id, github node id | "node_id": "MDQ6VXNlcj{b8}=="
id, mac address | eth0 has {h2}:{h2}:{h2}:{h2}:{h2}:{h2}
id, ipv6 | inet6 2001:db8:{h4}:{h4}:{h4}:{h4}:{h4}:{h4}/64
id, x-amz | x-amz-request-id: {K16}{n}x-amz-id-2: {b75}=
base64, png | <img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b180}==">
base64, svg css | background: url("data:image/svg+xml;base64,PHN2ZyB4bWxucz0i{b120}")
base64, jpeg markdown | ![logo](data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ{b150})
base64, gif | const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
base64, woff2 | src: url(data:font/woff2;base64,d09GMgABAAAA{b200}) format("woff2");
base64, source map | //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb{b120}
base64, hello world | echo aGVsbG8gd29ybGQ= decodes to "hello world"
base64, text decode | atob("{base64:The quick brown fox jumps over the dog}")
base64, notebook png | "image/png": "iVBORw0KGgoAAAANSUhEUgAA{b160}\\n"
base64, wasm | const bytes = "AGFzbQEAAAABBgFgAX8Bf{b60}";
base64, protobuf cursor | "nextCursor": "{base64:created=2025-01-0[d1];id=[d6]}"
public key, ssh rsa | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC{b360} lea@laptop
public key, ssh ed25519 | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} deploy@ci
public key, authorized_keys line | command="/usr/bin/backup",no-pty ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} backup
public key, known_hosts | github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
public key, known_hosts hashed | |1|{b27}=|{b27}= ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB{b86}=
public key, pem | -----BEGIN PUBLIC KEY-----{n}MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA{b20}{n}{b64}{n}{b64}{n}-----END PUBLIC KEY-----
public key, pgp | -----BEGIN PGP PUBLIC KEY BLOCK-----{n}{n}mQINBF{b58}{n}{b64}{n}={b4}{n}-----END PGP PUBLIC KEY BLOCK-----
public key, wireguard peer | [Peer]{n}PublicKey = {b43}={n}Endpoint = vpn.acme.io:51820
public key, age recipient | age -r age1{k58} -o dump.age dump.sql
public key, minisign | untrusted comment: minisign public key{n}RW{b54}
public key, jwk | {"kty":"RSA","use":"sig","kid":"{h40}","e":"AQAB","n":"{w342}"}
public key, vapid | VAPID_PUBLIC_KEY=B{w86}
public key, recaptcha site | <div class="g-recaptcha" data-sitekey="6L{w38}"></div>
public key, sparkle | <key>SUPublicEDKey</key><string>{b43}=</string>
public key, dkim | mail._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{b150}IDAQAB"
public key, tauri updater | "pubkey": "{base64:untrusted comment: minisign public key: [H16]}"
certificate, pem | -----BEGIN CERTIFICATE-----{n}MIIDdzCCAl+gAwIBAgIE{b44}{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
certificate, csr | -----BEGIN CERTIFICATE REQUEST-----{n}MIICijCCAXICAQAw{b48}{n}{b64}{n}-----END CERTIFICATE REQUEST-----
certificate, kubeconfig ca | certificate-authority-data: {base64:-----BEGIN CERTIFICATE-----[n]MIIDBTCCAe2gAwIBAgII[b44][n][b64][n][b64][n]-----END CERTIFICATE-----[n]}
certificate, saml | <ds:X509Certificate>MIIDpDCCAoygAwIBAgIG{b300}</ds:X509Certificate>
certificate, caBundle webhook | webhooks:{n}- clientConfig:{n}    caBundle: {base64:-----BEGIN CERTIFICATE-----[n]MIIC[b60][n][b64][n]-----END CERTIFICATE-----[n]}
certificate, path config | ssl_certificate_key /etc/letsencrypt/live/acme.io/privkey.pem;
env ref, shell | curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
env ref, braces | DATABASE_URL=postgres://{S}{DB_USER}:{S}{DB_PASSWORD}@db:5432/app
env ref, default empty | PASSWORD="{S}{PASSWORD:-}"
env ref, required | : "{S}{VAULT_TOKEN:?set VAULT_TOKEN first}"
env ref, node | const key = process.env.OPENAI_API_KEY;
env ref, vite | apiKey: import.meta.env.VITE_FIREBASE_API_KEY,
env ref, python | password = os.environ["DB_PASSWORD"]
env ref, go | secret := os.Getenv("WEBHOOK_SECRET")
env ref, ruby | Stripe.api_key = ENV.fetch("STRIPE_SECRET_KEY")
env ref, java | @Value("{S}{spring.datasource.password}") private String password;
env ref, dotnet | var secret = builder.Configuration["Auth:ClientSecret"];
env ref, php | 'password' => env('DB_PASSWORD', ''),
env ref, powershell | $env:AZURE_CLIENT_SECRET -eq $null
env ref, github actions | env:{n}  NPM_TOKEN: {S}{{ secrets.NPM_TOKEN }}
env ref, gitlab ci | - docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
env ref, azure pipelines | password: $(dockerPassword)
env ref, compose | MYSQL_ROOT_PASSWORD: {S}{MYSQL_ROOT_PASSWORD}
env ref, compose file secret | POSTGRES_PASSWORD_FILE: /run/secrets/db_password
env ref, k8s | valueFrom:{n}  secretKeyRef:{n}    name: billing-db{n}    key: password
env ref, helm | password: {{ .Values.postgresql.auth.password | quote }}
env ref, ansible vault | mysql_root_password: "{{ vault_mysql_root_password }}"
env ref, terraform var | password = var.db_password
env ref, terraform random | password = random_password.db.result
env ref, op read | export NPM_TOKEN=$(op read "op://Shared/npm/token")
env ref, pass | mysql -u root -p"$(pass show db/root)" shop
env ref, keychain in backticks | export PGPASSWORD=\`security find-generic-password -s pg-prod -w\`
env ref, vault kv | vault kv get -field=password secret/prod/db
env ref, aws secrets cmd | aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text
env ref, npmrc | //registry.npmjs.org/:_authToken={S}{NPM_TOKEN}
env ref, gh auth | git push https://x-access-token:$(gh auth token)@github.com/acme/web.git
env ref, read prompt | read -rsp "Password: " password
env ref, mysql prompt | mysql -u root -p shop
env ref, openssl generate | NEXTAUTH_SECRET=$(openssl rand -base64 32)
env ref, crypto generate | const token = crypto.randomBytes(32).toString("hex");
env ref, sops | creation_rules:{n}  - encrypted_regex: '^(password|token)$'
env ref, sops value | password: ENC[AES256_GCM,data:{b16},iv:{b43}=,tag:{b22}==,type:str]
env ref, ansible vault header | $ANSIBLE_VAULT;1.1;AES256
env ref, sealed secret | encryptedData:{n}  password: AgB{b300}
env ref, travis secure | secure: "{b171}="
env ref, make | deploy: ; @test -n "$(API_TOKEN)" && ./deploy.sh
code, type | interface Credentials { username: string; password: string; apiKey?: string }
code, field assignment | this.password = password;
code, compare | if (token !== expectedToken) throw new Error("Invalid token");
code, hash call | const hash = await bcrypt.hash(password, 12);
code, dict access | token = response.json()["access_token"]
code, header build | headers["Authorization"] = \`Bearer {S}{accessToken}\`;
code, sql column | ALTER TABLE users ADD COLUMN password_reset_token varchar(64);
code, html input | <input type="password" name="password" autocomplete="current-password" placeholder="Password">
code, i18n | "login.password.label": "Password", "login.password.hint": "At least 12 characters"
code, constant name | const TOKEN_STORAGE_KEY = "acme.auth.token";
code, enum | enum GrantType { Password = "password", ClientCredentials = "client_credentials" }
code, error code | throw new AppError("ERR_INVALID_API_KEY_FORMAT", 401);
code, redactor | const REDACT = ["password", "token", "secret", "authorization", "cookie"];
code, zod | const schema = z.object({ password: z.string().min(12), token: z.string().uuid() });
code, tokenizer | max_tokens=4096, pad_token_id=50256, eos_token="<|endoftext|>"
code, long identifier | shouldInvalidateAccessTokenWhenRefreshTokenRotationIsDetected()
code, long java class | AbstractSingletonProxyFactoryBeanCredentialsProviderConfigurationTest
code, long snake | test_password_reset_token_expires_after_twenty_four_hours_and_cannot_be_reused
code, mangled symbol | _ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d$$u7d$$GT$17h{h16}E
code, minified | !function(e,t){"object"==typeof exports?module.exports=t():e.Tokens=t()}(this,(function(){var e={},t=1e3,r=function(e){return e&&e.key}}));
code, tailwind | <div class="flex min-h-screen items-center justify-center bg-gradient-to-br from-slate-900/80 via-indigo-800 to-sky-700 px-4 py-12 sm:px-6 lg:px-8">
code, css module | .Login_passwordField__{a5} { color: #3b82f6; box-shadow: 0 1px 2px rgb(0 0 0 / 5%); }
code, svg path | <path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm-1 15v-6h2v6h-2zm0-8V7h2v2h-2z"/>
code, assembly dump | 00000010: {h4} {h4} {h4} {h4} {h4} {h4} {h4} {h4}  ................
fixture, fake token | const FAKE_TOKEN = "fake-token-for-tests";
fixture, dummy password | user = User(name="test", password="dummy-password")
fixture, test key | expect(mask("test-api-key-123")).toBe("test-***");
fixture, not a real key | api_key: "not-a-real-key" # fixture
fixture, mock server | mockServer.on("POST", "/login").reply(200, { token: "mock-token" });
fixture, invalid password | it("rejects a wrong password", () => login("lea", "wrong-password"));
fixture, example creds | credentials = ("test@example.com", "password123")  # fixture user
fixture, abc123 | Authorization: Bearer abc123
fixture, alice secret | auth: { username: "alice", password: "secret" } // test double
fixture, cypress | cy.get("#password").type("test1234");
talk, rotate | The API key has to be rotated every 90 days; the owner is the platform team.
talk, not stored | Passwords are never stored in plain text but as Argon2id hashes.
talk, where it lies | The password of the staging database lies in 1Password under "staging-db".
talk, expired | The token had expired, so I asked Lea for a new one.
talk, wrong password | psql: error: FATAL:  password authentication failed for user "crm"
talk, german | Das Passwort wurde geändert, der alte Zugang geht nicht mehr.
talk, german where | Kennwort: siehe Bitwarden, Eintrag "Drucker 2. OG"
talk, french | Le mot de passe est dans le coffre de l'équipe, pas dans le dépôt.
talk, spanish | La contraseña debe tener al menos doce caracteres y un número.
talk, policy | Password must contain upper and lower case letters, a digit and one of !@#$%.
talk, password is required | The password is required when the account was made by invitation.
talk, password is wrong | If the password is wrong three times, the account is locked for 15 minutes.
talk, token counts | The prompt has 12,450 tokens; the key idea is to cut the history.
talk, key insight | Key: cache by tenant id. Secret of the speed-up: fewer round trips.
talk, pin a version | PIN the version: eslint@9.17.0, because 9.18.0 breaks the parser.
talk, login slash | Login / Logout are separate routes: /login and /logout.
talk, user/pass | The form asks for user/password or for a passkey.
talk, secret manager | All secrets come from AWS Secrets Manager at boot, none from the image.
talk, commit message | fix(auth): do not log password and access token on failed login
talk, todo | TODO: move the API key out of config.ts into the environment
talk, which env | You need OPENAI_API_KEY and SLACK_BOT_TOKEN in the environment, no defaults.
talk, leaked | gitleaks found one leak in config/prod.yml (rule: generic-api-key); the key is revoked and the history cleaned.
config key, allow list | "password-min-length": 12, "password-history": 5, "token-ttl": 3600
config key, yaml flags | token_rotation: true{n}secret_scanning: enabled{n}password_policy: strict
config key, oauth endpoints | token_endpoint: https://auth.acme.io/oauth2/v2/token{n}jwks_uri: https://auth.acme.io/.well-known/jwks.json
config key, key path | ssh_private_key_file: ~/.ssh/id_ed25519
config key, header name | api_key_header: X-Acme-Api-Key
config key, algorithm | jwt:{n}  algorithm: RS256{n}  key_id: signing-2025-01
config key, sshd | PasswordAuthentication no{n}PubkeyAuthentication yes
config key, pg_hba | host all all 10.0.0.0/8 scram-sha-256
config key, keybindings | { "key": "ctrl+shift+p", "command": "workbench.action.showCommands" }
path, node_modules | /srv/main/node_modules/.pnpm/@aws-sdk+credential-provider-node@3.712.0_{k26}/node_modules/@aws-sdk/credential-provider-node/dist-cjs/index.js
path, nix store | /nix/store/{k32}-openssl-3.3.2/lib/libssl.so.3
path, tmp | /var/folders/{k2}/{k30}/T/acme-token-test-{a6}
path, bazel | bazel-out/k8-fastbuild/bin/external/com_google_protobuf/_virtual_includes/token_lite/google
path, xcode derived | ~/Library/Developer/Xcode/DerivedData/Acme-{l28}/Build/Products/Debug-iphonesimulator
path, cargo registry | /root/.cargo/registry/src/index.crates.io-{h16}/secrecy-0.10.3/src/lib.rs:214
path, git object | .git/objects/{h2}/{h38}
path, secrets dir | kubectl apply -f deploy/k8s/overlays/production/secrets/external-secret.yaml
path, s3 uri | s3://acme-backups-eu/2025/01/12/{uuid}/users_with_password_hash.parquet
path, url signed stripped | https://acme.s3.amazonaws.com/report.pdf?X-Amz-Signature=REDACTED&X-Amz-Expires=600
list, kubectl get secrets | NAME             TYPE                             DATA   AGE{n}db-credentials   Opaque                           2      41d{n}registry-pull    kubernetes.io/dockerconfigjson   1      41d
list, gh secret list | NPM_TOKEN          2025-01-03T10:11:12Z{n}SLACK_WEBHOOK_URL  2024-11-20T08:00:00Z
config key, tls secret name | tls:{n}- hosts: [app.acme.io]{n}  secretName: app-acme-io-tls
config key, token type | "token_type": "Bearer", "expires_in": 3600, "scope": "openid profile"
config key, session names | session_cookie_name: acme_sid{n}csrf_token_name: acme_csrf{n}password_reset_timeout: 86400
code, django hashers | PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
code, python signature | def authenticate(self, username: str, password: str, otp: str | None = None) -> Session:
code, destructuring | const { accessToken, refreshToken, expiresIn } = await exchangeCode(code);
code, argparse | parser.add_argument("--api-key", default=os.environ.get("API_KEY"), help="API key (or API_KEY)")
talk, masked in report | The report shows only the last four characters of the key: …9f3c (owner: billing).
talk, german deadline | Das Zertifikat und der API-Schlüssel laufen am 31.03. ab; neu beantragen bei der IT.
talk, error text | Error: 401 Unauthorized: invalid x-api-key
`;
