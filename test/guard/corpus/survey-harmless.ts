/** Lines of ordinary notes that hold no secret though many look like it, written without a look at our rules. */
export const surveyHarmless = `
prose | Passwords are hashed with argon2id before they reach the users table.
prose | The password must have at least twelve characters.
prose | Rotate the API key every ninety days.
prose | We decided to drop password logins in favour of passkeys.
prose | Token budgets: the prompt may take at most 3,100 tokens.
prose | The tokenizer splits on whitespace; token 17 is the verb.
prose | Secrets live in 1Password, vault "Infra", item "staging db".
prose | The secret of a good incident review is to blame nobody.
prose | Ask Grace for the password of the staging database.
prose | The access token is read from the keychain at start.
prose | Key insight: caching the schema halves the latency.
prose | Primary key: (tenant_id, created_at).
prose | The private key never leaves the HSM.
prose | Password reset mails come from no-reply@acme.io.
prose | The password field is called pwd in the legacy form.
prose | The password for the wiki is the same as for the intranet.
prose | Session cookies are HttpOnly and SameSite=Lax.
prose | The bearer of the token is identified by its sub claim.
prose | Set the token in the environment, never in the config file.
prose | Credentials are rotated by the operator on the first Monday.
prose | The PIN pad in the lobby is broken again.
prose | Her login is ada, she is in the group admins.
prose | Never paste a connection string with a password into a ticket.
prose | A wrong password gets 401, an expired token 403.
prose | The passphrase prompt can be skipped with --batch.
prose | Foreign keys are checked at commit.
prose | The key is to keep the lock short.
prose | Our OAuth client is public, so there is no client secret.
prose | Auth: PKCE with S256, no implicit flow.
prose | The password is wrong when caps lock is on.
prose | password is required and cannot be blank
prose | The api key is optional for localhost.
prose | Tokens are valid for 15 minutes, refresh tokens for 30 days.
prose | The secret is stored in AWS Secrets Manager under prod/api/stripe.
prose | Two-factor codes arrive late when the SMS provider throttles.
prose | The seed of the random generator is 42.
prose | Seed data: npm run db:seed
prose | The admin account is disabled by default.
prose | The signing key is generated on first start and kept in memory.
prose | The password manager fills in the wrong form on Safari.
zh | 密码存储在 1Password 中，不要写在笔记里。
zh | 用户忘记密码时发送重置邮件。
zh | 密码长度至少为十二位。
zh | 令牌过期后需要重新登录。
zh | 密钥由运维每季度轮换一次。
ja | パスワードは12文字以上にしてください。
ja | パスワードはハッシュ化して保存しています。
ja | トークンの有効期限は15分です。
ja | APIキーは環境変数から読み込みます。
ja | 秘密鍵はHSMの外に出ません。
ru | Пароль должен содержать не менее двенадцати символов.
ru | Пароли хранятся в хешированном виде.
ru | Ключ к успеху — короткие транзакции.
ru | Токен обновляется каждые 15 минут.
ru | Пароль от стенда спросите у Ольги.
es | La contraseña debe tener al menos doce caracteres.
es | La clave primaria es el identificador del cliente.
es | La contraseña es obligatoria.
es | El token caduca a los quince minutos.
es | Clave: mantener las transacciones cortas.
pt | A senha deve ter pelo menos doze caracteres.
pt | A chave primária é composta por dois campos.
pt | O token expira em quinze minutos.
pt | A senha é obrigatória no primeiro acesso.
pt | Senha esquecida? Use o link de redefinição.
de | Das Passwort muss mindestens zwölf Zeichen haben.
de | Passwörter werden mit Argon2 gehasht.
de | Der Schlüssel zum Erfolg sind kurze Transaktionen.
de | Das Kennwort steht im Tresor von Bitwarden.
de | Das Passwort ist abgelaufen und muss erneuert werden.
de | Primärschlüssel: Mandant und Nummer.
fr | Le mot de passe doit contenir au moins douze caractères.
fr | Les mots de passe sont hachés avec argon2.
fr | La clé primaire est composée de deux champs.
fr | Le jeton expire au bout de quinze minutes.
fr | Mot de passe oublié : lien valable une heure.
ko | 비밀번호는 12자 이상이어야 합니다.
ko | 비밀번호는 해시로 저장합니다.
ko | 토큰은 15분 후에 만료됩니다.
ko | API 키는 환경 변수에서 읽습니다.
ko | 개인 키는 HSM 밖으로 나가지 않습니다.
tr | Şifre en az on iki karakter olmalıdır.
tr | Parolalar argon2 ile saklanır.
tr | Jeton on beş dakika sonra geçersiz olur.
tr | API anahtarı ortam değişkeninden okunur.
tr | Birincil anahtar iki alandan oluşur.
placeholder | password: <your password>
placeholder | API_KEY=your-api-key-here
placeholder | api_key = "YOUR_API_KEY"
placeholder | token: REDACTED
placeholder | password: ********
placeholder | GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
placeholder | OPENAI_API_KEY=sk-...
placeholder | Authorization: Bearer <token>
placeholder | Authorization: Bearer $TOKEN
placeholder | export STRIPE_SECRET_KEY=sk_live_...
placeholder | DATABASE_URL=postgres://user:password@localhost:5432/db
placeholder | postgres://{S}{DB_USER}:{S}{DB_PASSWORD}@db:5432/app
placeholder | mongodb+srv://<username>:<password>@cluster0.mongodb.net
placeholder | https://user:pass@example.com/
placeholder | secret: {{ .Values.auth.secret }}
placeholder | token: {S}{{ secrets.GITHUB_TOKEN }}
placeholder | password: {S}{POSTGRES_PASSWORD:-postgres}
placeholder | const token = process.env.GITHUB_TOKEN;
placeholder | api_key = os.environ["OPENAI_API_KEY"]
placeholder | password = getpass.getpass()
placeholder | apiKey: config.get("stripe.key"),
placeholder | String password = System.getenv("DB_PASSWORD");
placeholder | let secret = vault.read("kv/data/api").await?;
placeholder | client_secret=[redacted]
placeholder | aws_secret_access_key = changeme
placeholder | password=example
placeholder | SECRET_KEY=replace-me-in-production
placeholder | "password": "string"
placeholder | password: None
placeholder | token = null
placeholder | "apiKey": ""
placeholder | X-API-Key: {api_key}
placeholder | --token "$(cat /run/secrets/token)"
placeholder | password: !vault |
placeholder | passwordRef: op://Infra/staging-db/password
placeholder | secretKeyRef: { name: api-secrets, key: database-url }
placeholder | secretName: acme-tls
placeholder | token_file: /var/run/secrets/kubernetes.io/serviceaccount/token
placeholder | PGPASSFILE=~/.pgpass
example key | AWS docs use AKIAIOSFODNN7EXAMPLE as the access key id.
example key | aws_access_key_id = AKIAIOSFODNN7EXAMPLE
example key | aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
example key | AWS_ACCESS_KEY_ID=AKIAI44QH8DHBEXAMPLE
example key | AWS_SECRET_ACCESS_KEY=je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY
public id | SENTRY_DSN=https://{h32}@o{d6}.ingest.sentry.io/{d7}
public id | dsn: "https://{h32}@o{d16}.ingest.de.sentry.io/{d16}",
public id | NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=pk_live_{a99}
public id | pk_test_{a24}
public id | VITE_CLERK_PUBLISHABLE_KEY=pk_test_Y2xlcmsuYWNtZS5pbyQ
public id | NEXT_PUBLIC_POSTHOG_KEY=phc_{a43}
public id | GA4 measurement id G-{K10}
public id | google tag GTM-{K7}
public id | GOOGLE_CLIENT_ID={d12}-{k32}.apps.googleusercontent.com
public id | reCAPTCHA site key goes into the data-sitekey attribute
public id | NEXT_PUBLIC_SUPABASE_ANON_KEY is safe in the browser, the service role is not.
public id | sb_publishable_{w22}_{a8}
public id | mapbox public token starts with pk.
public id | TWILIO_ACCOUNT_SID=AC{h32}
public id | tenant {uuid}, client id {uuid}
public id | AZURE_TENANT_ID={uuid}
public id | AUTH0_DOMAIN=acme.eu.auth0.com
public id | arn:aws:iam::{d12}:role/deploy
public id | arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/api-AbCdEf
public id | projects/acme/secrets/db-password/versions/3
public id | CLOUDFLARE_ACCOUNT_ID={h32}
public id | zone id {h32}
public key | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} ada@laptop
public key | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b340} ci
public key | -----BEGIN PUBLIC KEY-----
public key | -----BEGIN CERTIFICATE-----
public key | age1{k58}
public key | PublicKey = {b43}=
public key | public_key: {h64}
public key | minisign key RWQ{b53}
public key | gpg --recv-keys {H40}
public key | SHA256:{b43} ada@laptop (ED25519)
public key | wallet address 0x{h40}
public key | contract 0x{h40} on mainnet
public key | tx 0x{h64}
hash | commit {h40}
hash | fixed in {h7}, see also {h12}
hash | git revert {h40}
hash | sha256: {h64}
hash | image: ghcr.io/acme/api@sha256:{h64}
hash | "integrity": "sha512-{b86}=="
hash | md5 {h32}  dump.sql.gz
hash | etag: "{h32}"
hash | ETag W/"{h16}"
hash | checksum = "{h64}"
hash | go.sum: github.com/acme/x v1.2.3 h1:{b43}=
hash | <script integrity="sha384-{b64}" crossorigin="anonymous">
hash | Subresource hash sha256-{b43}=
hash | nix hash: sha256-{b43}=
hash | build id {h40}
hash | docker layer {h12} took 4 s
hash | cache key: node-modules-{h64}
hash | cacheKey: "v3-{h16}"
hash | tree {h40}
uuid | request {uuid} failed with 502
uuid | trace id {h32}
uuid | traceparent: 00-{h32}-{h16}-01
uuid | order {uuid} was shipped twice
uuid | id: {uuid}
uuid | run e{h7} wrote three notes
uuid | ulid 01{K24}
uuid | x-request-id: {uuid}
uuid | correlationId={uuid}
uuid | Installation ID {uuid}
uuid | user_{a24} signed up twice
uuid | cus_{a14} has two subscriptions
uuid | price_{a24} is the yearly plan
uuid | pi_{a24} succeeded
uuid | evt_{a24} was delivered late
uuid | i-0{h16} is stuck in stopping
uuid | vpc-0{h16}, subnet-0{h16}
uuid | sg-0{h16} allows 443
uuid | channel C{K10}, user U{K10}
uuid | Figma file {a22}
uuid | YouTube dQw4w9WgXcQ
uuid | notion page {h32}
uuid | Google doc https://docs.google.com/document/d/1{w43}/edit
uuid | https://www.figma.com/file/{a22}/Design-System
uuid | https://linear.app/acme/issue/ENG-{d4}/fix-login
uuid | https://acme.slack.com/archives/C{K10}/p{d16}
uuid | https://github.com/acme/api/commit/{h40}
uuid | https://acme.atlassian.net/browse/OPS-{d4}
code | function parseToken(text: string): Token | undefined {
code | if (token.kind === "string") return token.value;
code | const key = [root, path].join("/");
code | const tokenPattern = /^[a-z]+-[0-9]+$/;
code | type ApiKey = { id: string; hash: string; createdAt: Date };
code | password: z.string().min(12),
code | password = models.CharField(max_length=128)
code | expect(screen.getByLabelText("Password")).toBeVisible();
code | await page.fill("#password", password);
code | if (!password) throw new Error("Password is missing");
code | def verify_password(plain: str, hashed: str) -> bool:
code | SELECT id, password_hash FROM users WHERE email = $1;
code | ALTER TABLE users ADD COLUMN password_changed_at timestamptz;
code | CREATE INDEX api_keys_hash_idx ON api_keys (hash);
code | headers: { Authorization: "Bearer " + token },
code | req.headers["x-api-key"] === expected
code | for (const [key, value] of Object.entries(settings)) {
code | key={item.id}
code | <Input type="password" name="password" autoComplete="current-password" />
code | passwordInput.value = "";
code | tokens.push({ type: "word", start, end });
code | const { token } = await signIn(email);
code | auth = HTTPBasicAuth(user, password)
code | token := r.Header.Get("Authorization")
code | password.addEventListener("input", validate);
code | this.password = password;
code | self.api_key = api_key
code | apiKey = useApiKey()
code | export const SECRET_NAMES = ["stripe", "sendgrid"];
code | PASSWORD_MIN_LENGTH = 12
code | TOKEN_TTL_SECONDS=900
code | MAX_TOKENS=4096
code | max_tokens: 8192
code | "total_tokens": 18233
code | tokenizer: o200k_base
code | token_endpoint: https://auth.acme.io/oauth/token
code | secret_path: kv/data/api/stripe
code | keyFile: /etc/ssl/private/acme.key
code | ssh_key_path = "~/.ssh/id_ed25519"
code | KEY_PREFIX=recollect
code | sort_key: created_at
code | primaryKey: "id"
code | partition key = tenant_id
code | keyboard: us-intl
code | hotkey = ctrl+shift+p
code | "key": "ArrowDown"
code | i18n key: checkout.payment.title
code | redis key session:{S}{userId} expires after 900 s
code | passwordless: true
code | auth_type: password
code | authMethod: token
code | token_type=bearer
code | grant_type=refresh_token
code | response_type=code&scope=openid
code | csrf: double submit cookie
code | Set-Cookie: theme=dark; Path=/
code | Cookie: lang=en; theme=dark
code | Content-Security-Policy: script-src 'self' 'nonce-{a16}'
code | cookie_name: acme_session
code | password_hash_algorithm: argon2id
code | ssh ada@10.0.3.4 -i ~/.ssh/deploy
code | docker login ghcr.io -u ada --password-stdin
code | echo "$NPM_TOKEN" | npm login
code | gh auth login --with-token < token.txt
code | aws secretsmanager get-secret-value --secret-id prod/db
code | kubectl create secret generic api --from-env-file=.env
code | kubectl get secret api -o jsonpath='{.data.token}' | base64 -d
code | openssl rand -base64 32
code | ssh-keygen -t ed25519 -C ada@acme.io
code | vault kv get -field=password kv/staging/db
code | op read "op://Infra/npm/token"
code | git config credential.helper osxkeychain
code | mysql -u root -p shop
code | psql -h db -U app -W
code | redis-cli -h cache ping
code | curl -u "$USER:$PASS" https://nexus.acme.io/
code | curl -sS https://api.acme.io/v1/health
code | sk-button is the class of the primary button
code | the risk-averse default keeps sk-learn at 1.5
code | import sklearn as sk
code | pk is short for primary key here
code | ghp_ is the prefix of classic tokens, github_pat_ of fine-grained ones
code | Slack bot tokens begin with xoxb- and user tokens with xoxp-
code | AKIA is the prefix of long-lived AWS keys, ASIA of temporary ones
code | JWTs begin with eyJ because of the opening brace
code | data:image/png;base64,iVBORw0KGgo{b60}
code | background: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0i{b60})
code | font/woff2;base64,d09GMgABAAAAA{b80}
code | sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJz{b60}
code | protobuf field 17 = CgYIARACGAM=
code | cursor=eyJpZCI6MTIzLCJkaXIiOiJuZXh0In0=
code | nextPageToken: CAUQAA
code | pageToken=CDIQAA
code | continuation token is opaque
note | Phone +41 44 123 45 67, room 4.12
note | Invoice 2026-{d6}, IBAN on the second page
note | Version 18.4.2 (build {d5})
note | Ports: 5432 db, 6379 cache, 9090 metrics
note | 10.0.3.4 is the bastion, 10.0.3.5 the runner
note | MAC 3c:22:fb:{h2}:{h2}:{h2}
note | fe80::{h4}:{h4}:{h4}:{h4}
note | Meeting 2026-11-18T10:00:00Z with Grace
note | Latency p99 = 183 ms, p50 = 21 ms
note | SKU ACME-{d4}-BLK is out of stock
note | Serial C02{K9}
note | Track {d22} with the parcel service
note | ISBN 978-3-16-148410-0
note | Rust 1.94, Node 24.21.0, Postgres 18
note | See docs/decisions/0017-passwords.md
note | [Password policy](https://wiki.acme.io/security/password-policy)
note | TODO: move token refresh into the middleware
note | ## Tokens and keys
note | ### How to rotate the signing key
note | - [ ] remove the API key from the mobile app
note | > "The password is dead", says the keynote
note | | name | token | scope |
note | | ci | in 1Password | read |
note | tags: auth, token, password
note | title: Password hashing
note | aliases: [api keys, secrets]
note | Fix: token refresh raced with logout (#{d4})
note | Grace owns auth; Ada owns billing.
note | Licence key is printed on the box, we do not keep it here.
note | Error: invalid password for user "app"
note | FATAL: password authentication failed for user "app"
note | npm ERR! code E401 Incorrect or missing password
note | remote: Invalid username or password.
note | 401 Unauthorized: token expired at 2026-11-18T09:00:00Z
note | The JWT's kid is {h8} and its alg RS256.
note | Lighthouse 98/100/100/100
note | The tests use the password "password" for every fixture user.
note | Default login of the demo image is admin/admin.
note | bench: 183,221 tokens/s on one core
note | Cost: $3 per million input tokens, $15 per million output tokens
note | Key: value pairs are sorted
note | Pass: 412, Fail: 3, Skip: 7
note | pass rate: 98.4%
note | passport number is asked at check-in
note | compass: north
note | bypass=true
note | The keynote begins at 9
note | monkey = "banana"
note | Turkey: Ankara
note | pinned: node@24.21.0
note | spinning up takes 40 s
note | opinion: we should not
note | Author: Ada Lovelace <ada@acme.io>
note | auth: Grace
note | secretary: Ms. Hopper
note | Secret santa: 18 December, 20 CHF
note | credential stuffing went down by 80 %
note | seeds: tomato, basil, thyme
note | Session 4: indexes and locks
note | cookie recipe: 200 g butter, 300 g flour
`;
