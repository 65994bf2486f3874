/** Secrets of services and shapes that the rules were not made from; written before, and run once. */
export const blindSecrets = `
algolia crawler | ALGOLIA_CRAWLER_API_KEY={h32}
amazon mws | amzn.mws.{uuid}
amazon sp api | LWA client secret: amzn1.oa2-cs.v1.{h64}
aws ses smtp | SES SMTP password: {b44}
aws cookie | AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEJ{b240}
azure event hub | Endpoint=sb://ev.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey={b43}=;EntityPath=orders
backblaze | B2_APPLICATION_KEY=K005{b27}
bitly | bitly access token {h40}
bunny | BUNNY_STORAGE_PASSWORD={uuid}
calendly | CALENDLY_TOKEN=eyJraWQiOiIxY2UxZTEzNj{w30}.eyJpc3MiOiJodHRwczov{w60}.{w86}
circleci project | CIRCLE_TOKEN={h40}
cloudinary | CLOUDINARY_URL=cloudinary://{d15}:{w27}@acme
codeclimate | CC_TEST_REPORTER_SECRET={h64}
coinbase cdp | "privateKey": "-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEEI{b60}
contentstack | CONTENTSTACK_MANAGEMENT_TOKEN=cs{h40}
discord client | DISCORD_CLIENT_SECRET={w32}
docusign | docusign integration secret = {uuid}
ecobee | refresh_token={a43}
fastly | FASTLY_API_TOKEN={w32}
fauna | FAUNA_SECRET=fnAE{w36}
freshdesk | freshdesk api key {a20}
gandi | GANDI_API_KEY={a24}
ghost admin | GHOST_ADMIN_API_KEY={h24}:{h64}
github app key | -----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}
github device | gh auth token printed gho_{a36}
gitlab runner reg | registration token GR1348941{w20}
google oauth json | {"installed":{"client_id":"{d12}-{k32}.apps.googleusercontent.com","client_secret":"GOCSPX-{w28}"}}
grafana basic | curl http://admin:{o12}@grafana.acme.io/api/org
heroku postgres | postgres://{k14}:p{h64}@ec2-3-4-5-6.compute-1.amazonaws.com:5432/d{k13}
helm set | helm upgrade api ./chart --set db.password={a18}
home assistant | long-lived token eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ{w60}.{w43}
imap | IMAP_PASS='{s12}'
intercom webhook | INTERCOM_CLIENT_SECRET={uuid}
jenkins | curl -u ci:11{h32} https://jenkins.acme.io/job/x/build
jwt secret short | JWT_SECRET="{a14}"
keycloak | client_secret={a32}&grant_type=client_credentials
kubeconfig token | token: eyJhbGciOiJSUzI1NiIsImtpZCI6Ik{w40}.eyJpc3MiOiJrdWJlcm5ldGVz{w60}.{w171}
kube secret | stringData:{n}  admin-password: {s14}
ldap bind | bind_dn = cn=svc,dc=acme{n}bind_password = {a13}
linkedin | LINKEDIN_CLIENT_SECRET=WPL_AP1.{a16}.{b6}==
lob | LOB_API_KEY=live_{h35}
magento | composer config http-basic.repo.magento.com {h32} {h32}
meilisearch | MEILI_MASTER_KEY={w43}
mikrotik | /user set admin password={o11}
mosquitto | mosquitto_passwd -b pwfile sensor {a12}
mux | MUX_TOKEN_SECRET={b75}
nats nkey | SUAM{x54}
netlify hook | NETLIFY_AUTH_TOKEN={a43}
nextcloud app | nextcloud app password: {a5}-{a5}-{a5}-{a5}-{a5}
nginx basic | admin:$apr1\${a8}\${a22}
odoo | admin_passwd = {a4}-{a4}-{a4}
okta oauth | OKTA_OAUTH2_CLIENT_SECRET={w64}
openssl enc | openssl enc -aes-256-cbc -pass pass:{a16} -in a -out b
openvpn auth | auth-user-pass: ada / {s11}
oracle wallet | sqlplus hr/{a12}@//db:1521/orclpdb
pagerduty | PAGERDUTY_ROUTING_KEY={h32}
pgbouncer | "app" "SCRAM-SHA-256$4096:{b22}==\${b43}=:{b43}="
php config | define('DB_PASSWORD', '{a14}');
plex | X-Plex-Token={w20}
postman basic | Authorization: Basic {base64:ada:[s12]}
pusher | PUSHER_APP_SECRET={h20}
python requests | requests.get(u, auth=("svc", "{a14}"))
rabbit url | amqp://worker:{s10}@mq.acme.io:5672/%2f
rails master | config/master.key is {h32}
rails secret | SECRET_KEY_BASE={h128}
recaptcha | RECAPTCHA_SECRET_KEY=6L{w38}
redis acl | ACL SETUSER app on >{a16} ~* +@all
redis conf | masterauth {a20}
restic | export RESTIC_PASSWORD={s14}
rsync | RSYNC_PASSWORD={o12} rsync -a . x::y
s3cfg | secret_key = {b40}
samba | mount -t cifs //nas/x /mnt -o username=ada,password={a12}
segment | SEGMENT_PUBLIC_API_TOKEN=sgp_{a64}
sendgrid prose | mail goes out with SG.{w22}.{w43}
sentry internal | sentry-cli --auth-token {h64} releases list
shodan | SHODAN_API_KEY={a32}
slack legacy | xoxb-{d11}-{a24}
smtp url | smtps://bot%40acme.io:{a16}@smtp.acme.io:465
snowflake key | SNOWFLAKE_PASSWORD="{s13}"
sops age | AGE-SECRET-KEY-1{K58}
spotify | SPOTIFY_CLIENT_SECRET={h32}
spring | spring.datasource.password={a12}
square | SQUARE_ACCESS_TOKEN=EAAAE{w59}
ssh pass | ssh root@10.0.0.4 (pw {o10})
stripe connect | STRIPE_CONNECT_SECRET=rk_live_{a64}
svix | SVIX_TOKEN=testsk_{w32}.eu
tf vars | db_password = "{s15}"
todoist | TODOIST_API_TOKEN={h40}
traefik | admin:$2y$05\${a53}
twitch | TWITCH_CLIENT_SECRET={k30}
twitter | TWITTER_API_SECRET={a50}
unifi | unifi controller login: ubnt / {o11}
vagrant cloud | VAGRANT_CLOUD_TOKEN={a14}.atlasv1.{w67}
vnc | vncviewer nas:1 # password {o8}
wakatime | api_key = waka_{uuid}
wireguard psk | PresharedKey = {b43}=
wp salts | define('AUTH_KEY', '{s40}');
youtrack | perm:{a12}.{a8}.{a42}
zabbix | ZABBIX_TOKEN={h64}
zoom | ZOOM_CLIENT_SECRET={a32}
zulip | ZULIP_API_KEY={a32}
`;
