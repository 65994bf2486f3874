/** Lines of ten languages that hold no secret, written without a look at the rules. */
export const fourteenthHarmless = `
line | Bisected the flaky upload test to 400cba45cca7cf72ed331efd6f787e10b8ade969, reverting locally makes it green 50/50.
line | Merged #4182 into release/2.14 as 035787a; cherry-pick to 2.13 still open.
line | HEAD is now at cd34d4d06b Bump serde from 1.0.203 to 1.0.204
line | git rev-parse origin/main -> de7b0d421edd86fb92abac6f86ea68b8e2ebf088
line | sha256sum dist/agent-linux-amd64.tar.gz: 96ed488db8422692fe9846e0729e138c35fca6e734126b2c438b5c79949373ae
line | The checksum in SHA256SUMS didn't match: expected e85b057caf35078f4fb5106ad31ef8282bf85a4658ea520ffdb8b20b69f9713f, got 93722c66af3c047d31b0a8bc6bf6bf634376aef02ade9d7aa8f13e31bf83678c.
line | "integrity": "sha512-nM/V9N/UnA/pwjHDE+X1eDD0zrUzZEYOKrj++9HXbDc721P8JJlfp7qmlNkiuZgDs9wi+c7Ms8vSAHLaBEIMRg==",
line |       "resolved": "https://registry.npmjs.org/tough-cookie/-/tough-cookie-4.1.4.tgz",
line | checksum = "f2c51991cd5895c3644e0aac2623e375ffaa9741382d6a5c7c7255a7013798b4"
line | github.com/stretchr/testify v1.9.0 h1:HMCOvG/2CLu3g9Kb7b2HZjYohwRqD1Z9L+SmVrSAFa4=
line | github.com/golang-jwt/jwt/v5 v5.2.1/go.mod h1:T8+GVpetb4UzSVqJHF/xwja6SKjTgL8Qj964dMy9sr0=
line |     --hash=sha256:d7116c7e72dee6b8afc6debd6e9972bdca6f626bbb56cad6675ed64277d162f7 \\
line | FROM python:3.12-slim@sha256:bcdf5837b7eb754f639883fbd6cb9d36de9d2c5a79c237171283cddc47d575c1
line | image: ghcr.io/acme/worker@sha256:446d295132b10193f9b08ba0b9e5345eb4aa97b113bdb577400e8afadd6197d6
line | Trace id 46fd2586d6ba2e616d97bbd7f883231a shows the retry storm starting at 14:02:17.
line | request_id=93eddac6-12b3-49c7-b02d-0441603a8c4f status=502 upstream=payments latency_ms=3021
line | correlation id 8984f420-65a7-416c-b952-160b93a772db, asked support to look it up on their side
line | The orphaned row is user 2f94feb9-7b77-49eb-ba8d-2b3df73a08d5; deleted it through the admin console.
line | ETag: "791fcb6b0020bc5f9d08d290c16971ec"
line | md5 of the customer's CSV is d43da8259ba68ea76d8d7e1e0e0f0955, same as what we received over SFTP.
line | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGwaocFWjlISHmeCTTCmm7p+3kssjqrEwoQ9CoAxtbso build@ci-runner-3
line | Host key fingerprint is SHA256:lZMtoEor0TQEbPqYMUzolCGGFJGjX0H3dKqQKKUGx2A (matches the one printed at provisioning).
line | Certificate SHA-1 fingerprint: AC:EB:B4:C1:AD:ED:6D:37:31:27:09:1E:51:24:F7:68:A4:39:F2:96
line | GPG signing key fingerprint 4F1A 9C0E 77B2 D35A 81E6  0C4D 92FB A7E3 1D58 06BC is published on the keyserver.
line | -----BEGIN PUBLIC KEY-----
line | The public key (not the private one) goes into infra/keys/deploy.pub.
line | age recipient for SOPS: age1n5r9dd9rkqcs76znpexpzgq7wfdnhyztvwspy7zn73egsywqapzy03n493 (public, fine to commit)
line | WireGuard peer PublicKey = 51GWHiFpZkcMBpvqebtqkHDSz06QAiSkJtvG657VKWA=
line | Docs use the AWS sample pair AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY, so allow-list both.
line | The README shows AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE, which is Amazon's own documentation value.
line | Set OPENAI_API_KEY=<your-api-key> before running the notebook.
line | export GITHUB_TOKEN=<paste token here>
line | DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DBNAME
line | password: "{{ vault_db_password }}"
line | password: \${DB_PASSWORD}
line | DB_PASSWORD=\${DB_PASSWORD:?must be set}
line | api_key: YOUR_API_KEY_HERE
line | client_secret = "REPLACE_ME"
line | secret: xxxxxxxxxxxxxxxxxxxxxxxx
line | token: ********
line | Authorization: Bearer <token>
line | curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
line | curl -u "$USER:$PASS" https://nexus.corp.example/service/rest/v1/status
line | password = os.environ["DB_PASSWORD"]
line | const token = process.env.SLACK_BOT_TOKEN;
line | token := os.Getenv("VAULT_TOKEN")
line | let secret = std::env::var("JWT_SECRET").expect("JWT_SECRET not set");
line | api_key = settings.STRIPE_API_KEY or raise_missing("STRIPE_API_KEY")
line | var pwd = Configuration["Smtp:Password"];
line | password=$(pass show infra/postgres/prod)
line | export PGPASSWORD="$(vault kv get -field=password secret/data/billing/db)"
line | TOKEN=$(gcloud auth print-access-token)
line | secret = boto3.client("secretsmanager").get_secret_value(SecretId="prod/billing/db")["SecretString"]
line | valueFrom: { secretKeyRef: { name: pg-credentials, key: password } }
line | env: { NPM_TOKEN: "\${{ secrets.NPM_TOKEN }}" }
line | password: !vault |
line | password: op://Infra/postgres-prod/password
line | passwordSecretRef: arn:aws:secretsmanager:eu-west-1:123456789012:secret:billing/db-a1B2c3
line | The password lives in 1Password under "Postgres prod (billing)"; ask Nadia for vault access.
line | I never saw the token; the CI job reads it from the masked variable DEPLOY_TOKEN.
line | Rotated the signing key in KMS, alias/jwt-signing now points to key id 4bf345c4-fa42-4ca0-9b5a-d7b3307ade2b.
line | KMS key ARN: arn:aws:kms:us-east-1:123456789012:key/dfd06615-c8d9-4de9-8247-230b8039c516
line | Security group sg-05f1276666652a9ac was missing port 5432 from subnet-082d817017d272420.
line | Instance i-06649b0bb08f0a27a failed two status checks and was replaced.
line | The volume vol-0274281d3d21788cc is detached, safe to delete after 30 June.
line | ami-0c041891e53545975 is the hardened base image, built from packer commit 6024f8d.
line | Azure tenant f9f12eff-ce91-462c-b61b-decb6e90d3ce, subscription cfd37870-172c-495a-b637-05dbd072f03f (ids, not credentials)
line | GCP project number 482019337561, region europe-west4.
line | Stripe event evt_1PY7ScJaVIAE1znxbJGawy1U was delivered three times.
line | The charge ch_3P8Mdkf35n8WGLlY8iMa9QdA was refunded on 2024-05-17.
line | Zone id 1bafc713ba5dc3622bb308036b5e3954 is for the staging domain.
line | Slack channel C04K7QW2M9T is where the alerts should go, not C02BX81LLRE.
line | Passwords must be at least 14 characters and are checked against the breached list.
line | Password policy: minimum 12 characters, no forced rotation, MFA mandatory.
line | Tokens expire after 15 minutes; refresh tokens after 30 days of inactivity.
line | API keys are shown once at creation and stored only as a SHA-256 hash.
line | We lock the account after 5 wrong passwords for 900 seconds.
line | PINs are 4 to 8 digits and may not be sequential.
line | A recovery code is two groups of five characters and can be used once.
line | Never paste a password in this channel; use the vault link instead.
line | Reset links are valid for 60 minutes, tracked in SEC-1187.
line | TODO: ask security whether passphrase length of 20 is enough for the backup keys.
line | Argon2id parameters: m=65536, t=3, p=4; old bcrypt hashes (cost 10) get rehashed at login.
line | Secret rotation is scheduled for 2025-03-31, owner: platform team.
line | The password column is varchar(255) NOT NULL and only ever holds an argon2 hash.
line | password_reset_token is nullable since migration 20240611_0942.
line | Renamed \`api_token\` to \`service_token\` in 14 files, no behaviour change.
line | max_password_age = 90
line | token_ttl: 3600
line | password_min_length = 14
line | PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
line | "max_tokens": 4096,
line | tokens used: 183,402 in / 9,771 out, about $0.71 for the run
line | The tokenizer splits "credential" into 2 tokens, vocabulary size 100277.
line | Passing keyword token=None to the constructor disables auth in the local runner.
line | def check_password(self, raw_password: str) -> bool:
line | if (!password) throw new Error("password is required");
line | assert "password" not in response.json()
line | logger.info("password changed for user_id=%s", user.id)
line | type Secret struct { Name string; Version int }
line | <input type="password" name="password" autocomplete="current-password">
line | password: z.string().min(12).max(128),
line | getpass.getpass("Password: ")
line | read -rsp "Password: " PW; echo
line | kubectl create secret generic db --from-file=password=./password.txt
line | kubectl get secret pg-credentials -n billing shows type Opaque, 2 keys, age 41d
line | vault write auth/approle/login role_id=$ROLE_ID secret_id=$SECRET_ID
line | pg_hba.conf: changed md5 to scram-sha-256 for host all all 10.0.0.0/8
line | FATAL: password authentication failed for user "billing_app"
line | ERROR 1045 (28000): Access denied for user 'report'@'10.2.0.14' (using password: YES)
line | fatal: Authentication failed for 'https://git.corp.example/infra/dns.git/'
line | remote: HTTP Basic: Access denied. The provided password or token is incorrect.
line | 401 Unauthorized: {"error":"invalid_token","error_description":"The access token expired"}
line | jwt.exceptions.ExpiredSignatureError: Signature has expired
line | redis.exceptions.AuthenticationError: Client sent AUTH, but no password is set
line | Permission denied (publickey,password).
line | sudo: a password is required
line | WRONGPASS invalid username-password pair or user is disabled.
line | npm ERR! code E401 Incorrect or missing password.
line | x509: certificate signed by unknown authority (serial 03:35:AC:15:D2:AC:E1:B5:F2:B9:FC:F6:B1:1F:AA:75:6D:52)
line | SASL authentication failed: password mismatch, mechanism SCRAM-SHA-512
line | Error: ENOENT: no such file or directory, open '/run/secrets/db_password'
line | AADSTS50126: Error validating credentials due to invalid username or password.
line | The toast says "Your password has been updated" even when the API returns 422.
line | Button label changed from "Forgot password?" to "Reset your password".
line | The email subject is "Password expiring in 7 days" and it goes out twice.
line | The dialog "Enter your passphrase to unlock the key" is cut off on small screens.
line | Help article title: "How to choose a strong password", needs a new screenshot.
line | Reviewed the talk "Passwords are dead, long live passkeys" for Thursday's reading group.
line | The placeholder text in the password box is "At least 14 characters".
line | Translation key auth.password.mismatch = "Passwords do not match"
line | The validator answers "password too short" for anything under 14 characters.
line | Chapter 6, "The Secret Life of Tokens", explains opaque vs structured ones well.
line | Ticket title: "Secret Santa bot posts password-reset link to the wrong channel"
line | Error copy: "That code is incorrect. Try again or request a new one."
line | Tooltip next to the API key field: "You can find this in Settings > Developers".
line | Unit test feeds the string "password123" to the strength meter and expects a score of 0.
line | The fixture is xkcd 936's phrase "correct horse battery staple", used only to test the entropy estimate.
line | tests/test_login.py uses a fake user alice with the dummy value "not-a-real-password".
line | Seed phrase parser is tested with the public BIP39 vector (eleven times "abandon", then "about").
line | The test generates a random token per run with secrets.token_hex(16), nothing is stored.
line | Card number in the payment tests is the documented 4242 4242 4242 4242.
line | The JWT in the README is the jwt.io sample with sub 1234567890 and name John Doe.
line | RFC 6238 test vectors: time 59 gives 94287082 for SHA-1 with 8 digits.
line | The RFC 7617 example encodes Aladdin and is quoted in our parser's doc comment.
line | Mock server accepts any password, so the e2e suite types "x" everywhere.
line | The scanner's own example, ghp_ followed by 36 letters x, is skipped on purpose.
line | Golden file holds the redacted form: password=[REDACTED], token=[REDACTED].
line | Log masking works: saw \`api_key=sk-****\` and nothing else in Kibana.
line | Standup is in room 4417 on the fourth floor, the projector needs the HDMI adapter.
line | Dana is on extension 7731 until noon, then mobile.
line | Call the NOC at +1 555 0142 ext. 209 if the ring drops again.
line | Ticket INC0048213 covers the expired cert; CHG0019922 the renewal.
line | Desk booking: row 12, seat 0834, badge reader on the left.
line | PO 4500192837, invoice 2024-00981, net 30, USD 12,480.00.
line | The new license costs $1,299 per seat, renewal on 2025-11-01.
line | Parcel 1Z999AA10123456784 is UPS's sample tracking number from their docs.
line | Serial number on the label reads C02XK1ZYJGH5, asset tag LT-0442.
line | Upgraded OpenSSL 3.0.13 -> 3.0.15 on web01..web06, no restart needed for nginx 1.26.1.
line | Kernel 6.8.0-45-generic boots fine, 6.8.0-47 panics in the r8169 driver.
line | Chrome 129.0.6668.89 breaks the password autofill on the checkout page.
line | Release train 2024.10.2 goes out on Tuesday 15 October at 09:30 UTC.
line | The backup took 03:41:22 and wrote 1,284,773,120 bytes.
line | MAC 00:1a:2b:3c:4d:5e got 10.20.31.17 from the wrong DHCP scope.
line | IPv6 prefix 2001:db8:4f2a::/48 is the documentation range, replace before rollout.
line | Lunch order: apple, bread, cheese, tomato, olive, lemon, rice, butter, onion, garlic, pepper, salt
line | Hostname pool: otter, badger, heron, falcon, lynx, marten, plover, stoat, osprey, beaver, curlew, vole
line | Sprint names voted so far: river, canyon, meadow, harbor, valley, island, forest, desert, glacier, prairie, lagoon, summit
line | Colour tokens in the design system: red, orange, amber, yellow, lime, green, teal, cyan, blue, indigo, violet, pink
line | Stop words we strip: about, above, after, again, below, before, during, further, once, under, until, very
line | Months in the locale file: january february march april may june july august september october november december
line | Ownership of the secrets repo moved from SRE to Platform, CODEOWNERS updated.
line | Revoked the leaked key yesterday at 16:20; audit log shows no use after that.
line | The old contractor's accounts are disabled and all of his tokens are gone.
line | Password sign-in is off for the admin panel, SSO only from Monday.
line | I need somebody with the break-glass credential, I can't open the vault myself.
line | Asked Tom for the Wi-Fi password, he'll tell me in person.
line | Key decision: keep the session cookie httpOnly, SameSite=Lax, 12h.
line | Primary key is (tenant_id, order_no), foreign key to customers.id.
line | The answer key for the onboarding quiz needs updating for question 7.
line | Pressed F2 at boot, no BIOS password is set on these laptops.
line | secrets.yaml is encrypted with SOPS, mac and lastmodified changed in every commit.
line | .gitignore now covers .env, *.pem, *.p12 and id_rsa*.
line | gitleaks found 0 leaks in 1,842 commits, scanned 38.4 MB in 6.1s.
line | detect-secrets baseline: "hashed_secret": "bc0b91e66ef3ff10b442b72968fcc6ebb2d3c9a5", "is_verified": false, "line_number": 27
line | Snyk flagged CVE-2024-3094 (xz 5.6.0/5.6.1), we run 5.4.5.
line | npm audit: 3 moderate, GHSA-c2qf-rxjj-qqgw in semver <7.5.2
line | Gradle wrapper: distributionSha256Sum=1ead21e805b8c468bee6d6fbaf12e8a0579db41fbb29ec1eb6abff2e5e6cb840
line | Merkle root at block 840000 compared, both nodes agree on 1eeb70bef4f6b41fdae973e060eb1ce2ea8f5119271486d097a6a0ecb43c2335.
line | S3 object version dap52OV90Tpp5XBs4RVR9zasT9FOqjJn is the last good backup manifest.
line | Cache key is v3-node20-91ed3431dcfa4ebbd4626c40faf17ce7b1a96c304e950d3968acff0d9aa97b39 (hash of package-lock.json).
line | Build id 05470fc8149b842b44faeb6fcf0cbf0e, symbols uploaded to the crash server.
line | Consul node id ee724510-dc1d-4814-a949-aba0b151f9a6 joined twice, removed the stale one.
line | Terraform plan: ~ resource "aws_secretsmanager_secret_version" "db" { secret_string = (sensitive value) }
line | random_password.db: Refreshing state... [id=none]
line | The OAuth app's redirect URI was wrong, client id is fine, secret untouched.
line | PKCE: code_challenge_method=S256, the verifier never leaves the browser.
line | JWKS endpoint lists kid "2024-09-a" and "2024-10-b", both RS256 with e=AQAB.
line | Sentry release 5.2.0+afbe51c has 14 new issues, none in auth.
line | SPF record: v=spf1 include:_spf.google.com include:sendgrid.net -all
line | DKIM selector s1: "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBDiDOgKBtaIQ47MLaC7SHMLEWEngPN3GrgF3GrogHrkw" (public part, from DNS)
line | _acme-challenge TXT was removed after the cert was issued.
line | 回滚到 0b59931bcf2e49bbe709fac0912ba90c9554c4f7 之后登录就正常了，问题出在昨天那次合并。
line | 数据库密码在 Vault 的 secret/prod/order 下面，没有权限的找运维开。
line | 密码长度不少于 12 位，必须包含大小写字母和数字，90 天一换。
line | 页面提示“用户名或密码错误”，其实是网关超时，文案要改。
line | 安装包 SHA256：940d6b39b549c2940111b3f080cadf3df1e8c7e3c7b498b939289a914d3cc72d，和官网公布的一致。
line | token 有效期两小时，过期后调用刷新接口，错误码 40014。
line | 请勿在群里发送密码、验证码，需要的走工单 SR-20241108。
line | 开会地点改到 B 座 1806，分机 8032，联系人小刘。
line | password: \${MYSQL_PASSWORD}  # 由流水线注入
line | 密钥已经轮换完，旧的当天下午 5 点吊销，日志里没有异常调用。
line | 按钮文案由“忘记密码？”改成“找回密码”，设计稿同步更新了。
line | 请求 ID：e4476292-4614-49b0-ad9b-ca182123ae12，麻烦帮忙查一下链路。
line | 报错 ERROR 1045 (28000): Access denied for user 'app'@'172.16.3.9' (using password: YES)
line | 单元测试里密码随便填的“123”，用来验证太短会被拒绝。
line | 文档示例用的是 AKIAIOSFODNN7EXAMPLE，这是亚马逊官方的假数据，不用处理。
line | appSecret 填你自己的，例如 <你的AppSecret>，不要提交到仓库。
line | 助记词功能只展示不落盘，评审时重点看内存清理。
line | 水果分类：苹果、香蕉、葡萄、西瓜、桃子、梨、樱桃、芒果、草莓、柠檬、石榴、荔枝
line | 服务器报价 12,800 元一台，三年维保另加 1,950，合同号 HT-2024-0317。
line | 公钥已经加到 authorized_keys，指纹 SHA256:Uy5d/3xzDjE5x2mR8Bb1RXwgtS9r8D4b/Re3zlRZqKM
line | secret := os.Getenv("WX_APP_SECRET") 取不到就直接退出
line | 老张把口令改了但没告诉我，我去找他当面问。
line | El despliegue salió del commit c70a6dedbbca8dc40f421278f846a75b18ec8542, rama release/3.8.
line | La contraseña debe tener al menos 12 caracteres y no puede repetir las cinco últimas.
line | Nadie pide contraseñas por teléfono; si te llaman, cuelga y avisa a seguridad.
line | El mensaje "Contraseña incorrecta" sale también cuando el LDAP está caído.
line | La clave de la base está en el Key Vault, yo no la tengo ni la quiero.
line | clave primaria compuesta (id_empresa, num_factura), índice aparte por fecha
line | contraseña: \${CONTRASENA_BD}
line | token = os.environ["TOKEN_HACIENDA"]  # sin valor por defecto
line | El token caduca a los 20 minutos y el de refresco a los 14 días.
line | Incidencia 48213 cerrada: el usuario había dejado el bloqueo de mayúsculas puesto.
line | Reunión en la sala 312, extensión 4407, preguntar por Begoña.
line | SHA-256 del instalador: ba62f70112984d34c37d3860456d8017365446569bb82d042264c6ab14ed75c7
line | El botón pasa de "¿Olvidaste tu contraseña?" a "Recuperar acceso".
line | FATAL: la autentificación password falló para el usuario «nomina»
line | Huella de la clave del host: SHA256:claeVR4bdJJIiegyv4EMmHsNp8OXwHoJNI3NWkVR98k, coincide con la del acta.
line | Se revocaron ayer todas las claves de API del proveedor anterior.
line | El curso se llama "La contraseña perfecta no existe" y dura 45 minutos.
line | En las pruebas el usuario ficticio lleva "clave-falsa" porque el mock acepta cualquier cosa.
line | Lista de la compra de la oficina: café, leche, azúcar, galletas, fruta, agua, servilletas, vasos, té, miel, pan, queso
line | Factura F-2024-1187 por 3.420,50 €, vence el 15/11/2024.
line | Id de correlación b2837424-120c-41f6-a4d3-540df506e1d8, lo pidió el soporte de Redsys.
line | Sustituir TU_CLAVE_AQUI por la que genera cada uno en el portal.
line | O build quebrou a partir de d73873ce25eca36467443aee3cdf522db8e0e113, abri o PR 2291 revertendo.
line | A senha precisa ter no mínimo 10 caracteres, com letra maiúscula e símbolo.
line | Quem precisar da senha do banco pede acesso no cofre, não mando por chat.
line | Mensagem na tela: "Senha expirada, entre em contato com o administrador".
line | spring.datasource.password=\${DB_SENHA}
line | O token do SSO dura 8 horas e não dá pra renovar depois disso.
line | Erro 401 na integração: "token inválido ou expirado", começou às 10h12.
line | Troquei o texto "Esqueci minha senha" por "Redefinir senha" no app.
line | Protocolo da Anatel 202411083746152, ligar depois do dia 20.
line | Ramal 3318, sala 1204, falar com o Everton da infra.
line | senha = System.getenv("SENHA_NFE"); // se vier nula, aborta
line | Hash SHA-256 do pacote: 727c596f5c747232627e1cf4d7e3e84e5e6bb03aff236c3093f8b12fc569d3cc (confere com o site)
line | Chave de acesso da NF-e não é segredo, é só o identificador de 44 dígitos do documento.
line | Bloqueio após 3 tentativas de PIN, desbloqueio só com gerente presente.
line | Os segredos saíram do docker-compose e foram pro Secrets Manager, falta limpar o histórico.
line | Fingerprint da chave pública do servidor: SHA256:/TfR5d6S4b5xKAFNHCNnCNLkacfH4nfZ19HJ1UDxzCA
line | No teste unitário a senha é a palavra "curta", justamente pra falhar na validação de tamanho.
line | Renovação do certificado ficou em R$ 489,90, validade até 02/2026.
line | Frutas do sorteio: banana, manga, caju, goiaba, uva, melancia, abacaxi, laranja, pera, acerola, jaca, morango
line | <SUA_CHAVE_API> no exemplo do README é só marcador, cada dev usa a própria.
line | Esqueci a senha da VPN de novo, abri chamado 77120 pra resetar.
line | requestId=a489668b-0b53-45d6-b7ce-8bbf04778692 deu timeout no gateway de Recife
line | Сломалось после коммита d7b785e95ef1b2589d5369d4c18076e3062232a7, откатил на стенде, проверяю.
line | Пароль должен быть не короче 12 символов, смена раз в 180 дней.
line | Пароли в чат не кидаем, всё через хранилище, доступ выдаёт Ольга.
line | При входе пишет «Неверный логин или пароль», хотя учётка просто заблокирована.
line | password: \${PG_PASSWORD}  # подставляется из CI
line | token = os.environ.get("BOT_TOKEN") or sys.exit("нет токена")
line | Время жизни токена 30 минут, рефреш живёт 7 суток.
line | Заявка 118274: сотрудник забыл пароль, сбросили через портал.
line | Контрольная сумма дистрибутива: 18e13cf48423490959d878ebd088658514b58b0739a12a5373221e3c1c8bcd23
line | Кабинет 407, внутренний 2215, спросить Гульнару.
line | Ключи от серверной у охраны на первом этаже, под роспись.
line | Кнопку «Забыли пароль?» переименовать в «Восстановить доступ», макет в фигме.
line | FATAL: пользователь "zabbix" не прошёл проверку подлинности (по паролю)
line | Отпечаток ключа хоста SHA256:w2u8NRb81ZPWbJldFIFsqSJ1P5nqclYVpdFLrgU8gtU, сверил по телефону.
line | Секреты переехали в Vault, в репозитории остались только ссылки на пути.
line | Статья «Пароль под клавиатурой: чему нас учит аудит» выйдет в четверг.
line | В тестах пароль пустой строкой, проверяем, что форма ругается.
line | Лицензия обойдётся в 84 500 ₽, счёт № 1093 от 12.09.2024.
line | Слова для словаря автодополнения: дом, лес, река, поле, мост, город, улица, окно, дверь, стол, книга, лампа
line | Трейс b7421f1816e08e3c683319ea95987e28, видно три повтора подряд к платёжному шлюзу.
line | Вместо <ВАШ_ТОКЕН> подставьте свой, выданный в личном кабинете.
line | Старый ключ отозвали вчера в 18:40, по логам им никто не пользовался.
line | 36ef3084d0e0d2ae81a4c79e999ba874ecc0e2fc をrevertしたら直ったので、原因はこのコミットで確定です。
line | パスワードは12文字以上、英大文字・小文字・数字をそれぞれ1文字以上含めること。
line | DBのパスワードはSecrets Managerから取得しているので、コード上には出てきません。
line | 「パスワードが正しくありません」と出ますが、実際はアカウントロックでした。
line | パスワード: \${DB_PASSWORD}（デプロイ時に展開）
line | トークンの有効期限は60分、リフレッシュトークンは14日です。
line | パスワードをメールやチャットで送らないでください（PPAP廃止のお知らせ）。
line | 会議は本館7階703、内線は5521、担当は森さんです。
line | チケット #20481 パスワード再設定メールが二重に届く件、修正済み。
line | SHA-256: 95b95ff0ff26da7a89e5742c68db99968a5c1a4025773f4f04c194ff26eb77d1（配布ページの値と一致）
line | ボタンの文言を「パスワードを忘れた方」から「ログインでお困りの方」に変更。
line | ENV.fetch("KINTONE_API_TOKEN") で取るように直しました。直書きは削除済みです。
line | ホスト鍵のフィンガープリントは SHA256:VZcjGQkeLZt6z3I/fXGxBbF2CNnAiuAI1Zxfk5CP0Wk でした。
line | 暗証番号は4桁、連番とゾロ目は登録できない仕様です。
line | 旧APIキーは10/31に失効済み、以降のアクセスログはゼロ件。
line | テストではモックが何でも受け付けるので、パスワード欄は空文字のままです。
line | 請求書 INV-202410-077、金額 132,000円（税込）、支払期限 11/29。
line | 野菜マスタ：にんじん、たまねぎ、じゃがいも、きゅうり、なす、トマト、大根、白菜、ねぎ、ごぼう、れんこん、かぼちゃ
line | リクエストID e8a684a9-4edf-46df-97ef-c9119f5c70bd のログを共有お願いします。
line | 社内勉強会「パスワードのいらない世界へ」は来週水曜18時からです。
line | READMEの <あなたのAPIキー> は各自で発行したものに置き換えてください。
line | 鍵の受け渡しは総務の窓口で、記名が必要です。
line | Seit Commit f65e6306247082389380944e788ca69a6c4ee9bc läuft der Nachtlauf wieder durch.
line | Kennwörter müssen mindestens 14 Zeichen haben und dürfen den Benutzernamen nicht enthalten.
line | Das Passwort liegt im KeePass der Abteilung, Zugriff gibt Herr Yildiz.
line | Meldung beim Anmelden: "Ihr Kennwort läuft in 5 Tagen ab", kommt aber bei allen.
line | DB_PASSWORT=\${DB_PASSWORT}
line | passwort = os.environ["LDAP_BIND_PW"]  # kommt aus dem Vault-Agent
line | Das Zugriffstoken gilt 10 Minuten, das Refresh-Token 24 Stunden.
line | Bitte keine Passwörter ins Ticket schreiben, auch nicht "nur kurz".
line | Ticket 2024-003817: Kollegin hat ihre PIN vergessen, Karte wurde entsperrt.
line | Prüfsumme (SHA-256) vom ISO: a0696dcb975e6bbbcc2549e2b7c894ba16d0cfde0a326cc2ae213d80a4709f94
line | Besprechung in Raum 2.114, Durchwahl -4471, Frau Okonkwo.
line | Schaltfläche "Passwort vergessen?" springt auf Mobilgeräten in die zweite Zeile.
line | Fingerabdruck des Hostschlüssels: SHA256:ZHM4KgtcTroI0aRKBkL/4SrWvNM/Ec+ekguu1GnvoPM, passt zum Aushang.
line | FATAL: Passwort-Authentifizierung für Benutzer »fibu« fehlgeschlagen
line | Die Zugangsdaten des alten Dienstleisters sind seit 1.10. gesperrt.
line | Vortrag "Geheimnisse im Git und wie man sie wieder loswird" am 14. November.
line | Im Unittest steht als Passwort nur "abc", weil genau das abgelehnt werden soll.
line | Wartungsvertrag 1.284,00 € netto pro Jahr, Kündigung bis 30.09.2025.
line | Werkzeugliste: Hammer, Zange, Säge, Feile, Bohrer, Schraube, Mutter, Dübel, Leim, Pinsel, Lappen, Eimer
line | Vorgangs-ID 23f269d3-87c3-4dff-b440-da1e374ad9dc bitte beim Hersteller angeben.
line | <IHR_API_SCHLÜSSEL> im Beispiel ist ein Platzhalter.
line | Schlüsselübergabe fürs Lager macht der Hausmeister, montags ab 7 Uhr.
line | Régression introduite par 35cffe9fdd4551d98c51bcdb9eff4383847ff86b, correctif dans la MR !1874.
line | Le mot de passe doit comporter au moins 12 caractères, dont un chiffre (recommandation CNIL).
line | Les mots de passe sont dans le coffre Bitwarden de l'équipe, demander l'accès à Karim.
line | Le message « Mot de passe incorrect » s'affiche aussi quand le compte est désactivé.
line | MOT_DE_PASSE_BDD=\${MOT_DE_PASSE_BDD}
line | jeton = os.getenv("JETON_CHORUS")  # lève une exception si absent
line | Le jeton expire au bout d'une heure, le jeton de rafraîchissement au bout de 30 jours.
line | Rappel : on n'envoie jamais un mdp par mail, même en deux fois.
line | Ticket GLPI 30582 : code PIN oublié, carte agent débloquée à l'accueil.
line | Empreinte SHA-256 de l'archive : 8dc90b61e3c593fbe4180963efef1b6bd0168449fe8bc6f431f9b91b6af1f3b7
line | Réunion salle 214, poste 5063, demander Mme Traoré.
line | Le bouton « Mot de passe oublié ? » devient « Réinitialiser mon accès ».
line | Empreinte de la clé de l'hôte : SHA256:gYBXeX+q+OMDKzqFP9nlH7nD/AgeZ/OE3oseyrP2QZ4, vérifiée sur place.
line | Erreur 401 « jeton invalide » depuis le passage à l'heure d'hiver, décalage d'horloge de 3 min.
line | Toutes les clés de l'ancien prestataire ont été révoquées le 4 octobre.
line | Atelier « Secrets de fabrication : la CI de A à Z » reporté au 21/11.
line | Dans les tests, le mot de passe vaut la chaîne vide pour vérifier le message d'erreur.
line | Devis D-2024-0412 : 6 340,00 € HT, valable jusqu'au 31/12/2024.
line | Fournitures : stylo, cahier, gomme, règle, agrafe, ciseaux, colle, classeur, enveloppe, timbre, feutre, trombone
line | Identifiant de corrélation 94b5961c-60fc-4970-9cc9-894292106d04, transmis au support OVH.
line | Remplacer <VOTRE_CLE_API> par celle générée dans l'espace client.
line | La clé du local technique est chez le gardien, à rendre avant 18 h.
line | 927f6ea7f4558c9659a6b80dc2c9e0732870ba40 커밋부터 배치가 깨져서 일단 되돌렸습니다.
line | 비밀번호는 영문, 숫자, 특수문자 포함 10자 이상이어야 합니다.
line | DB 비밀번호는 볼트에 있으니 권한 필요하시면 인프라팀에 요청 주세요.
line | "비밀번호가 일치하지 않습니다" 문구가 두 번 뜨는 버그 수정했습니다.
line | spring.datasource.password=\${DB_PASSWORD}
line | 액세스 토큰 만료는 30분, 리프레시 토큰은 2주입니다.
line | 메신저로 비밀번호 공유하지 마세요, 보안 점검 지적 사항입니다.
line | 회의실 9층 902호, 내선 6614, 박 과장님 찾으시면 됩니다.
line | token = os.environ["SLACK_BOT_TOKEN"] 로 바꾸고 하드코딩은 지웠어요
line | 설치 파일 SHA-256 값: 7c4c9904ff2cd703f3771f7bf1baca12587087e4c3869fe275d5f8fbfb42fe34
line | 티켓 OPS-3391 비밀번호 5회 오류로 계정 잠김, 해제 완료.
line | 버튼 문구 "비밀번호 찾기"를 "로그인 도움말"로 변경 요청드립니다.
line | 호스트 키 지문은 SHA256:FYEhgr1Pr9JpTgi8wQcdLpcnmB071gElgZiG4sRtyxE 이고 공지된 값과 같습니다.
line | ORA-01017: invalid username/password; logon denied 오류가 새벽부터 계속 납니다.
line | 퇴사자 API 키는 11월 1일자로 전부 폐기했습니다.
line | 테스트에서는 비밀번호 칸을 빈 문자열로 두고 오류가 나는지 확인합니다.
line | 견적 3,850,000원(VAT 별도), 유효기간 2024-12-15까지.
line | 과일 목록: 사과, 배, 포도, 수박, 참외, 딸기, 복숭아, 자두, 감, 귤, 살구, 앵두
line | 요청 ID d7e864bf-7f82-4aa6-8545-d96f41058406 로그 확인 부탁드립니다.
line | 세미나 제목은 "비밀번호 없는 로그인, 패스키 도입기"입니다.
line | <발급받은_API_키> 자리에 각자 키를 넣고 커밋은 하지 마세요.
line | 서버실 열쇠는 경비실에서 대장 쓰고 받아 가세요.
line | Hata e65c7465b416a0a0c8f74ef87612001864fa1ea5 commit'iyle gelmiş, geri aldım, testler geçiyor.
line | Şifre en az 10 karakter olmalı, son üç şifre tekrar kullanılamaz.
line | Veritabanı parolası Vault'ta duruyor, erişim için Serkan'a yazın.
line | Ekranda "Kullanıcı adı veya şifre hatalı" çıkıyor ama asıl sorun LDAP bağlantısı.
line | DB_SIFRE=\${DB_SIFRE}
line | token = os.environ["EFATURA_TOKEN"]  # yoksa uygulama açılmasın
line | Erişim tokeninin süresi 20 dakika, yenileme tokeni 10 gün geçerli.
line | Şifreleri WhatsApp grubuna yazmayalım lütfen, denetimde çıktı.
line | Talep 55194: personel PIN'ini unutmuş, kart yeniden etkinleştirildi.
line | Paketin SHA-256 özeti: 25ae3f6c16f8a63e810f932027a7db1327f8a1cf28ca323db3c67733afe41fd5
line | Toplantı 5. kat 512 numaralı odada, dahili 2078, Gülşen Hanım.
line | "Şifremi unuttum" butonu küçük ekranda taşıyor, tasarıma ilettim.
line | Sunucu anahtarının parmak izi SHA256:9ft7kX8WbzVvE+Ja/MC3tIVKq6OptsUv/dxC0YfL+Tk, tutanaktakiyle aynı.
line | 401 dönüyor: "geçersiz veya süresi dolmuş token", saat kayması olabilir.
line | Eski firmanın bütün API anahtarları 3 Ekim'de iptal edildi.
line | Birim testinde parola boş gönderiliyor, formun uyarı vermesi bekleniyor.
line | Lisans bedeli 42.750 TL + KDV, teklif 30.11.2024'e kadar geçerli.
line | Mutfak listesi: çay, şeker, kahve, süt, bardak, kaşık, peçete, limon, bisküvi, su, sabun, sünger
line | İstek numarası 94b557f7-3fa9-4e4c-84ca-ba095e471fc3, bankanın desteğine gönderdim.
line | Bilgi notu başlığı: "Güçlü parola nasıl seçilir?", perşembe yayında.
line | Örnekteki <API_ANAHTARINIZ> yerine kendi anahtarınızı koyun.
line | Sistem odasının anahtarı güvenlikte, imza karşılığı alınıyor.
`;
