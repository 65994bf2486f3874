/** Lines that the rules for commands, calls, columns, headings, recovery keys and remarks come close to, and hold no secret. */
export const nearMisses = `
command doc | sqlcmd -P takes the password; leave it out to be asked
command doc | Pass -p to psexec with the password, or leave it out
command doc | http -a user:password is basic authentication, -A bearer a token
command doc | smbclient //server/share -U DOMAIN\\\\user%password
command doc | ipmitool -I lanplus -H <host> -U <user> -P <password> power status
command doc | rabbitmqctl add_user <username> <password>
command doc | usage: mosquitto_pub -u username -P password -t topic -m message
command doc | net user <name> <password> /add
command doc | mc alias set ALIAS HOSTNAME ACCESS_KEY SECRET_KEY
command doc | vault login asks for the token; vault login -method=github does not
command variable | sqlcmd -S sql01 -U sa -P "{S}MSSQL_SA_PASSWORD" -i init.sql
command variable | cqlsh -u {S}CQL_USER -p {S}CQL_PASS 10.0.0.4
command variable | http -a "{S}BOT_USER:{S}BOT_PASS" https://api.example.org/jobs
command variable | lftp -u {S}FTP_USER,{S}FTP_PASS sftp://web1.example.org
command variable | smbclient //nas/share -U "%USERNAME%%%PASSWORD%"
command variable | rabbitmqctl change_password worker "{S}(cat /run/secrets/mq_password)"
command variable | mc alias set prod {S}MINIO_URL {S}MINIO_ACCESS_KEY {S}MINIO_SECRET_KEY
command variable | ipmitool -U ADMIN -P {S}{IPMI_PASSWORD} chassis status
command variable | mosquitto_sub -h broker -u sensor -P {S}{MQTT_PASSWORD} -t 'home/#'
command variable | snyk auth {S}SNYK_TOKEN
command variable | openssl pkcs12 -in cert.p12 -passin env:P12_PASSWORD -nodes
command variable | psexec \\\\srv01 -u admin -p %ADMIN_PASSWORD% cmd
command file | unzip -p app.jar META-INF/MANIFEST.MF
command file | zip -r site-2025-03-02.zip public2025
command file | gpg2 --batch --passphrase-file /run/secrets/gpg_pass --sign a.txt
command port | nats server run -p 4222
command port | helm upgrade app ./chart -f values-prod2.yaml --set image.tag=v2.14.3
command port | oc get pods -n billing-prod2 -o wide
command port | twine upload dist/app-2.14.3-py3-none-any.whl
command port | snmpwalk -v2c -c public 10.0.0.1 1.3.6.1.2.1.1
command port | p4 -p ssl:perforce.example.org:1666 sync
command port | xfreerdp /v:ts01.example.org /u:ivan /size:1920x1080
command port | wpa_passphrase HomeNet
command port | net use Z: \\\\nas\\\\backup2024 /persistent:yes
command port | useradd -u 1042 -g 1042 -m -s /bin/bash deploy1042
command port | npm install -g @acme/cli@2.14.3
command port | pw useradd deploy -g www -s /bin/sh
command port | fly deploy --app my-app-2 --image registry.fly.io/my-app-2:deployment-{K26}
command port | cargo login
command list | CMD ["sqlcmd", "-S", "db1", "-U", "sa", "-P", "{S}SA_PASSWORD"]
call variable | jwt.encode(payload, settings.SECRET_KEY, algorithm="HS256")
call variable | jwt.sign(payload, process.env.JWT_SECRET2, { expiresIn: "15m" })
call variable | jwt.verify(token, getKey, { algorithms: ["RS256"], issuer: "https://idp.example.org/oauth2/v2" })
call variable | const mac = createHmac("sha256", key).update(body).digest("hex")
call variable | f = Fernet(os.environ["FERNET_KEY_2024"])
call variable | hmac.new(key.encode(), msg=body, digestmod=hashlib.sha256)
call variable | new SymmetricSecurityKey(Encoding.UTF8.GetBytes(config["Jwt:SigningKey2"]))
call variable | new SecretKeySpec(keyBytes, "HmacSHA256")
call variable | WiFi.begin(WIFI_SSID, WIFI_PASSWORD2);
call variable | WiFi.begin("ssid", "password");
call variable | server.login(config.mail.user, config.mail.password)
call variable | client = Client(os.environ["TWILIO_SID"], os.environ["TWILIO_TOKEN"])
call variable | co = cohere.Client(api_key=settings.cohere_key_v2)
call variable | smtp.PlainAuth("", user, os.Getenv("SMTP_PASS_2"), "mail.example.org")
call variable | @Value("{S}{spring.security.oauth2.client.registration.github.client-secret}") String secret;
call test | await login(page, "alice@example.org", "password")
call test | User.objects.create_user("alice", "alice@example.org", "secret123")
call test | cy.login("standard_user", "secret_sauce")
call test | jwt.sign({ sub: 42 }, "test-secret-for-unit-tests")
call test | createHmac("sha256", "key").update("The quick brown fox").digest("hex")
call test | expect(authenticate("alice", "wrong-password")).toBe(false)
call digest | expected = bytes.fromhex("{h64}")
call digest | const digest = Buffer.from("{h64}", "hex");
call digest | assert sha256(data) == unhexlify("{h64}")
call other | client("https://api.example.org/v2/orders?limit=50")
call other | github("acme/monorepo-2024", { ref: "release/2025-03-02" })
call other | createClient("https://xyzcompany.supabase.co", import.meta.env.VITE_KEY_2)
call other | redis.createClient("6379", "cache-01.internal.example.org")
call other | res.setHeader("X-Request-Id", "{uuid}")
header | proxy_set_header X-Internal-Key {S}internal_key;
header | add_header X-Frame-Options SAMEORIGIN;
header | http-request set-header X-Api-Key %[env(API_KEY_2)]
header | Access-Control-Expose-Headers: X-Session-Token, X-Request-Id
header | proxy_set_header Sec-WebSocket-Key {S}http_sec_websocket_key;
column | id,name,password_hash{n}1,alice,{h64}
column | token,count{n}the,4711{n}running,312
column | name,api_key_id,created{n}ci,{uuid},2025-03-02
column | user,password,role{n}alice,,admin{n}bob,********,viewer
column | INSERT INTO users (name, password_hash) VALUES ('alice', '{h64}');
column | INSERT INTO users (name, password) VALUES ('alice', crypt('changeme', gen_salt('bf')));
column | INSERT INTO api_keys (owner, api_key) VALUES ({S}1, {S}2);
column | login  password  host{n}<user>  <password>  db1.example.org
heading | ## API token{n}{n}Create it in the console under Settings > Tokens.
heading | ## Password policy{n}{n}min12-upper1-digit1
heading | ## Secrets{n}{n}- vault: kv/prod/app{n}- rotation: 90d
heading | ## Access key{n}{n}\`\`\`{n}aws iam create-access-key --user-name ci{n}\`\`\`
heading | ### Token refresh{n}{n}POST /oauth2/v2/token
heading | What is the password policy?{n}NIST-800-63B
heading | Who has the VPN password?{n}Maria, she is back on 2025-03-10
heading | Password for the demo tenant:{n}{n}    see 1Password, entry demo-2
heading | Where does the API key come from?{n}process.env.API_KEY_V2
chat | [10:42] anna: what's the vpn password?{n}[10:43] oleg: ask Maria, room 412
recovery | Each account gets ten recovery codes of the form xxxxx-xxxxx.
recovery | The BitLocker recovery key has 48 digits, e.g. 111111-222222-333333 and so on.
recovery | BitLocker recovery key ID {h8}-{h4}-{h4}-{h4}-{h12} is escrowed in Entra.
recovery | FileVault recovery keys are escrowed in the MDM since 2024-05.
recovery | Product key: XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
recovery | serial number of the switch: FOC2147X0QZ
recovery | backup codes: 8 of 10 left
remark | {h40} (token refresh)
remark | 1a2b3c4d (last good build before the password screen)
remark | src/auth/v2/Base64UrlEncoder2.ts (the token encoder)
remark | {uuid}  # id of the token
remark | app-7d9c5b6f4-x2x8k (password sync job)
remark | v2.14.3 - password screen
sentence | Use PBKDF2-SHA256 as the password hash.
sentence | Use AuthServiceV2 as the password store for now.
sentence | The password is still hashed with md5crypt.
sentence | Das Passwort ist immer noch MD5-gehasht.
sentence | пароль все еще хранится в config-v2.yml
sentence | 密码还是存在 config-v2.yml 里
sentence | şifre hâlâ config-v2.yml içinde
sentence | The unlock code path is in lock.ts, line 2048.
sentence | Type-safe code: 12000 lines were moved.
sentence | The app opens with Ctrl-Shift-F12.
sentence | verification code 482913 was sent twice
sentence | npm publish --otp=123456
cookie | Cookie: _ga=GA1.2.1234567890.1712345678; theme=dark
cookie | curl -b cookies.txt https://example.org/account2
wifi | WIFI:T:WPA;S:Guest;P:<password>;;
wifi | WIFI:T:nopass;S:Guest;;
calendar | https://calendar.google.com/calendar/ical/team%40example.org/public/basic.ics
login | root:x:0:0:root:/root:/bin/bash
login | admin/orders?page=12&sort=price
login | admin:admin works on a fresh install only
published | Turnstile always-fails test secret: 2x0000000000000000000000000000000AA
published | hCaptcha test secret: 0x0000000000000000000000000000000000000000
published | secret=1x0000000000000000000000000000000AA
digest | "jsonwebtoken": { "integrity": "sha512-{b86}==" }
digest | "node_modules/password-prompt": { "version": "1.1.3", "integrity": "sha512-{b86}==" }
digest | token-types@6.0.0:{n}    resolution: {integrity: sha512-{b86}==}
digest | keyring-{d2}.whl secret: sha256-{b43}=
digest | kubeadm join 10.0.0.1:6443 --discovery-token-ca-cert-hash sha256:{h64}
digest | passlib token sha256:{h64}
address | The token is deployed at 0x{h40}.
address | TOKEN_ADDRESS=0x{h40}
address | tokenContract: "0x{h40}"
address | USDC token: 0x{h40} on Base
public key | "pubkey": "{base64:untrusted comment: minisign public key: [H16]}"
public key | pubKey = "{b43}="
public key | verification_pubkey: {h64}
public key | ssh_pubkey: AAAAC3NzaC1lZDI1NTE5AAAAI{b43}
sealed | encryptedData:{n}  API_TOKEN: AgA{b400}
sealed | spec:{n}  encryptedData:{n}    client_secret: AgC{b300}=
sealed | db.password=ENC({b44})
sealed | password: '{cipher}{h96}'
sealed | password: ENC[PKCS7,{b120}]
sealed | "password": "{AQAAABAAAAAQ{b43}=}"
count | "password-max-length": 128, "password-retries": 5, "lockout-seconds": 1800
count | passwordHistory: 24, minimumAge: 1440
count | password_grace_period: 7, token_lifetime: 3600
count | password.min.length=12{n}password.history=24
count | PASSWORD_LOCKOUT=5, SESSION_TIMEOUT=3600
count | password attempts: 5, window: 1800
class | AUTH_PASSWORD_VALIDATORS = ["django.contrib.auth.password_validation.MinimumLengthValidator"]
class | PASSWORD_ENCODERS = ["org.springframework.security.crypto.argon2.Argon2PasswordEncoder"]
class | password.encoder=org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder
class | TOKEN_BACKENDS: ["app.auth.backends.Jwt2TokenBackend", "app.auth.backends.OpaqueTokenBackend"]
class | token: com.example.auth.v2.TokenProviderImpl2
kept | password: see 1Password
kept | the password is stored in vault
kept | Password is in Bitwarden, item Printer_2024.
kept | password: siehe KeePass, Eintrag Drucker_2024
kept | The password is under "shared office printer" in 1Password.
rule | passphrase of at least 12 characters
rule | passphrase: "at least five words, no names"
rule | The passphrase prompt says "Enter passphrase for key".
rule | ssh-keygen: error "incorrect passphrase supplied to decrypt private key"
rule | passphrase: "read from the keyring at start"
rule | The passphrase is "only asked for once per session".
rule | "passphrase": "Passphrase of the backup key"
rule | Use a passphrase such as "correct horse battery staple".
rule | passphrase = "must be set before the first run"
rule | Die Passphrase muss "mindestens fünf Wörter" haben.
rule | La frase de paso se pide "al arrancar el servidor".
rule | "passphrase_hint": "pick five random words from the list"
rule | The passphrase dialog shows "wrong passphrase, try again" after 3 tries.
rule | BORG_PASSPHRASE="{S}(pass show backup/borg main)"
name | password: user_password_2024
name | password: test-1234
name | password = "test_1234"
name | password: scram-sha-256-plus
name | password: argon2id_v19
name | "password": "login.password.label2"
name | password: config.database.password2
name | password = settings.auth.oauth2
name | "password": "errors.password.min8"
name | password column: users_2024
name | password: aes-256-gcm
name | password policy: nist-800
name | password field_12 is empty
name | PASSWORD_RESET_TEMPLATE=reset_2024
name | image: vault-password-sync:release-2024
name | password-sync: build_2024
name | The password test is page_12 of the plan
pair | curl -u user:password https://example.org
pair | http -a user:pass1 is how the docs write it
pair | http -a {S}USER:{S}PASS2 https://example.org
pair | chown admin:www-data2024 /srv
pair | - ports admin:8080, root:9090
pair | docker run -u 1000:1000 app
pair | admin:role-2024-01 in the audit log
pair | - registry root:sha256-{h12}
pair | Login: ops@example.org or the SSO button
pair | credentials: ops@example.org ({h8})
pair | Login: ops@example.org since 2024-03-11
attribute | <input name="password" placeholder="Password_1234"/>
attribute | <field type="password" name="field_1234" id="login.field12"/>
attribute | <property name="password" value="{S}{db.password2}"/>
pin | PIN 4 of the header is ground, pin 12 is 3V3
pin | pin code length: 4 to 8 digits
pin | Pinned to 20240 (pin the version)
pin | Port 8080 is open (pin 4 of the board).
pin | The PIN is asked after 4 tries.
pin | door code path: src/door/2048.ts
pin | Enter 4 digits (the PIN) and press ok.
pin | Issue 4711 (PIN pad broken)
pin | Type 2 or more letters (no PIN).
row | INSERT INTO api_keys (owner, key) VALUES ({S}1, {S}2);
row | INSERT INTO api_keys (owner, key_hash) VALUES ('ci', '{h64}');
row | INSERT INTO tokens (id, user_id) VALUES ('{uuid}', 42);
row | INSERT INTO translations (key, value) VALUES ('login.password.label2', 'Password');
row | INSERT INTO api_keys (key, owner) VALUES ('key_prefix_2024', 'ci');
row | INSERT INTO app_secrets (name, value) VALUES ('smtp', :value);
identifier | secret_id: {uuid}{n}secret_name: billing-db
identifier | role_id={uuid} user_id={uuid}
identifier | vault write auth/approle/login role_id="{S}ROLE_ID" secret_id="{S}SECRET_ID"
stored | echo "{S}TOKEN" | wrangler secret put INGEST
stored | echo production | vercel env add NODE_ENV
stored | gh secret set DEPLOY < token.txt
stored | echo done | tee secret-put.log
before | db12 (password login disabled)
before | The job runs on worker352 (password sync)
before | Moved to server2024 (password of root is in the vault)
answer | Security question: removed in version 2024
answer | The security question has the answer "42".
driver | user:password@tcp(localhost:3306)/dbname
driver | {S}{DB_USER}:{S}{DB_PASS}@tcp({S}{DB_HOST})/app
driver | fmt.Sprintf("%s:%s@tcp(%s:%d)/%s", user, pass, host, port, name)
upload | bash <(curl -s https://codecov.io/bash) -t {S}CODECOV_TOKEN
upload | codecov -t <token> -F unit
en | Password length is 12 to 64 characters.
en | Set a password with at least 12 characters, e.g. three random words.
en | password: min 12, max 64
en | The password field is validated in LoginForm2.tsx.
en | The password is stored as bcrypt hash (cost 12).
en | passwords: see Keeper, folder Infra-2024
en | The admin password was rotated on 2024-11-03 by Lea.
en | The password expires in 2025.
en | PIN entry has 3 tries before a lockout of 300 seconds.
en | Pin the dependency to 4.17.21.
en | Door code rotation: every 90 days, ticket FAC-2210.
en | The alarm code is known to Facility only.
en | Login as admin and open /settings/users.
en | login: use SSO (Okta), no local passwords
en | user: deploy, password: from the vault
en | user: deploy, pw: in 1Password ("deploy-prod-2024")
en | The passphrase is in the "Backup" vault.
en | A passphrase like "four random common words" is better than P@ssw0rd.
en | Test users have the password "password".
en | The default password is "admin" and must be changed.
en | Password must match ^(?=.*\\d).{8,}$
en | password_hash: argon2id, m=65536, t=3, p=4
en | token budget: 8192 per request
en | credentials: ask @lea in #infra
en | creds are in vault/kv/app-2024
en | Basic auth is off since v2.4.0.
en | The API key was revoked on 12.03.2024.
en | root/administrator accounts are disabled
en | admin: lea, tom; viewers: everyone
en | admin:everyone-2024 group is gone
en | The security question feature was removed in release 2024.2.
en | Security answer is hashed with SHA-256.
en | answer 42 is the password to everything, says the book
de | Passwort: siehe Bitwarden "Server-2024"
de | Das Passwort ist 14 Zeichen lang.
de | Passwortlänge mindestens 12
de | Kennwort wird alle 90 Tage gewechselt.
de | Die PIN hat 4 Stellen.
de | Passphrase: mindestens fünf Wörter, siehe Handbuch Seite 12
de | Türcode: beim Empfang fragen (Tel. 2240)
fr | Mot de passe oublié ? Écrire au support, poste 4410.
fr | Le mot de passe expire tous les 90 jours.
fr | Le code PIN a 4 chiffres.
es | La contraseña caduca en 90 días.
es | Contraseña: ver el gestor, entrada servidor-2024
it | La password è nel gestore, voce server-2024.
it | La password è scaduta nel 2023.
it | la password era troppo corta
pt | A senha está no cofre, item servidor-2024.
pl | Hasło jest w menedżerze haseł.
pl | hasło: minimum 12 znaków
ru | Пароль хранится в менеджере, запись server-2024.
ru | Пароль истекает через 90 дней.
nl | Het wachtwoord staat in de kluis.
sv | Lösenordet är bytt 2024-03-01.
sv | lösenord: se 1Password
da | Adgangskoden er gemt i Bitwarden.
fi | salasana: katso holvi
tr | şifre en az 12 karakter olmalı
code | password = getpass.getpass()
code | password: process.env.DB_PASSWORD ?? ""
code | password = settings.DATABASES["default"]["PASSWORD"]
code | const password = faker.internet.password();
code | password: yup.string().min(8).max(64)
code | test("password is 12 characters", () => {})
code | password_regex = "^[A-Za-z0-9]{12,}$"
code | MIN_PASSWORD_LENGTH = 12
code | "password": { "type": "string", "minLength": 12 }
code | passwordInput = page.getByLabel("Password")
code | password1 = forms.CharField(widget=forms.PasswordInput)
code | password_field = "user_pass_2024"
code | passphrase = prompt("Passphrase: ")
code | const PASSPHRASE_WORDS = ["apple", "banana", "cherry"];
code | passphrase: { minWords: 4, separator: "-" }
code | PASSWORD_RESET_TIMEOUT_DAYS = 3
code | mysql --login-path=backup shop_2024
code | docker login ghcr.io -u lea
code | http -a "$U:$P" :8080/api
code | npm config get _auth
code | npm config delete //registry.npmjs.org/:_authToken
code | git credential fill
code | INSERT INTO tokens (value) VALUES (gen_random_uuid());
code | echo "$(cat key.txt)" | gh secret set KEY
code | gcloud secrets versions access latest --secret=db
code | user:pass@tcp(host:3306)/db
code | role_id and secret_id come from the trusted orchestrator
code | <input type="password" id="pw-2024" name="pw">
code | .password-field-12 { width: 12rem }
code | xcrun altool --password @keychain:AC_PASSWORD
code | xcrun notarytool submit a.zip --keychain-profile release-2024
pair | log in as admin / viewer2
pair | postgres / mysql / sqlite are supported
pair | test / staging / production2024
pair | auth = ("user", "pass")
name | Door code Handler 2048 lines
name | password: Ubuntu-22
pin | PIN header J4 on the board
pin | Ask for the entry in 1Password ("office-door-2024").
pin | Pin Chrome 12800
pin | pin: 3B2 on the header
pin | Door code: see 2A
answer | The API key answer is in thread 47110.
pin | kod do repozytorium 2024
link | The password is the 2024 one.
zeros | npm_token: "npm_000000000000000000000000000000000000"
tag | Secret string \`binding:"required,min=16,max=64"\`
tag | Password string \`json:"password" validate:"required,min=8,max=72"\`
rule | password: required|min:12|confirmed
`;
