/** Secrets, written without a look at the rules. */
export const seventhSecrets = `
env db password | DB_PASSWORD={pw}
env quoted | export POSTGRES_PASSWORD="{a24}"
env secret key base | SECRET_KEY_BASE={h128}
env jwt secret | JWT_SECRET='{b44}'
env multi | DB_HOST=10.0.4.12{n}DB_USER=shop{n}DB_PASS={pw}{n}DB_NAME=shop_prod
env redis | REDIS_URL=redis://:{a32}@cache-1.internal:6379/0
env app key laravel | APP_KEY=base64:{b43}=
env windows set | set SMTP_PASSWORD={pw}
env powershell | {S}env:AZURE_CLIENT_SECRET = "{a3}8Q~{w34}"
env setx | setx GITHUB_TOKEN ghp_{a36}
env fish | set -gx OPENAI_API_KEY sk-proj-{w74}T3BlbkFJ{w74}
env comment in list | - added \`STRIPE_SECRET_KEY=sk_live_{a24}\` to .env.production
env commented out | # MYSQL_ROOT_PASSWORD={a16}
env rails master | RAILS_MASTER_KEY={h32}
env django | DJANGO_SECRET_KEY=django-insecure-{a50}
env nextauth | NEXTAUTH_SECRET={b43}=
env wordpress salt | define('AUTH_KEY', '{a64}');
env wordpress db | define( 'DB_PASSWORD', '{pw}' );
yaml password | database:{n}  host: db.internal{n}  username: app{n}  password: {pw}
yaml quoted password | spring:{n}  datasource:{n}    username: orders{n}    password: "{a18}"
properties | spring.datasource.password={a20}
properties keystore | server.ssl.key-store-password={o12}
toml | [database]{n}user = "svc"{n}password = "{pw}"
ini | [smtp]{n}host = mail.example.org{n}user = robot@example.org{n}passwd = {o11}
json | {"username": "admin", "password": "{pw}"}
json client secret | {"client_id": "web-portal", "client_secret": "{w43}", "grant_type": "client_credentials"}
json nested | {"auths": {"registry.corp.example": {"auth": "{base64:deploy:[pw]}"}}}
json escaped in log | body: "{\\"login\\":\\"ivan\\",\\"pwd\\":\\"{pw}\\"}"
xml web.config | <add key="PaymentApiSecret" value="{a40}" />
xml connection | <add name="Main" connectionString="Server=sql01;Database=erp;User Id=erp_app;Password={pw};" />
xml maven settings | <server><id>nexus</id><username>ci</username><password>{a20}</password></server>
xml tomcat users | <user username="tomcat" password="{o10}" roles="manager-gui"/>
xml nuget clear text | <add key="ClearTextPassword" value="{a52}" />
appsettings | "ConnectionStrings": { "Default": "Host=pg;Username=app;Password={a22};Database=app" }
hcl | variable "db_password" {{n}  default = "{pw}"{n}}
terraform rds | resource "aws_db_instance" "main" {{n}  username = "root"{n}  password = "{a20}"{n}}
terraform provider | provider "cloudflare" {{n}  api_token = "{w40}"{n}}
tfvars | vsphere_password = "{pw}"
terraform state | "attributes": { "name": "ci-bot", "secret": "{b40}", "status": "Active" }
terraform cloud token | credentials "app.terraform.io" { token = "{a14}.atlasv1.{w67}" }
ansible vars | ansible_become_password: {pw}
ansible inventory | web01 ansible_host=10.2.0.5 ansible_user=root ansible_ssh_pass={o12}
ansible task | - name: create user{n}  mysql_user: name=app password={a16} priv=app.*:ALL
helm set | helm upgrade --install grafana grafana/grafana --set adminPassword={pw}
kubectl literal | kubectl create secret generic db --from-literal=password={a24} -n prod
kubectl docker registry | kubectl create secret docker-registry regcred --docker-server=ghcr.io --docker-username=bot --docker-password=ghp_{a36}
k8s secret data | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: db{n}data:{n}  password: {base64:[a20]}
k8s stringData | kind: Secret{n}stringData:{n}  API_TOKEN: {w48}
k8s env value | - name: RABBITMQ_DEFAULT_PASS{n}  value: "{pw}"
dockerconfigjson prose | the .dockerconfigjson auth field decodes from {base64:robot-ci:[a24]} on the registry host
compose | environment:{n}  MYSQL_ROOT_PASSWORD: {o12}{n}  MYSQL_DATABASE: wiki
compose list | environment:{n}  - MINIO_ROOT_USER=minio{n}  - MINIO_ROOT_PASSWORD={a20}
docker run | docker run -d -e POSTGRES_PASSWORD={pw} -p 5432:5432 postgres:16
docker build arg | docker build --build-arg NPM_TOKEN=npm_{a36} .
docker login | docker login -u acme -p dckr_pat_{w27}
docker login stdin | echo "{pw}" | docker login registry.corp.example -u ci --password-stdin
dockerfile | ENV HF_TOKEN=hf_{a34}
github actions plain | env:{n}  SONAR_TOKEN: sqp_{h40}
gitlab ci variable | variables:{n}  DEPLOY_TOKEN: "glpat-{w20}"
gitlab api | curl --header "PRIVATE-TOKEN: glpat-{w20}" https://gitlab.example.com/api/v4/projects
gitlab runner | gitlab-runner register --url https://gitlab.com --token glrt-{w20}
gitlab trigger | trigger token glptt-{h40} for the nightly pipeline
jenkins | curl -X POST https://jenkins.corp.example/job/build/build --user admin:11{h32}
jenkins credentials | <apiToken>11{h32}</apiToken>
circleci | circleci setup --token {h40}
travis | TRAVIS_API_TOKEN={w22}
buildkite | buildkite token: bkua_{h40}
azure pipelines | System.AccessToken override: {k52}
teamcity | teamcity access token eyJ0eXAiOiAiVENWMiJ9.{w36}.{w48}
codecov | CODECOV_TOKEN={uuid}
snyk | snyk auth {uuid}
postgres url | postgres://app:{pw}@db.prod.internal:5432/app
postgresql ssl | DATABASE_URL="postgresql://svc_billing:{a20}@pg-1.eu.example.net/billing?sslmode=require"
neon url | postgresql://neondb_owner:npg_{a12}@ep-cool-sun-a2.eu-central-1.aws.neon.tech/neondb
mysql url | mysql://root:{o10}@127.0.0.1:3306/shop
mongo srv | mongodb+srv://admin:{a16}@cluster0.ab1cd.mongodb.net/test?retryWrites=true
amqp | amqp://worker:{pw}@rabbit:5672/%2f
jdbc param | jdbc:mysql://db:3306/app?user=app&password={a14}
jdbc oracle | jdbc:oracle:thin:scott/{o11}@//ora1:1521/ORCL
odbc | Driver={ODBC Driver 18};Server=tcp:sql.example.net;Uid=report;Pwd={pw};Encrypt=yes;
ado short | Data Source=.;Initial Catalog=crm;User ID=sa;Password={o12}
sqlalchemy | engine = create_engine("postgresql+psycopg2://etl:{a18}@dw/warehouse")
clickhouse | clickhouse-client --host ch1 --user default --password '{pw}'
redis cli | redis-cli -h 10.1.1.4 -a {a32} ping
mysql cli glued | mysql -uroot -p{o12} -e 'show databases'
mysqldump | mysqldump --user=backup --password={pw} shop > shop.sql
psql env | PGPASSWORD={a16} psql -h db -U app -c 'select 1'
pgpass | db.prod.internal:5432:*:app:{a18}
my.cnf | [client]{n}user=root{n}password={o10}
sqlcmd | sqlcmd -S sql01 -U sa -P '{pw}' -Q "select @@version"
sql alter | ALTER USER app WITH PASSWORD '{pw}';
sql create | CREATE USER 'report'@'%' IDENTIFIED BY '{o12}';
sql insert | INSERT INTO api_keys (owner, api_key) VALUES ('acme', '{h40}');
sql update | UPDATE users SET password = '{pw}' WHERE login = 'admin';
oracle sql | CREATE USER etl IDENTIFIED BY "{a14}" DEFAULT TABLESPACE users;
snowflake | snowsql -a ab12345 -u LOADER  # password is {pw}
cassandra | cqlsh -u cassandra -p {a16} 10.0.0.4
elastic | curl -u elastic:{a20} https://localhost:9200/_cat/indices -k
elastic api key | Authorization: ApiKey {base64:[w20]:[w22]}
http bearer | Authorization: Bearer {w64}
http basic | Authorization: Basic {base64:api:[pw]}
http digest token | Authorization: Token token="{h32}"
http x-api-key | X-API-Key: {a40}
http header lower | x-auth-token: {h64}
http apikey curl | curl -H 'apikey: {a32}' https://gw.corp.example/v1/ping
http proxy auth | Proxy-Authorization: Basic {base64:ivan:[o10]}
http vault token | curl -H "X-Vault-Token: hvs.{w90}" https://vault:8200/v1/secret/data/app
http cookie session | Cookie: sessionid={k32}; theme=dark
http set-cookie | Set-Cookie: auth_token={w86}; HttpOnly; Secure; Path=/
http laravel session | Cookie: laravel_session=eyJpdiI6I{a120}%3D
http csrf and sid | curl 'https://admin.example.com/api/me' -b 'connect.sid=s%3A{w32}.{a43}'
http jsessionid | Cookie: JSESSIONID={H32}
http sap | Cookie: MYSAPSSO2={a90}; sap-usercontext=sap-client=100
curl user short | curl -u ivan:{pw} https://nexus.corp.example/repository/raw/a.zip -O
curl data login | curl -d 'username=admin&password={o10}' https://panel.example.org/login
curl json login | curl -X POST -d '{"email":"me@example.org","password":"{pw}"}' https://api.example.org/auth
curl ftp | curl -T dump.gz ftp://backup:{a12}@ftp.example.org/
wget | wget --user=mirror --password={pw} https://dl.example.org/x.iso
httpie | http -a bot:{a24} https://api.example.org/jobs
lftp | lftp -u deploy,{o12} sftp://web1.example.org
sshpass | sshpass -p '{pw}' ssh root@10.0.0.7 uptime
plink | plink -ssh -pw {o11} admin@192.168.1.1
smbclient | smbclient //nas/share -U 'CORP\\\\ivan%{pw}'
mount cifs | mount -t cifs //nas/data /mnt -o username=ivan,password={o10},vers=3.0
net use | net use Z: \\\\nas\\data /user:CORP\\ivan {pw}
ldapsearch | ldapsearch -x -D "cn=admin,dc=example,dc=org" -w {a16} -b dc=example,dc=org
kinit | echo '{pw}' | kinit svc_web@CORP.EXAMPLE
openssl pass | openssl enc -d -aes-256-cbc -pbkdf2 -in db.enc -pass pass:{a24}
openssl p12 | openssl pkcs12 -in cert.pfx -nodes -passin pass:{o10}
keytool | keytool -list -keystore app.jks -storepass {o12}
zip password | 7z x backup.7z -p{a18}
gpg passphrase | gpg --batch --passphrase "{pw}" -d file.gpg
restic | RESTIC_PASSWORD={w32} restic -r s3:s3.example.net/bk snapshots
borg | export BORG_PASSPHRASE='{a30}'
chpasswd | echo "deploy:{o12}" | sudo chpasswd
useradd | net user helpdesk {pw} /add
sudo stdin | echo {o10} | sudo -S systemctl restart nginx
htpasswd | htpasswd -b /etc/nginx/.htpasswd admin {pw}
netrc | machine api.heroku.com login me@example.org password HRKU-{uuid}
git remote | git remote set-url origin https://oauth2:glpat-{w20}@gitlab.example.com/team/app.git
git clone pat | git clone https://x-access-token:ghs_{a36}@github.com/acme/app.git
git credentials | https://ivan:ghp_{a36}@github.com
git extraheader | git -c http.extraheader="AUTHORIZATION: basic {base64:x-access-token:ghs_[a36]}" fetch
pip index | pip install --index-url https://ci:{a24}@pypi.corp.example/simple pkg
pypirc | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmc{w150}
npmrc | //registry.npmjs.org/:_authToken=npm_{a36}
npmrc legacy | _auth={base64:ci:[a20]}
yarnrc | npmAuthToken: "npm_{a36}"
cargo credentials | [registry]{n}token = "cio{a32}"
rubygems | :rubygems_api_key: rubygems_{h48}
nuget push | dotnet nuget push a.nupkg -k oy2{k43} -s https://api.nuget.org/v3/index.json
composer auth | {"http-basic": {"repo.packagist.com": {"username": "token", "password": "{h64}"}}}
gradle properties | signing.password={o12}{n}ossrhPassword={a20}
android signing | storePassword '{o10}'{n}keyAlias 'release'{n}keyPassword '{o10}'
fastlane | FASTLANE_APPLE_APPLICATION_SPECIFIC_PASSWORD={l4}-{l4}-{l4}-{l4}
artifactory | curl -H "X-JFrog-Art-Api: AKCp8{a68}" https://art.corp.example/api/system/ping
aws credentials file | [default]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}
aws env session | export AWS_ACCESS_KEY_ID=ASIA{x16} AWS_SECRET_ACCESS_KEY={b40} AWS_SESSION_TOKEN={b200}
aws boto | boto3.client("s3", aws_access_key_id="AKIA{x16}", aws_secret_access_key="{b40}")
aws configure set | aws configure set aws_secret_access_key {b40} --profile prod
aws presigned | https://bkt.s3.amazonaws.com/a.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{x16}%2F20250101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20250101T000000Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature={h64}
aws ses smtp | smtp user AKIA{x16}, smtp pass B{b43}
gcp api key | const MAPS_KEY = "AIza{w35}";
gcp service account | {"type": "service_account", "private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n-----END PRIVATE KEY-----\\n"}
gcp oauth secret | "client_secret":"GOCSPX-{w28}"
gcp access token | curl -H "Authorization: Bearer ya29.{w160}" https://storage.googleapis.com/storage/v1/b
gcp refresh token | refresh_token: 1//0{w98}
gcs hmac | GOOG1E{x55} / {b40}
azure storage | DefaultEndpointsProtocol=https;AccountName=stprod;AccountKey={b86}==;EndpointSuffix=core.windows.net
azure sas | https://stprod.blob.core.windows.net/c/a.zip?sv=2022-11-02&se=2030-01-01T00%3A00%3A00Z&sr=b&sp=r&sig={a43}%3D
azure service bus | Endpoint=sb://bus-prod.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
azure sp login | az login --service-principal -u {uuid} -p {a3}8Q~{w34} --tenant {uuid}
azure iot | HostName=hub1.azure-devices.net;DeviceId=dev7;SharedAccessKey={b43}=
azure function url | https://fn-prod.azurewebsites.net/api/run?code={w52}==
azure logic app | https://prod-12.westeurope.logic.azure.com/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-10-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={w43}
azure openai | AZURE_OPENAI_API_KEY={h32}
azure devops pat | git clone https://pat:{k52}@dev.azure.com/org/p/_git/r
alibaba | accessKeyId: LTAI5t{a18}{n}accessKeySecret: {a30}
tencent | SecretId=AKID{a32}{n}SecretKey={a32}
yandex cloud | yc api key AQVN{w36}
yandex oauth | YANDEX_TOKEN=y0_{w55}
digitalocean | doctl auth init -t dop_v1_{h64}
do spaces | SPACES_SECRET={b43}
hetzner | HCLOUD_TOKEN={a64}
linode | linode-cli token {h64}
scaleway | SCW_SECRET_KEY={uuid}
ovh | application_secret={a32}{n}consumer_key={a32}
cloudflare global | X-Auth-Email: ops@example.org{n}X-Auth-Key: {h37}
cloudflare tunnel | cloudflared service install eyJhIjoi{a150}
fly | FLY_API_TOKEN="FlyV1 fm2_{b120}"
vercel | vercel deploy --prod --token {a24}
netlify | NETLIFY_AUTH_TOKEN=nfp_{a36}
supabase cli | supabase login --token sbp_{h40}
supabase secret | SUPABASE_SECRET_KEY=sb_secret_{w31}
supabase service role | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w140}.{w43}
planetscale | pscale_pw_{w43} is the branch password
turso | TURSO_AUTH_TOKEN=eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ{w90}.{w86}
upstash | UPSTASH_REDIS_REST_TOKEN=AX{w54}
openai classic | openai.api_key = "sk-{a20}T3BlbkFJ{a20}"
anthropic | ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic oauth | CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-{w93}AA
anthropic code | client = Anthropic(api_key="sk-ant-api03-{w93}AA")
openrouter | OPENROUTER_API_KEY: sk-or-v1-{h64}
deepseek | the DeepSeek key sk-{h32} has 5 USD left
groq | groq: gsk_{a52}
xai | XAI_API_KEY=xai-{a80}
perplexity | pplx-{a48}
nvidia | NVIDIA_API_KEY=nvapi-{w64}
replicate | export REPLICATE_API_TOKEN=r8_{a37}
hugging face login | huggingface-cli login --token hf_{a34}
mistral | MISTRAL_API_KEY={a32}
cohere | co = cohere.Client("{a40}")
langsmith | LANGCHAIN_API_KEY=lsv2_pt_{h32}_{h10}
langfuse | LANGFUSE_SECRET_KEY=sk-lf-{uuid}
tavily | TAVILY_API_KEY=tvly-dev-{a32}
firecrawl | "FIRECRAWL_API_KEY": "fc-{h32}"
elevenlabs | xi-api-key: sk_{h48}
wandb | wandb login {h40}
pinecone | Pinecone(api_key="{uuid}")
mcp config | {"mcpServers": {"github": {"command": "npx", "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "github_pat_{a22}_{a59}"}}}}
mcp header | claude mcp add --transport http linear https://mcp.linear.app/mcp --header "Authorization: Bearer lin_api_{a40}"
slack bot | SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{a24}
slack app | app_token: xapp-1-A{K10}-{d13}-{h64}
slack webhook | curl -d '{"text":"hi"}' https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
slack signing | SLACK_SIGNING_SECRET={h32}
discord bot | client.login("MT{w24}.G{w5}.{w38}");
discord webhook | https://discord.com/api/webhooks/{d18}/{w68}
telegram | TG_BOT={d10}:AA{w33}
telegram url | https://api.telegram.org/bot{d10}:AA{w33}/getUpdates
teams webhook | https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
mattermost hook | mattermost personal access token {k26}
twilio | client = Client("AC{h32}", "{h32}")  # sid, auth token
twilio env | TWILIO_AUTH_TOKEN={h32}
sendgrid | SENDGRID_API_KEY=SG.{w22}.{w43}
mailgun | curl -s --user 'api:key-{h32}' https://api.mailgun.net/v3/domains
mailchimp | mailchimp api key {h32}-us14
resend | new Resend("re_{a8}_{a24}")
brevo | xkeysib-{h64}-{a16}
postmark | X-Postmark-Server-Token: {uuid}
stripe restricted | rk_live_{a24}
stripe webhook | endpointSecret = "whsec_{a32}"
stripe test | Stripe.api_key = 'sk_test_{a24}'
square | SQUARE_ACCESS_TOKEN=EAAA{w60}
paypal | PAYPAL_CLIENT_SECRET=E{w79}
razorpay | key_id rzp_live_{a14} key_secret {a24}
shopify | X-Shopify-Access-Token: shpat_{h32}
shopify app secret | SHOPIFY_API_SECRET=shpss_{h32}
plaid | access-production-{uuid}
braintree | privateKey: "{h32}", merchantId: "acme"
linear | LINEAR_API_KEY=lin_api_{a40}
notion | NOTION_TOKEN=ntn_{a46}
airtable | Airtable PAT: pat{a14}.{h64}
figma | X-Figma-Token: figd_{w40}
jira | jira.auth = ("ivan@example.org", "ATATT3xFfGF0{w170}={H8}")
bitbucket app password | git push https://ivan:ATBB{a32}@bitbucket.org/acme/app.git
trello | https://api.trello.com/1/members/me?key={h32}&token=ATTA{h72}
asana | ASANA_PAT=2/{d16}/{d16}:{h32}
hubspot | HUBSPOT_TOKEN=pat-eu1-{uuid}
postman | PMAK-{h24}-{h34}
sentry user token | sentry-cli --auth-token sntryu_{h64} releases list
datadog | DD_API_KEY={h32} DD_APP_KEY={h40}
newrelic | NEW_RELIC_USER_KEY=NRAK-{K27}
grafana sa | GRAFANA_TOKEN=glsa_{a32}_{h8}
dynatrace | Authorization: Api-Token dt0c01.{x24}.{x64}
pagerduty | Authorization: Token token={w20}
honeycomb | x-honeycomb-team: {a22}
splunk hec | curl -H "Authorization: Splunk {uuid}" https://splunk:8088/services/collector
doppler | DOPPLER_TOKEN=dp.st.prd.{a43}
vault unseal | Unseal Key 1: {b44}{n}Unseal Key 2: {b44}{n}Initial Root Token: hvs.{a24}
vault kv put | vault kv put secret/app db_password={a20}
consul | CONSUL_HTTP_TOKEN={uuid}
pulumi | PULUMI_ACCESS_TOKEN=pul-{h40}
databricks | dapi{h32}
tailscale | tailscale up --authkey tskey-auth-{a16}CNTRL-{a32}
ngrok | ngrok config add-authtoken 2{a26}_{a21}
wireguard | [Interface]{n}PrivateKey = {b43}={n}Address = 10.8.0.2/24
wireguard psk | PresharedKey = {b43}=
openvpn auth | auth-user-pass file:{n}ivan{n}{pw}
wifi nmcli | nmcli dev wifi connect HomeNet password {o12}
wpa supplicant | network={{n}  ssid="Office"{n}  psk="{pw}"{n}}
wifi qr | WIFI:T:WPA;S:Guest;P:{o10};;
cisco | snmp-server community {a14} RW
cisco enable | enable secret 0 {o10}
mikrotik | /ppp secret add name=ivan password={pw} service=l2tp
asterisk | [1001]{n}type=auth{n}auth_type=userpass{n}username=1001{n}password={o10}
rsa key | -----BEGIN RSA PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b40}={n}-----END RSA PRIVATE KEY-----
openssh key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW{n}{b70}{n}{b70}{n}-----END OPENSSH PRIVATE KEY-----
ec key | -----BEGIN EC PRIVATE KEY-----{n}MHcCAQEEI{b55}{n}{b64}{n}-----END EC PRIVATE KEY-----
pgp key | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{n}lQOY{b60}{n}{b64}{n}-----END PGP PRIVATE KEY BLOCK-----
putty ppk | Private-Lines: 1{n}{b64}{n}Private-MAC: {h64}
age | AGE-SECRET-KEY-1{K58}
eth key | PRIVATE_KEY=0x{h64}
eth cast | cast send --private-key 0x{h64} --rpc-url http://localhost:8545
seed phrase | seed phrase: gravity maple oyster tunnel fabric lonely crouch ribbon sunset panther velvet idle
solana keypair | wallet secret (base58) {a88}
jwk private | {"kty":"OKP","crv":"Ed25519","x":"{w43}","d":"{w43}"}
jwt bare | eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w80}.{w43}
jwt rs256 | id_token=eyJhbGciOiJSUzI1NiIsImtpZCI6Ij{a20}.eyJ{w200}.{w342}
totp uri | otpauth://totp/Acme:ivan@example.org?secret={x32}&issuer=Acme
totp prose | 2FA for the AWS root account, seed {x32}
totp oathtool | oathtool --totp -b {x16}
recovery codes | GitHub recovery codes:{n}{h5}-{h5}{n}{h5}-{h5}{n}{h5}-{h5}
recovery codes 2 | Google backup codes: {d4} {d4}, {d4} {d4}, {d4} {d4}
bitlocker | BitLocker recovery key: {d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}
filevault | FileVault recovery key {K4}-{K4}-{K4}-{K4}-{K4}-{K4}
windows product key | Product key: {K5}-{K5}-{K5}-{K5}-{K5}
jetbrains license | LICENSE_KEY={K10}-{b90}
1password secret key | Secret Key A3-{K6}-{K6}-{K5}-{K5}-{K5}-{K5}
1password service | OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{a200}
prose en 1 | The staging password is {pw}, please don't share.
prose en 2 | log in as admin with {pw} and open Settings
prose en 3 | I reset the root password of db2 to {o12} yesterday.
prose en 4 | Use {o10} as the password when the installer asks.
prose en 5 | user: operator / pass: {pw}
prose en 6 | creds for the test bench: tester:{o10}
prose en 7 | PIN for the door panel: {d6}
prose en 8 | The passphrase of the deploy key is "{pw}".
prose en 9 | sudo pw on the build box -> {o11}
prose en 10 | admin/{pw} works on the old switch
prose en 11 | Temporary password ({o10}) expires on Friday.
prose en 12 | Her mailbox opens with {pw}; IMAP host is mail.example.org. Password must be changed in May.
prose en 13 | The one-time code was {d6}, enter it within a minute
prose en 14 | shared secret between gateway and billing = {a32}
prose without digits | the password for the archive: {s14}
prose Cyrillic value | wifi password: {c12}
chat 1 | [10:42] anna: what's the vpn password?{n}[10:43] oleg: {pw}
chat 2 | <bob> psw for jump host is {o12} btw
chat 3 | **User:** here is my key: sk-proj-{w74}T3BlbkFJ{w74}{n}**Assistant:** Thanks, I will set it.
chat 4 | anna> token pls{n}oleg> glpat-{w20}
table row | | host | user | password |{n}|---|---|---|{n}| nas1 | admin | {pw} |
table row two | | Service | API key |{n}|---|---|{n}| weather | {h32} |
tsv | login	password{n}ivan	{o10}
csv | name,url,username,password{n}router,http://192.168.0.1,admin,{pw}
markdown bullet | - **Password:** \`{pw}\`
markdown bullet 2 | * Admin panel: https://panel.example.org, login \`root\`, password \`{o12}\`
markdown heading | ## API token{n}{n}\`\`\`{n}{w48}{n}\`\`\`
markdown next line | Password for the demo tenant:{n}{n}    {pw}
html input | <input type="hidden" name="api_secret" value="{h40}">
html comment | <!-- ftp login: web7, ftp password: {o10} -->
log line | 2025-03-02 11:20:01 DEBUG LoginService - authenticating user=ivan password={pw}
log token | INFO  refreshed access_token={w64} expires_in=3600
log request | GET /v1/report?api_key={h32}&from=2025-01-01 200 12ms
log query token | "GET /ws?access_token={w43} HTTP/1.1" 101
log env dump | env: NODE_ENV=production PORT=3000 COOKIE_SECRET={a32}
log argv | started: java -Dapp.secret={a40} -jar app.jar
stack trace | PDOException: could not connect, dsn=pgsql:host=db;user=app;password={a16}
bash history | 1021  export VAULT_TOKEN=hvs.{w90}
bash var | TOKEN=$(echo {base64:svc:[a20]} | base64 -d)
bash heredoc | cat > .env <<EOT{n}API_SECRET={a40}{n}EOT
bash default | PASS="{pw}"; for h in a b c; do ssh {S}h; done
powershell securestring | {S}sec = ConvertTo-SecureString "{pw}" -AsPlainText -Force
powershell credential | New-Object PSCredential("CORP\\svc", (ConvertTo-SecureString '{o12}' -AsPlainText -Force))
batch | psexec \\\\srv01 -u admin -p {o10} cmd
python | password = "{pw}"
python kwargs | conn = psycopg2.connect(host="db", user="app", password="{a16}")
python dict | AUTH = {"user": "robot", "pass": "{o12}"}
python requests | requests.get(url, auth=("api", "{a32}"))
python header | headers = {"Authorization": "Bearer {w64}"}
python smtplib | server.login("robot@example.org", "{l4} {l4} {l4} {l4}")  # gmail app password
python paramiko | ssh.connect("10.0.0.5", username="root", password="{o10}")
python fernet | f = Fernet(b"{w43}=")
python default | token = os.environ.get("API_TOKEN", "{h40}")
python jwt | jwt.encode(payload, "{a32}", algorithm="HS256")
javascript | const apiKey = '{a40}';
javascript object | axios.create({ headers: { 'X-Api-Key': '{h32}' } })
javascript fallback | const secret = process.env.JWT_SECRET || '{a32}';
javascript mysql | mysql.createConnection({ host: 'db', user: 'root', password: '{o12}' })
javascript express | app.use(session({ secret: '{w32}', resave: false }))
javascript firebase admin | admin.initializeApp({ credential: cert({ privateKey: "-----BEGIN PRIVATE KEY-----\\n{b64}\\n-----END PRIVATE KEY-----" }) })
typescript | private readonly clientSecret: string = "{w40}";
typescript test | await page.fill('#password', '{pw}');
java | private static final String DB_PASSWORD = "{pw}";
java builder | .withBasicAuth("svc", "{a20}")
java annotation | @Value("{a40}") String signingKey; // signing secret inlined
java properties set | props.put("sasl.jaas.config", "PlainLoginModule required username='k' password='{a24}';");
kotlin | val apiToken = "{h40}"
kotlin ktor | basicAuth("admin", "{pw}")
scala | val secretKey: String = "{b40}"
groovy | def nexusPassword = '{o12}'
csharp | var password = @"{pw}";
csharp credential | new NetworkCredential("svc_mail", "{o12}", "CORP")
csharp jwt key | new SymmetricSecurityKey(Encoding.UTF8.GetBytes("{a48}"))
vb | Const PWD As String = "{o10}"
go | const token = "{h40}"
go struct | cfg := Config{User: "app", Password: "{pw}"}
go basic auth | req.SetBasicAuth("ci", "{a24}")
go hmac | mac := hmac.New(sha256.New, []byte("{a32}"))
rust | let api_key = "{a40}";
rust const | const WEBHOOK_SECRET: &str = "{h64}";
c | #define WIFI_PASS "{o12}"
c char array | static const char *mqtt_password = "{pw}";
cpp | std::string authToken{"{w43}"};
arduino | WiFi.begin("HomeNet", "{o10}");
php | {S}password = '{pw}';
php array | 'smtp' => ['user' => 'robot', 'pass' => '{o12}'],
php pdo | new PDO('mysql:host=db;dbname=a', 'root', '{a14}');
ruby | config.secret_key = '{h128}'
ruby hash | ActionMailer::Base.smtp_settings = { user_name: 'apikey', password: 'SG.{w22}.{w43}' }
perl | my {S}dbh = DBI->connect("dbi:Pg:dbname=a", "app", "{o12}");
lua | ngx.req.set_header("Authorization", "Bearer {w64}")
elixir | config :app, AppWeb.Endpoint, secret_key_base: "{b64}"
clojure | {:db {:user "app" :password "{pw}"}}
swift | let apiSecret = "{a40}"
dart | const String kApiKey = 'AIza{w35}';
r | con <- dbConnect(RPostgres::Postgres(), user = "r", password = "{o12}")
matlab | opts = weboptions('Username','lab','Password','{pw}');
haskell | connectInfo = defaultConnectInfo { connectPassword = "{a16}" }
one c | Соединение = Новый HTTPСоединение("srv", 80, "robot", "{o10}");
one c string | Srvr="srv1c";Ref="erp";Usr="Администратор";Pwd="{o10}";
delphi | FDConnection1.Params.Password := '{pw}';
abap | lv_passwd = '{o12}'.
sap rfc | [DEST]{n}ASHOST=sap1{n}CLIENT=100{n}USER=RFC_BOT{n}PASSWD={o10}
solidity hardhat | accounts: ["0x{h64}"]
graphql | mutation { login(email: "a@example.org", password: "{pw}") { id } }
nginx | proxy_set_header X-Internal-Key {a32};
apache | SetEnv API_SECRET {h40}
haproxy | user admin insecure-password {o12}
caddy | header_up Authorization "Bearer {w48}"
prometheus | basic_auth:{n}  username: prom{n}  password: {a20}
alertmanager | smtp_auth_password: '{o12}'
redis conf | requirepass {a32}
rabbitmq cli | rabbitmqctl add_user worker {pw}
kafka | sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="etl" password="{a20}";
mqtt | mosquitto_pub -h broker -u sensor -P {o10} -t a -m 1
minio alias | mc alias set prod https://s3.corp.example {K20} {b40}
rclone | [gdrive]{n}type = drive{n}token = {"access_token":"ya29.{w120}","refresh_token":"1//0{w98}"}
s3cfg | access_key = {K20}{n}secret_key = {b40}
proxy url | export HTTPS_PROXY=http://ivan:{pw}@proxy.corp.example:3128
rtsp | rtsp://admin:{o10}@192.168.1.64:554/Streaming/Channels/101
ftp url | ftp://web7:{pw}@ftp.example.org/htdocs
ldap url bind | bind_dn=cn=svc,dc=corp bind_credentials={a16}
smtp url | MAILER_DSN=smtp://robot%40example.org:{a16}@smtp.example.org:587
sentry old dsn | https://{h32}:{h32}@sentry.example.org/4
signed cdn url | https://cdn.example.org/v/a.mp4?Expires=1999999999&Signature={a120}~&Key-Pair-Id=K{K13}
reset link | https://app.example.org/reset-password?token={w43}
magic link | Sign in: https://app.example.org/auth/magic?code={w64}
invite key | https://meet.example.org/j/{d10}?pwd={a32}
ical private | https://calendar.google.com/calendar/ical/me%40example.org/private-{h32}/basic.ics
url fragment | https://app.example.org/cb#access_token={w80}&token_type=bearer
oauth token call | curl -d 'grant_type=password&client_id=web&client_secret={a32}&username=u&password={pw}' https://idp.example.org/token
oauth refresh | {"access_token":"{w60}","refresh_token":"{w60}","expires_in":3599}
base64 blob | decode it: {base64:login=admin password=[pw]}
base64 kube | client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{b200}
kubeconfig token | users:{n}- name: admin{n}  user:{n}    token: {w60}
etcd | k8s aescbc:{n}  keys:{n}  - name: key1{n}    secret: {b43}=
kubeadm | kubeadm join 10.0.0.1:6443 --token {k6}.{k16} --discovery-token-ca-cert-hash sha256:{h64}
swarm | docker swarm join --token SWMTKN-1-{k50}-{k25} 10.0.0.1:2377
k3s | K3S_TOKEN=K10{h64}::server:{h32}
vagrant | config.vm.provision "shell", env: { "REG_PASS" => "{o12}" }
cloud-init | chpasswd:{n}  list: |{n}    root:{pw}
kickstart | rootpw --plaintext {o12}
unattend | <AdministratorPassword><Value>{pw}</Value><PlainText>true</PlainText></AdministratorPassword>
rdp | cmdkey /generic:TERMSRV/srv1 /user:CORP\\ivan /pass:{o10}
ipmi | ipmitool -I lanplus -H 10.0.9.4 -U ADMIN -P {U10} power status
vnc | x11vnc -passwd {o8} -display :0
mermaid note | A->>B: POST /login (pwd={o10})
toml uv index | [[tool.poetry.source]]{n}url = "https://token:{a40}@pypi.corp.example/simple"
vscode settings | "sqltools.connections": [{ "server": "db", "username": "app", "password": "{pw}" }]
twitch | PASS oauth:{k30}
dropbox | Dropbox access token sl.{w130}
contentful | CFPAT-{w43}
okta | Authorization: SSWS 00{w40}
easypost | EASYPOST_API_KEY=EZAK{a54}
shippo | shippo_live_{h40}
mapbox secret | mapboxgl secret token sk.eyJ1Ijoi{a50}.{w22}
algolia admin | algoliasearch("{K10}", "{h32}") // admin key
npm otp | npm publish --otp={d6}
github oauth | gho_{a36}
github refresh | refresh ghr_{a76}
typo key | passwrod: {pw}
camel | dbRootPwd: "{o12}"
kebab | admin-pass = {pw}
diff line | -  password: changeme{n}+  password: {a20}
git diff env | +STRIPE_KEY=sk_live_{a24}
todo | TODO rotate {w43} (old hub token), it leaked in build 412
hex key decl | AES_KEY = bytes.fromhex("{h64}")
encryption iv key | {S}key = hex2bin('{h64}');
pepper | PASSWORD_PEPPER: {b32}
license secret | license activation secret {K25}
split lines | login: admin{n}password:{n}  {pw}
arrow | root => {pw}  (password for the new VM)
parentheses | ssh deploy@web3 (password {o10})
yaml anchor | x-creds: &creds { user: app, password: {a18} }
onec web service | WSПрокси.Пользователь = "ws"; WSПрокси.Пароль = "{o12}";
`;
