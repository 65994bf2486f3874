/**
 * The harmless lines of an adversarial review, written before its author read the rules. What looks random is drawn anew;
 * published example keys are tried by a test of their own.
 */
export const reviewHarmless = `
docs | Tokens expire after 15 minutes and are refreshed by the client.
docs | The password field must have at least 12 characters.
docs | Store the API key in the environment, never in the repository.
docs | Password: see 1Password, vault "Engineering".
docs | The secret is read from AWS Secrets Manager at start.
docs | API key rotation happens every 90 days.
docs | token: string
docs | password: string;
docs | apiKey?: string | undefined
docs | interface Credentials { username: string; password: string }
docs | The access token is validated by the middleware before each request.
docs | Password hashing uses Argon2id with 64 MiB.
docs | We do not store passwords in plain text.
docs | \`password\` is required
docs | "password": { "type": "string", "minLength": 8 }
docs | The key is the tenant id, the value is a JSON document.
docs | primary key: id
docs | foreign key (user_id) references users(id)
docs | PRIMARY KEY (tenant_id, id)
docs | cache key = \`\${tenant}:\${path}\`
docs | The partition key is customer_id.
docs | sort key: created_at
docs | The secret of good tests is isolation.
docs | Token count: 4096
docs | max_tokens: 8192
docs | max_tokens = 200000
docs | tokenizer: cl100k_base
docs | token budget is 1800 tokens
docs | The tokenizer splits on whitespace.
docs | CSRF token is checked in middleware.ts
docs | Password reset links are valid for 30 minutes.
docs | password reset flow: request → mail → form
docs | Passwords are compared in constant time.
docs | The passphrase is asked on first start.
docs | key: value
docs | keys: up, down, left, right
docs | Press the key Ctrl+Shift+P to open the palette.
docs | The session token lives in an HttpOnly cookie.
docs | auth: required
docs | auth_method: oidc
docs | authentication: none
docs | The credential helper is osxkeychain.
docs | credentials: include
docs | fetch(url, { credentials: "same-origin" })
docs | Secret scanning is enabled for the organisation.
docs | Secrets are mounted at /run/secrets/db_password
docs | DB_PASSWORD_FILE=/run/secrets/db_password
docs | POSTGRES_PASSWORD_FILE: /run/secrets/pg
docs | password_file = /etc/app/pass
docs | API keys start with \`sk-\` and are 51 characters long.
docs | GitHub tokens begin with ghp_ followed by 36 characters.
docs | Slack tokens look like xoxb-...
docs | The header is \`Authorization: Bearer <token>\`.
docs | Authorization: Bearer $TOKEN
docs | Authorization: Bearer \${{ secrets.GITHUB_TOKEN }}
docs | -H "Authorization: Bearer $(gcloud auth print-access-token)"
docs | The bearer token is taken from the keychain.
docs | bearer tokens are rejected over plain HTTP
docs | The token endpoint is https://auth.corp.io/oauth/token
docs | token_url: https://auth.corp.io/oauth2/v1/token
docs | password grant is deprecated in OAuth 2.1
docs | grant_type=password
docs | token_type=bearer
docs | scope=openid profile email
docs | secretName: db-credentials
docs | secretKeyRef: { name: db, key: password }
docs | existingSecret: postgres-auth
docs | kubectl get secret db-credentials -o yaml
docs | vault kv get secret/data/prod/db
docs | op read op://Engineering/prod-db/password
docs | aws secretsmanager get-secret-value --secret-id prod/db
docs | gcloud secrets versions access latest --secret=db-password
docs | sops -d secrets.enc.yaml
docs | The password is in the team vault under "staging-db".
docs | Ask Maria for the password of the staging database.
docs | The admin password is set by the installer on first run.
docs | password is null for SSO users
docs | if (password === undefined) throw new Error("missing")
docs | password.length >= 12
docs | const { password } = req.body;
docs | user.password = await hash(password, 12);
docs | password = getpass.getpass("Password: ")
docs | token = os.environ["GITHUB_TOKEN"]
docs | API_KEY = os.getenv("API_KEY")
docs | const apiKey = process.env.OPENAI_API_KEY;
docs | let token = std::env::var("TOKEN")?;
docs | secret := os.Getenv("JWT_SECRET")
docs | String key = System.getenv("SIGNING_KEY");
docs | $pass = getenv("DB_PASS");
docs | ENV["SECRET_KEY_BASE"]
docs | api_key: ENV.fetch("API_KEY")
docs | password: <%= ENV["DB_PASSWORD"] %>
docs | password: {{ vault_db_password }}
docs | password: !vault |
docs | password: \${DB_PASSWORD}
docs | password = var.db_password
docs | token = data.vault_generic_secret.gh.data["token"]
docs | apiKey: config.get("apiKey")
docs | password: process.env.DB_PASSWORD ?? ""
docs | read -s PASSWORD
docs | echo "$PASSWORD" | docker login --password-stdin
docs | docker login -u ci --password-stdin registry.corp.io
docs | mysql -u root -p shop
docs | psql "postgres://app@db/shop"
docs | secret = secrets.token_urlsafe(32)
docs | const secret = crypto.randomBytes(32).toString("hex");
docs | openssl rand -base64 32
docs | token = jwt.sign(payload, secret, { expiresIn: "15m" })
docs | self.token = token
docs | this.apiKey = apiKey;
docs | return { token, refreshToken };
docs | password_confirmation: password
docs | type Token = { kind: TokenKind; start: number }
docs | const TOKEN_REGEX = /[a-z]+/g;
docs | TokenKind.Identifier
docs | enum Key { Up, Down }
docs | private readonly key: CryptoKey
docs | public key pinning was removed from browsers
docs | The private key never leaves the HSM.
docs | ssh-keygen -t ed25519 -C "bob@corp.io"
docs | IdentityFile ~/.ssh/id_ed25519
docs | private_key_path: /etc/ssl/private/server.key
docs | ssl_certificate_key /etc/nginx/tls/server.key;
docs | tls.key is mounted from the secret web-tls
docs | password policy: 12 characters, no expiry
docs | PASSWORD_MIN_LENGTH=12
docs | TOKEN_TTL=900
docs | TOKEN_EXPIRY: 15m
docs | SESSION_TIMEOUT=3600
docs | API_KEY_HEADER=X-API-Key
docs | JWT_ALGORITHM=RS256
docs | JWT_ISSUER=https://auth.corp.io/
docs | SECRET_BACKEND=vault
docs | KEYCLOAK_REALM=internal
docs | SSH_KEY_PATH=~/.ssh/id_rsa
docs | AUTH_TYPE=oauth2
docs | PASSWORD_HASHER=argon2
docs | key_rotation_days = 90
docs | auth_token_lifetime: 24h
docs | token_bucket_size: 500
placeholder | API_KEY=your-api-key-here
placeholder | password: changeme
placeholder | password: <your password>
placeholder | DB_PASSWORD=********
placeholder | token=xxxxxxxxxxxxxxxxxxxx
placeholder | SECRET_KEY=REPLACE_ME
placeholder | ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
placeholder | sk-...
placeholder | sk-ant-api03-...
placeholder | OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxx
placeholder | password: "example"
placeholder | postgres://user:password@localhost:5432/db
placeholder | postgres://USER:PASSWORD@HOST:5432/DB
placeholder | mysql://root:root@localhost/test
placeholder | redis://:<password>@cache:6379
placeholder | https://user:pass@example.com/
placeholder | mongodb://username:password@localhost:27017
placeholder | Authorization: Basic <base64>
placeholder | password=[REDACTED]
placeholder | token: "***"
placeholder | STRIPE_KEY=sk_test_...
placeholder | client_secret: "{{CLIENT_SECRET}}"
placeholder | api_key = "INSERT_KEY_HERE"
placeholder | password = "TODO"
placeholder | token: ""
placeholder | secret: null
placeholder | password: ~
placeholder | API_TOKEN=
placeholder | API_TOKEN=$(cat token.txt)
placeholder | password: "%s"
public | https://{h32}@o447951.ingest.sentry.io/5429219
public | SENTRY_DSN=https://{h32}@o1.ingest.us.sentry.io/42
public | dsn: "https://{h32}@sentry.corp.io/7"
public | pk_test_{a99}
public | pk_live_{a99}
public | NEXT_PUBLIC_STRIPE_KEY=pk_test_{a99}
public | NEXT_PUBLIC_POSTHOG_KEY=phc_{a43}
public | phc_{a43}
public | G-1OMC4G1BFB
public | UA-12345678-1
public | GTM-DW53RZ8
public | MAPBOX_TOKEN is public: pk.eyJ1IjoiYWNtZSJ9 (truncated)
public | sb_publishable_{a22}_07mVvp_D
public | google client id 123456789012-{k32}.apps.googleusercontent.com
public | arn:aws:iam::123456789012:role/deploy
public | arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
public | ssh-ed25519 {a34}+{a33} bob@laptop
public | ssh-rsa {a60}/{a69}/8pRXhWNEuCbY+{a65}+8+{a28}/{a29}/{a33}+uWMvnH+{a20}/4w3WNq8PDJ5w+OcmKYDF2l9ubwq= ci@build
public | github.com ssh-ed25519 {a68}
public | ecdsa-sha2-nistp256 {a73}/{a32}+jH1kLKnPnEbpAh+2L56XmK6RCKsKCprs2=
public | -----BEGIN PUBLIC KEY-----{n}oSY/{a60}{n}0fdb+{a55}{n}-----END PUBLIC KEY-----
public | -----BEGIN CERTIFICATE-----{n}{a64}{n}IUJLe7Cvm5q66lPnIs/{a26}/PL1HJX3zFeTNH8ubaq{n}sP/JAdn+{a56}{n}{a64}{n}cPhp+X/Ln7n4n+{a24}+dRTs4L2/hyeyvi6MAoNMggVaH{n}{a25}+{a38}{n}uu5Is+KzGhTLJYCTEzveaL+Sv4VHfckqxmyFJ5+uSN3R79MrpzcZ1+IYV7ELJ715{n}/{a63}{n}fpQRGf/{a44}+Zn6LJyqzSIm+{n}{a64}{n}{a24}+5M/YfoIYTYLeXQQ+{a23}{n}{a35}/zYsjXdlyC+laFwcD2RoydMPDSgxd{n}-----END CERTIFICATE-----
public | SHA256:{a43} bob@laptop (ED25519)
public | {k62}
public | PublicKey = {a25}/gUfE5yuYB3ha/uSLs=
public | gpg key id 0x9187952612DA8BE1
public | fingerprint: E484 C45B 04C0 1F47 6FD0 6E7C 6F1F 4D44 C1E1 7BAA
public | {"kty":"RSA","n":"7NA9GrVupr1Qe3-{a87}-F51Ouy-{a20}_{a29}_{a46}_X8XLxL8CKYg-yo549-{a23}_{a40}-{a33}-QHekdMt6Ak0aIuXPc","e":"AQAB"}
public | {k42} is the contract address
public | tx {k66}
public | {k42}
public | {a34} is the Twilio account SID
public | price_{a24}
public | cus_zThjXz5LsecwuY
public | pi_{a24}
public | acct_1aHmBKZw3vO1JQP6e
public | prod_nOUtslSy3E3wDx
public | Algolia appId: G0S0AOB0VF
public | tenant id: d276f105-a5a0-4090-a187-3f821987092b
public | client_id: dd171620-563e-4c5c-aa34-ad61964098f3
public | Application (client) ID 96a41ffc-fc8e-49ff-a4bc-0a77d1dd8659
public | Slack channel C0HMXGU9ZDG
public | Discord guild 669126324142324742
public | Notion page https://www.notion.so/acme/Plan-{h32}
public | Figma https://www.figma.com/file/{a22}/Design
public | https://docs.google.com/document/d/14HhFXazt1Xf-u3O-_KSbbXsGpeoJA-H4U3UpvIm5vE2/edit
public | https://drive.google.com/file/d/1iElpJzVnt4KMIX6d-I0-vA1AgMKTIqxW/view
public | https://www.youtube.com/watch?v=dQw4w9WgXcQ
public | firebase projectId: acme-prod-1f3c2
public | appId: "1:123456789012:web:{h22}"
public | GitHub App id 123456, installation 98765432
public | Apple team id 9ABCDE1234
public | VAPID public key BYNT1ugu90ijADnn8A2-{a21}_{a21}_JlcS0_fjYyVFDZVw0LwbufL
hash | commit {h40}
hash | Fixed in 436881a2
hash | sha256:{h64}
hash | image: nginx@sha256:{h64}
hash | "integrity": "sha512-{a38}/{a35}+1PbJA2DHFaA==",
hash | {h32}  dist.tar.gz
hash | etag: "{h32}"
hash | id: b24ff555-8ab2-4ea9-a3c1-eeb2f5f8af10
hash | run 2335f664-4911-44ed-ac3b-77656def2890 failed
hash | checksum = "{h64}"
hash | h1:{a43}=
hash | trace_id={h32}
hash | --hash=sha256:{h64}
hash | resolved "https://registry.yarnpkg.com/x/-/x-1.0.0.tgz#{h40}"
hash | golang.org/x/net v0.17.0 h1:{a33}+qCprpX988=
hash | integrity="sha384-CB3nYkQp/{a41}+JdA0qT4iq84IJ" crossorigin="anonymous"
hash | narHash = "sha256-WU5RmuSZMSspQzt92Kl/8Gje/LqXVbbV0A6ExSTWewY=";
hash | git cherry-pick {h40}
hash | uses: actions/checkout@{h40} # v4
hash | cache-key: build-{h64}
hash | restore-keys: npm-c5f996d57ccb6e32-
hash | key: \${{ runner.os }}-{h40}
hash | primaryKey: 76974dac-618b-4703-ab3a-0253fe6f6670
hash | idempotency key 17939431-4088-4219-a8b0-fcc1fde9e75b
hash | Idempotency-Key: 1907de5d-e324-41a1-a461-cdac0c829813
hash | sessionId f224cc9c-3387-4ef4-a223-49105ec534b5 crashed
hash | request id: req_{a24}
hash | msg_{a24} stopped at max_tokens
hash | toolu_{a24}
hash | chatcmpl-{a29}
hash | asst_{a24}
hash | file-{a24}
hash | ULID {K26}
hash | KSUID {a27}
hash | nanoid V1StGXR8_Z5jdHi6B-myT
hash | objectId {h24}
hash | ISBN 978-3-16-148410-0
hash | IBAN DE89 3704 0044 0532 0130 00
hash | version 1.2.3-rc.4+build.5678
hash | node v24.3.0, npm 11.4.2
hash | 10.0.0.0/8 and fd00::/8
hash | 2026-03-14T09:26:53.589Z
hash | data:image/png;base64,8/{a47}/{a26}/{a96}+{a26}==
hash | sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ==
hash | {a53}/{a20}+{a42}/zpC0lp (protobuf dump)
hash | font-family: "Inter", sans-serif;
hash | color: #a1b2c3d4
hash | /assets/index-iDOvylk4.js
hash | chunk-OO41HTG1.mjs
hash | s3://bucket/2024/05/6a5417c6-d885-46c4-ae84-50c4cd06f901.parquet
hash | https://cdn.corp.io/{h64}.js
hash | docker.io/library/node:24@sha256:{h64}
hash | pod web-7d9c6b5f4-x2x9k restarted
hash | k8s uid deca0cf5-069a-47bc-a8c9-be5ae93e14eb
prose-en | The password must be rotated yearly.
prose-en | Nobody remembers the password of that server.
prose-en | Please do not share your API key with anyone.
prose-en | A token is a unit of text.
prose-en | The secret manager was migrated to Vault.
prose-en | The password is required.
prose-en | The token is invalid or expired.
prose-zh | 请不要把密码写进代码里。
prose-zh | 密码长度至少为 12 位。
prose-zh | 密码：必填
prose-zh | 令牌过期后需要重新登录。
prose-zh | API密钥保存在环境变量 API_KEY 中。
prose-zh | 用户忘记密码时发送邮件。
prose-zh | 密钥由 Vault 管理。
prose-zh | 私钥存放在 HSM 中，不会导出。
prose-es | La contraseña debe tener al menos 12 caracteres.
prose-es | La clave primaria es el id del usuario.
prose-es | No guardes la contraseña en el repositorio.
prose-es | La contraseña es obligatoria.
prose-es | La clave de API se lee de la variable API_KEY.
prose-es | El token caduca a los 15 minutos.
prose-es | La clave del éxito es la constancia.
prose-pt | A senha deve ter pelo menos 12 caracteres.
prose-pt | A chave primária é o id do usuário.
prose-pt | Nunca grave a senha no repositório.
prose-pt | A senha é obrigatória.
prose-pt | A chave de API é lida da variável API_KEY.
prose-pt | O token expira em 15 minutos.
prose-pt | O segredo do sucesso é a prática.
prose-ru | Пароль должен содержать не менее 12 символов.
prose-ru | Пароль обязателен.
prose-ru | Первичный ключ — это id пользователя.
prose-ru | Не храните пароль в репозитории.
prose-ru | Ключ API читается из переменной API_KEY.
prose-ru | Токен истекает через 15 минут.
prose-ru | Секрет успеха — практика.
prose-ru | Пароль: обязательное поле
prose-ja | パスワードは12文字以上である必要があります。
prose-ja | パスワードは必須です。
prose-ja | 主キーはユーザーIDです。
prose-ja | パスワードをリポジトリに保存しないでください。
prose-ja | APIキーは環境変数 API_KEY から読み込みます。
prose-ja | トークンは15分で失効します。
prose-ja | 秘密鍵はHSMに保管されています。
prose-ja | パスワード：必須
prose-de | Das Passwort muss mindestens 12 Zeichen haben.
prose-de | Das Passwort ist erforderlich.
prose-de | Der Primärschlüssel ist die Benutzer-ID.
prose-de | Das Kennwort darf nicht im Repository stehen.
prose-de | Der API-Schlüssel wird aus der Variable API_KEY gelesen.
prose-de | Der Token läuft nach 15 Minuten ab.
prose-de | Der Schlüssel zum Erfolg ist Übung.
prose-de | Passwort: siehe Tresor
prose-fr | Le mot de passe doit contenir au moins 12 caractères.
prose-fr | Le mot de passe est obligatoire.
prose-fr | La clé primaire est l'identifiant de l'utilisateur.
prose-fr | Ne stockez jamais le mot de passe dans le dépôt.
prose-fr | La clé API est lue depuis la variable API_KEY.
prose-fr | Le jeton expire au bout de 15 minutes.
prose-fr | Le secret de la réussite est la pratique.
prose-fr | mot de passe : voir le coffre
prose-ko | 비밀번호는 12자 이상이어야 합니다.
prose-ko | 비밀번호는 필수입니다.
prose-ko | 기본 키는 사용자 ID입니다.
prose-ko | 비밀번호를 저장소에 저장하지 마세요.
prose-ko | API 키는 환경 변수 API_KEY에서 읽습니다.
prose-ko | 토큰은 15분 후에 만료됩니다.
prose-ko | 비밀번호: 필수
prose-ko | 암호는 Vault에서 관리합니다.
prose-tr | Şifre en az 12 karakter olmalıdır.
prose-tr | Şifre zorunludur.
prose-tr | Birincil anahtar kullanıcı kimliğidir.
prose-tr | Parolayı depoda saklamayın.
prose-tr | API anahtarı API_KEY değişkeninden okunur.
prose-tr | Belirteç 15 dakika sonra sona erer.
prose-tr | Başarının sırrı pratiktir.
prose-tr | şifre: zorunlu alan
notes | Decision: sessions use opaque tokens (32 bytes, base64url), not JWT.
notes | Bug: token refresh races when two tabs wake up, see auth/refresh.ts:88.
notes | The login form posts username and password to /api/v1/sessions.
notes | Rate limit key is ip + route.
notes | secret/data/prod is the KV v2 path
notes | The key insight: batching halves the latency.
notes | The password manager fills the wrong field because autocomplete="new-password" is missing.
notes | auth.token.refresh_threshold defaults to 0.75
notes | Password login was disabled on 2025-03-01; SSO only.
notes | token limit = 128k
notes | Key: \`user:{id}:profile\`, TTL 300s
notes | Passkeys replace passwords in Q3.
notes | Set \`password_encryption = scram-sha-256\` in postgresql.conf
notes | pg_hba: host all all 10.0.0.0/8 scram-sha-256
notes | keyboard: ansi, layout: us-intl
notes | The monkey patch in tests/conftest.py replaces get_token().
notes | tokens_per_second: 118.4
notes | The signing key id (kid) is 2024-11-a
notes | kid: "prod-2025-06"
notes | key_id = "alias/prod-db"
notes | kms_key_id: arn:aws:kms:eu-west-1:123456789012:key/20d4deda-3c35-45af-aeef-94d742010d99
notes | public_key: ./keys/jwt.pub
notes | password_hash VARCHAR(255) NOT NULL
notes | ALTER TABLE users ADD COLUMN api_token_digest bytea;
notes | CREATE USER app WITH PASSWORD :pw;
notes | GRANT ALL ON shop.* TO app;
notes | secret santa draws names on 2026-12-01
notes | The access key of the button is S (accesskey="s").
notes | const KEY_BINDINGS = { save: "Mod-s" };
notes | onKeyDown={(e) => e.key === "Enter" && submit()}
notes | Object.keys(tokens).length
notes | for (const [key, value] of Object.entries(env))
notes | dict key error: KeyError: "password"
notes | error: invalid_token: The access token expired
notes | 401 Unauthorized: token is missing
notes | HTTP 403 password_change_required
notes | fatal: Authentication failed: password authentication was removed
notes | Error: secretOrPrivateKey must have a value
notes | FATAL: password authentication failed for user "app"
notes | Enter passphrase for key /home/bob/.ssh/id_ed25519:
notes | Access denied for user root@localhost (using password: YES)
notes | warning: token is shorter than 32 bytes
notes | test("rejects a wrong password", async () => {
notes | it("rotates the token")
notes | expect(res.body.token).toBeDefined();
notes | password: expect.any(String)
notes | token: z.string().min(1)
notes | password: z.string().min(12).max(128),
notes | password: Yup.string().required(),
notes | password = models.CharField(max_length=128)
notes | token = serializers.CharField(write_only=True)
notes | @Column() passwordHash: string;
notes | password: Option<String>,
notes | password string \`json:"password"\`
notes | token: &str
notes | password: String = ""
notes | private String password;
notes | pass: boolean
notes | passed: 118, failed: 0
notes | pass=118 fail=0
notes | bypass: true
notes | compass: north
notes | author: bob
notes | authority: corp.io
notes | pinned: true
notes | pin: 17
notes | GPIO pin = 17
notes | pin_memory=True
notes | salt rounds: 12
notes | seed: 42
notes | random seed = 1234567
notes | torch.manual_seed(3407)
notes | seed=20260711 reproduces the failure
notes | seeds: [1, 2, 3]
notes | nonce: 0
notes | signature: (a, b) => void
notes | license: Apache-2.0
notes | license key is checked offline
`;
