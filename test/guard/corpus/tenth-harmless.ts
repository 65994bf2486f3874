/** Lines that hold no secret, written without a look at the rules. */
export const tenthHarmless = `
env placeholder angle | GITHUB_TOKEN=<your-github-token>
env placeholder your | OPENAI_API_KEY=your-api-key-here
env placeholder upper | STRIPE_SECRET_KEY=YOUR_STRIPE_SECRET_KEY
env empty value | DB_PASSWORD={n}DB_HOST=localhost
env dots | ANTHROPIC_API_KEY=sk-ant-...
env stars | AWS_SECRET_ACCESS_KEY=****************
env angle german | API_KEY=<hier-deinen-schlüssel-eintragen>
env replace me | JWT_SECRET=replace-me-with-a-long-random-string
env reference shell | export DATABASE_URL="postgres://{S}{DB_USER}:{S}{DB_PASSWORD}@{S}{DB_HOST}:5432/{S}{DB_NAME}"
env reference command | export GITHUB_TOKEN="{S}(gh auth token)"
env reference pass | export OPENAI_API_KEY="{S}(pass show openai/prod)"
env reference op | STRIPE_SECRET_KEY=op://Engineering/Stripe/secret-key
env reference file | POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password
env default empty | API_TOKEN={S}{API_TOKEN:-}
env required | SECRET_KEY_BASE={S}{SECRET_KEY_BASE:?must be set}
actions secret | env:{n}  NPM_TOKEN: {S}{{ secrets.NPM_TOKEN }}
actions github token | with:{n}  token: {S}{{ secrets.GITHUB_TOKEN }}{n}  fetch-depth: 0
actions pinned sha | - uses: actions/checkout@{h40} # v4.2.2
actions docker digest | - uses: docker://alpine@sha256:{h64}
gitlab var ref | script:{n}  - docker login -u $CI_REGISTRY_USER -p $CI_REGISTRY_PASSWORD $CI_REGISTRY
gitlab job token var | - curl --header "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/projects/$CI_PROJECT_ID/packages"
circleci context | The deploy job takes DEPLOY_TOKEN from the context \`prod-secrets\`; nothing is stored in the repo.
azure pipeline ref | env:{n}  SYSTEM_ACCESSTOKEN: $(System.AccessToken)
jenkins credentials | withCredentials([string(credentialsId: 'sonar-token', variable: 'SONAR_TOKEN')]) { sh './gradlew sonar' }
k8s secretkeyref | - name: DB_PASSWORD{n}  valueFrom:{n}    secretKeyRef:{n}      name: db-credentials{n}      key: password
k8s external secret | remoteRef:{n}  key: prod/shop/database{n}  property: password
helm values existing | auth:{n}  existingSecret: postgres-credentials{n}  secretKeys:{n}    adminPasswordKey: postgres-password
helm template ref | password: {{ .Values.postgresql.auth.password | quote }}
compose secret file | secrets:{n}  db_password:{n}    file: ./secrets/db_password.txt
compose env ref | environment:{n}  - POSTGRES_PASSWORD={S}{POSTGRES_PASSWORD}
terraform var ref | password = var.db_password
terraform sensitive | variable "db_password" {{n}  type      = string{n}  sensitive = true{n}}
terraform random | resource "random_password" "db" {{n}  length  = 24{n}  special = true{n}}
terraform ssm ref | secret_key = data.aws_ssm_parameter.session_key.value
terraform output sensitive | db_password = <sensitive>
terraform lock | hashes = [{n}  "h1:{b43}=",{n}  "zh:{h64}",{n}]
ansible vault lookup | db_password: "{{ lookup('hashi_vault', 'secret=kv/data/shop:password') }}"
ansible vault var | mysql_root_password: "{{ vault_mysql_root_password }}"
cloudformation resolve | MasterUserPassword: '{{resolve:secretsmanager:prod/db:SecretString:password}}'
aws arn secret | SecretArn: arn:aws:secretsmanager:eu-central-1:{d12}:secret:prod/db-AbCdEf
aws arn kms | kms_key_id = "arn:aws:kms:eu-west-1:{d12}:key/{uuid}"
aws ids | VPC is vpc-0{h16}, subnets subnet-0{h16} and subnet-0{h16}, SG sg-0{h16}.
aws ami | ami = "ami-0{h16}"
python os environ | api_key = os.environ["OPENAI_API_KEY"]
python getenv | token = os.getenv("SLACK_BOT_TOKEN", "")
python settings field | class Settings(BaseSettings):{n}    jwt_secret: SecretStr{n}    database_password: SecretStr
python getpass | password = getpass.getpass("Database password: ")
python secrets module | SECRET_KEY = secrets.token_urlsafe(48)
python hash call | hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds=12))
python keyword arg | client = Client(api_key=settings.api_key, token=token_provider.get_token())
js process env | const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!, { apiVersion: "2024-06-20" });
js import meta | const key = import.meta.env.VITE_MAPS_KEY;
js header var | headers: { Authorization: \`Bearer {S}{accessToken}\` }
js destructure | const { password, passwordConfirmation } = await request.json();
js zod schema | password: z.string().min(12, "Password must have at least 12 characters"),
js type def | interface Credentials { username: string; password: string; apiToken?: string }
js function name | await refreshAccessTokenForServiceAccountIfExpired(session);
js randombytes | const sessionSecret = crypto.randomBytes(32).toString("hex");
js token compare | if (token !== expectedToken) throw new UnauthorizedError("invalid token");
js i18n keys | "login.passwordPlaceholder": "Enter your password",
js constant names | export const ACCESS_TOKEN_STORAGE_KEY = "northwind.auth.accessToken";
js regexp token | const GITHUB_TOKEN_PATTERN = /gh[pousr]_[A-Za-z0-9]{36,}/g;
js test expect redacted | expect(redact("password=not-a-real-password")).toBe("password=[REDACTED]");
go getenv | apiKey := os.Getenv("MISTRAL_API_KEY")
go struct tag | Password string \`json:"password" validate:"required,min=12"\`
go sum | golang.org/x/crypto v0.31.0 h1:{b43}=
go mod pseudo version | github.com/northwind/queue v0.0.0-20251104153012-{h12}
rust env | let token = std::env::var("GITLAB_TOKEN").context("GITLAB_TOKEN is not set")?;
cargo lock checksum | name = "serde"{n}version = "1.0.217"{n}source = "registry+https://github.com/rust-lang/crates.io-index"{n}checksum = "{h64}"
java value annotation | @Value("{S}{payment.api-key}") private String apiKey;
java spring ref | spring.datasource.password={S}{DB_PASSWORD}
java class name | at com.northwind.security.oauth2.TokenAuthenticationFilter.doFilterInternal(TokenAuthenticationFilter.java:87)
csharp config ref | var key = builder.Configuration["Jwt:SigningKey"] ?? throw new InvalidOperationException();
csharp user secrets | dotnet user-secrets set "Jwt:SigningKey" "<generate one>"
csharp public key token | System.Text.Json, Version=8.0.0.0, Culture=neutral, PublicKeyToken={h16}
php env | 'password' => env('DB_PASSWORD', ''),
php variable | $password = $_POST['password'] ?? '';
ruby credentials | Rails.application.credentials.dig(:stripe, :secret_key)
ruby env fetch | config.secret_key_base = ENV.fetch("SECRET_KEY_BASE")
ruby gemfile lock | CHECKSUMS{n}  rack (3.1.8) sha256={h64}
elixir env | config :app, App.Mailer, api_key: System.get_env("MAILGUN_API_KEY")
powershell read host | $cred = Get-Credential -Message "Password of the service account"
powershell env var | $headers = @{ Authorization = "Bearer $env:DEPLOY_TOKEN" }
shell read silent | read -rsp "Password: " PASSWORD && export PASSWORD
shell openssl rand | openssl rand -hex 32 > secrets/session_key
shell curl var | curl -H "Authorization: Bearer $TOKEN" https://api.northwind.example/v1/me
shell curl user var | curl -u "$NEXUS_USER:$NEXUS_PASSWORD" -T app.jar https://nexus.corp.example/repository/raw/
shell curl placeholder | curl -H "X-Api-Key: <API_KEY>" https://api.northwind.example/v1/orders
shell mysql prompt | mysql -u root -p shop < dump.sql   # asks for the password
shell psql url var | psql "$DATABASE_URL" -c 'select count(*) from orders'
shell docker stdin | cat ~/.ghcr-token | docker login ghcr.io -u northwind --password-stdin
shell kubectl get secret | kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
shell vault read | vault kv get -field=password kv/shop/database
shell aws secretsmanager | aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text
shell ssh keygen | ssh-keygen -t ed25519 -f ~/.ssh/deploy_key -C "deploy@northwind" -N ""
shell git log | git show {h40} --stat
shell git cherry | Cherry-picked {h10} and {h10} onto release/2.4.
shell gpg recv | gpg --keyserver hkps://keys.openpgp.org --recv-keys {H40}
shell sha256sum | echo "{h64}  node-v22.12.0-linux-x64.tar.xz" | sha256sum -c -
shell pip hash | requests==2.32.3 --hash=sha256:{h64}
shell nix hash | hash = "sha256-{b43}=";
shell nix fetch | fetchFromGitHub { owner = "northwind"; repo = "queue"; rev = "{h40}"; sha256 = "{k52}"; }
shell brew sha | sha256 "{h64}"
dockerfile from digest | FROM node:22-alpine@sha256:{h64} AS build
dockerfile secret mount | RUN --mount=type=secret,id=npm_token NPM_TOKEN=$(cat /run/secrets/npm_token) npm ci
dockerfile arg empty | ARG NPM_TOKEN{n}RUN echo "//registry.npmjs.org/:_authToken={S}{NPM_TOKEN}" > .npmrc
npmrc var | //registry.npmjs.org/:_authToken={S}{NPM_TOKEN}
package lock integrity | "node_modules/zod": {{n}  "version": "3.24.1",{n}  "resolved": "https://registry.npmjs.org/zod/-/zod-3.24.1.tgz",{n}  "integrity": "sha512-{b86}=="{n}}
pnpm lock integrity | resolution: {integrity: sha512-{b86}==}
yarn lock | resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#{h40}"{n}  integrity sha512-{b86}==
yarn berry checksum | checksum: 10c0/{h128}
poetry lock | files = [{n}    {file = "attrs-24.3.0-py3-none-any.whl", hash = "sha256:{h64}"},{n}]
uv lock | sdist = { url = "https://files.pythonhosted.org/packages/{h2}/{h2}/{h60}/anyio-4.8.0.tar.gz", hash = "sha256:{h64}", size = 181126 }
composer lock ref | "dist": { "type": "zip", "url": "https://api.github.com/repos/monolog/monolog/zipball/{h40}", "reference": "{h40}" }
flake lock | "narHash": "sha256-{b43}=",{n}"rev": "{h40}",
deno lock | "https://deno.land/std@0.224.0/assert/mod.ts": "{h64}"
sri script | <script src="https://cdn.example.net/alpine.min.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
csp hash | Content-Security-Policy: script-src 'self' 'sha256-{b43}='
git merge line | Merge commit {h40} broke the build; bisect points to {h8}.
git submodule | Submodule vendor/lib {h7}..{h7}:{n}  > fix build on arm64
git blob | index {h7}..{h7} 100644
git ls tree | 100644 blob {h40}	README.md
git log oneline | {h7} Fix token refresh{n}{h7} Add password reset mail{n}{h7} Bump deps
git reflog | {h7} HEAD@{3}: rebase (finish): returning to refs/heads/main
bullet commit | - Fixed in {h40}, released with 1.8.2
prose commit url | See https://github.com/northwind/api/commit/{h40} for the change.
prose permalink | The check is at https://github.com/northwind/api/blob/{h40}/src/auth/token.ts#L40-L58
uuid prose | The failing order has id {uuid}.
uuid bullet | - tenant: {uuid} (Northwind GmbH)
uuid log | 2026-02-11 10:44:09 ERROR [req-{uuid}] orders: timeout after 30 s
uuid path | GET /v1/orders/{uuid}/items 200 38ms
uuid yaml | id: {uuid}{n}name: nightly-export
uuid sql | DELETE FROM jobs WHERE id = '{uuid}';
uuid k8s | uid: {uuid}{n}resourceVersion: "{d9}"
uuid session of agent | Session {uuid} of the agent stopped after the compaction; the next one went on from its notes.
trace id header | traceparent: 00-{h32}-{h16}-01
trace id log | trace_id={h32} span_id={h16} msg="cache miss"
request id aws | x-amz-request-id: {K16}{n}x-amz-id-2: {b75}=
cf ray | cf-ray: {h16}-FRA
etag | ETag: "{h32}"
etag weak | etag: W/"5b-{b27}"
docker image id | Successfully built {h12}{n}Successfully tagged api:dev
docker ps | {h12}   postgres:16   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   5432/tcp   shop-db-1
docker layer | {h12}: Pull complete{n}Digest: sha256:{h64}
docker container full | Container {h64} exited with code 137 (OOM).
k8s pod name | api-{k10}-{k5}   1/1   Running   0   3h12m
k8s replica | Deployment rolled to api-{k9}; old ReplicaSet scaled to 0.
md5 prose | md5 of the dump is {h32}, same on both sides.
sha1 bullet | - sha1: {h40}  firmware-3.2.bin
sha512 checksum | SHA512 ({h8}.iso) = {h128}
sha256 table | | file | sha256 |{n}|---|---|{n}| model.safetensors | {h64} |
b3sum | b3sum weights.bin -> {h64}
cache key | Cache restored from key: linux-node-22-{h64}
turbo hash | shop:build: cache hit, replaying logs {h16}
vite css | dist/assets/vendor-{w8}.css is 40 kB bigger than before the upgrade.
next static | /_next/static/chunks/{h16}.js returned 404 after the deploy
static file path | static/admin/css/base.{h12}.css
png data url | background: url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAA{b160}=)
svg data url | <img alt="logo" src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmci{b120}">
jpeg base64 json | {"mime":"image/jpeg","data":"/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD{b180}"}
font data url | src: url(data:font/woff2;base64,d09GMgABAAAAA{b140}) format("woff2");
sourcemap inline | //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb{b120}
ssh public key ed25519 | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} deploy@northwind
ssh public key rsa | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b340} mara@laptop
authorized keys note | Added to authorized_keys on web01: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} ci-runner
known hosts | git.corp.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43}
ssh fingerprint | Host key fingerprint is SHA256:{b43}
public key pem | -----BEGIN PUBLIC KEY-----{n}MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b32}{n}{b64}{n}{b64}{n}-----END PUBLIC KEY-----
certificate pem | -----BEGIN CERTIFICATE-----{n}MIIDdzCCAl+gAwIBAgIE{b44}{n}{b64}{n}{b64}{n}{b40}{n}-----END CERTIFICATE-----
csr pem | -----BEGIN CERTIFICATE REQUEST-----{n}MIICvDCCAaQCAQAwdzEL{b44}{n}{b64}{n}{b64}{n}-----END CERTIFICATE REQUEST-----
pgp public block | -----BEGIN PGP PUBLIC KEY BLOCK-----{n}{n}mQINBG{b58}{n}{b64}{n}{b64}{n}={b4}{n}-----END PGP PUBLIC KEY BLOCK-----
pgp signature | -----BEGIN PGP SIGNATURE-----{n}{n}iQIzBAABCgAd{b52}{n}{b64}{n}={b4}{n}-----END PGP SIGNATURE-----
age recipient | age1{o58} is the recipient of the backup job.
wireguard public | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.8.0.4/32
minisign public | Verify with minisign -P RW{b54}
cert fingerprint | SHA256 Fingerprint={H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
cert serial | serial 0{h35}, valid until 2027-03-01, issuer R11
dkim dns | mail._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{b170}QAB"
dns ds record | northwind.example. IN DS {d5} 13 2 {H64}
kubeadm ca hash | --discovery-token-ca-cert-hash sha256:{h64}
kube ca data | certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b160}
jwks public | {"kty":"RSA","use":"sig","alg":"RS256","kid":"{w22}","n":"{w342}","e":"AQAB"}
vapid public name | VAPID public key goes to the client as \`applicationServerKey\`; the private one stays in Vault.
ethereum address | Contract deployed at 0x{h40}
solidity call | cast call 0x{h40} "totalSupply()(uint256)"
ipfs cid | Pinned as bafybei{k52}
merkle root | merkleRoot: 0x{h64}
redacted log | auth: using token=[REDACTED] for user mara
redacted stars github | ✓ Logged in to github.com account nwbot, token: gho_************************************
redacted masked actions | Run curl -H "Authorization: Bearer ***" https://api.northwind.example/deploy
redacted url | connecting to postgres://app:****@pg.intern:5432/app
redacted prose | The password was removed from this note; it is in 1Password under "Staging DB".
redacted json | {"user":"mara","password":"<redacted>","remember":true}
redacted hidden | smtp_password: (hidden)
redacted env dump | DB_PASSWORD=********{n}DB_USER=app
redacted filtered rails | Parameters: {"email"=>"mara@northwind.example", "password"=>"[FILTERED]"}
talk rotate | Rotate the Stripe secret key after the launch and delete the old one.
talk no password | The password is not stored anywhere; the user types it at start.
talk ask | Ask Mara for the password of the staging database.
talk in vault | The password is in Vault at kv/shop/database, field \`password\`.
talk policy | Password rules: at least 12 characters, one digit, no reuse of the last five.
talk wrong | Login failed because the password was wrong, not because of the proxy.
talk reset flow | The password reset mail contains a link that is valid for 30 minutes.
talk hash | Passwords are hashed with argon2id (m=64 MiB, t=3, p=4).
talk token expiry | Access token: 15 minutes. Refresh token: 30 days, rotated at each use.
talk token count | The prompt had 48213 tokens, the answer 1820 tokens; max_tokens: 4096 was too small.
talk secret missing | Build failed: secret \`DEPLOY_TOKEN\` is not defined for pull requests from forks.
talk api key required | The endpoint needs an API key, which one gets in the vendor's console under Settings > Keys.
talk env docs | \`SESSION_SECRET\` must be a random string of at least 32 bytes.
talk leaked | A token was leaked in the log in January; it was revoked on the same day.
talk german | Das Passwort steht im Tresor, bitte nicht in die Notizen schreiben.
talk german token | Der Token läuft nach 24 Stunden ab und wird dann automatisch erneuert.
talk spanish | La contraseña se pide al iniciar y no se guarda.
talk primary key | The primary key of \`orders\` is (tenant_id, order_no); the foreign key has ON DELETE CASCADE.
talk pass tests | pass: 214, fail: 0, skipped: 3
talk pass through | The proxy must pass Authorization through to the backend unchanged.
talk public token | csrf_token is rendered by {% csrf_token %} in each form.
talk password field | The field \`password\` is missing from the form on /signup in Safari.
talk credentials helper | git config --global credential.helper osxkeychain
talk login heading | ## Login and password handling
talk error jwt | JsonWebTokenError: secretOrPrivateKey must have a value
talk error aws | botocore.exceptions.NoCredentialsError: Unable to locate credentials
talk error pg | FATAL: password authentication failed for user "app"
talk error mysql | ERROR 1045 (28000): Access denied for user 'shop'@'10.0.0.5' (using password: YES)
talk error openai | Error code: 401 - Incorrect API key provided: sk-proj-****. You can find your API key in the dashboard.
talk error ssh | Permission denied (publickey,password).
config key names | Settings read: auth.jwt.accessTokenLifetime, auth.jwt.refreshTokenLifetime, auth.passwordMinLength
config yaml options | auth:{n}  password_min_length: 12{n}  token_ttl: 900{n}  require_mfa: true
config boolean | ALLOW_PASSWORD_LOGIN=false{n}TOKEN_ROTATION=true
config header name | apiKeyHeader: X-Northwind-Api-Key
config secret name | secretName: shop-tls-wildcard-northwind-example
config key path | ssl_certificate_key /etc/letsencrypt/live/northwind.example/privkey.pem;
config keyfile ini | [ssl]{n}key_file = /etc/ssl/private/server.key{n}password_file = /etc/ssl/private/pass.txt
config ssh config | Host web01{n}  User deploy{n}  IdentityFile ~/.ssh/deploy_ed25519
config openapi | securitySchemes:{n}  bearerAuth:{n}    type: http{n}    scheme: bearer{n}    bearerFormat: JWT
config graphql | mutation Login($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }
config sql column | ALTER TABLE users ADD COLUMN password_hash text NOT NULL, ADD COLUMN reset_token_expires_at timestamptz;
config sql param | UPDATE users SET password_hash = $1, token_version = token_version + 1 WHERE id = $2;
config sql bind | CREATE ROLE app LOGIN PASSWORD :'app_password';
config token endpoint | token_endpoint: https://sso.corp.example/realms/nw/protocol/openid-connect/token
config oauth scopes | scope=openid profile email offline_access&response_type=code&code_challenge_method=S256
config gitignore | .env{n}.env.*{n}!.env.example{n}*.pem{n}secrets/
config sops | The values are encrypted with sops: db_password: ENC[AES256_GCM,data:{b23}=,iv:{b43}=,tag:{b22}==,type:str]
config sealed secret | kind: SealedSecret{n}spec:{n}  encryptedData:{n}    password: AgB{b200}=
config table env | | Name | Required | Description |{n}|---|---|---|{n}| \`DB_PASSWORD\` | yes | Password of the database user |
config readme list | - \`--api-key <key>\`: the API key (default: env \`NW_API_KEY\`)
config url template | mongodb+srv://<username>:<password>@<cluster>.mongodb.net/<db>
config url braces | amqp://{user}:{password}@{host}:5672/{vhost}
long package path | src/main/java/com/northwind/platform/identity/authentication/TokenIntrospectionAuthenticationProviderConfiguration.java
long test name | test_refresh_token_is_rejected_when_password_was_changed_after_issue_date_and_session_is_revoked
long css class | .MuiButtonBase-root.MuiIconButton-root.css-{k7}-MuiButtonBase-root { padding: 4px }
css module class | Login_passwordInput__{w5} and Login_tokenHint__{w5} overlap at 320 px.
css gradient | background: linear-gradient(135deg, #1f2a44 0%, #35507c 48%, #9fb7d9 100%); box-shadow: 0 1px 2px rgba(16,24,40,.06);
css tailwind | className="inline-flex items-center gap-2 rounded-md px-3 py-2 text-sm font-medium focus-visible:ring-2 disabled:opacity-50"
svg path | <path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm0 18c-4.41 0-8-3.59-8-8s3.59-8 8-8 8 3.59 8 8-3.59 8-8 8z"/>
minified token | function q(t){for(var e=t.pos,r=t.src;e<r.length&&32===r.charCodeAt(e);)e++;return t.pos=e,t.token={type:"word",start:e}}
java stack | Caused by: org.hibernate.exception.JDBCConnectionException: Unable to acquire JDBC Connection [n/a] at SqlExceptionHelper.java:100
windows path | C:\\Users\\mara\\AppData\\Local\\Microsoft\\Credentials is excluded from the backup.
nix store path | /nix/store/{k32}-nodejs-22.12.0/bin/node
bazel out | bazel-out/k8-fastbuild/bin/services/auth/token_service_proto-descriptor-set.proto.bin
npm cache path | ~/.npm/_cacache/content-v2/sha512/{h2}/{h2}/{h124}
pnpm path | node_modules/.pnpm/@babel+core@7.26.0_supports-color@9.4.0/node_modules/@babel/core/lib/index.js
figma link | Design: https://www.figma.com/design/{a22}/Checkout?node-id=412-1180
slack permalink | Discussion: https://northwind.slack.com/archives/C{K10}/p{d16}
jira link | Ticket NW-2231, board https://northwind.atlassian.net/jira/software/projects/NW/boards/14
linear issue id | Issue NW-418 ({uuid}) is blocked by NW-402.
stripe object ids | The refund failed for customer cus_{a14}, payment intent pi_{a24}, invoice in_{a24}.
stripe price | price_{a24} is the yearly plan, prod_{a14} the product.
stripe event log | received evt_{a24} type=invoice.paid
openai ids | run_{a24} of thread_{a24} ended with status expired
anthropic ids | The response was msg_01{a22}, tool call toolu_01{a22}.
chat completion id | "id": "chatcmpl-{a29}", "object": "chat.completion", "usage": { "total_tokens": 911 }
mongo object id | db.orders.findOne({ _id: ObjectId("{h24}") })
ulid | job 01J{K23} finished in 3.2 s
hexdump | 00000010: {h4} {h4} {h4} {h4} {h4} {h4} {h4} {h4}  ................
memory address | SIGSEGV at 0x00007f{h10} in libcrypto.so.3 (EVP_DecryptFinal_ex+0x{h3})
build id | BuildID[sha1]={h40}, stripped
base64 of sentence | The header decodes to plain text: {base64:Hello world, this is only a greeting for the decoder.}
snapshot test | exports[\`LoginForm renders the password field 1\`] = \`<input type="password" name="password" autocomplete="current-password" />\`;
html input | <input type="password" id="new-password" placeholder="New password" autocomplete="new-password" required>
locator test | await page.getByLabel("Password").fill(process.env.E2E_PASSWORD!);
gitleaks rule | [[rules]]{n}id = "nw-token"{n}regex = '''nwq_(live|test)_[0-9a-z]{40}'''
format talk prefix | GitHub tokens start with \`ghp_\`, GitLab's with \`glpat-\`, Slack's with \`xoxb-\`.
format talk jwt | A JWT has three parts: header.payload.signature, each base64url.
format talk pem | The file must begin with \`-----BEGIN PRIVATE KEY-----\`, else the loader refuses it.
lang lock flutter | sha256: "{h64}"{n}    url: "https://pub.dev"{n}  source: hosted{n}  version: "2.1.1"
cocoapods | PODFILE CHECKSUM: {h40}
gradle verification | <sha256 value="{h64}" origin="Generated by Gradle"/>
gradle wrapper sum | distributionSha256Sum={h64}
apt key | signed-by=/etc/apt/keyrings/docker.gpg, key id {H16}
alembic revision | revision = "{h12}"{n}down_revision = "{h12}"
prisma migration | Applied migration 20260112094411_add_password_reset_tokens
rails schema | create_table "api_tokens" do |t|{n}  t.string "token_digest", null: false
bcrypt talk | The column password_hash is varchar(255), prefix \`$2b$12$\` shows bcrypt.
model file | Loading checkpoint models--meta-llama--Llama-3.1-8B/snapshots/{h40}/model-00001-of-00004.safetensors
wandb run link | Run https://wandb.ai/northwind/ranker/runs/{k8} reached 0.871 AUC
job arn log | arn:aws:states:eu-central-1:{d12}:execution:nightly:{uuid}
cloudwatch stream | log stream 2026/02/11/[$LATEST]{h32}
lambda request | START RequestId: {uuid} Version: $LATEST
cloudfront | d{k13}.cloudfront.net serves the old bundle; invalidation I{K13} is running
`;
