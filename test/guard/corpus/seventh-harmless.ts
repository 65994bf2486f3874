/** Lines that hold no secret, written without a look at the rules. */
export const seventhHarmless = `
note password rule | Passwords must have at least 12 characters, one digit and one sign.
note rotation | Rotate the database password every 90 days; the runbook is in ops/rotation.md.
note where it lies | The admin password is stored in 1Password under "Prod / Postgres".
note never commit | Never commit tokens. Use the vault instead.
note token budget | The prompt used 12,480 tokens, of which 9,100 were cached.
note token limit | Set max_tokens to 4096, the default of 1024 cuts the answer.
note tokenizer | The tokenizer splits "unbelievable" into three tokens.
note key press | Press the key F5 to reload, or Ctrl+Shift+R for a hard reload.
note primary key | The primary key is (tenant_id, order_id), not a serial.
note foreign key | Foreign key fk_orders_customer_id fails when the customer is archived.
note secret garden | The secret of a fast build is a warm cache.
note password reset flow | The password reset mail is sent by NotificationService after 30 seconds.
note hash | We hash passwords with argon2id, memory 64 MB, 3 iterations.
note bcrypt cost | bcrypt cost 12 takes about 250 ms on the small instance.
note 2fa | 2FA codes have six digits and live for 30 seconds.
note login | Log in as admin and open Settings > Users.
note ask | Ask Maria for the VPN password.
note wrong password | Wrong password gives HTTP 401, a locked account gives 423.
note key rotation | Key rotation took 4 minutes on 2025-03-02.
note api key missing | When the API key is missing the client throws MissingApiKeyError.
note session | Session tokens expire after 15 minutes of idle time.
note csrf | The CSRF token is read from the meta tag csrf-token.
note refresh | Refresh tokens are one-time; reuse revokes the family.
note jwt | The JWT has three parts: header, payload and signature.
note pass | All 412 tests pass; 3 skipped.
note pin version | Pin the version to 4.17.21, newer ones break the types.
note secretary | The secretary approves documents before the director.
note authorship | Author: Ivan Petrov, reviewer: Anna Schmidt
note passthrough | passthrough: true keeps the original headers
note compass | Compass and bypass are words which hold "pass".
note monkey | monkey: patching the Date object broke two tests
note keyboard | keyboard=us, layout=qwerty
note keynote | Keynote: 10:00, room 4
note tokens of thanks | As a token of thanks we sent a cake.
shell env read | export DB_PASSWORD="$(vault kv get -field=password secret/app/db)"
shell op read | TOKEN=$(op read "op://Prod/github/token")
shell ssm | aws ssm get-parameter --name /prod/db/password --with-decryption
shell gcloud | gcloud secrets versions access latest --secret=db-password
shell az | az keyvault secret show --vault-name kv-prod --name sql-password --query value -o tsv
shell kubectl | kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
shell pass | pass show work/github
shell read | read -s -p "Password: " PASSWORD
shell var | mysql -u root -p"{S}MYSQL_PASSWORD" shop
shell curl var | curl -H "Authorization: Bearer {S}TOKEN" https://api.example.org/me
shell curl user var | curl -u "{S}USER:{S}PASS" https://nexus.corp.example/
shell gh | gh auth token | docker login ghcr.io -u bot --password-stdin
shell openssl rand | openssl rand -hex 32
shell ssh-keygen | ssh-keygen -t ed25519 -C "ci@example.org" -f ~/.ssh/id_ci
shell ssh | ssh -i ~/.ssh/id_ed25519 deploy@web1.example.org
shell scp | scp -P 2222 ./dist.tar.gz deploy@10.0.0.4:/srv/www/
shell mysql prompt | mysql -u root -p shop < schema.sql
shell mkdir | mkdir -p build/output && cp -r src/* build/output/
shell ps | ps aux | grep -v grep | grep node
shell port | docker run -p 8080:80 -v data:/data nginx:1.27
shell grep | grep -rn "password" src/ --include=*.ts
shell sed | sed -i 's/password=.*/password=REDACTED/' app.log
shell tar | tar -xzf node-v22.11.0-linux-x64.tar.gz
shell pnpm | pnpm install --frozen-lockfile && pnpm test
shell unset | unset AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
shell sts | aws sts get-caller-identity --profile prod
shell secrets set | gh secret set NPM_TOKEN < token.txt
shell fly | fly secrets list -a my-app
shell age | age-keygen -o key.txt
env placeholder | DB_PASSWORD=changeme
env placeholder angle | API_KEY=<your-api-key>
env placeholder words | OPENAI_API_KEY=your_openai_api_key_here
env placeholder xxx | STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
env stars | PASSWORD=********
env empty | SMTP_PASSWORD=
env redacted | GITHUB_TOKEN=[REDACTED]
env dots | ANTHROPIC_API_KEY=sk-ant-...
env file path | DB_PASSWORD_FILE=/run/secrets/db_password
env private key path | SSL_KEY_PATH=/etc/ssl/private/server.key
env token url | TOKEN_URL=https://idp.example.org/oauth2/token
env ttl | ACCESS_TOKEN_TTL=900
env bool | REQUIRE_PASSWORD=true
env name | SECRET_NAME=prod/app/database
env port | REDIS_PORT=6379
env node | NODE_ENV=production
env alg | JWT_ALGORITHM=RS256
env issuer | JWT_ISSUER=https://login.example.org/
env max | MAX_TOKENS=8192
env header name | API_KEY_HEADER=X-Api-Key
env compose var | POSTGRES_PASSWORD: {S}{POSTGRES_PASSWORD:?required}
yaml actions secret | token: {S}{{ secrets.GITHUB_TOKEN }}
yaml helm value | password: {{ .Values.db.password | quote }}
yaml ansible vault | db_password: "{{ vault_db_password }}"
yaml secretKeyRef | valueFrom:{n}  secretKeyRef:{n}    name: db{n}    key: password
yaml external secret | remoteRef:{n}  key: prod/app{n}  property: client_secret
yaml permission | permissions:{n}  id-token: write{n}  contents: read
yaml null | password: null
yaml tilde | passphrase: ~
yaml prompt | vars_prompt:{n}  - name: password{n}    private: true
yaml image | image: registry.example.org/app@sha256:{h64}
yaml cache key | key: {S}{{ runner.os }}-node-{S}{{ hashFiles('**/package-lock.json') }}
yaml action pin | uses: actions/checkout@{h40} # v4.2.2
terraform var | password = var.db_password
terraform data | secret_string = data.aws_secretsmanager_secret_version.db.secret_string
terraform random | password = random_password.db.result
terraform sensitive | variable "db_password" { type = string, sensitive = true }
terraform lock | h1:{b43}=
json schema | "password": { "type": "string", "minLength": 12 }
json i18n | "login.password.label": "Password"
json i18n forgot | "forgotPassword": "Forgot your password?"
json i18n error | "error.token.expired": "Your session has expired, please sign in again."
json lock integrity | "integrity": "sha512-{b86}=="
json lock resolved | "resolved": "https://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz"
json package | "version": "2.14.3",
json example | {"username": "alice", "password": "<password>"}
json masked | {"token": "***", "expires_in": 3600}
json uuid id | {"id": "{uuid}", "name": "Order 14"}
json etag | "etag": "W/\\"{h32}\\""
yarn lock | checksum: 10c0/{h128}
pnpm lock | resolution: {integrity: sha512-{b86}==}
poetry lock | {file = "requests-2.32.3-py3-none-any.whl", hash = "sha256:{h64}"}
pip hash | requests==2.32.3 --hash=sha256:{h64}
cargo lock | checksum = "{h64}"
go sum | golang.org/x/crypto v0.31.0 h1:{b43}=
gemfile lock | rails (7.1.3.4)
nix | sha256 = "sha256-{b43}=";
homebrew | sha256 "{h64}"
commit | Fixed in commit {h40}.
commit short | see {h7} for the revert
git log line | {h40} refs/heads/main
git range | git diff {h8}..{h8} -- src/app.ts
git tree | 100644 blob {h40}	README.md
git bisect | {h40} is the first bad commit
submodule | Subproject commit {h40}
merge | Merge commit '{h40}' into release
checksum sha256 | {h64}  ubuntu-24.04-live-server-amd64.iso
checksum md5 | MD5 (dump.sql.gz) = {h32}
checksum sha1 prose | SHA-1 of the artefact is {h40}
digest | Digest: sha256:{h64}
docker id | container {h12} exited with code 137
docker ps | {h12}   nginx:1.27   "/docker-entrypoint.…"   2 hours ago   Up 2 hours
build id | BuildID[sha1]={h40}
uuid row | order {uuid} was processed twice
trace id | trace_id={h32} span_id={h16}
traceparent | traceparent: 00-{h32}-{h16}-01
request id | x-request-id: {uuid}
aws request | x-amzn-requestid: {uuid}
cf ray | cf-ray: {h16}-FRA
correlation | correlationId={uuid} took 412ms
session uuid claude | Session {uuid}.jsonl holds 312 messages
migration | migration 20250301104512_add_users_table
guid project | <ProjectGuid>{uuid}</ProjectGuid>
guid registry | HKLM\\SOFTWARE\\Classes\\CLSID\\{{uuid}}
arn role | arn:aws:iam::123456789012:role/deploy
arn secret | arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
arn kms | arn:aws:kms:eu-central-1:123456789012:key/{uuid}
aws ids | vpc-{h17} subnet-{h17} sg-{h17}
aws instance | i-{h17} is in state stopped
aws ami | ami-{h17} (Ubuntu 24.04)
azure id | /subscriptions/{uuid}/resourceGroups/rg-prod/providers/Microsoft.Sql/servers/sql1
azure tenant | tenant id {uuid}
gcp project | projects/acme-prod-123/locations/europe-west1/keyRings/main/cryptoKeys/app
gcp sa mail | deploy@acme-prod-123.iam.gserviceaccount.com
k8s pod | app-7d9c5b6f4-x2x8k 1/1 Running 0 3h
k8s secret name | secret/db-credentials created
k8s secret list | db-credentials   Opaque   3   41d
aws doc key | AWS's documented example key is AKIAIOSFODNN7EXAMPLE
aws doc secret | aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
basic rfc | The RFC example is Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
key prefix prose | GitHub tokens start with ghp_, gho_ or github_pat_ since 2021.
key prefix slack | A Slack bot token starts with xoxb-, a user token with xoxp-.
key regex | /AKIA[0-9A-Z]{16,16}/ matches an AWS access key id
key regex 2 | const re = /ghp_[A-Za-z0-9]+/g;
pem header only | grep -l "BEGIN RSA PRIVATE KEY" -r .
ssh public | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} ci@example.org
ssh rsa public | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b300} ivan@laptop
ssh fingerprint | SHA256:{b43} ivan@laptop (ED25519)
ssh md5 fingerprint | 2048 MD5:1a:2b:3c:4d:5e:6f:70:81:92:a3:b4:c5:d6:e7:f8:09 root@srv (RSA)
known hosts | github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43}
public pem | -----BEGIN PUBLIC KEY-----{n}{b64}{n}{b64}{n}-----END PUBLIC KEY-----
certificate | -----BEGIN CERTIFICATE-----{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
gpg fingerprint | gpg: key fingerprint {H40}
gpg recv | gpg --recv-keys 0x{H16}
cert serial | serial={H32} notAfter=Jan  1 00:00:00 2030 GMT
wireguard public | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.8.0.0/24
csp hash | script-src 'self' 'sha256-{b43}='
sri | <script src="https://cdn.example.org/a.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
dkim | v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b200}
eth address | The contract lives at 0x{h40} on Sepolia.
tx hash | tx 0x{h64} was mined in block 19284412
ipfs | ipfs://bafybei{x52}
stripe publishable | pk_test_TYooMQauvdEDq54NiTphI7jx is the publishable key from the old Stripe docs
code env node | const token = process.env.GITHUB_TOKEN;
code env node guard | if (!process.env.API_KEY) throw new Error("API_KEY is not set");
code env python | password = os.environ["DB_PASSWORD"]
code env python default | api_key = os.getenv("API_KEY", "")
code getpass | password = getpass.getpass("Password: ")
code keyring | token = keyring.get_password("github", "bot")
code django | SECRET_KEY = env("DJANGO_SECRET_KEY")
code pydantic | password: SecretStr = Field(..., min_length=8)
code vault python | secret = client.secrets.kv.v2.read_secret_version(path="app/db")
code go env | token := os.Getenv("API_TOKEN")
code go struct tag | Password string \`json:"password" validate:"required"\`
code rust env | let key = std::env::var("API_KEY").expect("API_KEY");
code java value | @Value("#{systemEnvironment['DB_PASSWORD']}") private String password;
code java getter | public String getPassword() { return this.password; }
code java encoder | user.setPassword(passwordEncoder.encode(request.getPassword()));
code csharp config | var password = Configuration["Db:Password"];
code csharp kv | var secret = await client.GetSecretAsync("sql-password");
code php env | 'password' => env('DB_PASSWORD', ''),
code php hash | {S}ok = password_verify({S}_POST['password'], {S}user->password_hash);
code ruby env | password: ENV.fetch("DB_PASSWORD")
code ruby credentials | Rails.application.credentials.dig(:stripe, :secret_key)
code kotlin | val token = System.getenv("TOKEN") ?: error("no token")
code swift | let token = try keychain.get("token")
code elixir | secret_key_base: System.fetch_env!("SECRET_KEY_BASE")
code powershell | {S}cred = Get-Credential -Message "Admin password"
code ts type | interface LoginRequest { username: string; password: string }
code ts param | async function login(user: string, password: string): Promise<Token>
code ts nextToken | const nextToken = response.NextContinuationToken;
code ts react | <input type="password" name="password" autoComplete="current-password" />
code ts state | const [password, setPassword] = useState("");
code ts zod | password: z.string().min(8).max(128),
code ts abort | const controller = new AbortController(); signal: controller.signal
code cancellation | await Task.Delay(100, cancellationToken);
code key handler | onKeyDown={(e) => e.key === "Enter" && submit()}
code object keys | for (const key of Object.keys(map)) console.log(key);
code map key | cache.set("user:42:profile", data, { ttl: 300 });
code cache key fn | const cacheKey = buildCacheKey("orders", page, pageSize);
code react key | <li key={item.id}>{item.title}</li>
code lexer | const token = lexer.next(); if (token.type === TokenType.Identifier) advance();
code parser error | Unexpected token '<', "<!DOCTYPE "... is not valid JSON
code sort key | items.sort(key=lambda x: x.created_at)
code compare | if (password !== passwordConfirm) setError("mismatch");
code random | const token = crypto.randomBytes(32).toString("hex");
code uuid gen | const id = crypto.randomUUID();
code hmac | const sig = createHmac("sha256", secret).update(body).digest("hex");
code header | headers.set("Authorization", "Bearer " + accessToken);
code mask | log.info("token=" + mask(token));
code test name | it("rejects a login with a wrong password", async () => {
code test fixture file | tests/fixtures/expired-token.json
code test id | data-testid="password-input"
code mock | jest.mock("../auth/token-provider");
code regex pw | /^(?=.*[A-Z])(?=.*\\d).{8,}$/
code decorator | @UseGuards(JwtAuthGuard)
code import | import { getToken } from "@/lib/auth/token";
code enum | enum SecretKind { Password, ApiKey, PrivateKey }
code sql column | ALTER TABLE users ADD COLUMN password_hash text NOT NULL;
code sql param | UPDATE users SET password_hash = $1 WHERE id = $2
code sql index | CREATE UNIQUE INDEX idx_tokens_token_hash ON tokens (token_hash);
code sql jdbc | DriverManager.getConnection(url, user, password)
code one c | Пароль = ПолучитьПарольИзХранилища("ОбменССайтом");
code one c form | Элементы.Пароль.РежимПароля = Истина;
code abap | CALL FUNCTION 'BAPI_USER_GET_DETAIL' EXPORTING username = sy-uname.
css | .password-field { color: #1f2937; border: 1px solid #d1d5db; }
css var | --token-color-primary: #0ea5e9;
css class hash | .Button_root__{a5} { padding: 4px 8px; }
tailwind | className="flex items-center gap-2 rounded-md px-3 py-1.5 text-sm"
asset hash | dist/assets/index-{a8}.js   142.31 kB
font data | src: url(/fonts/inter-v13-latin-regular.woff2) format("woff2");
svg path | <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z"/>
data uri | data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
url docs | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
url reset page | https://app.example.org/reset-password
url query | https://shop.example.org/list?page=2&sort=price&filter=new
url youtube | https://www.youtube.com/watch?v=dQw4w9WgXcQ
url issue | https://github.com/vercel/next.js/issues/48748
url commit | https://github.com/acme/app/commit/{h40}
url gist anchor | https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Authorization#directives
url no creds | postgres://localhost:5432/app
url user only | ssh://git@github.com/acme/app.git
url placeholder creds | postgres://user:password@localhost:5432/dbname
url var creds | mongodb://{S}DB_USER:{S}DB_PASS@mongo:27017/app
url stun | stun:stun.l.google.com:19302
dsn public | the host of the Sentry DSN is o4501.ingest.sentry.io
mail | Please write to support@example.org, we answer within a day.
mail 2 | From: Anna <anna@example.org>{n}Subject: Release on Tuesday{n}{n}Hi all, the release moves to Tuesday.
mail reset | Subject: You asked to reset your password. If it was not you, ignore this mail.
error auth | FATAL: password authentication failed for user "app"
error mysql | ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
error token | 401 Unauthorized: {"error":"invalid_token","error_description":"The token is expired"}
error key | KeyError: 'access_token'
error tls | unable to load private key: no start line
error gh | remote: Support for password authentication was removed on August 13, 2021.
error npm | npm ERR! code E401 Unable to authenticate, need: Basic realm="Artifactory"
error openai | openai.AuthenticationError: Incorrect API key provided: sk-proj-****abcd.
error stack | at TokenService.refresh (/app/src/auth/token.service.ts:84:17)
error ts | error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.
error exit | make: *** [Makefile:12: test] Error 2
error segfault | segfault at 7f3a2c001000 ip 000055d0c1b2a3f4 sp 00007ffd4e error 4
log http | 2025-03-02T11:20:01Z INFO GET /api/orders 200 34ms
log login | user=ivan action=login result=ok ip=10.1.2.3
log masked | password=<hidden> user=svc
log mem | heap 412 MB of 1024 MB, gc 12 ms
log timing | p50=34ms p95=210ms p99=812ms
log systemd | Mar 02 11:20:01 web1 sshd[1234]: Accepted publickey for deploy from 10.0.0.9 port 52114 ssh2: ED25519 SHA256:{b43}
log pid | [12345] worker started on port 8081
table columns | | column | type | note |{n}|---|---|---|{n}| password_hash | text | argon2id |
table params | | Parameter | Required | Description |{n}|---|---|---|{n}| api_key | yes | Key of the tenant, from the console |
table env | | Variable | Default |{n}|---|---|{n}| TOKEN_TTL | 3600 |
table status | | Host | State |{n}|---|---|{n}| web1 | up |
table hashes | | File | SHA-256 |{n}|---|---|{n}| a.zip | {h64} |
version | Node 22.11.0, pnpm 9.12.3, TypeScript 5.6.3
version chrome | Chrome/131.0.6778.86 Safari/537.36
date | Released on 2025-02-14 at 09:30 UTC
phone | Phone of the support desk: +49 30 1234567
amount | Invoice 2025-0412, 1,250.00 EUR, VAT 19 %
coords | 52.5200, 13.4050 is the centre of Berlin
ip list | 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16 are private
mac address | MAC 00:1a:2b:3c:4d:5e has a fixed lease
ipv6 | 2001:db8:85a3::8a2e:370:7334
cron | 0 3 * * 1-5 /usr/local/bin/backup.sh
semver range | "lodash": "^4.17.21"
isbn | ISBN 978-3-16-148410-0
color list | #0f172a #1e293b #334155 #475569
hexdump | 00000010: 0200 3e00 0100 0000 4010 4000 0000 0000  ..>.....@.@.....
regex digits | \\d{4,4}-\\d{2,2}-\\d{2,2}
ordinary decision | We chose SQLite over Postgres as the tool runs on one machine.
ordinary lesson | Lesson: run the migration before the deploy, not after it.
ordinary bug | The button overlapped the footer on screens below 360 px.
ordinary plan | 1. Read the brief. 2. Write the test. 3. Make it pass.
ordinary path | /home/ivan/projects/app/src/components/PasswordField.tsx
ordinary windows path | C:\\Users\\ivan\\AppData\\Local\\Programs\\app\\token-cache
ordinary branch | feature/PROJ-1423-password-policy
ordinary changelog | - fix(auth): refresh the token before it expires (#412)
ordinary heading | ## Secrets handling
ordinary question | Why does the token get refreshed twice?
ordinary ownership | The key owner of this module is the billing team.
ordinary scanner | The scanner found 0 secrets in 412 files.
ordinary policy | password_policy: min 12, history 5, lockout after 10
ordinary checkbox | - [ ] remove the old password field from the form
ordinary sops | sops encrypts only the values; the keys stay readable.
ordinary sops line | password: ENC[AES256_GCM,data:{b24},iv:{b43}=,tag:{b22}==,type:str]
ordinary ansible vault | {S}ANSIBLE_VAULT;1.1;AES256{n}{h80}{n}{h80}
ordinary git secret | .env is listed in .gitignore and .dockerignore
ordinary feature flag | flag new-password-screen is on for 10 % of users
ordinary model name | claude-sonnet-4-20250514 and gpt-4o-2024-08-06 gave the same answer
ordinary hf model | meta-llama/Llama-3.1-8B-Instruct, revision {h40}
ordinary tokens price | Input costs 3 USD and output 15 USD per million tokens.
ordinary s3 key | s3 key: exports/2025/03/02/orders.parquet
ordinary partition key | partition key = customer_id, sort key = created_at
ordinary redis key | DEL session:index:user:42
ordinary ssh config | Host jump{n}  HostName 10.0.0.9{n}  User deploy{n}  IdentityFile ~/.ssh/id_jump
ordinary keycloak | Realm shop, client web-portal, flow "browser with OTP"
ordinary scopes | scopes: read:user, repo, workflow
ordinary oauth | grant_type=authorization_code&redirect_uri=https%3A%2F%2Fapp.example.org%2Fcb
ordinary pkce | code_challenge_method=S256
ordinary pinned | PIN: Personal Identification Number
ordinary passkey | Passkeys replace passwords in the new sign-in screen.
ordinary credit | credentials: 'include' sends the cookies cross-site
ordinary cors | Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type
ordinary cookie flags | Set-Cookie: theme=dark; Path=/; SameSite=Lax
zh prose | 密码至少需要十二个字符,并包含数字。
zh vault | 数据库密码保存在 Vault 里,不要写进代码。
zh token count | 这次对话用了 12000 个 token。
zh commit | 提交 {h40} 修复了登录问题
zh placeholder | 密码:请填写你的密码
zh note | 先运行迁移,再重启服务。
es prose | La contraseña debe tener al menos 12 caracteres.
es ask | Pide la contraseña a Marta, está en el gestor.
es key | La clave primaria de la tabla es id_pedido.
es env | La clave de la API se lee de la variable API_KEY.
es commit | El error se corrigió en {h40}
pt prose | A senha expira a cada 90 dias.
pt vault | A senha fica no cofre, nunca no repositório.
pt key | A chave estrangeira aponta para a tabela de clientes.
pt note | O servidor reiniciou às 03:00 e voltou em dois minutos.
ru prose | Пароль должен содержать не меньше 12 знаков.
ru ask | Пароль спросить у Марии, в заметки не писать.
ru key | Ключ таблицы составной: организация и период.
ru token | Токен истёк, сервер ответил 401.
ru commit | Исправлено в коммите {h40}
ru one c | Реквизит «Пароль» в форме скрыт настройкой РежимПароля.
ru note | Перед обновлением базы сделать выгрузку и проверить место на диске.
ru guid | Документ с идентификатором {uuid} проведён дважды
ja prose | パスワードは12文字以上にしてください。
ja vault | パスワードは環境変数から読み込みます。
ja token | トークンの有効期限は15分です。
ja note | デプロイの前に必ずテストを実行する。
de prose | Das Passwort muss mindestens 12 Zeichen lang sein.
de vault | Das Kennwort liegt im Tresor, nicht im Code.
de key | Der Primärschlüssel besteht aus Mandant und Belegnummer.
de commit | Behoben mit {h40}, siehe Ticket 4711
fr prose | Le mot de passe doit contenir au moins 12 caractères.
fr vault | Le mot de passe est lu depuis le coffre au démarrage.
fr key | La clé étrangère pointe vers la table des clients.
fr note | Relancer le service après chaque migration.
ko prose | 비밀번호는 12자 이상이어야 합니다.
ko vault | 비밀번호는 환경 변수에서 읽어 옵니다.
ko token | 토큰이 만료되면 401을 반환합니다.
ko note | 배포 전에 테스트를 실행하세요.
tr prose | Parola en az 12 karakter olmalı.
tr vault | Şifre kasada duruyor, koda yazma.
tr key | Birincil anahtar sipariş numarasıdır.
tr note | Sunucu gece üçte yeniden başladı.
`;
