/** Lines that hold a password as a person makes it, written without a look at the rules. */
export const tenthWords = `
the password is | The password is {pw}, I tried it on staging and it works.
password colon bullet | - Password: {pw}
login slash | login: admin / {pw}
login user pw line | Login for the demo: mara@northwind.example / {pw}
user and pass lines | user: deploy{n}pass: {pw}
credentials parens | Admin panel (root / {pw}) is on port 8443.
admin colon | Grafana is up, credentials admin:{pw}
mysql p | mysql -u root -pKestrel{d4} shop < dump.sql
mysql long option | mysqldump --user=backup --password=amberlake{d3} --all-databases > all.sql
psql pgpassword | PGPASSWORD=Zeder-{d5} psql -h db.intern -U app orders
sshpass | sshpass -p '{pw}' ssh deploy@10.0.4.12 uptime
curl basic | curl -u admin:Juniper_{d4}x https://nexus.corp.example/service/rest/v1/status
curl basic quoted | curl --user "sync:{pw}" https://dav.northwind.example/files/
url userinfo | https://reports:northwind{d4}@intranet.corp.example/daily.csv
ftp url | The exports land on ftp://partner:Marble.{d4}@ftp.parcelhub.example/out
env db password | DB_HOST=db01{n}DB_USER=shop{n}DB_PASSWORD=BlueRaven{d3}
env smtp pass | SMTP_PASS={pw}
env admin password quoted | ADMIN_PASSWORD="{pw}"
yaml password | database:{n}  user: crm{n}  password: {pw}
yaml quoted | redis:{n}  host: cache{n}  password: "{pw}"
json password | {"username": "svc-import", "password": "{pw}"}
toml password | [mail]{n}user = "info"{n}password = "{pw}"
ini password | [client]{n}user=root{n}password={pw}
table user password | | user | password |{n}|------|----------|{n}| anna | {pw} |
table wide | | System | URL | User | Password |{n}|---|---|---|---|{n}| Jenkins | https://ci.corp.example | admin | {pw} |
plain tab table | host      user     password{n}nas01     backup   {pw}
german passwort | Das Passwort ist {pw}, bitte nach dem Test ändern.
german lautet | Das Kennwort für den Testserver lautet {pw}.
german zugang | Zugangsdaten: Benutzer admin, Passwort {pw}
german login bullet | - Anmeldung am Portal mit hofer@northwind.example und Passwort: {pw}
german wlan | WLAN im Büro: SSID nw-office, Schlüssel {pw}
german pw abbreviation | PW für die NAS: {pw}
german chat | > Lisa: wie war nochmal das Passwort vom Staging?{n}> Ben: {pw}
french mot de passe | Le mot de passe est {pw}.
french identifiants | Identifiants : admin / {pw}
french mdp | mdp de la base de test : {pw}
french yaml comment | # mot de passe provisoire : {pw}
spanish contrasena | La contraseña es {pw} y caduca en junio.
spanish usuario | Usuario: operador, contraseña: {pw}
spanish clave | - La clave del servidor de pruebas: {pw}
italian password | La password del pannello è {pw}
portuguese senha | A senha do banco é {pw}, usuário app.
russian parol | Пароль от стенда: {pw}
polish haslo | Hasło do panelu: {pw}
dutch wachtwoord | Het wachtwoord van de testserver is {pw}
season year password | I reset the admin account, the new password is Sommer{d4}!
company digits | the old VPN password was Northwind#{d4} and still works
name digits | root password on the build box: Bruno{d4}?
leet word | pw: Gr4phite!{d3}
passphrase words hyphen | The key file's passphrase is copper-violin-lantern-{d2}
passphrase words spaces | The disk passphrase is "silver heron under the bridge {d2}"
passphrase bullet | - passphrase for the backup archive: walnut.comet.ribbon.{d3}
gpg batch | gpg --batch --passphrase '{pw}' -d secrets.tar.gpg
openssl pass | openssl enc -d -aes-256-cbc -in dump.enc -out dump.sql -pass pass:Lindau{d4}!
zip password | unzip -P quartz{d2}Rain{d2} handover.zip
7z password | 7z x archive.7z -pGipfel{d4}
keystore pass | keytool -list -keystore release.jks -storepass Kestrel{d4}
android signing | storePassword={pw}{n}keyAlias=upload
pfx password | The certificate cert.pfx was exported with password {pw}.
redis cli auth | redis-cli -h cache.intern -a amberlake{d3} ping
redis conf | requirepass {pw}
mongo shell | mongosh "mongodb://mongo1.intern:27017" -u root -p Zeder-{d5}
mongo url | mongodb://app:Juniper_{d4}x@mongo1.intern:27017/app
postgres url | postgres://app:northwind{d4}@pg.intern/app
mysql url laravel | DATABASE_URL=mysql://forge:Marble.{d4}@127.0.0.1:3306/forge_prod
sqlserver sqlcmd | sqlcmd -S sql01 -U sa -P "{pw}" -Q "select 1"
oracle sqlplus | sqlplus hr/BlueRaven{d3}@ora1/HRPDB
sql identified | CREATE USER app IDENTIFIED BY '{pw}';
sql grant old | GRANT ALL ON shop.* TO 'shop'@'10.%' IDENTIFIED BY '{pw}';
sql alter user | ALTER USER postgres PASSWORD '{pw}';
smbclient | smbclient //nas01/scans -U scanner%Lindau{d4}!
mount cifs | mount -t cifs //nas01/data /mnt/data -o username=svc,password=quartz{d2}Rain{d2}
fstab credentials | username=svc-backup{n}password={pw}{n}domain=CORP
chpasswd | echo 'deploy:{pw}' | chpasswd
htpasswd | htpasswd -bc /etc/nginx/.htpasswd viewer Gipfel{d4}
net user | net user svcbuild Kestrel{d4} /add
docker login p | docker login registry.corp.example -u ci -p amberlake{d3}
docker run mysql | docker run -e MYSQL_ROOT_PASSWORD=Zeder-{d5} -p 3306:3306 mysql:8
compose rabbit | rabbitmq:{n}  environment:{n}    - RABBITMQ_DEFAULT_USER=nw{n}    - RABBITMQ_DEFAULT_PASS={pw}
helm set | helm install pg bitnami/postgresql --set auth.postgresPassword=Juniper_{d4}x
kubectl literal | kubectl create secret generic db --from-literal=password='{pw}'
ansible host line | web01 ansible_user=root ansible_ssh_pass=northwind{d4}
ansible become | ansible_become_password: {pw}
svn options | svn co --username build --password Marble.{d4} https://svn.corp.example/trunk
lftp user | lftp -u partner,BlueRaven{d3} sftp://ftp.parcelhub.example
rsync password env | RSYNC_PASSWORD=Lindau{d4}! rsync -a backup@nas01::daily /srv/daily
wpa supplicant | network={{n}  ssid="lab"{n}  psk="{pw}"{n}}
wifi prose | The test phones join the Wi-Fi "nw-lab" with password {pw}
snippet python connect | conn = psycopg.connect(host="pg.intern", user="app", password="{pw}")
snippet js playwright | await page.fill("#password", "{pw}"); // real staging account of Mara
snippet java props | spring.mail.password={pw}
snippet php mysqli | $db = new mysqli("db01", "shop", "{pw}", "shop");
snippet php define | define('DB_PASSWORD', '{pw}');
snippet csharp conn | Server=sql01;Database=Crm;Uid=crm;Pwd={pw};
snippet go dsn | dsn := "shop:quartz{d2}Rain{d2}@tcp(db01:3306)/shop?parseTime=true"
snippet ruby database yml | production:{n}  adapter: mysql2{n}  username: shop{n}  password: {pw}
snippet powershell securestring | $pw = ConvertTo-SecureString "{pw}" -AsPlainText -Force
snippet form post | curl -d 'username=mara&password=Gipfel{d4}' https://staging.northwind.example/login
snippet json post | curl -X POST -H 'Content-Type: application/json' -d '{"email":"mara@northwind.example","password":"{pw}"}' https://api.northwind.example/login
http basic header | Authorization: Basic {base64:mara:[pw]}
log attempt | 2026-02-03 11:20:08 WARN login failed for user=mara password={pw}
log seed | Seeding production admin... created admin@northwind.example with password {pw}
diff password | -DB_PASS=old{n}+DB_PASS={pw}
chat english | > Tim: whats the pw for the router?{n}> Eva: it's {pw}
ticket reply | Support answered: we reset your account, your temporary password is {pw}, please log in within 24 h.
agent note set | Set the Postgres password of role \`app\` to \`{pw}\` and restarted the pool.
agent note changed | Changed root's password from the default to {pw} on all three nodes.
agent note use with | Log in with user \`tester\` and password \`{pw}\` to see the bug.
agent note sudo | sudo on the runner asks for a password: {pw}
agent note memory | Remember: the staging basic auth is northwind / {pw}.
agent note backticks | Password for \`ops@northwind.example\`: \`{pw}\`
agent note bold | **Password:** {pw}
agent note arrow | staging admin -> {pw} (password)
credentials list | Credentials{n}- host: 10.0.4.12{n}- user: pi{n}- password: {pw}
password equals prose | I started it with password={pw} and the migration ran.
imap note | IMAP: imap.northwind.example, invoices@northwind.example, password {pw}
nested yaml users | users:{n}  - name: kiosk{n}    password: {pw}{n}    role: viewer
vnc passwd | x11vnc -storepasswd Kestrel{d4} ~/.vnc/passwd
letters only password | The password for the archive is {s12}, no digits in it.
rdp note | RDP to term01.corp.example as CORP\\svc-scan, password {pw}
`;
