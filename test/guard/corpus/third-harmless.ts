/** Lines without a secret, written in the same way. */
export const thirdHarmless = `
prose-zh | 密码长度至少为 12 位。
prose-zh | 公钥可以公开，私钥必须保密。
prose-zh | 密码字段在 0042 迁移中改名为 password_hash。
prose-zh | 令牌通过环境变量 GITHUB_TOKEN 传入。
prose-zh | 登录失败时提示“密码错误”。
prose-zh | 数据库密码请向运维同事索取。
prose-es | El campo contraseña pasó a llamarse password_hash en la migración 0042.
prose-es | El token de acceso caduca en una hora.
prose-es | La contraseña está en 1Password, no en el código.
prose-es | El secreto se monta en /run/secrets/db_password.
prose-es | El token se pasa con la variable GITHUB_TOKEN.
prose-es | Las claves de API se crean en la página de ajustes.
prose-pt | As chaves de API são criadas na página de configurações.
prose-pt | O segredo é montado em /run/secrets/db_password.
prose-pt | Peça a senha do banco à Maria.
prose-pt | O campo senha virou password_hash na migração 0042.
prose-pt | A chave de assinatura é trocada a cada 90 dias.
prose-pt | A senha deve ter pelo menos 12 caracteres.
prose-ru | Пароль от базы спроси у Марии.
prose-ru | Ключ подписи меняется каждые 90 дней.
prose-ru | Поле пароля переименовано в password_hash в миграции 0042.
prose-ru | Пароль хранится в 1Password, не в коде.
prose-ru | Первичный ключ таблицы user_id.
prose-ru | Токен доступа истекает через час.
prose-ja | APIキーは設定画面で作成する。
prose-ja | パスワード欄は migration 0042 で password_hash に改名した。
prose-ja | パスワードは12文字以上にすること。
prose-ja | パスワードは1Passwordに保存し、コードには書かない。
prose-ja | 時計がずれていると「パスワードが違います」と表示される。
prose-ja | 署名鍵は90日ごとに更新する。
prose-de | Das Passwort liegt in 1Password, nicht im Code.
prose-de | Bei falscher Uhrzeit erscheint "Passwort falsch".
prose-de | Der Signaturschlüssel wird alle 90 Tage gewechselt.
prose-de | Das Passwort muss mindestens 12 Zeichen haben.
prose-de | Das Datenbankpasswort bitte bei Maria erfragen.
prose-de | Der Zugriffstoken läuft nach einer Stunde ab.
prose-fr | Le jeton passe par la variable GITHUB_TOKEN.
prose-fr | Demande le mot de passe de la base à Marie.
prose-fr | La clé primaire est user_id.
prose-fr | Les clés API se créent dans la page des réglages.
prose-fr | Le jeton d'accès expire au bout d'une heure.
prose-fr | Le mot de passe est dans 1Password, pas dans le code.
prose-ko | 기본 키는 user_id 입니다.
prose-ko | API 키는 설정 페이지에서 만든다.
prose-ko | 서명 키는 90일마다 교체한다.
prose-ko | 데이터베이스 비밀번호는 민수에게 물어보세요.
prose-ko | 시크릿은 /run/secrets/db_password 에 마운트된다.
prose-ko | 비밀번호 필드는 0042 마이그레이션에서 password_hash 로 바뀌었다.
prose-tr | Token GITHUB_TOKEN değişkeniyle verilir.
prose-tr | Gizli değer /run/secrets/db_password altında bağlanır.
prose-tr | Şifre argon2id ile saklanır.
prose-tr | Şifre 1Password'de, kodda değil.
prose-tr | Birincil anahtar user_id.
prose-tr | API anahtarları ayarlar sayfasında oluşturulur.
placeholder | password: null
hash | image digest sha256:{h64} is what runs in prod
version | auth0-js 3.14.2 → 3.14.2
code | val token = sharedPrefs.getString("auth_token", null)
code | PasswordField(label="Password", validators=[DataRequired()])
doc-en | The secret is mounted at /run/secrets/db_password.
id | vpc-{h17} subnet-{h17} sg-{h17}
doc-en | The webhook secret is validated in verifySignature().
version | passport-jwt@3.14.2 breaks the build
placeholder | client_secret=%CLIENT_SECRET%
code | <input type="password" name="password" autocomplete="current-password">
code | export function verifyToken(token: string): Promise<Claims>
hash | Gemfile.lock CHECKSUM rack (3.0.8) sha256={h64}
code | secret = "projects/p/secrets/db-pass/versions/latest"
code | const apiKey = process.env.OPENAI_API_KEY;
hash | docker pull nginx@sha256:{h64}
doc-en | The encryption key is derived with HKDF-SHA256 from the master key.
id | pk_test_{a24} is the publishable key
placeholder | password = "changeme"
id | VAPID public key B{w86}
id | correlation-id: {uuid}
hash | "integrity": "sha512-{b86}=="
id | NEXT_PUBLIC_STRIPE_KEY=pk_live_51{a97}
doc-en | password: required, string, minLength 8
placeholder | AKIAIOSFODNN7EXAMPLE is the key in the AWS docs
code | password: Joi.string().min(12).required()
code | token := os.Getenv("GITHUB_TOKEN")
id | AZURE_TENANT_ID: {uuid}
doc-en | Token budget is 200000 per session.
url | http://localhost:3000/reset-password?next=%2Flogin
placeholder | API_KEY=your_api_key_here
hash | crc32 {h8} of the firmware
placeholder | Authorization: Bearer <token>
id | supabase project ref {l20}
id | SSM parameter /prod/db/password version 0
url | https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
hash | the token cache file has sha1 {h40}
id | RECAPTCHA_SITE_KEY=6L{w38}
doc-en | The primary key is a composite of user_id and created_at.
hash | pub key pin: pin-sha256="{b43}="
id | session 0198{h4}-{h4}-7{h3}-9{h3}-{h12} resumed
doc-en | Never commit secrets; the API key lives in 1Password under "Prod API".
hash | bisect says first bad commit is {h40} (refactor secret loader)
id | ethereum contract 0x{h40}
url | https://github.com/acme/app/blob/{h40}/src/token.ts#L10-L40
placeholder | mysql://root:\${MYSQL_ROOT_PASSWORD}@db/app
pubkey | known_hosts: git.acme.io ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB{b86}=
placeholder | password: <your-password>
url | https://sentry.io/organizations/acme/issues/{d10}/?project={d7}
placeholder | token: "***"
placeholder | postgres://user:password@localhost:5432/db
code | let secret = config.get::<String>("jwt.secret")?;
doc-en | The session cookie is called sid and is HttpOnly.
pubkey | minisign public key RWQ{b53}
placeholder | aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
hash | nix: sha256 = "sha256-{b43}=";
placeholder | 4242 4242 4242 4242 is the Stripe test card
doc-en | The access token expires after 3600 seconds and is refreshed by the client.
placeholder | --password-stdin < ~/.token
placeholder | api_key: [REDACTED]
placeholder | PASSWORD=********
code | if (!user.passwordHash) throw new Error("no password set");
doc-en | API keys have the prefix rk_ and 24 characters.
placeholder | SECRET_KEY_BASE=op://Prod/rails/secret_key_base
id | kms key arn:aws:kms:eu-west-1:{d12}:key/{uuid}
code | secretName: acme-tls-cert
doc-en | The token type is Bearer, scope read:packages.
url | https://cdn.acme.io/assets/index-{a8}.js
doc-en | Set password policy to strong in Keycloak realm settings.
version | image: hashicorp/vault:3.14.2
pubkey | -----BEGIN PUBLIC KEY-----{n}{b64}{n}{b58}=={n}-----END PUBLIC KEY-----
url | https://login.microsoftonline.com/common/oauth2/v2.0/token
code | assert token.type == TokenType.Identifier
placeholder | STRIPE_SECRET_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
hash | resolved "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#{h40}"
doc-en | credentials are read from ~/.aws/credentials, profile prod
placeholder | token: ""
pubkey | gpg fingerprint {H4} {H4} {H4} {H4} {H4} {H4} {H4} {H4} {H4} {H4}
hash | Fixed in {h7}, regression came with {h8}
id | firebase appId: "1:{d12}:web:{h22}"
id | NEXT_PUBLIC_POSTHOG_KEY=phc_{a43}
id | request id {uuid} failed with 500
hash |     --hash=sha256:{h64} \\
id | Jira AUTH-{d4}: token refresh loops
id | doc https://docs.google.com/document/d/1{w43}/edit
id | AWS account {d12} in eu-central-1
id | device serial {K12}
doc-en | Login fails with "invalid password" when the clock is skewed.
code | key = hashlib.sha256(password.encode()).digest()
doc-en | Rotate the signing key every 90 days.
hash | Merge: {h7} {h7}
doc-en | Passwords must have at least 12 characters and one digit.
id | SENTRY_DSN=https://{h32}@o{d6}.ingest.sentry.io/{d7}
url | https://stackoverflow.com/questions/549/the-definitive-guide-to-form-based-website-authentication
url | https://ci.acme.io/job/deploy/{d4}/console
doc-en | The passphrase prompt appears twice on macOS 14.5.
url | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
id | tenant {uuid} has 3 users
`;
