/** Lines that hold no secret, written without a look at the rules. */
export const fifthHarmless = `
prose | Passwords must never be logged; mask them in the request logger before serialising.
prose | The token expires after 15 minutes, so the client refreshes it in the background.
prose | Rotate the API key every 90 days and revoke the old one after the deploy is green.
prose | Forgot-password flow: user enters email, we send a link, link is valid once.
prose | Decision: we store only the argon2id hash of the password, never the password itself.
prose | The secret is injected by the CSI driver at pod start, it is not in the image.
prose | Login failed because the password was wrong three times, account locked for 10 minutes.
prose | Bearer tokens are passed in the Authorization header, cookies are not used for the API.
prose | If the passphrase is empty, ssh-keygen writes an unencrypted key.
prose | Token counting: roughly 4 characters per token for English, less for Chinese.
prose | We switched from basic auth to OAuth device flow because of SSO enforcement.
prose | TODO: add a password strength meter (zxcvbn) to the signup form.
prose | The private key never leaves the HSM, signing happens through PKCS#11.
prose | A leaked AWS access key starts with AKIA, a temporary one with ASIA.
prose | GitHub classic tokens have the prefix ghp_ and 36 characters after it.
prose | OpenAI project keys begin with sk-proj- and Anthropic ones with sk-ant-api03-.
prose | Password: required. Username: optional, defaults to the email address.
prose | Bug: the password field loses focus after the first keystroke in Safari.
prose | The CSRF token is compared in constant time, see middleware/csrf.ts.
prose | Access token and refresh token are both opaque; only the ID token is a JWT.
prose | Secrets found by gitleaks in the history were all rotated on 2026-08-14.
prose | The passcode screen is skipped when biometric unlock is enabled.
prose | Review note: do not pass the password on the command line, it shows up in ps.
prose | API key authentication was removed in v3, use workload identity instead.
prose | The keyring prompts for its password twice when GNOME starts (known bug).
prose | Our pepper is kept in KMS and the per-user salt in the users table.
prose | Credential stuffing protection: 5 attempts per IP and minute, then captcha.
prose | token: a unit of text as seen by the model; do not confuse with auth token.
prose | Pin the version of the action to a full commit SHA.
prose | Key takeaway: secret scanning must run before commit, not after push.
prose | The webhook secret is verified with HMAC-SHA256 over the raw body.
prose | Single sign-on removes the need for a separate password for Grafana.
prose | "Invalid API key provided" means the env var was not exported in the subshell.
prose | Session cookie lifetime was raised from 8h to 24h (ADR-017).
prose | The user's password is checked against haveibeenpwned using the k-anonymity API.
prose | Error: password authentication failed for user "app" came from a stale pg_hba.conf.
placeholder | OPENAI_API_KEY=your-api-key-here
placeholder | ANTHROPIC_API_KEY=sk-ant-...
placeholder | GITHUB_TOKEN=<your token>
placeholder | password: changeme
placeholder | DATABASE_URL=postgres://user:password@localhost:5432/mydb
placeholder | export STRIPE_SECRET_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
placeholder | api_key = "REPLACE_ME"
placeholder | SLACK_BOT_TOKEN=xoxb-your-token
placeholder | Authorization: Bearer <access_token>
placeholder | curl -u username:password https://api.example.com/v1/items
placeholder | //registry.npmjs.org/:_authToken=\${NPM_TOKEN}
placeholder | AWS_SECRET_ACCESS_KEY=****************************************
placeholder | token: "[REDACTED]"
placeholder | SECRET_KEY=TODO
placeholder | mongodb+srv://<username>:<password>@cluster0.example.mongodb.net/test
placeholder | "client_secret": "YOUR_CLIENT_SECRET"
placeholder | HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
placeholder | set password = "..." in ~/.config/app.toml
placeholder | JWT_SECRET=replace-with-a-long-random-string
placeholder | key: ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
placeholder | DB_PASSWORD=
placeholder | password = null
placeholder | SMTP_PASS=""
placeholder | redis://:PASSWORD@HOST:PORT/0
placeholder | -----BEGIN PRIVATE KEY----- ... -----END PRIVATE KEY-----
placeholder | GOOGLE_API_KEY="insert-key-here"
placeholder | https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
placeholder | token=*** (masked by GitHub Actions)
placeholder | docker login -u $DOCKER_USER -p $DOCKER_PASS registry.example.com
placeholder | apiKey: <%= ENV["API_KEY"] %>
placeholder | user=alice password=<redacted> host=db1
placeholder | export VAULT_TOKEN=hvs.<token>
placeholder | password: "{{ vault_db_password }}"
placeholder | db_password = {{ .Values.postgres.password }}
placeholder | OP_TOKEN=ops_eyJ... (truncated)
env | Required env: OPENAI_API_KEY, DATABASE_URL, SESSION_SECRET, SENTRY_AUTH_TOKEN.
env | The job fails unless NPM_TOKEN and GH_TOKEN are set in the environment.
env | unset AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ACCESS_KEY_ID
env | password: \${DB_PASSWORD}
env | token = os.environ["GITHUB_TOKEN"]
env | const key = process.env.STRIPE_SECRET_KEY!;
env | apiKey := os.Getenv("ANTHROPIC_API_KEY")
env | let token = std::env::var("CARGO_REGISTRY_TOKEN")?;
env | secret_key = ENV.fetch("SECRET_KEY_BASE")
env | $env:AZURE_CLIENT_SECRET must be set before running deploy.ps1
env | docker run -e POSTGRES_PASSWORD -e REDIS_PASSWORD acme/api:1.14
env | echo "\${#GITHUB_TOKEN}"  # only print the length
env | if [ -z "$CLOUDFLARE_API_TOKEN" ]; then echo "missing token"; exit 1; fi
env | curl -H "Authorization: Bearer $TOKEN" https://api.acme.io/v1/me
env | env_file: .env.production  # not committed, contains DB_PASSWORD
env | passEnv = ["HF_TOKEN", "WANDB_API_KEY"]
env | | \`SMTP_PASSWORD\` | string | required | password of the relay user |
env | api_key=config.get("openai", "api_key")
env | System.getenv("JDBC_PASSWORD") returned null on the build agent
env | var.db_password is marked sensitive in variables.tf
vault | OPENAI_API_KEY=op://Engineering/openai-prod/credential
vault | op read "op://Private/GitHub PAT/token" --no-newline
vault | vault kv get -field=password secret/data/billing/postgres
vault | token: \${{ secrets.GITHUB_TOKEN }}
vault | password: \${{ secrets.DOCKERHUB_PASSWORD }}
vault | aws secretsmanager get-secret-value --secret-id prod/billing/db-password
vault | arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/api/stripe-key-{a6}
vault | gcloud secrets versions access latest --secret=openai-api-key
vault | @Microsoft.KeyVault(SecretUri=https://acme-kv.vault.azure.net/secrets/DbPassword/)
vault | valueFrom: {secretKeyRef: {name: billing-db, key: password}}
vault | password = data.aws_ssm_parameter.db_password.value
vault | DB_PASSWORD={{resolve:secretsmanager:prod/db:SecretString:password}}
vault | sops -d secrets/prod.enc.yaml | yq .db.password
vault | doppler run --project api --config prd -- npm start
vault | pass show work/jira/token
vault | security find-generic-password -s github-cli -w
vault | credentialsId: 'nexus-deploy-user'
vault | vault:secret/data/mail#smtp_password
vault | password: ENC[AES256_GCM,data:{b16},iv:{b43}=,tag:{b22}==,type:str]
vault | infisical run --env=prod --path=/payments -- ./server
vault | connection string: see keyring entry "acme-pg-prod"
vault | token_file: /run/secrets/gitlab_token
vault | POSTGRES_PASSWORD_FILE=/run/secrets/pg_password
vault | imagePullSecrets: [{name: regcred}]
vault | external-secrets: remoteRef key=/prod/api, property=jwtSecret
vault | ssh_key_path = "~/.ssh/id_ed25519_deploy"
hash | Fixed in commit {h40} (backported to 2.x).
hash | git cherry-pick {h40}
hash | sha256:{h64}  acme-cli_1.9.2_linux_amd64.tar.gz
hash | {h64}  dist/app.whl
hash | "integrity": "sha512-{b86}==",
hash | FROM node:22-alpine@sha256:{h64}
hash | uses: actions/checkout@{h40} # v4.2.2
hash | md5 of the dump before and after transfer: {h32}
hash | go.sum: golang.org/x/crypto v0.31.0 h1:{b43}=
hash | checksum = "{h64}"
hash | --hash=sha256:{h64}
hash | ETag: "{h32}"
hash | narHash = "sha256-{b43}=";
hash | <script src="https://cdn.example.com/lib.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
hash | resolution "https://registry.yarnpkg.com/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz#{h40}"
hash | bisect: first bad commit is {h12}, last good {h12}
hash | image digest pushed: registry.acme.io/token-service@sha256:{h64}
hash | Merge base of feature/password-reset is {h40}
hash | index {h7}..{h7} 100644 src/auth/password.ts
hash | cache key: linux-pnpm-{h64}
hash | trace_id={h32} span_id={h16} status=ok
hash | ssh host key fingerprint SHA256:{b43}
hash | TLS cert SHA-1 fingerprint: {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
hash | GPG key fingerprint of the release signer: {H4} {H4} {H4} {H4} {H4}  {H4} {H4} {H4} {H4} {H4}
hash | submodule vendor/secrets-lib pinned at {h40}
hash | tx 0x{h64} confirmed in block 21344981
hash | contract deployed at 0x{h40} on Sepolia
uuid | Customer {uuid} reports a missing invoice.
uuid | order_id: {uuid}
uuid | ARM_SUBSCRIPTION_ID={uuid}
uuid | tenantId: {uuid}
uuid | request-id {uuid} took 1.8 s in the auth middleware
uuid | session {uuid} of the agent ended with 3 open tasks
uuid | INSERT INTO users (id, name) VALUES ('{uuid}', 'Test User');
uuid | Sentry event {h32} grouped under API-4F2
uuid | Notion page: https://www.notion.so/acme/Password-policy-{h32}
uuid | correlation_id="{uuid}" msg="token refreshed"
uuid | AWS account 123456789012, role arn:aws:iam::123456789012:role/ci-deploy
uuid | stripe customer cus_{a14}, invoice in_1{a23}
uuid | Slack channel C{K10}, user U{K10}
uuid | k8s pod token-service-{h10}-{k5} restarted 4 times
uuid | VPC vpc-0{h17}, subnet subnet-0{h17}, sg sg-0{h17}
uuid | client_id = {d12}-{k32}.apps.googleusercontent.com
pubkey | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} deploy@ci
pubkey | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b340} mkessler@laptop
pubkey | -----BEGIN PUBLIC KEY-----{n}MCowBQYDK2VwAyEA{b43}={n}-----END PUBLIC KEY-----
pubkey | -----BEGIN CERTIFICATE-----{n}MIID{b60}{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
pubkey | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.66.0.0/24
pubkey | age recipient: age1aqupastvm22rgy57ajceu0gfvfyzn08jg5pfrnrrpuapxjlyfgzhgqp8k7
pubkey | NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=pk_live_51{a97}
pubkey | NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY=pk_test_{base64:clerk.acme.dev}
pubkey | NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY=sb_publishable_{w22}_{w8}
pubkey | NEXT_PUBLIC_POSTHOG_KEY=phc_{a43}
pubkey | SENTRY_DSN=https://{h32}@o44812.ingest.de.sentry.io/4507712
pubkey | GA measurement id G-{K10}, GTM container GTM-{K7}
pubkey | LANGFUSE_PUBLIC_KEY=pk-lf-{uuid}
pubkey | reCAPTCHA site key: 6Lc{w37}
pubkey | mapboxgl.accessToken = 'pk.eyJ1Ijoi{w60}.{w22}'
pubkey | known_hosts: github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
pubkey | VAPID_PUBLIC_KEY=B{w86}
pubkey | {"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","kid":"sig-2026","use":"sig"}
pubkey | DKIM record: v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b200}IDAQAB
code | def verify_password(password: str, hashed: str) -> bool:
code | const { password, ...safeUser } = user;
code | user.password = await bcrypt.hash(password, 12);
code | if (!token) throw new UnauthorizedError("missing token");
code | public string Password { get; set; } = string.Empty;
code | password = getpass.getpass("Password: ")
code | token = secrets.token_urlsafe(32)
code | interface LoginRequest { username: string; password: string }
code | <input type="password" name="password" autocomplete="current-password">
code | val apiKey: String? = BuildConfig.API_KEY
code | self.client = Client(api_key=api_key, secret=secret)
code | assert response.json()["token"] is not None
code | ALTER TABLE users ADD COLUMN password_hash text NOT NULL;
code | SELECT id, email, password_digest FROM accounts WHERE reset_token IS NOT NULL;
code | let secret = Secret::new(config.database.password.clone());
code | func (s *Store) SetToken(ctx context.Context, token string) error {
code | private_key = ed25519.Ed25519PrivateKey.generate()
code | z.object({ email: z.string().email(), password: z.string().min(12) })
code | token := r.Header.Get("X-Api-Token")
code | openssl rand -base64 32 > /run/secrets/session_key
code | expect(screen.getByLabelText("Password")).toBeInTheDocument()
code | secretKey = generateSecretKey(algorithm = HmacSha256)
code | headers["Authorization"] = f"Bearer {access_token}"
code | except InvalidTokenError as exc: log.warning("token rejected: %s", exc)
code | grep -rn "password" src/ --include=*.py | grep -v test
code | $hash = password_hash($password, PASSWORD_ARGON2ID);
code | pub struct Credentials { pub username: String, pub password: SecretString }
code | cy.get('[data-test=password]').type(Cypress.env('userPassword'))
code | tokens = tokenizer.encode(text, add_special_tokens=False)
code | import { getServerSession, authOptions } from "@/lib/auth/session-token";
code | read -rsp "Passphrase: " PASSPHRASE && export PASSPHRASE
code | password_field = driver.find_element(By.ID, "user_password")
config | max_tokens: 4096
config | password_min_length: 12
config | token_limit = 200000
config | access_token_ttl: 15m
config | PASSWORD_HASHERS=argon2
config | "secret_scanning": true, "secret_scanning_push_protection": "enabled"
config | sshd: PasswordAuthentication no, PubkeyAuthentication yes
config | token_endpoint_auth_method: client_secret_basic
config | session_cookie_name = "acme_session"
config | api_key_header: X-Api-Key
config | passwordPolicy: {minLength: 14, requireSymbols: true, historySize: 5}
config | id-token: write
config | token_type: bearer
config | keyVaultName: acme-kv-weu
config | auth_method = "password"
config | key: user.settings.password.label
config | secretName: wildcard-acme-io-tls
config | NEXT_TOKEN_BUDGET=150000
config | primary_key: customer_id
config | token_url: https://auth.acme.io/oauth2/token
config | private_key_path: /etc/ssl/private/acme.key
config | partition_key = "tenant#region"
config | usage: input_tokens=18422 output_tokens=913 cache_read_tokens=120044
config | "passwordResetEnabled": false
example | AWS docs use AKIAIOSFODNN7EXAMPLE with wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY everywhere.
example | The Stripe test card 4242 4242 4242 4242 with any future date works.
example | RFC 6238 test seed is the ASCII string 12345678901234567890.
example | RFC 7617 example: Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
example | jwt.io sample: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c
zh | 密码至少需要 12 位,包含大小写字母和数字。
zh | 令牌过期后前端会自动刷新,不需要重新登录。
zh | 数据库密码请从 Vault 的 secret/prod/db 读取,不要写进代码。
zh | 忘记密码页面的文案还没有翻译。
zh | OPENAI_API_KEY=你的密钥
zh | 密钥轮换周期:90 天
zh | 修复了密码输入框在暗色模式下看不清的问题
es | La contraseña debe tener al menos doce caracteres.
es | El token caduca a los 30 minutos y se renueva solo.
es | contraseña: <tu_contraseña>
es | Pide la clave a Marta, está en el gestor de contraseñas del equipo.
es | Corregido el error al cambiar la contraseña desde el móvil.
es | La clave primaria de la tabla es pedido_id.
es | La clave está en medir antes de optimizar.
pt | A senha deve ter no mínimo 10 caracteres e um símbolo.
pt | O token de acesso expira em 3600 segundos.
pt | senha: \${SENHA_BANCO}
pt | As credenciais ficam no cofre da equipe, nunca no repositório.
pt | Tela de redefinição de senha pronta, falta o teste de integração.
pt | chave estrangeira: cliente_id
pt | SENHA_SMTP=sua_senha_aqui
ru | Пароль хранится только в виде хеша bcrypt.
ru | Срок действия токена: 24 часа
ru | Пароль спроси у Ольги, он в менеджере паролей.
ru | пароль: <ваш пароль>
ru | Исправлена ошибка «неверный пароль» при входе через LDAP.
ru | Внешний ключ: order_id
ru | Секретов в репозитории быть не должно, используем Vault.
ja | パスワードは12文字以上で、記号を含める必要があります。
ja | アクセストークンの有効期限は1時間です。
ja | パスワード: (各自設定してください)
ja | APIキーは環境変数 GEMINI_API_KEY から読み込む。
ja | パスワード再設定メールが届かない不具合を修正
ja | 秘密鍵はHSMから取り出せない。
ja | 主キー: user_id
de | Das Passwort muss mindestens 14 Zeichen lang sein.
de | Passwort: siehe 1Password, Tresor „Infrastruktur“
de | Das Token läuft nach 60 Minuten ab und wird automatisch erneuert.
de | Kennwort: <hier eintragen>
de | Der Schlüssel zum Erfolg ist ein kurzer Feedbackzyklus.
de | Fehler beim Passwort-Reset behoben, siehe Commit {h40}
de | Primärschlüssel: kunden_nr
fr | Le mot de passe doit contenir au moins 12 caractères.
fr | mot de passe : à demander à Claire
fr | Le jeton expire au bout de 20 minutes.
fr | MDP_BASE=votre_mot_de_passe
fr | La clé étrangère pointe vers la table commandes.
fr | Les secrets sont lus dans Vault au démarrage du pod.
ko | 비밀번호는 최소 10자 이상이어야 합니다.
ko | 토큰 만료 시간: 3600초
ko | 비밀번호: <여기에 입력>
ko | API 키는 환경 변수에서 읽고 코드에 넣지 않는다.
ko | 비밀번호 재설정 화면의 오류 메시지를 수정했다
ko | 기본 키: order_id
tr | Şifre en az 12 karakter olmalı.
tr | Erişim belirtecinin süresi 30 dakika sonra doluyor.
tr | şifre: <şifrenizi girin>
tr | Parolalar veritabanında yalnızca hash olarak tutuluyor.
tr | API anahtarı ortam değişkeninden okunuyor, koda yazmayın.
tr | Şifremi unuttum sayfası mobilde düzgün açılmıyor.
`;
