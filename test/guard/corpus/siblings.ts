/** Other members of the classes that the seventh and the eighth corpus showed: other programs, calls, layouts and languages. */
export const siblingSecrets = `
command | plink -ssh root@10.0.0.4 -pw {pw}
command | xfreerdp /v:ts01 /u:ivan /p:{pw}
command | cypher-shell -u neo4j -p {a16} "MATCH (n) RETURN n"
command | skopeo copy --src-creds bot:{a20} docker://a docker://b
command | openssl rsa -in a.key -passin pass:{pw} -out b.key
command | networksetup -setairportnetwork en0 OfficeNet {pw}
command | vault operator unseal {b44}
command | net use Z: \\\\nas\\\\share {pw} /user:ivan
command | java -jar jenkins-cli.jar -s http://ci -auth bot:{h34} list-jobs
command | cmdkey /add:srv01 /user:ivan /pass:{pw}
command | dotnet user-secrets set "Smtp:Value" "{pw}"
command | wpa_passphrase HomeNet {k12}
command | snmpwalk -v3 -u mon -A {a14} -X {a14} 10.0.0.1
command | rclone obscure {pw}
command | subprocess.run(["sqlcmd", "-U", "sa", "-P", "{a14}"])
command | 7zz x a.7z -p{a14}
command | samba-tool user create helpdesk {pw}
command | qpdf --encrypt {pw} {pw} 256 -- a.pdf b.pdf
call | {S}token = JWT::encode({S}payload, '{a40}', 'HS256');
call | token, err := t.SignedString([]byte("{a40}"))
call | Keys.hmacShaKeyFor("{a48}".getBytes(StandardCharsets.UTF_8))
call | crypto.createCipheriv("aes-256-gcm", "{a32}", iv)
call | serializer = URLSafeTimedSerializer("{a32}")
call | app.use(cookieParser("{a32}"))
call | bot = TelegramBot("{d10}:{a35}")
call | ftp.login('deploy', '{pw}')
call | imap.login("robot@example.org", "{pw}")
call | req.SetBasicAuth("svc", "{pw}")
call | auth := smtp.PlainAuth("", "robot", "{pw}", "mail.example.org")
call | sta_if.connect("HomeNet", "{k12}")
call | store = sessions.NewCookieStore([]byte("{a32}"))
call | credentials.NewStaticCredentialsProvider("AKIA{K16}", "{b40}", "")
call | secretKey := hex.DecodeString("{h64}")
call | byte[] key = Convert.FromBase64String("{b43}=");
column | user;password;note{n}ivan;{k10};new
column | "email","password"{n}"a@example.org","{pw}"
column | INSERT INTO users (login, password, role) VALUES{n}  ('ivan', '{pw}', 'admin');
column | host    user   password{n}nas1    root   {a12}
heading | ### Root password{n}{n}{a14}
heading | **Wi-Fi password**{n}{k12}
heading | Q: what's the root password for nas1?{n}A: {a14}
heading | <anna> pw for the demo?{n}<oleg> {pw}
heading | 数据库密码:{n}{n}{a14}
heading | Пароль от админки:{n}{pw}
recovery | Codes de secours : {d8}, {d8}
recovery | Ключ продукта: {K5}-{K5}-{K5}-{K5}-{K5}
recovery | Apple recovery key: RK-{K4}-{K4}-{K4}-{K4}-{K4}-{K4}
recovery | license key = {K5}-{K5}-{K5}-{K5}-{K5}
header | http-request set-header X-Backend-Token {a32}
header | RequestHeader set X-Service-Key "{a32}"
header | header_up X-Auth-Token {h40}
header | Cookie: theme=dark; corp_sso={w64}
login | root:{pw} on the old switch
login | admin / Maple%4821 for the printer
script | expect "assword:"{n}send "{a12}\\r"
command | kinit svc_web@CORP.EXAMPLE <<< '{pw}'
command | CREATE USER 'app'@'%' IDENTIFIED WITH caching_sha2_password BY '{pw}';
command | CREATE DATABASE LINK l CONNECT TO app IDENTIFIED BY {a12} USING 'x';
config | crypto isakmp key {a16} address 0.0.0.0
config | bind_dn cn=admin{n}bindpw {pw}
config | LDAP bind: cn=svc,dc=corp / {a14}
login | creds for staging -> ivan / {pw}
login | Wi-Fi: HomeNet / {a12}
call | const stripe = require("stripe")("{a32}")
call | keystore.load(in, "{pw}".toCharArray());
sentence | The Excel sheet is locked with {a14}
remark | {a24}  # password of the replica
remark | {a32} (deploy token)
remark | {a24} <- the new root password
typo | paswd: {pw}
typo | smtpPwd = "{k12}"
typo | pswd for nas1 is {a12}
registry | npm set //registry.example.org/:_authToken {uuid}
registry | pnpm config set _authToken {uuid}
registry | yarn config set npmAuthToken {uuid}
registry | npm config set _auth {base64:deploy:[pw]}
driver | DSN=app:{pw}@tcp(127.0.0.1:3306)/shop
driver | dsn: "billing:{a20}@unix(/run/mysqld/mysqld.sock)/billing"
driver | gorm.Open(mysql.Open("root:{a14}@tcp(db1:3306)/app?charset=utf8mb4"))
identifier | vault write auth/approle/login role_id={uuid} secret_id={uuid}
identifier | VAULT_ROLE_ID={uuid}{n}VAULT_SECRET_ID={uuid}
identifier | approle:{n}  role_id: {uuid}{n}  secret_id: {uuid}
identifier | {"role_id": "{uuid}", "secret_id": "{uuid}"}
long name | curl --user "{w80}:{w80}" https://api.example.org/token
long name | curl -u '{a72}:{a40}' https://api.example.org/oauth2/token
upload | codecovcli upload-process -t {uuid}
upload | ./codecov -t {uuid} -f coverage.xml
upload | bash <(curl -Ls https://coverage.codacy.com/get.sh) report --project-token {h32}
row | INSERT INTO api_tokens (user_id, value) VALUES (42, '{a40}');
row | INSERT INTO app_secrets (name, value) VALUES ('smtp', '{pw}');
row | INSERT INTO "access_keys" ("owner", "key", "active") VALUES ('ci', '{h40}', true);
app password | altool --upload-app -u dev@example.org -p {l4}-{l4}-{l4}-{l4}
app password | FASTLANE_PASSWORD={l4}-{l4}-{l4}-{l4}
app password | iCloud app password: {l4}-{l4}-{l4}-{l4}
stored | printf '%s' {a32} | gh secret set DEPLOY
stored | echo "{a40}" | gcloud secrets create api --data-file=-
stored | echo {a32} | docker secret create app_key -
stored | echo {h40} | firebase functions:secrets:set MAIL
stored | printf {pw} | podman secret create db -
stored | echo {a32} | wrangler secret put SIGNING --env production
`;

export const siblingWords = `
en | The wifi password is still {k12}
en | Alarm code {d6}, please do not share
en | garage code: {d4}
zh | 密码仍然是 {k12}
zh | 解压码:{k8}
zh | 门禁码 {d6}
es | la contraseña sigue siendo {k12}
es | código de la alarma: {d4}
es | la contraseña todavía es {k12}
pt | a senha continua sendo {k12}
pt | código do portão: {d4}
pt | a senha ainda é {k12}
ru | пароль все ещё {k12}
ru | код домофона {d4}
ru | пароль по-прежнему {k12}
ja | パスワードはまだ {k12} です
ja | 解錠番号は{d6}です
ja | Wi-Fiのパスは {k12} のまま
de | Das Passwort lautet weiterhin {k12}
de | Türcode: {d4}
de | Das Passwort ist nach wie vor {k12}
fr | le mot de passe est toujours {k12}
fr | code du portail : {d4}
fr | le mot de passe reste {k12}
ko | 비밀번호는 여전히 {k12}
ko | 현관 비밀번호 {d6}
ko | 비번은 아직 {k12}
tr | şifre hâlâ {k12}
tr | kapı kodu {d6}
tr | şifre yine {k12}
word and number | password = "Lavendel_{d4}"
word and number | DB_PASSWORD=biscuit-{d4}
word and number | Contraseña: Naranja_{d4}
word and number | mdp : Toulouse-{d2}-bleu
word and number | Passwort: Kirsche.{d3}
word and number | senha: abacaxi_{d4}
word and number | пароль: Vishnya_{d4}
word and number | el password del router es Girasol-{d4}
word and number | The NAS password is Pumpkin_{d4}.
word and number | user: lea, password: october_{d4}
word and number | ftp.password=Walnuss-{d2}-gruen
word and number | <Property name="password" value="Otter.Harbor{d2}"/>
dotted words | password: "copper.lantern{d2}"
dotted words | The passphrase of the laptop is maple.anchor.violin{d3}
dotted words | passphrase: Maple.Tulip.Ember{d2}
languages | Hasło do panelu: Wiewiorka{d2}
languages | hasło: {pw}
languages | Heslo k databázi je {pw}
languages | Lösenordet till servern är {pw}
languages | Adgangskoden til routeren er {pw}
languages | Passordet er {pw}
languages | Salasana: {pw}
languages | Jelszó: {pw}
languages | La password del router è {pw}
languages | la password era {pw}
languages | Parola de la server este {pw}
languages | Пароль адміністратора: {pw}
languages | Wachtwoord wifi: Tulpen{d4}
languages | Kata sandi: {pw}
languages | Mật khẩu: {pw}
languages | Κωδικός πρόσβασης: {pw}
phrases | passphrase: "violet hammer seldom orbit walnut"
phrases | The passphrase for the disk is "marble nineteen socks below river".
phrases | RESTIC_PASSPHRASE='autumn pebble velvet engine {d2}'
phrases | Parolfrasen? No: the passphrase is “quiet rhubarb under copper moon {d2}”
phrases | Passphrase vom Backup: „Sieben Igel fahren nach Kiel {d2}“
phrases | la frase de paso es "cuatro tortugas bailan bajo lluvia {d2}"
phrases | phrase de passe : « quatre chats dansent sous pluie {d2} »
pair in a flag | http --auth=lea:Snowboard{d2} https://api.example.org/me
pair in a flag | xh -a svc:Pancake{d3} example.org/api
pair in a flag | curl -u lea:Pfirsich{d2} https://files.example.org
pair in a flag | skopeo inspect --creds bot:Walfisch{d2} docker://registry.example.org/app
pair in a flag | smbclient //nas/share -U lea%Trompete{d2}
pair in a flag | curl --proxy-user lea:Zitrone{d3} -x proxy:3128 https://example.org
attribute | <user name="lea" password="Hamster.Wheel{d2}"/>
attribute | <bean p:password="kolibri_{d4}"/>
attribute | <connection user='app' password='Anker-{d2}-blau'/>
pin | Gate code is {d4}#
pin | keypad code: *{d4}#
pin | Alarm code for the office: {d4}*, do not share
pin | Type {d6} on the tablet (its PIN).
pin | Enter {d4} to unlock the safe (PIN of the office).
pin | Zum Entsperren {d4} eingeben (PIN).
pin | El PIN de la tarjeta es el {d4}.
pin | Il PIN della SIM è {d4}.
pin | Kod PIN: {d4}
pin | Die PIN des Tresors ist die {d6}.
pin | De pincode is {d4}.
pair in a list | - jenkins root:{pw}
pair in a list | * wiki admin:Orbit-{a4}{d2}
pair in a list | - VPN login: lea@example.org Pump.{d4}
pair in a list | Zugangsdaten CRM: lea@example.org {pw}
pair in a list | credentials: lea@example.org {o11}
answer | Security question: mother's maiden name, answer: Schmidt{d4}
answer | Sicherheitsfrage: erstes Haustier, Antwort "Bello{d4}"
answer | Question secrète : premier chien, réponse : Medor{d4}
answer | Pregunta de seguridad: primera mascota, respuesta "Toby{d4}"
before | the backup job needs falcon{d4} (password of root)
before | log in with tiger{d3} (password for the demo host)
before | man braucht kaktus{d4} (Passwort von deploy)
word and number | The db user is "app" and its password "tomato.soup.{d2}"
word and number | wifi şifresi istanbul-{d2}
word and number | senha: flamengo-{d2}
word and number | Zip password = invoice_{d4}_Q3
word and number | const creds = { user: 'bob', pass: 'Kangaroo_{d1}' };
word and number | - Grafana: admin / grafana-{d4}-blau
pair | I logged in with maria / pumpkin{d4} and it worked
pair | Anmeldung mit chef / Sonnenblume{d2}
pair | postgres superuser: postgres / P0stgres!Local{d2}
pair | deploy / Orchid!{d3} on the build host
pair | net user bob Builder{d2} /add
pair | auth = ('bob', 'bobsparrot{d2}')
pair | r = requests.get(url, auth = ("svc", "{pw}"))
pin | The alarm is armed with {d4} (disarm code).
pin | Türcode Lager {d4}
pin | Alarmcode Büro {d6}
pin | digicode : {d2}A{d2}
pin | code de la porte {d2}B{d3}
link | Mein Passwort war früher Hundehuette{d2}
link | The password was previously Otter{d4}
link | la contraseña era antes Girasol{d2}
`;
