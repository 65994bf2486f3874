/** Lines that hold no secret, written without a look at the rules. */
export const thirteenthHarmless = `
line | Fixed in 0fbc582, backported to release-4.2 as 561d141.
line | git bisect says the first bad commit is {h40}
line | Reverted {h40} because the nightly went red.
line | merge-base of main and feature/token-refresh: {h40}
line | The submodule vendor/openssl is pinned at {h40}.
line | trace_id={h32} span_id={h16} status=401
line | request id {uuid} shows up twice in the gateway log
line | Correlation ID: {uuid} (support ticket 48213)
line | The job ran as run 9482716350 attempt 2, artifact id 1830462297.
line | sha256 of the installer: {h64}
line | {h64}  node-v24.2.0-linux-x64.tar.xz
line | md5sum backup.tar = {h32}, matches the copy on the NAS
line | sha1 of the old jar is {h40}
line | SHA-512 (rootfs.img) = {h128}
line | docker pull alpine@sha256:{h64}
line | image digest changed from sha256:{h64} to sha256:{h64}
line | "integrity": "sha512-k/{a17}/XPDBTY/{a34}+{a24}=="
line | lodash@^4.17.21: resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#{h40}"
line | integrity sha512-{a39}/{a46}==
line | golang.org/x/crypto v0.38.0 h1:{a40}+hc=
line | golang.org/x/crypto v0.38.0/go.mod h1:u6AKKkCdWHV+{a31}=
line | checksum = "{h64}"  # Cargo.lock, serde 1.0.219
line |     --hash=sha256:{h64} \\
line | poetry.lock content-hash = "{h64}"
line | <script src="https://cdn.jsdelivr.net/npm/vue@3.5.13" integrity="sha384-{a16}+{a47}" crossorigin="anonymous"></script>
line | nix: sha256-{a43}= is the new vendorHash
line | brew formula: sha256 "{h64}"
line | Podfile.lock PODFILE CHECKSUM: {h40}
line | ETag: "{h32}" did not change after the purge
line | Test fixture: base64 of 24 zero bytes is AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
line | base64 of "hello world" is aGVsbG8gd29ybGQ=
line | The test image (1x1 gif) in base64: R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
line | base64 of the sentence "the quick brown fox" for the decoder test: dGhlIHF1aWNrIGJyb3duIGZveA==
line | ssh-ed25519 {a68} anna@laptop is the public key to add
line | authorized_keys on build03 has ssh-ed25519 {a64}+89a ci@acme
line | ecdsa-sha2-nistp256 {a104}/{a34}= public host key of gw1
line | SHA256:3rWBbH/{a36} is the fingerprint of the host key of git.acme.io
line | The authenticity of host 'gw1 (10.0.0.4)' can't be established. ED25519 key fingerprint is SHA256:{a14}/I70NO/{a22}.
line | certificate fingerprint SHA-256: AF:00:3C:CF:00:A6:06:8D:D8:29:F5:AA:0A:CF:B1:84:B8:73:78:C0:A6:AA:D8:70:2F:4E:B1:60:CF:3D:A5:D4
line | SHA1 Fingerprint=74:72:E0:6D:AC:9C:D0:4D:50:B7:31:20:BC:3F:AD:67:E4:4B:B1:8A
line | debug keystore SHA-1 for the Firebase console: B5:48:45:04:57:70:31:0D:D5:9D:2D:0A:B1:57:26:42:41:09:E6:A1
line | cert serial number 04:0C:27:D9:F4:7A:A1:B1:9F:77:4D:F5:85:AD:84:DB:20:C6
line | -----BEGIN PUBLIC KEY-----\\{a57}+{a19}+{a30}/{a14}==\\n-----END PUBLIC KEY-----
line | -----BEGIN CERTIFICATE-----\\nMIIDdzCCAl+{a37}\\n-----END CERTIFICATE----- (first line of the root only)
line | age recipients: {k62} (public, safe to commit)
line | PublicKey = Tr+{a40}=  # peer of the WireGuard hub
line | cosign.pub is checked in; cosign verify --key cosign.pub ghcr.io/acme/api:4.2.0
line | JWKS: {"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","kid":"2026-05"}
line | GPG key id {a18}, fingerprint 6378 0C1A 012A FD8E 56A7 766B 5B51 9316 17D3 71BE
line | pin-sha256="{a28}+FPZpiOFs3GXGpY="; max-age=5184000
line | AWS docs example key AKIAIOSFODNN7EXAMPLE is on the allow list of the scanner.
line | The docs use AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY, nothing real.
line | AKIAI44QH8DHBEXAMPLE is the second sample id in the AWS IAM guide.
line | Stripe's documented test card is 4242 4242 4242 4242, any future date.
line | JWT from jwt.io as a test vector: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c
line | RFC 6238 test vector: the shared secret is the ASCII string {d20}
line | The BIP39 test vector is eleven times abandon and then about, never use it for a wallet.
line | RFC 7617 example header: Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
line | export GITHUB_TOKEN=<your-token>
line | GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in the README is a placeholder
line | OPENAI_API_KEY=sk-...
line | ANTHROPIC_API_KEY=sk-ant-...your-key-here...
line | api_key: "YOUR_API_KEY"
line | password: {S}{DB_PASSWORD}
line | password: "{{ vault_db_password }}"
line | DATABASE_URL=postgres://{S}{DB_USER}:{S}{DB_PASS}@db:5432/app
line | DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/DBNAME
line | mongodb+srv://<user>:<password>@<cluster>.mongodb.net/
line | curl -H "Authorization: Bearer {S}TOKEN" https://api.acme.io/v2/me
line | curl -u "{S}NEXUS_USER:{S}NEXUS_PASS" https://nexus.acme.io/service/rest/v1/status
line | Authorization: Bearer ****************
line | The log shows password=****** so the redaction filter works.
line | token: [REDACTED]
line | AWS_SECRET_ACCESS_KEY=*** in the Actions log, masked as expected
line | //registry.npmjs.org/:_authToken={S}{NPM_TOKEN}
line | DB_PASSWORD=changeme is only the placeholder of .env.example; startup refuses it.
line | "changeme" in values.yaml is a placeholder, helm lint fails if it is still there.
line | SLACK_BOT_TOKEN=xoxb-your-token-here
line | SECRET_KEY = os.environ["SECRET_KEY"]
line | const apiKey = process.env.API_KEY ?? "";
line | password := os.Getenv("DB_PASSWORD")
line | String token = System.getenv("ACCESS_TOKEN");
line | let token = std::env::var("GH_TOKEN").context("GH_TOKEN is not set")?;
line | token = keyring.get_password("acme-cli", username)
line | secret = client.secrets.kv.v2.read_secret_version(path="apps/billing")["data"]["data"]
line | password = getpass.getpass("Password: ")
line | {S}cred = Get-Credential; Connect-VIServer -Credential {S}cred
line | api_key = Rails.application.credentials.dig(:stripe, :secret_key)
line | export VAULT_TOKEN={S}(vault print token)
line | export PGPASSWORD="{S}(op read op://prod/orders-db/password)"
line | PASSWORD={S}(aws secretsmanager get-secret-value --secret-id prod/orders --query SecretString --output text)
line | TOKEN={S}(gcloud auth print-access-token)
line | password: !vault |  (ansible-vault block follows, encrypted)
line | env: { name: DB_PASSWORD, valueFrom: { secretKeyRef: { name: orders-db, key: password } } }
line | secrets: inherit
line | with: { token: "{S}{{ secrets.RELEASE_TOKEN }}" }
line | variable "db_password" { type = string, sensitive = true }
line | db_password = var.db_password
line | password = random_password.master.result
line | password = data.vault_generic_secret.db.data["password"]
line | secretName: orders-db-credentials
line | credentialsId: 'nexus-deployer'
line | passwordFile: /run/secrets/db_password
line | POSTGRES_PASSWORD_FILE=/run/secrets/pg_password
line | --from-file=password=./password.txt
line | The password must have at least 12 characters, one digit and one symbol.
line | Access token expires after 15 minutes, refresh token after 30 days.
line | Passwords are hashed with argon2id (m=65536, t=3, p=4).
line | The PIN has 6 digits and is locked after 3 wrong tries.
line | We rotate API keys every 90 days; next rotation is 2026-09-01.
line | Password reset link is valid for 24 hours.
line | The token is read from the Authorization header, not from the query string.
line | Never put secrets into notes; use the vault path instead.
line | Secret scanning found 0 findings in 1,482 files.
line | Passphrase strength: five diceware words give about 64 bits.
line | Don't log the password; log the user id and the outcome.
line | API key is missing -> return 401; API key is wrong -> return 403.
line | The password field accepts 8 to 128 characters.
line | token bucket: 100 tokens, refill 10 per second
line | The prompt has 18,432 tokens and the answer 2,110 tokens.
line | max_tokens: 4096, temperature: 0.2
line | context window: 967000 tokens, price 3.00 USD per million input tokens
line | The tokenizer splits "password" into two tokens.
line | CSRF token is checked by the middleware before the handler runs.
line | The parser expects token RPAREN but got token COMMA at 14:22.
line | design tokens: color-primary-500 = #3f51b5
line | secret: false
line | password: null
line | token: undefined
line | apiKey: string;
line | password: str = Field(min_length=12)
line | password_hash VARCHAR(255) NOT NULL
line | function verifyPassword(password: string, hash: string): Promise<boolean>
line | if (!token) throw new AuthError("missing token");
line | assert resp.json()["error"] == "invalid_token"
line | def rotate_secret(secret_name: str, ttl: int = 3600) -> None:
line | type Credentials = { username: string; password: string };
line | passwordInput.value = "";
line | access_token_ttl = 900
line | TOKEN_EXPIRY_SECONDS=900
line | PASSWORD_MIN_LENGTH=12
line | secretKeyRef.key: password
line | x-api-key header is required on all v2 routes
line | keyPath: ~/.ssh/id_ed25519
line | SSH_AUTH_SOCK=/run/user/1000/keyring/ssh
line | FATAL: password authentication failed for user "app"
line | ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
line | remote: Invalid username or token. Password authentication is not supported for Git operations.
line | fatal: Authentication failed for 'https://github.com/acme/api.git/'
line | error: 401 Unauthorized: bad credentials
line | An error occurred (InvalidClientTokenId) when calling the GetCallerIdentity operation
line | ExpiredToken: The security token included in the request is expired
line | npm ERR! code E401 Incorrect or missing password.
line | WRONGPASS invalid username-password pair or user is disabled.
line | Permission denied (publickey,password).
line | sudo: a password is required
line | jwt expired at 2026-06-11T08:15:12Z
line | invalid_grant: Token has been expired or revoked.
line | x509: certificate signed by unknown authority
line | Error: Unable to resolve secret "orders-db" in namespace "prod"
line | gpg: decryption failed: No secret key
line | Enter passphrase for key '/home/anna/.ssh/id_ed25519':
line | arn:aws:iam::{d12}:role/ci-deployer
line | arn:aws:secretsmanager:eu-central-1:{d12}:secret:prod/orders-db-AbCdEf
line | arn:aws:kms:eu-west-1:{d12}:key/{uuid}
line | KMS key alias/app-data, rotation on, id {uuid}
line | projects/acme-etl-prod/secrets/db-password/versions/7
line | service account loader@acme-etl-prod.iam.gserviceaccount.com has roles/secretmanager.secretAccessor
line | Azure key vault: https://acme-kv.vault.azure.net/secrets/db-password/{h32} (identifier only)
line | tenant id {uuid}, subscription id {uuid}
line | vpc-{h17} and subnet-{h17} are in eu-west-1a
line | instance i-{h17} was replaced at 04:10
line | ami-{h17} is the new base image
line | CloudFront distribution EUSRYBRLKMT0JY was invalidated
line | GitHub App id 812345, installation id 48213377
line | The vault path is secret/data/apps/billing/stripe, field api_key.
line | 1Password item: "orders-db prod", vault "Platform"; ask Anna for access.
line | password is in the vault, item prod/orders
line | I sent the password to you over Signal, not here.
line | The token was revoked on 2026-05-30 and removed from the history.
line | https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
line | https://acme.io/reset-password?lang=en
line | https://grafana.acme.io/d/{k14}/api-latency?orgId=1&from=now-6h&to=now
line | postgres://db-1.acme.internal:5432/orders?sslmode=verify-full
line | git@github.com:acme/api.git
line | https://registry.npmjs.org/@acme/core/-/core-3.4.1.tgz
line | ssh deploy@build03.acme.internal -i ~/.ssh/ci_ed25519
line | The plan costs 49.00 EUR per month, 588.00 EUR per year.
line | Released 4.2.0-rc.3+build.20260611 at 2026-06-11T08:15:12Z.
line | Python 3.14.2, Node 24.2.0, Postgres 18.1, Redis 8.2
line | invoice no. 2026-0048213, order 7719-0042-18
line | Bumped actions/checkout to {h40} # v5.0.1
line | FROM node:24-slim@sha256:{h64} AS build
line | Merkle root: {k66} at block 21948213
line | contract address {k42} on Sepolia
line | tx hash {k66} confirmed in 12 s
line | PKCE: code_challenge_method=S256, the verifier is made per login and not stored
line | nonce and salt are 16 random bytes, made per record
line | HMAC is computed over timestamp + "." + body and compared in constant time
line | model checkpoint: model-00003-of-00008.safetensors, sha256 {h64}
line | blob oid {h40} size 48213 (git lfs pointer: oid sha256:{h64})
line | i18n key: errors.auth.wrong_password
line | 提交 {h40} 修复了登录问题
line | 令牌 15 分钟后过期,刷新令牌 30 天后过期
line | 密码至少 12 位,必须包含数字和符号
line | 数据库密码放在 Vault 里,路径 secret/data/apps/billing
line | 报错:用户 "app" 密码认证失败
line | 请把 <你的令牌> 换成自己的令牌
line | password: {S}{DB_PASSWORD} 从环境变量读取,不要写死
line | changeme 只是占位符,启动时会检查并拒绝
line | 安装包的 sha256 是 {h64}
line | 请求编号 {uuid},返回 401
line | 忘记密码的链接 24 小时内有效
line | API 密钥每 90 天轮换一次,下次是 2026-09-01
line | 公钥 ssh-ed25519 {a54}/QMDo0YHCEzavx 请加到服务器上
line | 密码输错 5 次后账号锁定 30 分钟
line | 文档里的 AKIAIOSFODNN7EXAMPLE 是官方示例,不是真的密钥
line | 日志里显示 token=******,脱敏正常
line | 不要在聊天里发密码,请用密码管理器共享
line | token 从请求头 Authorization 读取,变量名 accessToken
line | 这次对话一共用了 18432 个 token
line | 镜像摘要 sha256:{h64} 已固定
line | 验证码为 6 位数字,5 分钟内有效
line | PIN 码由用户自己设置,服务器只保存哈希
line | El commit {h40} arregla el inicio de sesión
line | El token caduca a los 15 minutos y el de refresco a los 30 días
line | La contraseña debe tener al menos 12 caracteres y un número
line | La contraseña de la base está en el vault, ruta secret/data/apps/billing
line | Error: la autenticación por contraseña falló para el usuario "app"
line | Sustituye <tu-token> por el tuyo antes de ejecutar el script
line | contraseña: {S}{DB_PASSWORD}  # se lee del entorno
line | changeme es solo un marcador de posición, el arranque lo rechaza
line | sha256 del instalador: {h64}
line | id de la petición {uuid}, respuesta 401
line | El enlace para restablecer la contraseña vale 24 horas
line | Las claves de API se rotan cada 90 días; la próxima vez, el 2026-09-01
line | Clave pública: ssh-ed25519 {a45}+{a22} lucia@portatil
line | Tras 5 contraseñas erróneas la cuenta se bloquea 30 minutos
line | AKIAIOSFODNN7EXAMPLE es la clave de ejemplo de la documentación de AWS
line | En el registro sale contraseña=******, el filtro funciona
line | No mandéis contraseñas por el chat, usad el gestor
line | El PIN tiene 4 dígitos y lo elige cada usuario
line | huella del certificado SHA-256: BF:47:FA:D6:39:B5:9A:B8:98:15:21:7D:C5:DF:1B:7B:91:C5:48:AC:D5:70:67:91:28:E6:86:1A:8A:F6:FD:58
line | La contraseña del servidor la tiene Marta, pídesela en persona
line | El token CSRF se comprueba antes de llegar al controlador
line | token = os.environ["API_TOKEN"]  # nunca en el código
line | O commit {h40} corrige o login
line | O token expira em 15 minutos e o de renovação em 30 dias
line | A senha precisa ter no mínimo 12 caracteres e um símbolo
line | A senha do banco está no cofre, caminho secret/data/apps/billing
line | Erro: falha na autenticação por senha do usuário "app"
line | Troque <seu-token> pelo seu antes de rodar o script
line | senha: {S}{DB_PASSWORD}  # vem do ambiente
line | changeme é só um marcador, a aplicação não sobe com ele
line | sha256 do instalador: {h64}
line | id da requisição {uuid}, resposta 401
line | O link para redefinir a senha vale por 24 horas
line | As chaves de API são trocadas a cada 90 dias; a próxima troca é em 2026-09-01
line | Chave pública: ssh-ed25519 {a68} bruno@notebook
line | Depois de 5 senhas erradas a conta fica bloqueada por 30 minutos
line | AKIAIOSFODNN7EXAMPLE é a chave de exemplo da documentação da AWS
line | No log aparece senha=******, o filtro está funcionando
line | Não mande senhas pelo chat, use o gerenciador
line | O PIN tem 6 dígitos e é escolhido pelo usuário
line | impressão digital do certificado SHA-1: 05:29:12:E1:37:EF:9A:A5:39:B2:2C:C0:18:20:D2:23:88:E7:47:DD
line | A senha do servidor está com a Paula, peça para ela pessoalmente
line | A palavra-passe é guardada apenas como hash argon2id
line | senha = getpass("Senha: ")  # nunca fica no histórico
line | Коммит {h40} чинит вход
line | Токен живёт 15 минут, refresh-токен 30 дней
line | Пароль должен быть не короче 12 символов и содержать цифру
line | Пароль от базы лежит в Vault, путь secret/data/apps/billing
line | Ошибка: пользователь "app" не прошёл проверку подлинности (по паролю)
line | Замените <ваш-токен> на свой перед запуском
line | пароль: {S}{DB_PASSWORD}  # берётся из окружения
line | changeme это только заглушка, с ней сервис не стартует
line | sha256 установщика: {h64}
line | идентификатор запроса {uuid}, ответ 401
line | Ссылка для сброса пароля действует 24 часа
line | Ключи API меняем каждые 90 дней, следующий раз 2026-09-01
line | Публичный ключ: ssh-ed25519 {a68} oleg@work
line | После 5 неверных паролей учётка блокируется на 30 минут
line | AKIAIOSFODNN7EXAMPLE это пример ключа из документации AWS
line | В логе видно пароль=******, маскировка работает
line | Не присылайте пароли в чат, пользуйтесь менеджером паролей
line | ПИН-код состоит из 4 цифр, его задаёт сам пользователь
line | отпечаток сертификата SHA-256: B6:11:87:2E:74:E5:88:96:5D:62:13:CD:F0:92:C7:7E:06:DC:6B:AE:F1:53:9D:28:5E:CD:2A:9A:B6:5D:3B:01
line | Пароль от сервера знает Лена, спроси у неё лично
line | Пароли храним только в виде хеша argon2id
line | Кодовая фраза ключа нигде не записана, её вводит дежурный
line | コミット {h40} でログインの不具合を修正
line | トークンは15分で失効、リフレッシュトークンは30日
line | パスワードは12文字以上、数字と記号を含むこと
line | DBのパスワードはVaultにあります(secret/data/apps/billing)
line | エラー: ユーザー "app" のパスワード認証に失敗しました
line | <あなたのトークン> を自分のものに置き換えて実行してください
line | password: {S}{DB_PASSWORD} は環境変数から読み込みます
line | changeme は仮の値で、そのままでは起動しません
line | インストーラのsha256は {h64}
line | リクエストID {uuid} で401が返りました
line | パスワード再設定リンクの有効期限は24時間です
line | APIキーは90日ごとに更新、次回は2026-09-01
line | 公開鍵 ssh-ed25519 {a68} を追加してください
line | パスワードを5回間違えると30分ロックされます
line | AKIAIOSFODNN7EXAMPLE はAWSドキュメントの例です
line | ログには token=****** と出ているのでマスクは効いています
line | パスワードをチャットに貼らないでください、管理ツールで共有します
line | 暗証番号は4桁、利用者が自分で決めます
line | 証明書のフィンガープリント SHA-1: C3:29:4D:93:E8:E6:BE:B9:C2:D1:E6:3B:A4:92:38:51:B6:9A:5F:CA
line | サーバーのパスワードは鈴木さんに直接聞いてください
line | 変数名は accessToken と refreshToken に統一
line | このプロンプトは18432トークンでした
line | Commit {h40} behebt den Login-Fehler
line | Das Token läuft nach 15 Minuten ab, das Refresh-Token nach 30 Tagen
line | Das Passwort muss mindestens 12 Zeichen und eine Ziffer haben
line | Das Passwort der Datenbank liegt im Vault unter secret/data/apps/billing
line | Fehler: Passwort-Authentifizierung für Benutzer »app« fehlgeschlagen
line | Vor dem Start <dein-token> durch das eigene Token ersetzen
line | Passwort: {S}{DB_PASSWORD}  # kommt aus der Umgebung
line | changeme ist nur ein Platzhalter, damit startet der Dienst nicht
line | sha256 des Installers: {h64}
line | Anfrage-ID {uuid}, Antwort 401
line | Der Link zum Zurücksetzen des Passworts gilt 24 Stunden
line | API-Schlüssel werden alle 90 Tage getauscht, das nächste Mal am 2026-09-01
line | Öffentlicher Schlüssel: ssh-ed25519 {a29}/{a25}/JPjjoEXZVPYS jens@werkstatt
line | Nach 5 falschen Kennwörtern ist das Konto 30 Minuten gesperrt
line | AKIAIOSFODNN7EXAMPLE ist der Beispielschlüssel aus der AWS-Doku
line | Im Log steht Passwort=******, der Filter greift also
line | Bitte keine Passwörter in den Chat, dafür gibt es den Passwortmanager
line | Die PIN hat 4 Stellen und wird vom Benutzer gewählt
line | Fingerabdruck des Zertifikats SHA-256: C9:B2:D6:20:5C:61:76:49:FF:E0:4E:11:55:47:5E:73:EB:E4:F9:B1:93:9A:64:86:21:E9:88:AE:FB:CB:51:76
line | Das Kennwort vom Server kennt Petra, bitte persönlich fragen
line | Zugangsdaten stehen im Eintrag »orders-db prod« des Passwortmanagers
line | Das CSRF-Token prüft die Middleware vor dem Handler
line | Le commit {h40} corrige la connexion
line | Le jeton expire au bout de 15 minutes, celui de rafraîchissement au bout de 30 jours
line | Le mot de passe doit contenir au moins 12 caractères et un chiffre
line | Le mot de passe de la base est dans le coffre, chemin secret/data/apps/billing
line | Erreur : authentification par mot de passe échouée pour l'utilisateur « app »
line | Remplacez <votre-jeton> par le vôtre avant de lancer le script
line | mdp : {S}{DB_PASSWORD}  # lu dans l'environnement
line | changeme n'est qu'une valeur fictive, le service refuse de démarrer avec
line | sha256 de l'installeur : {h64}
line | identifiant de requête {uuid}, réponse 401
line | Le lien de réinitialisation du mot de passe est valable 24 heures
line | Les clés API sont renouvelées tous les 90 jours, prochaine fois le 2026-09-01
line | Clé publique : ssh-ed25519 {a29}+{a24}/aBKVU7z/OhRbd julie@portable
line | Après 5 mots de passe erronés, le compte est bloqué 30 minutes
line | AKIAIOSFODNN7EXAMPLE est la clé d'exemple de la documentation AWS
line | Dans le journal on voit mdp=******, le masquage marche
line | Pas de mots de passe dans le chat, utilisez le gestionnaire
line | Le code PIN a 4 chiffres, chacun choisit le sien
line | empreinte du certificat SHA-1 : 56:22:44:63:51:AD:F4:94:E0:DD:07:2B:75:99:41:94:AB:6F:F2:73
line | Le mot de passe du serveur, demandez-le à Karim de vive voix
line | La phrase secrète n'est écrite nulle part, l'astreinte la saisit
line | Le jeton CSRF est vérifié avant le contrôleur
line | 커밋 {h40} 에서 로그인 버그를 고쳤습니다
line | 토큰은 15분 뒤 만료, 리프레시 토큰은 30일 뒤 만료됩니다
line | 비밀번호는 12자 이상이고 숫자와 기호가 있어야 합니다
line | DB 비밀번호는 Vault에 있습니다 (secret/data/apps/billing)
line | 오류: 사용자 "app"의 비밀번호 인증을 실패했습니다
line | 실행하기 전에 <내-토큰> 을 본인 토큰으로 바꾸세요
line | 비밀번호: {S}{DB_PASSWORD}  # 환경변수에서 읽음
line | changeme 는 자리표시자일 뿐이고 그대로면 기동되지 않습니다
line | 설치 파일 sha256: {h64}
line | 요청 ID {uuid}, 응답 401
line | 비밀번호 재설정 링크는 24시간 동안 유효합니다
line | API 키는 90일마다 교체하고 다음 교체일은 2026-09-01 입니다
line | 공개키 ssh-ed25519 {a39}+{a19}/X2R7Dh79 를 서버에 추가해 주세요
line | 비밀번호를 5번 틀리면 30분 동안 잠깁니다
line | AKIAIOSFODNN7EXAMPLE 은 AWS 문서의 예제 키입니다
line | 로그에 token=****** 로 나오니 마스킹이 잘 됩니다
line | 채팅에 비밀번호를 올리지 말고 관리 도구로 공유하세요
line | PIN은 4자리이며 사용자가 직접 정합니다
line | 인증서 지문 SHA-256: D2:AC:C1:4E:8C:AD:0A:66:8D:A1:D2:14:4C:15:9D:3A:E3:1A:22:85:7B:C5:3A:C6:36:8B:03:61:87:80:B9:6A
line | 서버 비번은 민수님께 직접 물어보세요
line | 변수 이름은 accessToken 으로 통일합니다
line | 이번 프롬프트는 18432 토큰을 썼습니다
line | {h40} commit'i giriş hatasını düzeltiyor
line | Token 15 dakika sonra, yenileme token'ı 30 gün sonra geçersiz olur
line | Parola en az 12 karakter olmalı ve rakam içermeli
line | Veritabanı şifresi kasada, yol secret/data/apps/billing
line | Hata: "app" kullanıcısı için şifre doğrulaması başarısız oldu
line | Çalıştırmadan önce <token-değeriniz> yerine kendinizinkini yazın
line | parola: {S}{DB_PASSWORD}  # ortam değişkeninden okunur
line | changeme sadece yer tutucu, servis onunla başlamıyor
line | kurulum dosyasının sha256 değeri: {h64}
line | istek kimliği {uuid}, yanıt 401
line | Şifre sıfırlama bağlantısı 24 saat geçerlidir
line | API anahtarları 90 günde bir yenilenir, sıradaki 2026-09-01
line | Açık anahtar: ssh-ed25519 {a43}+{a24} mehmet@ofis
line | 5 yanlış paroladan sonra hesap 30 dakika kilitlenir
line | AKIAIOSFODNN7EXAMPLE, AWS belgelerindeki örnek anahtardır
line | Günlükte şifre=****** görünüyor, maskeleme çalışıyor
line | Sohbete şifre yazmayın, parola yöneticisini kullanın
line | PIN 4 hanelidir, kullanıcı kendisi seçer
line | sertifika parmak izi SHA-1: 04:08:77:48:02:BB:12:37:06:5E:DA:CE:FD:18:68:0A:40:DF:B0:41
line | Sunucunun şifresini Elif biliyor, yüz yüze sorun
line | Parolalar yalnızca argon2id özeti olarak saklanır
line | CSRF token'ı denetleyiciden önce kontrol edilir
`;
