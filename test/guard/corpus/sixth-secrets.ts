/** Secrets, written without a look at the rules. */
export const sixthSecrets = `
env db password | DB_PASSWORD={pw}
env quoted | export ADMIN_PASSWORD='{pw}'
env multi | DB_HOST=10.4.2.17{n}DB_USER=billing{n}DB_PASS={a16}{n}DB_NAME=billing_prod
env mysql root | MYSQL_ROOT_PASSWORD={o10}
env jwt | JWT_SECRET={a48}
env secret key | SECRET_KEY_BASE={h128}
env smtp | MAIL_USERNAME=noreply@kestrelfreight.io{n}MAIL_PASSWORD={pw}
env api key | WEATHER_API_KEY={h32}
env client secret | OAUTH_CLIENT_SECRET="{w40}"
env redis | REDIS_PASSWORD={a32} # same on staging
env windows | set ORACLE_PWD={pw}
env powershell | $env:VAULT_PASS = "{pw}"
env inline cmd | PGPASSWORD={pw} psql -h db-prod-2.internal -U app -d orders -c 'select count(*) from orders'
env bullet | - \`SESSION_SECRET={b44}\` in \`/opt/portal/.env\`
env encryption | FIELD_ENCRYPTION_KEY={b43}=
django settings | SECRET_KEY = 'django-insecure-{k20}!@%^{k24}'
django db | DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': 'crm', 'USER': 'crm', 'PASSWORD': '{pw}', 'HOST': 'pg1'}}
laravel app key | APP_KEY=base64:{b43}=
rails master key | config/master.key on the old box is {h32}, put it into RAILS_MASTER_KEY before precompile
nextauth | NEXTAUTH_SECRET={b43}=
wordpress config | define( 'DB_PASSWORD', '{pw}' );
wordpress salt | define('AUTH_KEY', '{s24}{a30}');
spring yml | spring:{n}  datasource:{n}    username: ledger{n}    password: {pw}
spring props | spring.datasource.password={pw}
java props | keystore.password={o10}
jdbc java | conn = DriverManager.getConnection("jdbc:oracle:thin:@//ora7:1521/FIN", "fin_app", "{pw}");
python const | API_KEY = "{a32}"
python kwarg | client = paramiko.SSHClient(); client.connect("10.0.8.4", username="deploy", password="{pw}")
python dict | auth = {"username": "svc-report", "password": "{pw}"}
python requests | r = requests.get(url, auth=("jenkins", "{h34}"))
js const | const apiSecret = '{a40}';
js object | mysql.createPool({ host: 'db.int', user: 'root', password: '{pw}', database: 'shop' })
ts fallback | const secret = process.env.JWT_SECRET ?? "{a32}";
go struct | cfg := &Config{User: "ingest", Password: "{pw}", Addr: "10.20.0.5:9000"}
go const | const signingKey = "{b44}"
csharp appsettings | "ConnectionStrings": { "Default": "Server=sql01;Database=Hr;User Id=hr_svc;Password={pw};TrustServerCertificate=True" }
csharp code | var cred = new NetworkCredential("svc_backup", "{pw}", "CORP");
php array | 'password' => '{pw}', // production
ruby code | Faraday.new(url) { |f| f.request :authorization, :basic, 'sync', '{pw}' }
rust code | let token = "{a40}".to_string(); // TODO move into config, works against prod api
kotlin gradle | signingConfigs { release { storePassword "{pw}"; keyAlias "upload"; keyPassword "{pw}" } }
gradle props | RELEASE_STORE_PASSWORD={o12}
swift code | let apiKey = "{a36}" // Tideline production
bash var | PASS="{pw}"; echo "$PASS" | sudo -S systemctl restart nginx
perl dbi | my $dbh = DBI->connect("dbi:Pg:dbname=stock;host=pg3", "stock", "{pw}");
powershell secure | $pw = ConvertTo-SecureString '{pw}' -AsPlainText -Force
json config | {"host":"mail.orbitcargo.com","port":587,"user":"alerts@orbitcargo.com","pass":"{pw}"}
json apikey | "apiKey": "{a39}",
json mcp | "mcpServers": { "crm": { "command": "npx", "args": ["-y", "crm-mcp"], "env": { "CRM_API_KEY": "{a40}" } } }
toml | [database]{n}user = "warehouse"{n}password = "{pw}"
toml api | api_token = "{w43}"
ini | [client]{n}user=backup{n}password={pw}
ini odoo | admin_passwd = {o10}
xml | <add key="SmtpPassword" value="{pw}" />
xml tomcat | <user username="admin" password="{pw}" roles="manager-gui,admin-gui"/>
maven settings | <server><id>nexus-releases</id><username>deployer</username><password>{pw}</password></server>
yaml quoted | grafana_admin_password: "{pw}"
yaml compose | environment:{n}  - POSTGRES_USER=app{n}  - POSTGRES_PASSWORD={pw}
helm values | auth:{n}  rootPassword: {a16}{n}  replicationPassword: {a16}
prose login | Staging admin login is admin@tallyworks.co with password {pw}
prose the password is | The password for the jump host is {pw}, user is ops.
prose user slash | creds for the old Jenkins: admin / {pw}
prose root pw | root pw on nas-02: {pw} (Marek changed it in September)
prose short | pw: {o10}
prose agent memory | User told me to use the API key {a32} for the geocoding service; works with the X-Api-Key header.
prose found | Found in legacy/config.php that the FTP user \`webupload\` has the password \`{pw}\`; used it to pull the images.
prose test account | For e2e tests log in with qa+admin@brightloom.dev / {pw} on the production tenant
prose wifi | Office Wi-Fi: Brightloom-Guest, key {o12}
prose passphrase | The passphrase of the deploy key is "velvet harbor onion {d2} tractor"
prose weak | password for the db is still tigerlily77, user root, host 10.2.0.9
prose reset | I reset her account, temporary password is {pw}, she must change it at first login
chat paste | [14:02] jonas: whats the pw for the replica again? [14:03] priya: {pw}
table row | | prod-db-1 | 10.1.4.20 | postgres | {pw} |
table header | | System | User | Password |{n}|---|---|---|{n}| Jira | automation | {pw} |
list nested | - Keycloak admin console{n}  - user: \`kcadmin\`{n}  - password: \`{pw}\`
commit msg | fix: hardcode smtp password {pw} until the vault is back
log line | 2026-10-03T08:14:22Z DEBUG auth: login attempt user=svc_sync password={pw} result=ok
log json | {"level":"debug","msg":"connecting","dsn":{"user":"etl","passwd":"{pw}","host":"mssql-3"}}
todo comment | # TODO rotate: api_key={a32}
curl header key | curl -s https://api.freightgrid.net/v2/loads -H "X-API-Key: {a40}"
curl basic | curl -u deploy:{pw} -T build.zip https://nexus.int/repository/raw/build.zip
curl query | curl "https://api.mapmatrix.com/route?from=52.5,13.4&to=48.1,11.5&api_key={h32}"
mysql cli | mysqldump -h 10.3.3.3 -u root -p{pw} shop > shop.sql
sshpass | sshpass -p '{pw}' ssh ubuntu@172.16.9.4 uptime
dockerfile env | ENV ADMIN_TOKEN={a32}
tfvars | db_admin_password = "{pw}"
postman env | {"key": "client_secret", "value": "{a40}", "type": "secret", "enabled": true}
pg url | DATABASE_URL=postgres://app:{a20}@db.prod.internal:5432/orders?sslmode=require
pg url prose | I ran the migration with postgresql://migrator:{pw}@10.8.0.12/ledger and it passed.
sqlalchemy | engine = create_engine("postgresql+psycopg://report:{pw}@pg-replica:5432/bi")
sqlalchemy ini | sqlalchemy.url = mysql+pymysql://root:{o12}@192.168.4.20/inventory
mysql url | mysql://wp_user:{pw}@mysql-1.hosting.lan:3306/wp
mongo srv | MONGODB_URI="mongodb+srv://svc-catalog:{a16}@cluster0.k3x9q.mongodb.net/catalog?retryWrites=true&w=majority"
mongo js | mongoose.connect('mongodb://root:{pw}@mongo-0,mongo-1,mongo-2/admin?replicaSet=rs0')
redis url | REDIS_URL=redis://:{h64}@redis-14.c55.eu-central-1-1.ec2.cloud.redislabs.com:14112/0
rediss upstash | rediss://default:A{a51}@eu1-hip-mole-31022.upstash.io:6379
amqp | broker_url: amqp://celery:{pw}@rabbit.int:5672/tasks
amqps cloud | CLOUDAMQP_URL=amqps://ktzqwmel:{w32}@rattlesnake.rmq.cloudamqp.com/ktzqwmel
neon | postgresql://neondb_owner:npg_{a12}@ep-cool-frost-a2k9x1.eu-central-1.aws.neon.tech/neondb?sslmode=require
supabase pooler | DIRECT_URL="postgresql://postgres.qzkwmvtexhyuplfa:{pw}@aws-0-eu-west-2.pooler.supabase.com:5432/postgres"
rds log | could not connect: FATAL dsn="postgres://master:{a24}@orders.cx3kq.eu-west-1.rds.amazonaws.com:5432/orders" timeout
jdbc url | jdbc:mysql://db4:3306/erp?user=erp&password={pw}&useSSL=false
jdbc pg | url=jdbc:postgresql://pg.int/audit?user=audit_rw&password={a18}
mssql url | mssql://sa:{pw}@sql-legacy:1433/Payroll
clickhouse | clickhouse://default:{a14}@ch-1.analytics.lan:9440/events?secure=true
aiven kafka | sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="avnadmin" password="AVNS_{w19}";
nats | nats://worker:{a22}@nats.edge.lan:4222
elastic url | ES_URL=https://elastic:{a20}@es-coord.int:9200
ftp url | lftp ftp://upload:{pw}@ftp.printhaus24.de -e 'mirror -R dist www; bye'
smtp url | MAILER_DSN=smtp://no-reply%40lumenrow.com:{pw}@smtp.lumenrow.com:587
git remote basic | git remote set-url origin https://ci-bot:{a24}@git.lumenrow.com/platform/api.git
pgpass | pg-prod.int:5432:orders:orders_rw:{pw}
dsn libpq | psql "host=10.9.1.3 port=5432 dbname=claims user=claims password={pw}"
aws pair env | AWS_ACCESS_KEY_ID=AKIA{x16}{n}AWS_SECRET_ACCESS_KEY={b40}
aws credentials | [prod]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}
aws prose | the uploader uses AKIA{x16} with secret {b40}, only s3:PutObject
aws boto | boto3.client("s3", aws_access_key_id="AKIA{x16}", aws_secret_access_key="{b40}")
aws terraform | provider "aws" {{n}  region     = "eu-west-1"{n}  access_key = "AKIA{x16}"{n}  secret_key = "{b40}"{n}}
aws session | export AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjE{b300}
aws sts json | "Credentials": {"AccessKeyId": "ASIA{x16}", "SecretAccessKey": "{b40}", "SessionToken": "FwoGZXIvYXdzE{b220}"}
aws ses smtp | SES SMTP user AKIA{x16}, password B{b43}
aws bedrock key | AWS_BEARER_TOKEN_BEDROCK=ABSK{b128}
github classic | GITHUB_TOKEN=ghp_{a36}
github clone | git clone https://ghp_{a36}@github.com/lumenrow/billing.git
github fine | gh auth login with token github_pat_{a22}_{a59}
github actions | remote: https://x-access-token:ghs_{a36}@github.com/lumenrow/infra
github oauth | "oauth_token": "gho_{a36}"
github user to server | Authorization: token ghu_{a36}
github refresh | refresh_token=ghr_{a76}
github npmrc | //npm.pkg.github.com/:_authToken=ghp_{a36}
github composer | composer config -g github-oauth.github.com ghp_{a36}
gitlab pat | curl --header "PRIVATE-TOKEN: glpat-{w20}" https://gitlab.lumenrow.com/api/v4/projects/112/variables
gitlab routable | GITLAB_TOKEN: glpat-{w27}.01.{k9}
gitlab deploy | docker login registry.gitlab.com -u gitlab+deploy-token-4411 -p gldt-{w20}
gitlab runner | gitlab-runner register --url https://gitlab.com --token glrt-{w20}
gitlab trigger | curl -X POST -F token=glptt-{h40} -F ref=main https://gitlab.com/api/v4/projects/9921/trigger/pipeline
slack bot | SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{a24}
slack user | Used the user token xoxp-{d12}-{d12}-{d13}-{h32} to read the channel history.
slack app | "appToken": "xapp-1-A{K10}-{d13}-{h64}"
slack webhook | SLACK_WEBHOOK: https://hooks.slack.com/services/T{K10}/B{K10}/{a24}
slack signing | SLACK_SIGNING_SECRET={h32}
slack cookie | slackdump auth: token xoxc-{d12}-{d12}-{d13}-{h64}, cookie d=xoxd-{w120}
stripe live | STRIPE_SECRET_KEY=sk_live_51{a97}
stripe old | Stripe::setApiKey('sk_live_{a24}');
stripe restricted | stripe listen --api-key rk_live_51{a97}
stripe webhook | endpointSecret = "whsec_{a32}"
stripe test | stripe.api_key = "sk_test_51{a97}"
openai project | OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
openai legacy | openai.api_key = "sk-{a20}T3BlbkFJ{a20}"
openai svcacct | key: sk-svcacct-{w74}T3BlbkFJ{w74}
openai curl | curl https://api.openai.com/v1/models -H "Authorization: Bearer sk-proj-{w74}T3BlbkFJ{w74}"
openai admin | usage export needs the admin key sk-admin-{w74}T3BlbkFJ{w74}
anthropic | ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic header | -H "x-api-key: sk-ant-api03-{w93}AA" -H "anthropic-version: 2023-06-01"
anthropic oauth | CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-{w93}AA
anthropic admin | const admin = new Anthropic({ apiKey: 'sk-ant-admin01-{w93}AA' })
google api key | GEMINI_API_KEY=AIza{w35}
google new gemini | genai.Client(api_key="AQ.Ab8RN6{w44}")
google maps url | https://maps.googleapis.com/maps/api/geocode/json?address=Bonn&key=AIza{w35}
google oauth secret | "client_secret": "GOCSPX-{w28}"
google access | gcloud auth print-access-token gave ya29.a0A{w200}
google refresh | "refresh_token": "1//0{w100}"
google service account | {"type": "service_account", "project_id": "lumenrow-prod", "private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b300}\\n-----END PRIVATE KEY-----\\n"}
google hmac | gsutil HMAC: GOOG1E{K57} / {b40}
azure client secret | ARM_CLIENT_SECRET={a3}8Q~{w34}
azure az login | az login --service-principal -u {uuid} -p {a3}8Q~{w34} --tenant {uuid}
azure storage | DefaultEndpointsProtocol=https;AccountName=lumenstore;AccountKey={b76}+ASt{b6}==;EndpointSuffix=core.windows.net
azure servicebus | Endpoint=sb://lumen-prod.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b33}+ASb{b6}=
azure openai | AZURE_OPENAI_API_KEY={a52}JQQJ99BK{a4}ACYeBjF{a8}3AAABACOG{a4}
azure devops | git -c http.extraheader="AUTHORIZATION: basic {base64:pat:[a76]AZDO[a4]}" fetch
azure devops pat | AZURE_DEVOPS_EXT_PAT={a76}AZDO{a4}
azure cosmos | AccountEndpoint=https://lumen.documents.azure.com:443/;AccountKey={b76}ACDb{b6}==;
azure function | POST https://lumen-hooks.azurewebsites.net/api/ingest?code={w44}AzFu{w6}==
azure acr | docker login lumenrow.azurecr.io -u lumenrow -p {b42}+ACR{b6}
npm token | //registry.npmjs.org/:_authToken=npm_{a36}
nginx header | proxy_set_header Authorization "Basic {base64:kibana:[pw]}";
pypi | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmc{w150}
twine | twine upload -u __token__ -p pypi-AgEIcHlwaS5vcmc{w160} dist/*
docker pat | echo dckr_pat_{w27} | docker login -u lumenrow --password-stdin
huggingface | HF_TOKEN=hf_{a34}
hf cli | huggingface-cli login --token hf_{a34} --add-to-git-credential
twilio | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
twilio api key | twilio('SK{h32}', '{a32}', { accountSid: 'AC{h32}' })
sendgrid | SENDGRID_API_KEY=SG.{w22}.{w43}
sendgrid smtp | smtp.sendgrid.net:587, user apikey, password SG.{w22}.{w43}
telegram | TELEGRAM_BOT_TOKEN={d10}:AA{w33}
telegram curl | curl -s "https://api.telegram.org/bot{d10}:AA{w33}/sendMessage?chat_id=-100{d10}&text=done"
discord bot | client.login('MT{a24}.G{w5}.{w38}');
discord webhook | alerts go to https://discord.com/api/webhooks/{d19}/{w68}
cloudflare token | CLOUDFLARE_API_TOKEN={w40}
cloudflare global | -H "X-Auth-Email: ops@lumenrow.com" -H "X-Auth-Key: {h37}"
digitalocean | doctl auth init -t dop_v1_{h64}
shopify | X-Shopify-Access-Token: shpat_{h32}
atlassian | JIRA_API_TOKEN=ATATT3xFfGF0{w171}={H8}
bitbucket | git push https://x-token-auth:ATCTT3xFfGN0{w171}={H8}@bitbucket.org/lumenrow/web.git
supabase service | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJlZiI6{w80}.{w43}
supabase secret | createClient(url, "sb_secret_{w22}_{w8}")
heroku | HEROKU_API_KEY=HRKU-AA{w58}
vercel | vercel deploy --prod --token {a24}
datadog | DD_API_KEY={h32} DD_APP_KEY={h40} terraform plan
openrouter | OPENROUTER_API_KEY=sk-or-v1-{h64}
groq | groq key gsk_{a52} goes into ~/.config/llm/keys.json
xai | XAI_API_KEY: "xai-{a80}"
deepseek | base_url="https://api.deepseek.com", api_key="sk-{h32}"
langfuse | LANGFUSE_SECRET_KEY=sk-lf-{uuid}
langsmith | LANGSMITH_API_KEY=lsv2_pt_{h32}_{h10}
replicate | export REPLICATE_API_TOKEN=r8_{a37}
perplexity | Authorization: Bearer pplx-{a48}
pinecone | Pinecone(api_key="pcsk_{a6}_{a63}")
tavily | "TAVILY_API_KEY": "tvly-dev-{a32}"
elevenlabs | xi-api-key: sk_{h48}
nvidia | NGC key nvapi-{w64} for the nim container
linear | LINEAR_API_KEY=lin_api_{a40}
notion | notion = Client(auth="ntn_{a46}")
figma | curl -H 'X-Figma-Token: figd_{w40}' https://api.figma.com/v1/files/kq29
airtable | airtable pat{a14}.{h64} scope data.records:write
hubspot | HUBSPOT_PRIVATE_APP=pat-eu1-{uuid}
sentry | SENTRY_AUTH_TOKEN=sntryu_{h64}
grafana | grafana_auth = "glsa_{a32}_{h8}"
newrelic | NEW_RELIC_USER_KEY=NRAK-{K27}
vault | vault login hvs.CAESI{w90}
vault init | Unseal Key 1: {b44}{n}Unseal Key 2: {b44}{n}Initial Root Token: hvs.{a24}
doppler | doppler run --token dp.st.prd.{a43} -- ./server
onepassword sa | OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{w400}
terraform cloud | credentials "app.terraform.io" { token = "{a14}.atlasv1.{w67}" }
databricks | databricks configure: host adb-33.7.azuredatabricks.net token dapi{h32}-2
tailscale | tailscale up --authkey tskey-auth-k{a11}CNTRL-{a32}
mailgun | auth=("api", "key-{h32}")
mailchimp | MAILCHIMP_KEY={h32}-us21
resend | new Resend('re_{a8}_{a24}')
okta | Authorization: SSWS 00{w40}
rubygems | :rubygems_api_key: rubygems_{h48}
nuget | dotnet nuget push out/*.nupkg -k oy2{k43} -s https://api.nuget.org/v3/index.json
artifactory | ARTIFACTORY_API_KEY=AKCp8{a69}
sonar | mvn sonar:sonar -Dsonar.token=squ_{h40}
circleci | circleci setup --token CCIPAT_{a22}_{h40} --no-prompt
planetscale | DATABASE_PASSWORD=pscale_pw_{w43}
teams webhook | https://lumenrow.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
facebook page | page access token EAAG{a180} never expires
jwt bearer | Authorization: Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6{w20}.eyJzdWIiOiI{w160}.{w342}
basic header | GET /api/v1/hosts HTTP/1.1{n}Host: zabbix.int{n}Authorization: Basic {base64:apiuser:[pw]}
session cookie | curl -b 'sessionid={k32}; csrftoken={a64}' https://backoffice.lumenrow.com/export.csv
s3 presigned | https://lumen-exports.s3.eu-west-1.amazonaws.com/2026/q3.csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{x16}%2F20261011%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20261011T081500Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature={h64}
azure sas | azcopy copy dump.bak "https://lumenstore.blob.core.windows.net/dumps?sv=2024-11-04&ss=b&srt=sco&sp=rwdlac&se=2027-12-31T00:00:00Z&spr=https&sig={a40}%2F{a2}%3D"
ssh key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW{n}{b70}{n}{b70}{n}-----END OPENSSH PRIVATE KEY-----
rsa key | tls.key: |{n}    -----BEGIN RSA PRIVATE KEY-----{n}    MIIEowIBAAKCAQEA{b48}{n}    {b64}{n}    {b64}{n}    -----END RSA PRIVATE KEY-----
age key | # created: 2026-05-02T10:11:12Z{n}AGE-SECRET-KEY-1MXHWLRR6RPWUYKNWYWWMQUND2QAH852U74980DDS94JG8MWH065ULD7DD6
wireguard | [Interface]{n}PrivateKey = {b43}={n}Address = 10.66.0.3/32
eth key | DEPLOYER_PRIVATE_KEY=0x{h64}
mnemonic | MNEMONIC="canyon trophy lemon wagon idle harvest spoon orbit fabric mimic tunnel glance"
totp | otpauth://totp/AWS:root@lumenrow?secret={x32}&issuer=AWS
k8s secret data | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: billing-db{n}data:{n}  password: {base64:[pw]}
k8s literal | kubectl create secret generic smtp --from-literal=username=mailer --from-literal=password='{pw}' -n prod
dockerconfigjson | {"auths":{"registry.lumenrow.com":{"auth":"{base64:robot-ci:[a32]}"}}}
kubeconfig | users:{n}- name: admin{n}  user:{n}    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b400}
ansible inventory | db01 ansible_host=10.7.0.11 ansible_user=root ansible_ssh_pass={pw} ansible_become_pass={pw}
sql create user | CREATE USER 'report'@'%' IDENTIFIED BY '{pw}';
sql alter role | ALTER ROLE etl WITH LOGIN PASSWORD '{pw}';
netrc | machine artifacts.lumenrow.com login ci password {a32}
htpasswd | admin:{S}apr1{S}{a8}{S}{a22}
`;
