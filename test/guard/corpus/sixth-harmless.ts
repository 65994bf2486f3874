/** Lines that hold no secret, written without a look at the rules. */
export const sixthHarmless = `
prose | The password reset flow sends a link that expires after 30 minutes.
prose | Passwords must be at least 12 characters long and contain a digit.
prose | We hash passwords with argon2id, memory cost 64 MiB, three iterations.
prose | User prefers that secrets are never printed in the terminal output.
prose | The API key is read once at start-up; a restart is needed after rotation.
prose | Password: see 1Password, vault "Platform", entry "pg-prod".
prose | The login test fails because the password field is disabled until the captcha loads.
prose | Access tokens live 15 minutes, refresh tokens 30 days.
prose | Ask Priya for the staging credentials; she keeps them in Bitwarden.
prose | Wrong password gives 401, locked account gives 423.
prose | The token count of the prompt is 18342, so we are well below the limit.
prose | max_tokens: 4096 was too small for the summaries, raised to 8192.
prose | The tokenizer splits "password123" into three tokens.
prose | Secret scanning is enabled for the organisation; push protection blocks commits.
prose | The primary key of orders is (tenant_id, order_no).
prose | The passphrase prompt hangs in CI because no tty is attached.
prose | Pin the version: pnpm 10.18.2, node 24.9.0.
prose | PIN entry screen: the keypad overlaps the footer on small phones.
prose | The cookie is HttpOnly, Secure and SameSite=Lax.
prose | Never put the service role key into the browser bundle; only the anon key belongs there.
prose | The signature check failed because the raw body was parsed before verification.
prose | Rotated the leaked key on 2026-09-14 and removed it from history with git filter-repo.
prose | The client secret expires on 2027-03-01, calendar reminder is set.
prose | Authentication: Bearer tokens issued by Keycloak, realm "lumen".
prose | password authentication failed for user "app" means the role exists but the hash differs.
prose | Passkeys replace passwords for all staff accounts from November on.
prose | The auth token is stored in the keychain under service name lumen-cli.
prose | Secrets: none needed for the local run, everything is mocked.
prose | Password manager autofill breaks the form if autocomplete="off".
prose | The token bucket refills 50 requests per second.
prose | Design tokens are generated from Figma into tokens.css.
prose | API keys are scoped per tenant and have the prefix lmn_.
prose | GitHub tokens start with ghp_, GitLab's with glpat-, so the regex must know both.
prose | An AWS access key id starts with AKIA followed by 16 characters.
prose | The private key never leaves the HSM.
prose | credentials: include is required on fetch for cross-site cookies.
prose | Do not log the Authorization header; the redaction filter is in middleware/logging.ts.
prose | The user's password was wrong, not the host name; see ticket OPS-4412.
placeholder | DB_PASSWORD=<your-password>
placeholder | API_KEY=your_api_key_here
placeholder | OPENAI_API_KEY=sk-...
placeholder | export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
placeholder | password: "********"
placeholder | STRIPE_SECRET_KEY=sk_live_REPLACE_ME
placeholder | Authorization: Bearer <token>
placeholder | postgres://USER:PASSWORD@HOST:5432/DBNAME
placeholder | postgresql://\${DB_USER}:\${DB_PASSWORD}@\${DB_HOST}/app
placeholder | curl -H "X-API-Key: $API_KEY" https://api.lumenrow.com/v1/ping
placeholder | mysql -u root -p"$MYSQL_ROOT_PASSWORD" shop
placeholder | ANTHROPIC_API_KEY=[REDACTED]
placeholder | client_secret: {{ .Values.oauth.clientSecret }}
placeholder | password = "changeme"  # placeholder in the sample config, real value from SSM
placeholder | SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
placeholder | JWT_SECRET=
placeholder | "apiKey": "INSERT_KEY_HERE"
placeholder | <password>\${env.NEXUS_PASSWORD}</password>
placeholder | redis://:<password>@redis.int:6379/0
placeholder | mongodb+srv://<username>:<password>@cluster0.example.mongodb.net/test
placeholder | MAIL_PASSWORD=null
placeholder | password: ""
placeholder | AWS_SECRET_ACCESS_KEY=***
placeholder | 2026-10-12T07:00:01Z INFO login user=ada password=[FILTERED]
placeholder | -----BEGIN PRIVATE KEY-----{n}...{n}-----END PRIVATE KEY-----
placeholder | Authorization: Basic <base64(user:password)>
placeholder | docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" $CI_REGISTRY
placeholder | ADMIN_PASSWORD=\${ADMIN_PASSWORD:?must be set}
placeholder | POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:-}
placeholder | DATABASE_URL=postgres://user:password@localhost:5432/mydb
placeholder | https://user:pass@example.com/ is what the RFC calls userinfo
placeholder | xoxb-your-bot-token goes into .env.local
placeholder | AccountKey=<storage-account-key>;EndpointSuffix=core.windows.net
env names | Required env: DATABASE_URL, REDIS_URL, JWT_SECRET, STRIPE_SECRET_KEY
env names | \`GITHUB_TOKEN\` is provided by Actions automatically.
env names | unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
env names | CI fails with "missing environment variable NPM_TOKEN"
env names | Renamed SECRET_KEY to APP_SECRET_KEY in compose and in the chart.
env names | printenv | grep -c PASSWORD gives 3 in the container
env names | GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/sa.json
env names | DB_PASSWORD_FILE=/run/secrets/db_password
env names | NEXT_PUBLIC_API_URL=https://api.lumenrow.com
env names | TOKEN_TTL=3600
env names | PASSWORD_MIN_LENGTH=14
env names | The variables \`SMTP_PASSWORD\` and \`SMTP_USER\` are set in Coolify, not in the repo.
vault ref | password: op://Platform/pg-prod/password
vault ref | db_password = data.aws_secretsmanager_secret_version.db.secret_string
vault ref | arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/billing/db-{a6}
vault ref | vault kv get -field=password secret/prod/postgres
vault ref | export DB_PASS=$(aws ssm get-parameter --name /prod/db/password --with-decryption --query Parameter.Value --output text)
vault ref | valueFrom: { secretKeyRef: { name: billing-db, key: password } }
vault ref | password: "{{ lookup('community.hashi_vault.hashi_vault', 'secret/data/db:password') }}"
vault ref | @Microsoft.KeyVault(SecretUri=https://lumen-kv.vault.azure.net/secrets/SmtpPassword/)
vault ref | gcloud secrets versions access latest --secret=stripe-key
vault ref | env: NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
vault ref | The token is in \`pass show work/gitlab/token\`.
vault ref | PGPASSWORD="$(cat /run/secrets/pg)" pg_dump orders
vault ref | gh secret set DEPLOY_KEY < ~/.ssh/deploy_ed25519
vault ref | kubectl get secret billing-db -o jsonpath='{.data.password}' | base64 -d
vault ref | ExternalSecret pulls prod/smtp#password from AWS every hour
vault ref | sops -d secrets.enc.yaml | yq .db.password
vault ref | security find-generic-password -s lumen-cli -w
vault ref | secretName: wildcard-lumenrow-tls
vault ref | imagePullSecrets: [{name: regcred}]
vault ref | password: ENC[AES256_GCM,data:{b16},iv:{b43}=,tag:{b22}==,type:str]
vault ref | API key: in KeePass under "Vendors / Mapmatrix"
vault ref | spring.datasource.password=\${vault.db.password}
hash | Fixed in commit {h40}
hash | git bisect says {h12} is the first bad commit
hash | sha256:{h64}  lumen-cli_4.2.0_linux_amd64.tar.gz
hash | {h64}  dist/app.js
hash | "integrity": "sha512-{b86}=="
hash | golang.org/x/crypto v0.41.0 h1:{b43}=
hash | FROM node:24-slim@sha256:{h64}
hash | --hash=sha256:{h64} \\
hash | md5 of the dump: {h32}
hash | ETag: "{h32}"
hash | uses: actions/checkout@{h40} # v5.0.0
hash | <script src="https://cdn.lumenrow.com/a.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
hash | Merge base is {h40}, cherry-picked as {h9}.
hash | image digest ghcr.io/lumenrow/api@sha256:{h64}
hash | Content-Security-Policy: script-src 'sha256-{b43}='
hash | The nix hash changed: got sha256-{b43}=
hash | "resolved": "https://registry.npmjs.org/jose/-/jose-6.1.0.tgz#{h40}"
hash | traceparent: 00-{h32}-{h16}-01
hash | git submodule vendor/secrets-lint pinned to {h40}
hash | Build cache key: node-modules-linux-{h64}
hash | Bitcoin tx {h64} confirmed in block 921442
uuid | tenant id {uuid}, subscription {uuid}
uuid | order {uuid} was stuck in state "paid"
uuid | GET /api/v1/customers/{uuid}/invoices returns 500
uuid | request_id={uuid} status=504
uuid | Azure tenant: {uuid} (lumenrow.onmicrosoft.com)
uuid | feature flag id \`{uuid}\` belongs to "new-checkout"
uuid | {"id": "{uuid}", "type": "password_reset", "status": "sent"}
uuid | user_id: {uuid}, role: admin
ids | Stripe customer cus_{a14}, price price_1{a23}
ids | Stripe event evt_1{a23} was delivered twice
ids | AWS account {d12}, role arn:aws:iam::{d12}:role/deploy
ids | Google client id {d12}-{k32}.apps.googleusercontent.com
ids | instance i-0{h16} in subnet subnet-0{h16}
ids | Cloudflare zone id {h32}
ids | TWILIO_ACCOUNT_SID=AC{h32}
ids | Slack channel C{K10}, user U{K10}
ids | S3 bucket lumen-exports-{d12}-eu-west-1
ids | Sentry DSN (public): https://{h32}@o44121.ingest.de.sentry.io/4508812231
ids | NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=pk_live_51{a97}
ids | reCAPTCHA site key 6L{w38}
ids | Google Analytics G-{K10}, GTM-{K7}
ids | pod billing-api-{h10}-{k5} OOMKilled
ids | Notion database {h32}?v={h32}
ids | YouTube demo: https://youtu.be/{w11}
ids | POSTHOG project key phc_{a43} is meant for the browser
ids | ethereum contract 0x{h40} on Base
public key | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} deploy@lumenrow
public key | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b338} jonas@mbp
public key | -----BEGIN PUBLIC KEY-----{n}MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b32}{n}{b64}{n}-----END PUBLIC KEY-----
public key | -----BEGIN CERTIFICATE-----{n}MIIDdzCCAl+gAwIBAgIE{b44}{n}{b64}{n}-----END CERTIFICATE-----
public key | SHA256:{b43} is the host key fingerprint of bastion-1
public key | github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
public key | age recipient age1{k58}
public key | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.66.0.0/24
public key | GPG fingerprint 4AEE 18F8 3AFD EB23 {H4} {H4} {H4} {H4} {H4} {H4}
public key | {"kty":"RSA","use":"sig","kid":"{h16}","e":"AQAB","n":"{w342}"}
public key | VAPID public key: B{w86}
public key | DKIM: v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{b172}QIDAQAB
code | password = request.form["password"]
code | if not check_password_hash(user.password_hash, password): abort(401)
code | const token = await getAccessToken({ audience, scope });
code | const apiKey = process.env.OPENAI_API_KEY;
code | func (s *Store) SetPassword(ctx context.Context, id uuid.UUID, password string) error
code | type Credentials = { username: string; password: string };
code | password: z.string().min(12).max(128),
code | private readonly tokenService: TokenService,
code | secret_key = os.environ["SECRET_KEY"]
code | let secret = std::env::var("JWT_SECRET").expect("JWT_SECRET not set");
code | String password = config.getString("db.password");
code | <input type="password" name="password" autocomplete="current-password" required>
code | password_confirmation: params[:password_confirmation]
code | $password = $_POST['password'] ?? '';
code | var secret = await client.GetSecretAsync("SmtpPassword");
code | api_key = config.get("api_key") or keyring.get_password("lumen", "api")
code | headers = {"Authorization": f"Bearer {token}"}
code | headers.set('Authorization', \`Bearer \${session.accessToken}\`)
code | jwt.sign(payload, privateKey, { algorithm: 'RS256', expiresIn: '15m' })
code | password := flag.String("password", "", "database password")
code | token = secrets.token_urlsafe(32)
code | passwd=$(openssl rand -base64 24)
code | read -rsp "Password: " PASSWORD
code | SELECT id, password_hash, reset_token FROM users WHERE email = $1
code | ALTER TABLE users ADD COLUMN password_changed_at timestamptz;
code | CREATE USER app WITH PASSWORD :'app_password';
code | variable "db_password" { type = string{n}sensitive = true }
code | expect(screen.getByLabelText('Password')).toBeInvalid()
code | @Value("\${stripe.secret-key}") private String stripeSecretKey;
code | val token: String? = prefs.getString(KEY_AUTH_TOKEN, null)
code | password=getpass.getpass()
code | apiKey: import.meta.env.VITE_MAPS_KEY,
code | const { password, ...safeUser } = user;
code | auth=HTTPBasicAuth(settings.user, settings.password)
code | throw new InvalidTokenException("Token expired");
code | passwordEncoder.encode(rawPassword)
code | conn = psycopg.connect(host=h, user=u, password=pw_from_vault)
code | secretOrKey: configService.getOrThrow<string>('JWT_SECRET'),
config | password_encryption = scram-sha-256
config | token_endpoint: https://id.lumenrow.com/realms/lumen/protocol/openid-connect/token
config | ssl_certificate_key /etc/nginx/tls/lumenrow.key;
config | PasswordAuthentication no
config | IdentityFile ~/.ssh/id_ed25519_deploy
config | auth_basic_user_file /etc/nginx/.htpasswd;
config | credential.helper=osxkeychain
config | token_lifetime = "15m"
config | key_prefix: session:v2:
config | password_policy: "length(12) and upperCase(1) and digits(1)"
config | max_password_age_days: 365
config | secret_rotation_enabled: true
config | cache-key: \${{ runner.os }}-\${{ hashFiles('pnpm-lock.yaml') }}
config | authMechanism: SCRAM-SHA-256
config | sort_key: created_at, partition_key: tenant_id
config | tokenizer: "cl100k_base"
config | "passwordless": true,
config | api_key_header: X-Lumen-Key
config | DATABASE_URL=sqlite:///./dev.db
config | redis://localhost:6379/0
config | pad_token_id: 128009
documented example | aws_access_key_id = AKIAIOSFODNN7EXAMPLE
documented example | aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
documented example | The card 4242 4242 4242 4242 always succeeds in Stripe test mode.
documented example | Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== is the sample from RFC 7617
documented example | xkcd 936: "correct horse battery staple"
documented example | IBAN for tests: DE89370400440532013000
documented example | Azurite's well-known account is devstoreaccount1
documented example | The RFC 6238 test seed is the ASCII string 12345678901234567890
trouble | fatal: Authentication failed for 'https://github.com/lumenrow/api.git/' - the token had no repo scope
trouble | npm ERR! 401 Unauthorized - _authToken missing in .npmrc
trouble | ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
trouble | invalid_grant: refresh token expired, user has to log in again
trouble | JsonWebTokenError: invalid signature - the two services used different secrets
trouble | sudo: a password is required -> add NOPASSWD for the deploy script
trouble | Error: secretOrPrivateKey must have a value
trouble | x509: certificate signed by unknown authority when pulling from registry.int
trouble | WRONGPASS invalid username-password pair or user is disabled.
zh | 密码长度至少为12位，必须包含数字和字母。
zh | 密码保存在1Password里，需要的话找小李要权限。
zh | 忘记密码的流程会发送一封有效期30分钟的邮件。
zh | 数据库密码：见 Vault 的 secret/prod/postgres
zh | API密钥=<在此填写你的密钥>
zh | 令牌过期时间为 3600 秒，刷新逻辑在 auth/refresh.ts
zh | 修复登录密码错误时返回500的问题，提交 {h40}
es | La contraseña debe tener al menos 12 caracteres y un número.
es | contraseña: ver el gestor, carpeta "Infra"
es | El token caduca a los 15 minutos y se renueva en segundo plano.
es | No guardar claves en el repositorio; usar siempre variables de entorno.
es | CLAVE_API=tu_clave_aqui
es | El usuario olvidó su contraseña y el correo de recuperación no llegó.
es | La clave primaria de la tabla pedidos es id_pedido.
pt | A senha expira a cada 90 dias, conforme a política.
pt | senha: pedir para a Fernanda, está no cofre do Bitwarden
pt | O campo de senha não valida caracteres especiais, ver chamado 3381.
pt | SENHA=<sua-senha>
pt | O token é renovado automaticamente pelo interceptor do axios.
pt | Chave estrangeira pedido_id aponta para pedidos(id).
pt | As senhas são armazenadas com bcrypt, custo 12.
ru | Пароль должен содержать не менее 12 символов.
ru | Пароль от базы лежит в Vault, путь secret/prod/pg.
ru | Токен живёт 15 минут, потом обновляется через /auth/refresh.
ru | пароль: ********
ru | При неверном пароле сервис отвечает 401, а не 403.
ru | Внешний ключ order_id ссылается на таблицу orders.
ru | Сброс пароля сломался после коммита {h10}
ja | パスワードは12文字以上で、数字を含める必要があります。
ja | パスワード：1Passwordを参照
ja | トークンの有効期限は15分で、自動的に更新される。
ja | APIキーは環境変数から読み込むこと。コードに直接書かない。
ja | パスワード再設定メールが届かない不具合を修正（チケット #2214）
ja | 秘密鍵はHSMの外に出ない設計になっている。
ja | API_KEY=ここにキーを入力
de | Das Passwort muss mindestens 12 Zeichen lang sein.
de | Passwort: steht im KeePass unter "Server / pg-prod"
de | Die Kennwörter werden mit argon2id gehasht.
de | Das Token läuft nach 15 Minuten ab und wird im Hintergrund erneuert.
de | API-Schlüssel niemals ins Repo einchecken, sondern über Vault beziehen.
de | PASSWORT=<hier eintragen>
de | Der Primärschlüssel besteht aus mandant_id und beleg_nr.
fr | Le mot de passe doit contenir au moins 12 caractères.
fr | mot de passe : à demander à Julie, il est dans Bitwarden
fr | Le jeton expire au bout de 15 minutes, le renouvellement est automatique.
fr | MOT_DE_PASSE=<votre-mot-de-passe>
fr | La page « mot de passe oublié » renvoie une erreur 500 depuis la version 4.2.0.
fr | La clé primaire de la table clients est un UUID, par exemple {uuid}.
ko | 비밀번호는 12자 이상이어야 하며 숫자를 포함해야 합니다.
ko | 비밀번호: 1Password의 Infra 보관함 참고
ko | 토큰은 15분 후 만료되고 자동으로 갱신된다.
ko | API 키는 코드에 넣지 말고 환경 변수로 전달할 것
ko | 비밀번호 재설정 메일이 발송되지 않는 문제 수정, 커밋 {h40}
ko | API_KEY=여기에_키_입력
tr | Şifre en az 12 karakter olmalı ve rakam içermelidir.
tr | Şifre: Bitwarden kasasında, Altyapı klasöründe
tr | Belirteç 15 dakika sonra sona eriyor ve otomatik yenileniyor.
tr | API_ANAHTARI=<anahtarınız>
tr | Parola sıfırlama e-postası gelmiyor, kayıt OPS-4419 açıldı.
tr | Parolalar bcrypt ile özetleniyor, maliyet 12.
`;
