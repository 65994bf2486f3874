/** Lines without a secret, written in the same way. */
export const fourthHarmless = `
prose-zh | 密钥每 90 天轮换一次。
prose-zh | 密码存放在 1Password 里，不要写进代码。
prose-zh | 秘密存放在 /run/secrets/db_password。
prose-zh | 访问令牌一小时后过期。
prose-zh | API 密钥在控制台的设置页面中创建。
prose-zh | 每次会话的 token 上限是 200000。
prose-es | La contraseña debe tener al menos 12 caracteres.
prose-es | La clave de firma se rota cada 90 días.
prose-es | Pide la contraseña de la base de datos a María.
prose-es | Aparece "contraseña incorrecta" si el reloj está desfasado.
prose-es | La clave está en cachear las dependencias.
prose-es | La clave primaria es user_id.
prose-pt | A senha é validada com argon2id.
prose-pt | A senha está no 1Password, não no código.
prose-pt | Aparece "senha incorreta" quando o relógio está errado.
prose-pt | A chave primária é user_id.
prose-pt | O token de acesso expira em uma hora.
prose-pt | O token é passado pela variável GITHUB_TOKEN.
prose-ru | Пароль должен быть не короче 12 символов.
prose-ru | Ключи API создаются на странице настроек.
prose-ru | При сбитых часах выводится «неверный пароль».
prose-ru | Токен передаётся через переменную GITHUB_TOKEN.
prose-ru | Пароль хешируется через argon2id.
prose-ru | Секрет монтируется в /run/secrets/db_password.
prose-ja | 主キーは user_id です。
prose-ja | トークンは環境変数 GITHUB_TOKEN で渡す。
prose-ja | シークレットは /run/secrets/db_password にマウントされる。
prose-ja | アクセストークンは1時間で失効する。
prose-ja | データベースのパスワードは田中さんに聞いてください。
prose-ja | パスワードは argon2id でハッシュ化している。
prose-de | Das Kennwort wird mit argon2id gehasht.
prose-de | Das Geheimnis wird unter /run/secrets/db_password eingehängt.
prose-de | Der Token kommt über die Variable GITHUB_TOKEN.
prose-de | Das Passwortfeld heißt seit Migration 0042 password_hash.
prose-de | Der Primärschlüssel ist user_id.
prose-de | API-Schlüssel werden auf der Seite Einstellungen angelegt.
prose-fr | La clé de signature change tous les 90 jours.
prose-fr | Le mot de passe est haché avec argon2id.
prose-fr | Le message « mot de passe incorrect » vient d'une horloge décalée.
prose-fr | Le champ mot de passe s'appelle password_hash depuis la migration 0042.
prose-fr | Le secret est monté dans /run/secrets/db_password.
prose-fr | Le mot de passe doit avoir au moins 12 caractères.
prose-ko | 비밀번호는 1Password에 있고 코드에는 없다.
prose-ko | 시계가 틀리면 "비밀번호 오류"가 나온다.
prose-ko | 액세스 토큰은 한 시간 뒤 만료된다.
prose-ko | 토큰은 환경 변수 GITHUB_TOKEN 으로 전달한다.
prose-ko | 비밀번호는 12자 이상이어야 한다.
prose-ko | 비밀번호는 argon2id 로 해시한다.
prose-tr | İmza anahtarı 90 günde bir değişir.
prose-tr | Erişim jetonu bir saat sonra sona erer.
prose-tr | Veritabanı parolasını Ayşe'den isteyin.
prose-tr | Parola alanı 0042 göçünde password_hash oldu.
prose-tr | Parola en az 12 karakter olmalı.
prose-tr | Saat yanlışsa "şifre hatalı" mesajı çıkar.
hash | "integrity": "sha1-{b27}=",
doc-en | JWT uses RS256; public keys come from /.well-known/jwks.json
pubkey | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.0.0.0/24
hash | blob {h40}  4312 src/auth/password.ts
pubkey | gpg --recv-keys {H16}
doc-en | Tokens per second went from 41 to 67 after the change.
placeholder | secretKeyRef:{n}  name: db{n}  key: password
pubkey | age1{k58} is the recipient
id | apple team id {K10}
doc-en | The key insight is that caching happens before auth.
pubkey | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} maria@laptop
doc-en | We store the password hash with argon2id, memory 64 MiB.
hash | github.com/pkg/errors v0.9.1 h1:{b43}=
hash | password.ts changed in {h12}
hash | cache key: node-modules-{h64}
id | Slack channel C{K10}, team T{K8}
placeholder | hunter2 is the classic joke
id | order 01{K24} (ULID)
code | keyof typeof passwordRules
doc-en | Ask Maria for the database password, it is not in the repo.
code | ENV.fetch('SECRET_KEY_BASE')
code | self.api_key = api_key or settings.API_KEY
doc-en | Use the --token flag or the GITHUB_TOKEN variable.
hash | git revert {h40} --no-edit
url | https://github.com/acme/app/pull/{d4}/files
doc-en | PIN entry is limited to 3 attempts.
id | figma https://www.figma.com/file/{a22}/Login
id | payment intent pi_3{a23} failed
doc-en | The password field was renamed to passwordHash in migration 0042.
hash | go.sum golang.org/x/crypto v0.17.0/go.mod h1:{b43}=
id | idempotency key {uuid} reused
placeholder | value: \${{ secrets.NPM_TOKEN }}
id | AZURE_CLIENT_ID={uuid}
placeholder | DB_PASSWORD=\${DB_PASSWORD}
id | TWILIO_ACCOUNT_SID=AC{h32}
placeholder | password: {{ vault_db_password }}
placeholder | eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c from jwt.io
hash | restored cache Linux-pnpm-{h64}
id | price_1{a23} is the yearly plan
id | mongo _id: ObjectId("{h24}")
code | tokenizer.eos_token_id = 128001
doc-en | Password reset tokens are single use.
version | bumped jsonwebtoken to 3.14.2
placeholder | Authorization: Bearer $TOKEN
code | useAuthStore((s) => s.accessToken)
placeholder | db_password = data.aws_secretsmanager_secret_version.db.secret_string
placeholder | xoxb-your-token-here
placeholder | export TOKEN=$(gh auth token)
id | trace_id={h32} span_id={h16}
doc-en | Access key rotation is handled by Terraform module iam-user v5.30.0.
id | GA id G-{K10}
placeholder | ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
id | tx 0x{h64} confirmed
doc-en | Secret scanning found 0 leaks in 214 commits.
pubkey | -----BEGIN CERTIFICATE-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
code | password = os.environ["DB_PASSWORD"]
id | arn:aws:iam::{d12}:role/deploy
id | pk.eyJ1Ijoi{a30}.{a22} mapbox public token
pubkey | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b300}= ci
code | headers: { Authorization: \`Bearer \${accessToken}\` }
code | String password = System.getenv("DB_PASS");
code | max_tokens=4096, temperature=0.2
url | https://app.datadoghq.eu/dashboard/{k3}-{k3}-{k3}/auth
code | password_min_length = 12
code | bcrypt.compare(password, user.password_hash)
hash | sha256sum app.tar.gz: {h64}
placeholder | secret: REPLACE_ME
code | primary_key: user_id, foreign_key: account_id
placeholder | JWT_SECRET=<generate with openssl rand -hex 32>
url | see https://platform.openai.com/api-keys to create a key
url | https://developer.hashicorp.com/vault/docs/secrets/kv/kv-v2
url | s3://acme-artifacts/builds/{h40}/bundle.zip
placeholder | "password": "string"
placeholder | OPENAI_API_KEY=sk-...
pubkey | cosign public key in cosign.pub, key id {h16}
id | GTM-{K7} in index.html
code | password = getpass.getpass("Password: ")
hash | commit {h40}
hash | sha384-{b64} in the script tag of the CDN
code | token = secrets.token_urlsafe(32)
code | private readonly tokenService: TokenService,
id | youtube https://youtu.be/{w11}
id | notion https://www.notion.so/acme/Passwords-policy-{h32}
code | csrf_token = generate_csrf_token(session)
version | token-service 3.14.2-rc.4+build.{d4}
id | ami-{h17}
pubkey | {"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","kid":"{a8}"}
hash | ETag: "{h32}"
hash | checksum = "{h64}"
doc-en | The secret to fast builds is caching node_modules.
id | VITE_ALGOLIA_APP_ID={K10}
code | $password = $_POST["password"];
id | google client id {d12}-{k32}.apps.googleusercontent.com
code | tokenRefreshIntervalMs: 300000
id | stripe customer cus_{a14} was charged twice
doc-en | Auth: OAuth2 client credentials flow, token endpoint /oauth/token.
code | const { token } = await login(username, password);
hash | md5: {h32} build.zip
version | node v3.14.2, pnpm 3.14.2
`;
