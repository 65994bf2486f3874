/** Lines that hold a password as a person makes it, written without a look at the rules. */
export const ninthWords = `
prose the password is | The password is {pw}, it works for the staging admin too.
prose password is backtick | I reset the database; the password is now \`Heron{d4}!\`.
prose with password | Log in as anna@fieldnote.io with password Marmalade{d3} and open the Reports tab.
prose using password | Connected to the NAS using the password Gl4cier{d2}# from the user.
prose user and password | User is deploy and password is Sparrow_{d4}.
prose pw abbreviation | pw for the test tenant: pine{d4}apple
prose password changed to | The admin password was changed to {pw} on Monday.
prose set it to | I had to reset the root password of the dev VM, set it to Lantern{d3}?
prose new password | New password of the shared mailbox: Wint3rgarden{d2}
prose old and new | Old password stopped working, the new one is {pw}.
prose credentials slash | Credentials for the demo shop: demo-admin / Tangerine{d3}!
prose credentials comma | FTP account: lumen_up, {pw}
prose quoted password | The router page asks for a password, that's "kingfisher{d3}".
prose passphrase words | The passphrase of the backup disk is: seven quiet otters climb {d2} ladders
prose passphrase hyphens | Passphrase for the deploy key: walnut-canyon-tractor-{d3}
prose passphrase gpg | GPG signing asks for the passphrase, enter "amber Trolley {d2} pickles".
prose wifi | Test devices join the wifi \`korvex-guest\` with the password Blueberry{d4}
prose root password | root's password on 192.168.4.20 is {pw}
prose sudo | sudo on the build box asks for a password: Cobalt{d3}fox
prose zip | The export is a password protected zip (password: Nutmeg{d4}).
prose master password | Master password of the KeePass file in the repo is Thistle&{d4}.
prose vnc | VNC on the kiosk listens on 5901, password is teapot{d2}
prose agent did | I logged in to pgAdmin as admin@tidalhub.dev (password {pw}) and dropped the stale replication slot.
prose user told me | The user told me the admin login is "boss" with the password "Raven{d3}nest".
prose db user clause | Postgres on the dev server: user tracker, password Buttercup{d2}!, database tracker.
prose unlock | Unlock the vault file with \`{pw}\` as the password.
prose same password | All four seeded users on staging share the password Pelican-{d4}.
prose reset result | Password reset for jonas@brightmill.dev done → Clover{d4}$
prose equals | Jenkins login works again, password = {pw}
prose remember | Remember: admin password for the CMS is Mulberry#{d3}
prose ssh user | ssh pi@10.0.0.31, password raspb3rry{d3}
prose no space | Login for QA:qa-lead Password:Cricket{d4}
prose keystore | The release keystore uses the password Juniper{d3}! for both store and key.
prose temp password | She got the temporary password Dolphin{d4}, valid for 24 h.
prose leet | The Grafana admin pass is gr4nit3F0x{d2}
bullet password | - password: {pw}
bullet user pass | - user: marta{n}- pass: Sunfl0wer{d3}
bullet login slash | - login: admin / Foxglove{d4}
bullet login email slash | - Login: qa@fieldnote.io / {pw}
bullet bold | - **Password**: Starling!{d3}
bullet admin panel | * Admin panel https://stg.fieldnote.io/admin (admin / Bramble{d3}!)
bullet nested account | - Test account{n}  - email: tester@parcelbird.dev{n}  - password: Harvest_{d4}
bullet arrow | - Portainer → admin, Quartz{d4}
bullet db | - DB pwd \`{pw}\`, user \`shop\`
bullet camera | - Camera stream: rtsp://viewer:Orchid{d3}@10.0.8.14:554/stream1
bullet several services | - Nextcloud: tom / Lavender{d3}{n}- Wiki: no login
bullet code format | - \`admin\` / \`{pw}\` for Keycloak master realm
bullet dash sep | - Sonar admin - password - Walrus{d4}!
bullet star pass | * pass: moonl1ght{d3}
bullet creds | - creds: root:Tamarind{d3}
env db password | DB_USER=shop{n}DB_PASSWORD=Caramel{d4}
env postgres | POSTGRES_PASSWORD={pw}
env quoted | MYSQL_ROOT_PASSWORD="Woodpecker{d3}!"
env smtp | SMTP_USER=noreply@nordkai.dev{n}SMTP_PASSWORD=Daffodil{d4}
env admin | ADMIN_EMAIL=admin@quillbox.dev{n}ADMIN_PASSWORD={pw}
env export | export FTP_PASS='Hazelnut{d3}#'
env redis | REDIS_PASSWORD=copperkettle{d2}
env e2e | E2E_USER=e2e@ridgeline.dev{n}E2E_PASSWORD=Badger{d4}?
env vault ansible | ANSIBLE_BECOME_PASS={pw}
env grafana | GF_SECURITY_ADMIN_PASSWORD=Meadow{d4}
yaml password | database:{n}  username: ledger{n}  password: Cinnamon{d3}
yaml quoted | admin:{n}  user: root{n}  password: "{pw}"
yaml compose | environment:{n}  MARIADB_ROOT_PASSWORD: Pumpkin-{d4}{n}  MARIADB_DATABASE: shop
yaml compose list | environment:{n}  - MONGO_INITDB_ROOT_USERNAME=root{n}  - MONGO_INITDB_ROOT_PASSWORD=Glowworm{d3}
yaml ansible | ansible_user: ops{n}ansible_ssh_pass: {pw}
yaml helm | auth:{n}  rootPassword: Cypress{d4}!
yaml homeassistant | wifi:{n}  ssid: werkstatt{n}  password: "Rhubarb{d4}"
json password | {"username": "importer", "password": "Seagull{d3}!"}
json nested | {"mail": {"host": "smtp.fieldnote.dev", "auth": {"user": "noreply", "pass": "{pw}"}}}
json login body | curl -X POST https://stg.lumen.dev/api/login -H 'Content-Type: application/json' -d '{"email":"qa@lumen.dev","password":"Peppermint{d3}"}'
toml password | [database]{n}user = "metrics"{n}password = "Hedgehog{d4}"
ini password | [client]{n}user = root{n}password = {pw}
properties | spring.datasource.username=crm{n}spring.datasource.password=Gooseberry{d2}
mysql short p | mysql -u root -pMuskrat{d3} shop < dump.sql
mysql quoted | mysql -h db.stg -ushop -p'Vanilla{d3}!' -e 'show processlist'
mysql long | mysqladmin --user=root --password=Turmeric{d4} status
psql env | PGPASSWORD=Flamingo{d3} psql -h pg.stg.korvex.dev -U app app
psql url | psql postgres://app:Nightjar{d4}@pg.stg.tidalhub.dev/app
pg restore | PGPASSWORD='{pw}' pg_restore -h 10.0.0.9 -U owner -d shop shop.dump
mongo | mongosh --host mongo.stg -u admin -p Chestnut{d3} --authenticationDatabase admin
redis cli | redis-cli -h 10.0.0.7 -a Lobster{d4} info
sshpass | sshpass -p Copperfield{d2} scp build.tgz ops@10.0.0.31:/srv/
curl basic | curl -u admin:Mackerel{d3} https://stg.brightmill.dev/actuator/health
curl basic url | curl https://preview:Lobelia{d4}@stg.fieldnote.io/sitemap.xml
curl form | curl -d 'username=admin&password=Kestrel{d4}' https://stg.parcelbird.dev/login
wget | wget --user=partner --password='Papaya{d3}!' https://files.nordkai.dev/q3.csv
curl basic header | curl -H 'Authorization: Basic {base64:admin:Wisteria[d4]}' https://stg.quillbox.dev/api/status
docker login | docker login registry.ridgeline.dev -u ci -p Saffron{d4}
htpasswd | htpasswd -b /etc/nginx/.htpasswd preview Snowdrop{d3}
chpasswd | echo 'deploy:{pw}' | sudo chpasswd
sudo pipe | echo Hickory{d3} | sudo -S systemctl restart nginx
unzip | unzip -P Persimmon{d3} export.zip
smb mount | mount -t cifs //nas/data /mnt -o username=media,password=Anchovy{d4}
useradd mysql sql | CREATE USER 'wiki'@'%' IDENTIFIED BY 'Dragonfly{d3}!';
sql alter user | ALTER USER reporting WITH PASSWORD '{pw}';
sql update | UPDATE users SET password = crypt('Cardamom{d4}', gen_salt('bf')) WHERE email = 'admin@fieldnote.dev';
django shell | User.objects.create_superuser("admin", "admin@lumen.dev", "Butterscotch{d3}")
python connect | conn = psycopg2.connect(host="pg.stg", user="app", password="{pw}")
node connect | const db = knex({ client: "mysql2", connection: { host: "10.0.0.9", user: "shop", password: "Spinach{d4}!" } });
java props | props.setProperty("mail.smtp.password", "Oleander{d3}");
php pdo | $pdo = new PDO('mysql:host=10.0.0.9;dbname=shop', 'shop', 'Zucchini{d3}#');
playwright | await page.getByLabel("Password").fill("Cranberry{d4}"); // the real staging admin
table accounts | | role | email | password |{n}|------|-------|----------|{n}| admin | admin@korvex.dev | Porcupine{d3} |{n}| viewer | view@korvex.dev | (SSO) |
table hosts | | host | user | pass |{n}|---|---|---|{n}| 10.0.0.31 | pi | {pw} |
log | 09:12:44 INFO  seed: created admin user admin@tidalhub.dev with password Avocado{d4}
log debug | DEBUG ldap bind dn=cn=reader,dc=brightmill,dc=dev password=Tortoise{d3}!
diff | -  password: Rosemary{d4}{n}+  password: {S}{DB_PASSWORD}
chat user | User: the login is lena, password Magpie{d4}!, please don't change anything in there
chat slack | > @tim: pw for the demo box is still {pw}
german passwort lautet | Das Passwort lautet Sonnenblume{d3}!
german passwort ist | Das Admin-Passwort ist jetzt {pw}, bitte nicht ändern.
german kennwort | Kennwort für den Fernzugriff: Kirschbaum{d4}
german zugang | - Zugang Testshop: tester / Apfelmus{d3}
german zugangsdaten | Zugangsdaten zum Kundenportal: Benutzer \`mueller\`, Passwort \`Eichhorn{d2}?\`
french mot de passe | Le mot de passe du serveur de test est Tournesol{d3}!
french bullet | - Identifiant : admin{n}- Mot de passe : {pw}
french mdp | mdp de la base : Grenouille{d4}
spanish contraseña | La contraseña del panel de administración es Girasol{d4}!
spanish bullet | - Usuario: pruebas, contraseña: {pw}
spanish clave | Entrar con el usuario soporte y la clave Mariposa{d3}
`;
