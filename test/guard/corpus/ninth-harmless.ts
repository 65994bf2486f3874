/** Lines that hold no secret, written without a look at the rules. */
export const ninthHarmless = `
placeholder angle | OPENAI_API_KEY=<your-openai-key>
placeholder your | ANTHROPIC_API_KEY=your_api_key_here
placeholder xxx | SLACK_BOT_TOKEN=xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx
placeholder dots | export STRIPE_SECRET_KEY=sk_live_...
placeholder ellipsis prose | The key has to start with \`sk-ant-...\`, the one in the ticket starts with \`sk-proj-...\`.
placeholder stars | password: ********
placeholder insert | "apiKey": "INSERT_API_KEY_HERE"
placeholder replace me | client_secret = "REPLACE_ME"
placeholder todo | DB_PASSWORD=TODO
placeholder empty | DB_PASSWORD={n}DB_HOST=localhost
placeholder empty quotes | SECRET_KEY=""
placeholder null | "password": null,
placeholder angle url | postgres://<user>:<password>@<host>:5432/<db>
placeholder caps url | DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/DATABASE
placeholder curl angle | curl -H "Authorization: Bearer <token>" https://api.parcelbird.dev/v1/me
placeholder curl caps | curl -H "X-API-Key: YOUR_API_KEY" https://api.nordkai.dev/v1/orders
placeholder mustache | Authorization: Bearer {{access_token}}
placeholder percent | password=%DB_PASSWORD%
placeholder double underscore | api_token: __API_TOKEN__
placeholder at signs | db.password=@db.password@
placeholder german | API-Schlüssel: <hier eintragen>
placeholder french | mot de passe : <à compléter>
placeholder your dash | docker login -u your-username -p your-password
placeholder from 1password | password: (see 1Password, vault "Ops")
redacted bracket | Authorization: Bearer [REDACTED]
redacted stars log | 2025-03-02 10:11:12 INFO connecting to postgresql://app:***@pg.quillbox.dev:5432/app
redacted github actions | Run npm publish{n}  env:{n}    NODE_AUTH_TOKEN: ***
redacted prefix only | The leaked token began with ghp_ and was revoked the same day.
redacted partial stars | token: ghp_************************************
redacted filtered | Parameters: {"user"=>{"email"=>"a@ridgeline.dev", "password"=>"[FILTERED]"}}
redacted hidden terraform | password = (sensitive value)
redacted masked | AWS_SECRET_ACCESS_KEY=<masked>
redacted removed note | I removed the key from this note; it is in the keychain under "fieldnote-openai".
redacted bullets | - API key: ••••••••••••••••
redacted kubectl describe | Data{n}===={n}password:  24 bytes{n}username:  5 bytes
redacted aws configure list | access_key     ****************Q7LM shared-credentials-file{n}secret_key     ****************b2Xd shared-credentials-file
redacted gh auth status | - Token: gho_************************************{n}- Token scopes: 'gist', 'read:org', 'repo'
envref shell | curl -H "Authorization: Bearer $API_TOKEN" https://api.lumen.dev/v1/me
envref braces | DATABASE_URL=postgres://{S}{DB_USER}:{S}{DB_PASSWORD}@{S}{DB_HOST}:5432/{S}{DB_NAME}
envref github actions | env:{n}  NPM_TOKEN: {S}{{ secrets.NPM_TOKEN }}
envref compose default error | POSTGRES_PASSWORD: {S}{POSTGRES_PASSWORD:?must be set}
envref node | const apiKey = process.env.STRIPE_SECRET_KEY;
envref python | SECRET_KEY = os.environ["DJANGO_SECRET_KEY"]
envref python getenv | client = Anthropic(api_key=os.getenv("ANTHROPIC_API_KEY"))
envref go | token := os.Getenv("GITHUB_TOKEN")
envref rust | let key = std::env::var("DEEPGRAM_API_KEY")?;
envref ruby | password: <%= ENV["SHOP_DATABASE_PASSWORD"] %>
envref php | 'password' => env('DB_PASSWORD', ''),
envref java spring | spring.datasource.password={S}{DB_PASSWORD}
envref terraform var | password = var.db_password
envref terraform random | password = random_password.db.result
envref terraform data | api_token = data.vault_generic_secret.cf.data["token"]
envref gitlab | docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
envref powershell | $headers = @{ Authorization = "Bearer $env:GH_TOKEN" }
envref windows | mysql -u root -p%MYSQL_ROOT_PASSWORD% shop
envref npmrc | //registry.npmjs.org/:_authToken={S}{NPM_TOKEN}
envref ansible vault | db_password: "{{ vault_db_password }}"
envref helm | password: {{ .Values.auth.password | quote }}
envref k8s secretKeyRef | - name: DB_PASSWORD{n}  valueFrom:{n}    secretKeyRef:{n}      name: shop-db{n}      key: password
envref command substitution | export GH_TOKEN=$(gh auth token)
envref op read | export OPENAI_API_KEY="$(op read op://Dev/OpenAI/credential)"
envref op reference | DB_PASSWORD=op://Ops/shop-db/password
envref pass | RESTIC_PASSWORD_COMMAND="pass show backup/restic"
envref aws secretsmanager | {{resolve:secretsmanager:prod/shop/db:SecretString:password}}
envref arn | valueFrom: arn:aws:secretsmanager:eu-central-1:{d12}:secret:prod/shop-db-{a6}
envref azure keyvault | @Microsoft.KeyVault(SecretUri=https://korvex-kv.vault.azure.net/secrets/SqlPassword/{h32})
envref file | POSTGRES_PASSWORD_FILE=/run/secrets/pg_password
envref docker secret | RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
envref vault path | vault kv get -field=password secret/data/shop/db
envref doppler | doppler run -- npm start
envref vite | const key = import.meta.env.VITE_MAPS_KEY
envref dotnet | builder.Configuration["Jwt:SigningKey"]
envref jq | TOKEN=$(curl -s "$URL/login" -d @creds.json | jq -r .access_token)
envref cat | kubectl create secret generic tls --from-file=key.pem=./certs/key.pem
hash commit long | Fixed in {h40}, cherry-picked to release/2.4.
hash commit short | - {h7} fix(auth): refresh token before it expires{n}- {h7} chore: bump deps
hash git log | commit {h40}{n}Author: Lena K <lena@tidalhub.dev>{n}Date:   Tue Mar 4 11:02:13 2025 +0100
hash diff index | diff --git a/src/auth.ts b/src/auth.ts{n}index {h7}..{h7} 100644
hash range url | https://github.com/brightmill/web/compare/{h40}...{h40}
hash sha256sum | {h64}  parcelbird-agent_2.3.1_linux_amd64.tar.gz
hash sha512sum | {h128}  node-v20.11.1.tar.gz
hash md5sum | {h32}  dump-2025-03-01.sql.gz
hash shasum prose | The download's SHA-256 is {h64}, which matches the release page.
hash docker digest | FROM node:20-slim@sha256:{h64}
hash docker push output | latest: digest: sha256:{h64} size: 1786
hash docker image id | Successfully built {h12}{n}Successfully tagged nordkai/web:latest
hash docker ps | {h12}   postgres:16   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   5432/tcp   shop-db-1
hash layer | #9 sha256:{h64} 28.23MB / 28.23MB 1.4s done
hash npm integrity | "integrity": "sha512-{b86}==",
hash npm lock entry | "node_modules/left-pad": {{n}  "version": "1.3.0",{n}  "resolved": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz",{n}  "integrity": "sha512-{b86}=="{n}}
hash yarn v1 | left-pad@^1.3.0:{n}  version "1.3.0"{n}  resolved "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#{h40}"
hash pnpm | resolution: {integrity: sha512-{b86}==}
hash yarn berry | checksum: 10c0/{h128}
hash cargo lock | name = "serde"{n}version = "1.0.197"{n}source = "registry+https://github.com/rust-lang/crates.io-index"{n}checksum = "{h64}"
hash go sum | golang.org/x/crypto v0.21.0 h1:{b43}=
hash poetry | {file = "requests-2.31.0-py3-none-any.whl", hash = "sha256:{h64}"},
hash pip requirement | requests==2.31.0 --hash=sha256:{h64}
hash nix | sha256 = "sha256-{b43}=";
hash nix store | /nix/store/{k32}-openssl-3.0.13
hash flake lock | "narHash": "sha256-{b43}=",{n}"rev": "{h40}"
hash brew formula | url "https://files.quillbox.dev/agent-2.3.1.tar.gz"{n}sha256 "{h64}"
hash sri script | <script src="https://cdn.ridgeline.dev/app.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
hash csp | script-src 'self' 'sha256-{b43}='
hash gemfile lock | GIT{n}  remote: https://github.com/fieldnote/gem{n}  revision: {h40}
hash composer lock | "reference": "{h40}",{n}"shasum": ""
hash podfile | SPEC CHECKSUMS:{n}  Alamofire: {h40}
hash terraform lock | hashes = [{n}  "h1:{b43}=",{n}  "zh:{h64}",{n}]
hash actions pin | - uses: actions/checkout@{h40} # v4.1.1
hash submodule | 160000 commit {h40}	vendor/lib
hash pre-commit | - repo: https://github.com/psf/black{n}  rev: {h40}
hash etag | ETag: "{h32}"
hash s3 etag | {"Key": "dump.gz", "ETag": "\\"{h32}-14\\"", "Size": 120394}
hash cache key | Cache restored from key: node-modules-Linux-{h64}
hash turbo | • Packages in scope: web, api{n}web:build: cache hit, replaying logs {h16}
hash webpack chunk | dist/assets/index-{w8}.js   312.40 kB │ gzip: 98.12 kB
hash next build id | /_next/static/{w21}/_buildManifest.js
hash css module | .Button_primary__{w5} { color: #{h6}; }
hash gradle | distributionSha256Sum={h64}
hash content | "contentHash": "{h40}", "fileName": "logo.svg"
hash ipfs | Pinned as bafybei{k52}
hash eth tx | tx 0x{h64} was mined in block 19238471
hash eth address | Contract deployed to 0x{h40}
hash bitcoin block | block hash 00000000000000000002{h44}
hash key fingerprint | 256 SHA256:{b43} lena@laptop (ED25519)
hash ssh host key | ED25519 key fingerprint is SHA256:{b43}.
hash kubeadm ca | The CA cert hash is sha256:{h64}, it did not change.
hash gpg fingerprint | gpg: using RSA key {H40}
hash git tree | tree {h40}{n}parent {h40}
hash perceptual | phash of the screenshot: {h16}, distance to baseline 3
hash alembic | Revision ID: {h12}{n}Revises: {h12}
hash migration file | Running upgrade {h12} -> {h12}, add invoice table
uuid request id | Request failed with 500, request id {uuid}.
uuid trace | trace_id={h32} span_id={h16} msg="slow query"
uuid traceparent | traceparent: 00-{h32}-{h16}-01
uuid session of agent | Session {uuid} ended after 41 minutes; next one continues in worktree \`fix-auth\`.
uuid table | | id | name |{n}|---|---|{n}| {uuid} | Lumen GmbH |
uuid sql | SELECT * FROM orders WHERE id = '{uuid}';
uuid url | https://app.fieldnote.io/projects/{uuid}/settings
uuid json | {"id": "{uuid}", "status": "paid", "currency": "EUR"}
uuid fstab | UUID={uuid} /data ext4 defaults,noatime 0 2
uuid tenant | Azure tenant {uuid}, subscription {uuid}.
uuid xcode | PRODUCT_BUNDLE_IDENTIFIER = dev.korvex.app;{n}{H24} /* AppDelegate.swift in Sources */
uuid sln | Project("{{uuid}}") = "Tidalhub.Api", "src\\Tidalhub.Api\\Tidalhub.Api.csproj", "{{uuid}}"
uuid bullet | - broken record: customer \`{uuid}\` has no address
uuid log | 2025-04-01T08:12:55Z worker-3 job={uuid} state=done duration=812ms
uuid correlation header | X-Request-Id: {uuid}
uuid mongo id | db.users.findOne({ _id: ObjectId("{h24}") })
uuid ulid | Event 01HV{K22} was handled twice.
uuid cuid | where: { id: "c{o24}" }
uuid snowflake | Guild {d18}, channel {d18}: messages arrive late.
pubkey ssh ed25519 | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} lena@laptop
pubkey ssh rsa | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{b342} deploy@ci
pubkey authorized keys note | Added the runner's public key to authorized_keys: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} runner-3
pubkey known hosts | github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB{b86}=
pubkey pem | -----BEGIN PUBLIC KEY-----{n}MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA{b20}{n}{b64}{n}{b64}{n}IDAQAB{n}-----END PUBLIC KEY-----
pubkey pgp | -----BEGIN PGP PUBLIC KEY BLOCK-----{n}{n}mQINBG{b58}{n}{b64}{n}{b64}{n}={b4}{n}-----END PGP PUBLIC KEY BLOCK-----
pubkey wireguard peer | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.8.0.0/24{n}Endpoint = vpn.brightmill.dev:51820
pubkey age recipient | creation_rules:{n}  - path_regex: secrets/.*{n}    age: age1{k58}
pubkey minisign | minisign -Vm agent.tar.gz -P RWQ{b53}
pubkey jwks | {"keys":[{"kty":"RSA","use":"sig","kid":"{h16}","n":"{w342}","e":"AQAB"}]}
pubkey vapid | VAPID_PUBLIC_KEY=B{w86}
pubkey dkim | mail._domainkey IN TXT "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA{b340}IDAQAB"
pubkey sparkle | <key>SUPublicEDKey</key><string>{b43}=</string>
pubkey tauri | "updater": { "pubkey": "{base64:untrusted comment: minisign public key [H16]}" }
pubkey bullet | - public key of the backup host: \`age1{k58}\`
cert pem | -----BEGIN CERTIFICATE-----{n}MIIDdzCCAl+gAwIBAgIE{b44}{n}{b64}{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
cert csr | -----BEGIN CERTIFICATE REQUEST-----{n}MIICvDCCAaQCAQAwdzEL{b44}{n}{b64}{n}{b64}{n}-----END CERTIFICATE REQUEST-----
cert ca bundle yaml | caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b120}
cert kubeconfig ca | clusters:{n}- cluster:{n}    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b160}{n}    server: https://10.0.0.5:6443
cert serial | Serial Number: 04:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}
cert fingerprint | SHA1 Fingerprint={H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
cert path | ssl_certificate_key /etc/letsencrypt/live/parcelbird.dev/privkey.pem;
cert header mention | The parser rejects files that lack the line \`-----BEGIN PRIVATE KEY-----\`.
cert grep command | grep -rl "BEGIN RSA PRIVATE KEY" . --include='*.pem'
image png data uri | <img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAA{b180}" alt="dot">
image svg css | background: url("data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmci{b120}");
image jpeg json | {"thumb": "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ{b220}"}
image woff | src: url(data:font/woff2;base64,d09GMgABAAAAA{b200}) format("woff2");
image blurhash | blurDataURL: "data:image/webp;base64,UklGR{b96}"
image gif markdown | ![spinner](data:image/gif;base64,R0lGODlhEAAQAPIAA{b120})
sourcemap inline | //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb{b160}
base64 text note | \`echo SGVsbG8gd29ybGQ= | base64 -d\` prints Hello world.
fixture fake token | const FAKE_TOKEN = "fake-token-for-tests";
fixture dummy key | process.env.OPENAI_API_KEY = "dummy-key";
fixture not a secret | api_key = "not-a-real-key"
fixture pytest | @pytest.fixture{n}def api_key():{n}    return "test-api-key"
fixture repeated letters | expect(mask("sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")).toBe("sk-****");
fixture sequential | token: "ghp_000000000000000000000000000000000000",
fixture vitest env | vi.stubEnv("GITHUB_TOKEN", "fake-github-token");
fixture msw | rest.post("/login", (req, res, ctx) => res(ctx.json({ token: "mock-jwt-token" })))
fixture ci dummy | SECRET_KEY_BASE=dummy bin/rails assets:precompile
fixture build arg | SECRET_KEY=build-time-placeholder python manage.py collectstatic --noinput
fixture go test | cfg := Config{Token: "test-token", Secret: "test-secret"}
fixture junit | when(tokenService.issue(any())).thenReturn("dummy-token");
fixture invalid | it("rejects a wrong token", () => login({ token: "invalid-token" }));
fixture deadbeef | const requestHash = "deadbeefdeadbeefdeadbeefdeadbeef";
fixture mock aws | AWS_ACCESS_KEY_ID=testing AWS_SECRET_ACCESS_KEY=testing pytest tests/test_s3.py
talk rotate | Rotate the OpenAI key before the release; Lena has access to the dashboard.
talk ask user | The user has to enter the password by hand, the agent must not see it.
talk where stored | The database password is stored in the keychain, entry "shop-db".
talk policy | Passwords must have at least 12 characters, one digit and one symbol.
talk reset flow | Password reset: the mail contains a token that is valid for 30 minutes.
talk missing | The deploy failed because NPM_TOKEN is not set in the repository's secrets.
talk expired | GitLab token expired yesterday, waiting for a new one from Tim.
talk wrong password | psql: FATAL: password authentication failed for user "app"
talk mysql denied | ERROR 1045 (28000): Access denied for user 'shop'@'10.0.3.1' (using password: YES)
talk 401 | 401 Unauthorized: {"error":"invalid_api_key","message":"Incorrect API key provided"}
talk header missing | The API answers 403 when the \`X-API-Key\` header is missing.
talk jwt structure | The JWT carries \`sub\`, \`iat\` and \`exp\`; the signature uses HS256 with the key from the config.
talk token limit | The prompt uses 12,384 tokens of 200,000; the summary step adds 900.
talk max tokens | max_tokens: 4096{n}temperature: 0.2
talk tokenizer | The tokenizer splits "password" into two tokens.
talk secret naming | The secret is called \`prod/shop/db\` in AWS Secrets Manager.
talk hashing | Passwords are hashed with argon2id (m=65536, t=3, p=4).
talk password prompt | Enter password: {n}Login succeeded.
talk no password | The local database has no password, \`trust\` is set in pg_hba.conf.
talk ask again | Do not write the password into this file, ask me when you need it.
talk key rotation schedule | Key rotation: every 90 days, next on 2025-06-01, owner: platform team.
talk sso | Login: via SSO / Google Workspace
talk credentials bullet | - credentials: see team vault
talk pw manager | - Password: in Bitwarden under "Staging CMS"
talk german | Das Passwort steht im Passwortmanager unter „Testserver“.
talk german reset | Passwort vergessen: der Link läuft nach einer Stunde ab.
talk german ask | Das Kennwort bitte bei Herrn Krüger erfragen.
talk french | Le mot de passe est stocké dans le coffre de l'équipe.
talk spanish | La contraseña se guarda en el gestor de contraseñas del equipo.
talk password field | The password field is required and must not be trimmed.
talk password is missing | The password is missing from the request body, hence the 422.
talk password is required | password is required; password must be a string
talk the token is | The token is refreshed automatically five minutes before it expires.
talk secret is mounted | The secret is mounted at /run/secrets/db_password and read at start.
talk api key scope | The API key needs the scopes \`read:orders\` and \`write:labels\`.
talk password changed | Changed the admin password and stored it in Vault.
talk bearer | Use Bearer authentication instead of Basic in the new client.
talk csrf | CSRF token validation was disabled for the webhook route.
talk passkey | Passkeys replace the password login in version 3; magic links stay.
talk pass fail table | | Suite | Pass | Fail |{n}|---|---|---|{n}| auth | 118 | 2 |
talk decision | Decision: API tokens are stored hashed (SHA-256) and shown to the user only once.
config keys list | Required settings: \`db.password\`, \`jwt.secret\`, \`smtp.password\`, \`s3.secretAccessKey\`.
config env names | .env needs OPENAI_API_KEY, DATABASE_URL, SESSION_SECRET and SENTRY_AUTH_TOKEN.
config zod schema | const Env = z.object({ JWT_SECRET: z.string().min(32), DB_PASSWORD: z.string() });
config yaml flags | auth:{n}  passwordLogin: false{n}  tokenTtl: 3600{n}  secretRotation: enabled
config sshd | PasswordAuthentication no{n}PubkeyAuthentication yes
config min length | password_min_length = 12{n}password_require_digit = true
config token type | token_type: bearer{n}token_endpoint_auth_method: client_secret_post
config typescript interface | interface Credentials { username: string; password: string; apiKey?: string }
config go struct | Password string \`json:"password" validate:"required,min=12"\`
config python dataclass | api_key: str = field(repr=False)
config prisma | model User { id String @id{n}  passwordHash String{n}  resetToken String? @unique }
config sql schema | CREATE TABLE api_tokens (id uuid PRIMARY KEY, token_hash bytea NOT NULL, expires_at timestamptz);
config openapi | securitySchemes:{n}  ApiKeyAuth:{n}    type: apiKey{n}    in: header{n}    name: X-API-Key
config html input | <input type="password" name="password" autocomplete="current-password" required>
config i18n | "login.password.label": "Password", "login.password.error": "Wrong password"
config graphql | mutation Login($email: String!, $password: String!) { login(email: $email, password: $password) { token } }
config function signature | def authenticate(username: str, password: str, token: Optional[str] = None) -> Session:
config destructuring | const { accessToken, refreshToken } = await login(email, password);
config setter | user.password = hashPassword(req.body.password);
config compare | if (timingSafeEqual(providedSecret, expectedSecret)) return next();
config function call key | const signingKey = await loadSigningKey(config.signingKeyPath);
config generator | SECRET_KEY=$(openssl rand -hex 32)
config random bytes | const sessionSecret = crypto.randomBytes(32).toString("hex");
config gitleaks rule | regex = '''ghp_[0-9A-Za-z]{36}'''
config regex js | const AWS_KEY = /\\bAKIA[A-Z2-7]{16}\\b/;
config token prose regex | Tokens match \`xox[baprs]-[0-9A-Za-z-]+\`, the scanner should find them all.
config docker compose secrets | secrets:{n}  db_password:{n}    file: ./secrets/db_password.txt
config argocd path | spec:{n}  secretStoreRef:{n}    name: vault-backend{n}    kind: ClusterSecretStore
config gh secret list | NPM_TOKEN      about 3 months ago{n}SENTRY_AUTH_TOKEN  about 1 year ago
config gh secret prompt | gh secret set NPM_TOKEN --repo nordkai/web < token.txt
config keyring | security find-generic-password -s quillbox-openai -w
config git credential | git config --global credential.helper osxkeychain
config psql prompt | psql -h pg.stg.ridgeline.dev -U app -W app
config mysql prompt | mysql -h db.stg -u shop -p shop < schema.sql
config kubectl jsonpath | kubectl get secret shop-db -o jsonpath='{.data.password}' | base64 -d
id arn | arn:aws:iam::{d12}:role/github-actions-deploy
id aws resource | Instance i-0{h16} in subnet-0{h16}, security group sg-0{h16}
id pod name | shop-api-{h9}-{l5}   1/1   Running   0   4h12m
id cloudfront | Distribution E{K13} serves d{k13}.cloudfront.net.
id run url | https://github.com/fieldnote/web/actions/runs/{d10}/job/{d11}
id slack permalink | See https://lumen.slack.com/archives/C{K10}/p{d16}
id youtube and docs | Spec: https://docs.google.com/document/d/1{w43}/edit
id figma file | https://www.figma.com/design/{a22}/Checkout?node-id=412-1893
id notion page | https://www.notion.so/korvex/Release-checklist-{h32}
id terraform log | aws_security_group.web: Refreshing state... [id=sg-0{h16}]
id long class | com.tidalhub.billing.infrastructure.persistence.JpaInvoiceRepositoryAdapterIntegrationTest
id long constant | MAX_CONCURRENT_PASSWORD_RESET_REQUESTS_PER_TENANT = 25
id branch | Branch: feature/BRIG-2231-rotate-refresh-token-on-password-change
id tmp path | /private/var/folders/{l2}/{k30}/T/playwright-report/index.html
id derived data | ~/Library/Developer/Xcode/DerivedData/Parcelbird-{l28}/Build/Products
id stack frame | at TokenRefreshInterceptor.intercept (/app/dist/auth/token-refresh.interceptor-{w8}.js:41:1873)
id license plate css | .css-{k7}-PasswordInput { padding: 8px 12px; border: 1px solid #{h6}; }
id css gradient | background: linear-gradient(135deg, #{h6} 0%, #{h6} 100%);
id tailwind | className="flex items-center justify-between rounded-lg border-zinc-200 px-4 py-2 text-sm"
id minified | !function(e,t){"object"==typeof exports?module.exports=t():e.nordkai=t()}(this,function(){var e={},t=function(n){return e[n]||(e[n]={exports:{}})};return t});
id minified token | const r=e=>{let{token:t,password:o}=e;return fetch("/api/session",{method:"POST",body:JSON.stringify({token:t,password:o})})};
id svg path | <path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm-1 15v-4H7l5-7v4h4l-5 7z"/>
id hexdump | 00000000  {h2} {h2} {h2} {h2} {h2} {h2} {h2} {h2}  {h2} {h2} {h2} {h2} {h2} {h2} {h2} {h2}  |................|
id mac and ipv6 | eth0: link/ether {h2}:{h2}:{h2}:{h2}:{h2}:{h2}, inet6 2001:db8:{h4}:{h4}::17/64
id epoch numbers | retry_after=1712{d9} seq={d12} offset={d9}
talk cookies | Cookies of the app: \`sessionid\` (HttpOnly), \`csrftoken\` and \`theme\`; the first two expire after a day.
talk key of map | The cache key is \`tenant:{S}{id}:permissions\`, the secondary key is the locale.
`;
