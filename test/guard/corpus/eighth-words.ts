/** Passwords as people make them, written without a look at the rules. */
export const eighthWords = `
prose, the password is | The password is {pw}.
prose, for the admin | Log in as admin, the password is {pw}, then open Settings.
prose, set it to | I set the database password to {pw} so the seed script can connect.
prose, changed from | The wifi password was changed to {pw} last Friday.
prose, use | For the staging site use user "demo" and password "Hamburg{d2}".
prose, possessive | Bob's password for the NAS: fluffy{d4}
prose, same everywhere | All the test laptops share one password: Welcome{d4}!
prose, reset | I reset the account of maria@acme.io; her new password is {pw} until she changes it.
prose, with which | The zip is protected with the password Invoice#{d4}
prose, needs | sudo on that box needs hunter{d3} (password of the user deploy)
prose, remember | Remember: the root password of the dev VM is {o10}.
prose, word and digits | The password for the router is Sunflower{d2}.
prose, chat quote | > what's the pw for grafana?{n}> {pw}
prose, chat quote named | **Anna**: pass is dragonfly{d2} btw{n}**Tom**: thx, I'm in
prose, passcode | The passcode of the meeting is {d6}.
prose, PIN | PIN of the SIM card in the gateway: {d4}
prose, pin at door | Door code at the warehouse is {d4}#, changes monthly.
prose, screen lock | To unlock the test iPhone type {d6} (its PIN).
bullet, login slash | - login: admin / qwertz{d3}
bullet, login x / y, mail | - Login: ops@acme.io / {pw}
bullet, credentials | * Credentials: svc_report / {pw}
bullet, user pw | - user: root, pw: toor{d4}
bullet, pass | - pass = {pw}
bullet, bold | - **Password:** \`{pw}\`
bullet, code quoted | * password for the demo tenant is \`DemoDemo{d2}!\`
bullet, colon pair | - grafana admin:{pw}
bullet, pwd | - pwd {pw} (jump host)
bullet, creds at | - CRM creds: julia@acme.io Jul1a_{d4}
two lines | Username: backup{n}Password: {pw}
two lines, german | Benutzer: lager{n}Kennwort: Gabelstapler{d2}
two lines, french | Identifiant : compta{n}Mot de passe : Papillon{d3}
two lines, spanish | Usuario: ventas{n}Contraseña: Mariposa_{d4}
two lines, italian | Utente: magazzino{n}Password: {pw}
german, prose | Das Passwort für den Drucker lautet {pw}.
german, zugang | Zugangsdaten Testsystem: testkunde / Fruehling{d2}!
german, mit | Man meldet sich am Portal mit admin und dem Passwort {pw} an.
german, wlan | WLAN-Passwort im Büro: kaffeepause{d4}
german, geändert | Ich habe das Root-Passwort auf {pw} geändert.
german, pin | Die PIN der Alarmanlage ist {d4}.
german, kennwort ist | Kennwort vom Archiv ist Sommer{d4}!
french, prose | Le mot de passe de la base de test est {pw}.
french, mdp | mdp du serveur : Bordeaux-{d2}-rouge
french, connexion | Connexion au wifi avec le mot de passe « {pw} »
french, code | Le code PIN de la tablette est le {d4}.
spanish, prose | La contraseña del usuario root es {pw}.
spanish, clave | clave del wifi: elgatonegro{d2}
spanish, entrar | Para entrar al panel: usuario admin, contraseña {pw}
portuguese, senha | A senha do banco de homologação é Cachorro@{d3}
italian, prose | La password del server di prova è {pw}
dutch, wachtwoord | Het wachtwoord van de testomgeving is {pw}.
russian, cyrillic | Пароль от тестового сервера: {c9}
polish | Hasło do bazy testowej: Kotek{d3}!
table, markdown | | host | user | password |{n}|------|------|----------|{n}| nas1 | admin | {pw} |
table, two rows one secret | | setting | value |{n}|---|---|{n}| FTP user | web42 |{n}| FTP password | {pw} |
table, german | | System | Benutzer | Passwort |{n}|---|---|---|{n}| ERP Test | mmueller | Herbst{d4}$ |
table, aligned text | system     user      password{n}wiki       editor    {pw}
csv | name,email,password{n}Lea Roth,lea@acme.io,Tiger!{d4}
env, password | DB_PASSWORD={pw}
env, export | export PGPASSWORD='{o10}'
env, inline command | PGPASSWORD=elefant{d3} psql -h 10.0.0.7 -U crm crm
env, smtp | SMTP_USER=info@acme.io{n}SMTP_PASS={pw}
env, letters and signs | ADMIN_PASSWORD={s12}
mysql, -p | mysql -u root -pBanane{d3} shop < dump.sql
mysqldump, long option | mysqldump --user=backup --password=S4turday_{d3} --all-databases > all.sql
mysqladmin | mysqladmin -u root password '{s12}'
mongosh | mongosh --host db1 -u admin -p '{pw}' --authenticationDatabase admin
redis, requirepass | requirepass {pw}
sshpass | sshpass -p raspberry{d2} ssh root@192.168.1.20
curl, -u | curl -u admin:Elastic{d4} http://localhost:9200/_cluster/health
curl, --user quoted | curl --user 'maria:{pw}' -T report.pdf https://files.acme.io/in/
curl, form | curl -d 'username=admin&password=M0nday{d3}' https://app.acme.io/login
curl, json body | curl -X POST -H 'Content-Type: application/json' -d '{"email":"lea@acme.io","password":"{pw}"}' https://api.acme.io/sessions
wget | wget --http-user=press --http-password=Press{d4} https://press.acme.io/kit.zip
httpie | http -a jonas:Skateboard{d2} GET https://api.acme.io/me
basic auth url | https://staging:preview{d4}@staging.acme.io/
basic auth header | Authorization: Basic {base64:admin:[pw]}
ftp url | ftp://web42:Urlaub{d4}@ftp.acme.io/httpdocs
smb mount | mount -t cifs //nas/share /mnt -o username=scan,password=scanner{d2}
net use | net use Z: \\\\nas\\share /user:ACME\\scan Kopierer{d2}
chpasswd | echo 'deploy:{pw}' | sudo chpasswd
7z | 7z x invoices.7z -pRechnung{d4}
unzip | unzip -P Quarterly{d4} export.zip
openssl pass | openssl enc -d -aes-256-cbc -in dump.enc -pass pass:{pw}
keytool | keytool -list -keystore app.jks -storepass android{d3}
gpg passphrase | gpg --batch --passphrase "{pw}" -d backup.gpg
docker login | docker login -u acmebot -p Whale.{d4}! registry.acme.io
rdp | xfreerdp /v:10.0.0.31 /u:Administrator /p:{pw}
wifi, nmcli | nmcli dev wifi connect "Acme Guest" password "coffeeandcake{d2}"
wifi, wpa_supplicant | network={{n}  ssid="acme-iot"{n}  psk="{pw}"{n}}
wifi, qr | WIFI:T:WPA;S:AcmeOffice;P:{pw};;
postgres url | DATABASE_URL=postgres://shop:Sneakers-{d4}@localhost:5432/shop
mysql url in code | engine = create_engine("mysql+pymysql://crm:crmlove{d3}@db/crm")
mongo url | mongodb://lager:Palette{d3}x@10.2.0.5:27017/lager
jdbc props | spring.datasource.username=sa{n}spring.datasource.password={pw}
odbc | Driver={ODBC Driver 18 for SQL Server};Server=erp01;Uid=report;Pwd={pw};
yaml, compose | services:{n}  db:{n}    image: mariadb{n}    environment:{n}      MARIADB_ROOT_PASSWORD: {pw}
yaml, ansible | ansible_user: pi{n}ansible_become_pass: raspi{d4}
json, settings | { "smtp": { "host": "mail.acme.io", "user": "noreply", "pass": "{pw}" } }
toml | [admin]{n}name = "chef"{n}password = "lasagne_{d4}"
ini | [client]{n}user=backup{n}password={s12}
xml, tomcat | <user username="deployer" password="Kater.Carlo{d2}" roles="manager-script"/>
sql, identified by | CREATE USER 'shop'@'%' IDENTIFIED BY '{pw}';
sql, users row | INSERT INTO users (name, password) VALUES ('chef', '{pw}');
oracle sqlplus | sqlplus hr_app/Oracle_{d4}@//ora1:1521/ORCL
python | conn = psycopg2.connect(host="db1", user="etl", password="{pw}")
javascript | await page.fill("#password", "{pw}"); // real account of Lea
php | $pass = 'Lisa{d4}'; // phpMyAdmin
java | String password = "Kaefer{d4}?";
csharp netcred | var cred = new NetworkCredential("svc_scan", "Sc@nner{d4}");
diff | -  password: ""{n}+  password: "{o10}"
log | 2025-02-03 14:02:11 INFO login attempt user=lea password={pw} ip=10.0.0.4
passphrase, prose | The passphrase of the backup key is "copper lantern seven tractors dancing".
passphrase, hyphens | LUKS passphrase: orbit-pickle-saddle-violin-{d2}
passphrase, ssh key | ssh-add asks for a passphrase, it is willow.magnet.barefoot{d2}
passphrase, german | Die Passphrase für das Backup heißt "Vier Ziegen tanzen im Regen {d2}"
passphrase, borg env | BORG_PASSPHRASE="pepper tulip morning harbor {d1}"
security answer | Security question at the registrar: first pet, answer "Bello{d4}"
windows admin, prose | RDP to 10.0.0.31 as Administrator, pw Winter{d4}!
expect script | expect "Password:"{n}send "enableMe{d3}\\r"
sudo -S | echo '{pw}' | sudo -S systemctl restart app
`;
