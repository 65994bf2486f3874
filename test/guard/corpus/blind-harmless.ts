/** Lines without a secret, written before the guard was tried on them. */
export const blindHarmless = `
prose | We rotate database passwords on the first of each quarter.
prose | The token bucket refills with 50 tokens per second.
prose | Password resets are rate limited to 5 per hour.
prose | The API key lives in Doppler, project web, config prd.
prose | Ask in #infra for the VPN credentials.
prose | Login: SSO only since May.
prose | The login page is at /auth/v2/login and posts JSON.
prose | Each session token is 32 bytes from crypto.randomBytes.
prose | Secrets are mounted at /run/secrets by the operator.
prose | The passphrase is asked for on the terminal, never stored.
prose | Access code reviews happen on Tuesdays.
prose | The PIN was wrong three times, so the card is blocked.
prose | Pass the token in the X-Request-Token header.
prose | Key rotation broke build 20413 of the gateway.
prose | token refresh landed in 4be1c9d2 and was reverted in 77aa01fe
prose | The signing key moved to KMS in commit {h40}.
prose | login to grafana via Okta, group platform-eng-2
prose | The credentials file is ~/.aws/credentials.
prose | Our login flow: authorize, callback, exchange.
prose | The secret to fast builds is caching node_modules.
prose | Basic auth is disabled on the ingress since 1.29.
prose | Passcode entry uses a 6-digit keypad widget.
prose | password hashing moved from bcrypt to argon2id, m=64MiB, t=3
prose | Tokens: 128k context, 8k output.
prose | API key auth is deprecated in favour of OAuth2.
prose | The master key is split by Shamir, 3 of 5.
prose | creds are in 1Password, vault Platform, item "Kafka MSK prod-2"
zh | 密码策略：至少12位，包含数字和字母。
zh | 密钥保存在 Vault 的 secret/data/app 路径下。
zh | 登录令牌的有效期是 2 小时。
es | La contraseña se guarda con bcrypt y 12 rondas.
es | La clave foránea apunta a users.id.
es | El token caduca a los 15 minutos.
pt | A senha é validada no módulo auth-service-v2.
pt | A chave estrangeira aponta para users.id.
pt | O token expira em 3600 segundos.
ru | Пароль хранится в хранилище Vault, путь kv/app.
ru | Внешний ключ ссылается на users.id.
ru | Токен живёт 3600 секунд.
ja | パスワードは bcrypt (cost 12) で保存します。
ja | 主キーは UUIDv7 です。
ja | トークンの寿命は 3600 秒です。
de | Das Passwort steht in 1Password im Tresor Infra.
de | Der Fremdschlüssel zeigt auf users.id.
de | Das Token läuft nach 3600 Sekunden ab.
fr | Le mot de passe est haché avec argon2id.
fr | La clé étrangère pointe vers users.id.
fr | Le jeton expire après 3600 secondes.
ko | 비밀번호는 bcrypt로 해시됩니다.
ko | 외래 키는 users.id를 가리킵니다.
ko | 토큰은 3600초 후에 만료됩니다.
tr | Parola bcrypt ile saklanır.
tr | Yabancı anahtar users.id alanına işaret eder.
tr | Belirteç 3600 saniye sonra geçersiz olur.
code | const token = await getToken({ scope: "read:all" });
code | password: \${{ secrets.DB_PASSWORD }}
code | PGPASSWORD="$DB_PASS" psql -h db
code | --password "$(cat /run/secrets/pw)"
code | api_key: !vault |
code | apiKey: import.meta.env.VITE_API_KEY,
code | auth_token = Rails.application.credentials.dig(:slack, :token)
code | token: \${TOKEN:?missing}
code | passwordField.setText("")
code | SECRET_NAME=projects/acme/secrets/db-password/versions/3
code | aws ssm get-parameter --name /prod/db/password --with-decryption
code | type Credentials = { login: string; password: string };
code | login: (user: User) => Promise<Session>
code | secretOrPrivateKey must have a value
code | jwt.verify(token, publicKey, { algorithms: ["RS256"] })
code | CREATE INDEX idx_token_hash ON sessions (token_hash);
code | password TEXT NOT NULL CHECK (length(password) >= 60)
code | <input type="password" name="password" autocomplete="current-password">
code | tokens_per_second = 41.7
code | x-request-id: {uuid}
code | traceparent: 00-{h32}-{h16}-01
code | etag: W/"{h32}"
code | sha256sum: {h64}  app.tar.gz
code | image: ghcr.io/acme/api@sha256:{h64}
code | "integrity": "sha512-{b86}=="
code | go.sum h1:{b43}=
code | Cargo.lock checksum = "{h64}"
code | git cherry-pick {h40}
code | run_id={d10} job_id={d11}
code | AWS account 123456789012, role arn:aws:iam::123456789012:role/deploy
code | sg-0{h16} allows 5432 from subnet-0{h16}
code | client_id={uuid}
code | tenant: {uuid}
code | price_{a24} and prod_{a14} are Stripe ids
code | pk_live_{a24} is publishable
code | pod api-6c9f7d8b5c-x7k2p evicted
code | s3://acme-logs/2026/11/18/{uuid}.gz
code | https://youtu.be/{w11}
code | https://docs.google.com/spreadsheets/d/{w44}/edit
code | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} ada@laptop
code | -----BEGIN PUBLIC KEY-----
code | SHA256:{b43} ada@laptop (ED25519)
code | cache-control: max-age=31536000, immutable
code | const KEY_LENGTH = 32, IV_LENGTH = 12;
code | Authorization: Bearer <ACCESS_TOKEN>
code | postgres://app:\${DB_PASSWORD}@db:5432/app
`;
