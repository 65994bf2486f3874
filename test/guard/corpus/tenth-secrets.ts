/** Lines that hold a secret, written without a look at the rules. See template.ts. */
export const tenthSecrets = `
prose github pat | The release script failed with 403 until I exported GITHUB_TOKEN=ghp_{a36}, after that \`gh release create\` went through.
bullet github fine grained | - CI bot uses the fine-grained token github_pat_{a22}_{a59} (contents: write, expires in March)
env gitlab | GITLAB_HOST=gitlab.intern.example.net{n}GITLAB_TOKEN=glpat-{w20}
git remote with token | Remote is set to https://x-access-token:ghs_{a36}@github.com/northwind/api.git, so plain \`git push\` works.
git clone oauth2 gitlab | git clone https://oauth2:glpat-{w20}@gitlab.com/infra/terraform-modules.git
aws credentials file | [default]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}{n}region = eu-central-1
aws export | export AWS_ACCESS_KEY_ID=AKIA{x16}{n}export AWS_SECRET_ACCESS_KEY={b40}
aws prose | For the nightly backup the bucket user is AKIA{x16} and its secret key is {b40}; rotate before we go live.
aws yaml | storage:{n}  driver: s3{n}  bucket: prod-uploads{n}  accessKeyId: AKIA{x16}{n}  secretAccessKey: {b40}
aws session token | AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjE{b240}
slack bot prose | Slack posting works now. Bot token: xoxb-{d12}-{d13}-{a24}
slack user token json | { "slack": { "channel": "#deploys", "token": "xoxp-{d12}-{d12}-{d13}-{h32}" } }
slack app token bullet | * socket mode needs the app token too: xapp-1-A{K10}-{d13}-{h64}
slack webhook curl | curl -X POST -H 'Content-type: application/json' --data '{"text":"deploy done"}' https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
slack webhook yaml | alerts:{n}  slack_url: https://hooks.slack.com/services/T{K10}/B{K10}/{a24}{n}  severity: warning
stripe live env | STRIPE_SECRET_KEY=sk_live_{a24}{n}STRIPE_CURRENCY=eur
stripe long key prose | Found the live key still hard coded in billing/client.py line 14: sk_live_51{a97}
stripe restricted | - restricted key for the reporting job: rk_live_51{a97}
stripe webhook secret | STRIPE_WEBHOOK_SECRET=whsec_{a32}
stripe webhook prose | The webhook test only passes when the signing secret is whsec_{a32}, not the one of the CLI.
openai env | OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
openai old form prose | I used the key sk-{a20}T3BlbkFJ{a20} from the team account for the embeddings run.
anthropic env | ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic curl | curl https://api.anthropic.com/v1/messages -H "x-api-key: sk-ant-api03-{w93}AA" -H "anthropic-version: 2023-06-01" -d @body.json
google gemini python | genai.configure(api_key="AIza{w35}")
google gemini bullet | - Gemini key (billing on, server side only): AIza{w35}
google oauth client secret | GOOGLE_CLIENT_ID={d12}-{k32}.apps.googleusercontent.com{n}GOOGLE_CLIENT_SECRET=GOCSPX-{w28}
google refresh token prose | Calendar sync: the refresh token for the service mailbox is 1//0{w90}
google access token log | 2026-03-11 09:14:22 DEBUG oauth: got access_token=ya29.{w160} expires_in=3599
google service account json | {"type":"service_account","project_id":"fleet-prod","private_key_id":"{h40}","private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEv{b59}\\n{b64}\\n{b64}\\n-----END PRIVATE KEY-----\\n","client_email":"ci@fleet-prod.iam.gserviceaccount.com"}
huggingface login | huggingface-cli login --token hf_{a34}
huggingface prose | The gated model downloads fine with hf_{a34} (account ml-team).
replicate env | REPLICATE_API_TOKEN=r8_{a37}
groq yaml | providers:{n}  groq:{n}    model: llama-3.3-70b{n}    api_key: gsk_{a52}
xai env | XAI_API_KEY=xai-{a80}
perplexity bullet | - search fallback -> Perplexity, key pplx-{a48}
openrouter json | {"baseUrl":"https://openrouter.ai/api/v1","apiKey":"sk-or-v1-{h64}"}
deepseek env | DEEPSEEK_API_KEY=sk-{h32}
mistral env | MISTRAL_API_KEY={a32}
cohere python | co = cohere.Client("{a40}")
elevenlabs header | xi-api-key: sk_{h48}
tavily env | TAVILY_API_KEY=tvly-{a32}
pinecone js | const pc = new Pinecone({ apiKey: "pcsk_{a6}_{a63}" });
langfuse env | LANGFUSE_HOST=https://langfuse.intern.example.net{n}LANGFUSE_SECRET_KEY=sk-lf-{uuid}
langsmith env | LANGSMITH_TRACING=true{n}LANGSMITH_API_KEY=lsv2_pt_{h32}_{h10}
wandb shell | wandb login {h40}
wandb env | export WANDB_API_KEY={h40}
twilio env | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
twilio curl | curl -X POST https://api.twilio.com/2010-04-01/Accounts/$TWILIO_SID/Messages.json -u $TWILIO_SID:{h32} -d Body=test
sendgrid prose | Mails go out through SendGrid with SG.{w22}.{w43}; the old key was revoked in January.
sendgrid compose | services:{n}  mailer:{n}    environment:{n}      SENDGRID_API_KEY: SG.{w22}.{w43}
mailgun curl | curl -s --user 'api:key-{h32}' https://api.eu.mailgun.net/v3/mg.example.org/messages -F subject=hi
mailgun new env | MAILGUN_API_KEY={h32}-{h8}-{h8}
mailchimp env | MAILCHIMP_API_KEY={h32}-us21
postmark header | X-Postmark-Server-Token: {uuid}
postmark bullet | - Postmark server token is {uuid}, sender noreply@northwind.example
resend ts | const resend = new Resend("re_{a8}_{a24}");
brevo env | BREVO_API_KEY=xkeysib-{h64}-{a16}
digitalocean doctl | doctl auth init -t dop_v1_{h64}
digitalocean tf | provider "digitalocean" {{n}  token = "dop_v1_{h64}"{n}}
heroku env | HEROKU_API_KEY=HRKU-{uuid}
heroku netrc | machine api.heroku.com{n}  login ops@northwind.example{n}  password {uuid}
fly secret | fly deploy --access-token "FlyV1 fm2_{b180}"
vercel cli | vercel deploy --prod --token {a24}
netlify env | NETLIFY_AUTH_TOKEN=nfp_{a36}
netlify prose | Preview deploys use the personal token nfp_{a36} until we get a team account.
cloudflare curl | curl -H "Authorization: Bearer {w40}" https://api.cloudflare.com/client/v4/user/tokens/verify
cloudflare env | CLOUDFLARE_ACCOUNT_ID={h32}{n}CLOUDFLARE_API_TOKEN={w40}
cloudflare global key | headers: X-Auth-Email: ops@northwind.example, X-Auth-Key: {h37}
render env | RENDER_API_KEY=rnd_{a28}
railway env | RAILWAY_TOKEN={uuid}
supabase access | supabase link uses SUPABASE_ACCESS_TOKEN=sbp_{h40}
supabase service role | SUPABASE_SERVICE_ROLE_KEY={base64:["alg":"HS256","typ":"JWT"]}.{base64:["iss":"supabase","ref":"[l21]","role":"service_role","iat":1[d9]]}.{w43}
supabase secret key | - new style server key: sb_secret_{w31}
planetscale url | DATABASE_URL=mysql://{k20}:pscale_pw_{w43}@aws.connect.psdb.cloud/shop?sslaccept=strict
neon url | psql 'postgresql://neondb_owner:npg_{a12}@ep-quiet-sea-{k8}.eu-central-1.aws.neon.tech/neondb?sslmode=require'
upstash env | UPSTASH_REDIS_REST_URL=https://eu1-brave-cod-{d5}.upstash.io{n}UPSTASH_REDIS_REST_TOKEN=A{a54}Q
turso env | TURSO_AUTH_TOKEN={base64:["alg":"EdDSA","typ":"JWT"]}.{base64:["a":"rw","iat":1[d9],"id":"[w37]"]}.{w86}
mongodb srv prose | Staging Mongo is reachable at mongodb+srv://appuser:{a16}@cluster0.{k5}.mongodb.net/shop?retryWrites=true
mongodb env | MONGODB_URI=mongodb://root:{a20}@10.12.0.8:27017/admin
postgres prose | The migration connects to postgres://migrator:{a18}@db.prod.northwind.example:5432/orders and takes about 4 minutes.
postgres bullet | - prod replica: postgresql://readonly:{a16}@replica-2.intern:5432/crm
postgres sqlalchemy | engine = create_engine("postgresql+psycopg2://etl:{a14}@warehouse.intern:5432/dwh")
mysql compose | environment:{n}  MYSQL_USER: shop{n}  MYSQL_PASSWORD: {a16}{n}  MYSQL_DATABASE: shop
redis url | REDIS_URL=rediss://default:{a32}@redis-{d5}.c{d2}.eu-west-1-2.ec2.cloud.redislabs.com:{d5}
rabbitmq url | amqp://worker:{a22}@rabbit.prod.svc:5672/jobs is what the worker pods use
mssql dotnet | "ConnectionStrings": { "Default": "Server=sql01.corp.local;Database=Erp;User Id=svc_erp;Password={a15};TrustServerCertificate=True" }
jdbc properties | spring.datasource.url=jdbc:postgresql://db.prod:5432/core{n}spring.datasource.username=core{n}spring.datasource.password={a20}
jdbc url inline | jdbc:oracle:thin:billing/{a14}@//ora1.corp.local:1521/BILL
clickhouse curl | curl "https://ch.prod.example.net:8443/?query=SELECT%201&user=default&password={a24}"
elasticsearch basic | curl -k -u elastic:{a20} https://es01.intern:9200/_cluster/health
elasticsearch api key | Authorization: ApiKey {base64:[a20]:[w22]}
npmrc | //registry.npmjs.org/:_authToken=npm_{a36}
npm prose | Publishing works with the automation token npm_{a36}, no OTP asked.
npmrc private | registry=https://npm.corp.example/{n}//npm.corp.example/:_authToken={uuid}
pypi twine | TWINE_USERNAME=__token__ TWINE_PASSWORD=pypi-AgEIcHlwaS5vcmc{w150} twine upload dist/*
pypirc | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmc{w160}
cargo login | cargo login cio{a32}
nuget push | dotnet nuget push out/*.nupkg --api-key oy2{k43} --source https://api.nuget.org/v3/index.json
docker login | echo dckr_pat_{w27} | docker login -u northwindbot --password-stdin
docker config json | {"auths":{"registry.corp.example":{"auth":"{base64:deploy:[a24]}"}}}
telegram prose | The alert bot answers on token {d10}:AA{w33}, chat id -100{d10}.
telegram curl | curl "https://api.telegram.org/bot{d10}:AA{w33}/getMe"
discord bot env | DISCORD_TOKEN=MT{a24}.G{a5}.{w38}
discord webhook | DISCORD_WEBHOOK_URL=https://discord.com/api/webhooks/{d19}/{w68}
datadog env | DD_SITE=datadoghq.eu{n}DD_API_KEY={h32}
datadog helm | helm upgrade datadog datadog/datadog --set datadog.apiKey={h32} --set datadog.site=datadoghq.eu
newrelic env | NEW_RELIC_USER_KEY=NRAK-{K27}
grafana sa curl | curl -H "Authorization: Bearer glsa_{a32}_{h8}" https://grafana.intern/api/dashboards/home
grafana prose | Provisioning of dashboards uses service account token glsa_{a32}_{h8}.
sentry cli | SENTRY_AUTH_TOKEN=sntryu_{h64} sentry-cli releases new 2.4.1
snyk shell | snyk auth {uuid}
sonar cli | sonar-scanner -Dsonar.projectKey=shop -Dsonar.host.url=https://sonar.corp.example -Dsonar.token=sqp_{h40}
sonar env | SONAR_TOKEN=squ_{h40}
circleci prose | I triggered the pipeline by hand with Circle-Token: CCIPAT_{a22}_{h40}
buildkite env | BUILDKITE_API_TOKEN=bkua_{h40}
terraform cloud rc | credentials "app.terraform.io" {{n}  token = "{a14}.atlasv1.{w67}"{n}}
vault shell | export VAULT_ADDR=https://vault.corp.example:8200{n}export VAULT_TOKEN=hvs.{w92}
vault unseal log | Initial Root Token: hvs.{a24}{n}Success! Vault is initialized
doppler env | DOPPLER_TOKEN=dp.st.prd.{a43}
pulumi env | PULUMI_ACCESS_TOKEN=pul-{h40}
databricks cfg | [DEFAULT]{n}host = https://adb-{d16}.7.azuredatabricks.net{n}token = dapi{h32}
databricks prose | Job 4412 was started over the REST API with dapi{h32}-2, cluster came up after six minutes.
snowflake py | conn = snowflake.connector.connect(user="ETL_SVC", password="{a18}", account="nw{d5}.eu-central-1")
shopify env | SHOPIFY_STORE=northwind-demo.myshopify.com{n}SHOPIFY_ADMIN_TOKEN=shpat_{h32}
shopify header | X-Shopify-Access-Token: shpat_{h32}
plaid json | {"client_id":"{h24}","secret":"{h30}","env":"production"}
airtable bullet | - Airtable base import, PAT: pat{a14}.{h64}
notion env | NOTION_TOKEN=ntn_{d11}{a35}
notion old prose | Notion integration secret is secret_{a43}, shared with the "Roadmap" page only.
linear env | LINEAR_API_KEY=lin_api_{a40}
jira curl | curl -u bot@northwind.example:ATATT3xFfGF0{w170}={H8} https://northwind.atlassian.net/rest/api/3/myself
bitbucket app password | git clone https://nwbot:ATBB{a32}@bitbucket.org/northwind/legacy.git
figma env | FIGMA_TOKEN=figd_{w40}
algolia admin | ALGOLIA_APP_ID={K10}{n}ALGOLIA_ADMIN_KEY={h32}
posthog personal | POSTHOG_PERSONAL_API_KEY=phx_{a43}
okta env | OKTA_ORG_URL=https://northwind.okta.com{n}OKTA_API_TOKEN=00{w40}
auth0 yaml | auth0:{n}  domain: northwind.eu.auth0.com{n}  client_secret: {w64}
azure client secret | az login --service-principal -u {uuid} -p {a3}8Q~{a34} --tenant {uuid}
azure client secret prose | The app registration expired yesterday; the new client secret is {a3}8Q~{a34} and valid for 24 months.
azure storage conn | AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;AccountName=nwfiles;AccountKey={b86}==;EndpointSuffix=core.windows.net
azure servicebus | Endpoint=sb://nw-prod.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
azure sas | azcopy copy dump.bak "https://nwfiles.blob.core.windows.net/backups?sv=2024-11-04&ss=b&srt=co&sp=rwdl&se=2027-01-01T00:00:00Z&sig={a43}%3D"
azure openai env | AZURE_OPENAI_ENDPOINT=https://nw-oai.openai.azure.com/{n}AZURE_OPENAI_KEY={h32}
azure devops pat | AZURE_DEVOPS_EXT_PAT={k52}
tailscale up | sudo tailscale up --authkey tskey-auth-{a12}CNTRL-{a32} --hostname build-03
ngrok cfg | ngrok config add-authtoken {a27}_{a21}
wireguard conf | [Interface]{n}PrivateKey = {b43}={n}Address = 10.8.0.4/24
wireguard psk | PresharedKey = {b43}=
openssh private key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAA{b10}{n}{b70}{n}{b70}{n}{b44}{n}-----END OPENSSH PRIVATE KEY-----
rsa private key in note | Deploy key for the runner (put into /root/.ssh/id_rsa):{n}-----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}{n}{b64}{n}{b32}{n}-----END RSA PRIVATE KEY-----
ec private key | -----BEGIN EC PRIVATE KEY-----{n}MHcCAQEEI{b55}{n}{b64}{n}{b34}=={n}-----END EC PRIVATE KEY-----
private key in yaml | tls:{n}  key: |{n}    -----BEGIN PRIVATE KEY-----{n}    MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b32}{n}    {b64}{n}    {b64}{n}    -----END PRIVATE KEY-----
private key in env | APP_PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----\\nMIIEowIBAAKCAQEA{b48}\\n{b64}\\n{b64}\\n-----END RSA PRIVATE KEY-----"
pgp private block | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{n}lQVYBG{b58}{n}{b64}{n}{b64}{n}={b4}{n}-----END PGP PRIVATE KEY BLOCK-----
ethereum key env | DEPLOYER_PRIVATE_KEY=0x{h64}
ethereum key prose | Contract was deployed from the hot wallet, private key 0x{h64}, about 0.4 ETH left.
forge command | forge script script/Deploy.s.sol --rpc-url mainnet --private-key {h64} --broadcast
hetzner env | HCLOUD_TOKEN={a64}
scaleway yaml | scaleway:{n}  access_key: SCW{K17}{n}  secret_key: {uuid}
artifactory curl | curl -H "X-JFrog-Art-Api: AKCp8{a68}" https://artifactory.corp.example/api/system/ping
artifactory settings xml | <server><id>corp-releases</id><username>ci</username><password>AKCp8{a68}</password></server>
maven settings | <server>{n}  <id>nexus</id>{n}  <username>deployer</username>{n}  <password>{a18}</password>{n}</server>
gradle properties | nexusUser=deployer{n}nexusPassword={a20}
cloudinary url | CLOUDINARY_URL=cloudinary://{d15}:{w27}@northwind
deepl env | DEEPL_AUTH_KEY={uuid}:fx
openweather url | GET https://api.openweathermap.org/data/2.5/weather?q=Graz&appid={h32} -> 200
rails secret | SECRET_KEY_BASE={h128}
rails master key | config/master.key was missing on the server, I wrote {h32} into it and the boot went on.
django settings | SECRET_KEY = "django-insecure-{k50}"  # still used in prod settings
django prod env | DJANGO_SECRET_KEY={w50}
laravel env | APP_ENV=production{n}APP_KEY=base64:{b43}=
nextauth env | NEXTAUTH_URL=https://app.northwind.example{n}NEXTAUTH_SECRET={b43}=
jwt secret env | JWT_SECRET={h64}
jwt secret prose | Tokens are signed with HS256 and the secret {w43}, same on staging and production.
jwt signing go | var signingKey = []byte("{a48}")
session secret js | app.use(session({ secret: "{a32}", resave: false }));
fernet key | FERNET_KEY={w43}=
encryption key yaml | crypto:{n}  algorithm: aes-256-gcm{n}  encryption_key: {h64}
flask config | app.config["SECRET_KEY"] = "{h48}"
internal token bullet | - internal gateway wants header X-Internal-Token: {a40}
internal api key toml | [gateway]{n}url = "https://gw.corp.example"{n}api_key = "{a36}"
unknown prefix prose | The vendor sent us the live key nwq_live_{a40} by mail; it goes into the scheduler.
unknown key json | { "endpoint": "https://api.parcelhub.example/v2", "apiKey": "{a32}", "timeout": 30 }
unknown client secret | client_id: shop-backend{n}client_secret: {a40}
keycloak secret | Keycloak client \`portal\` has client secret {a32} (realm northwind).
oauth curl token | curl -d grant_type=client_credentials -d client_id=erp-sync -d client_secret={uuid} https://sso.corp.example/realms/nw/protocol/openid-connect/token
oauth log response | < {"access_token":"{w86}","token_type":"Bearer","expires_in":86400}
bearer jwt curl | curl -H "Authorization: Bearer {base64:["alg":"HS256","typ":"JWT"]}.{base64:["sub":"admin-[d6]","role":"owner","exp":1[d9]]}.{w43}" https://api.northwind.example/v1/users
bearer opaque prose | I tested the endpoint with \`Authorization: Bearer {a48}\` and got 200.
basic header | curl -s -H "Authorization: Basic {base64:deploy-bot:[a20]}" https://nexus.corp.example/v2/_catalog
session cookie log | > Cookie: sessionid={k32}; theme=dark
csrf session curl | curl -b 'connect.sid=s%3A{w32}.{a43}' https://admin.northwind.example/api/me
http log query | 10.0.3.7 - - [12/Feb/2026:08:14:01 +0000] "GET /export?api_key={h40} HTTP/1.1" 200 5123
log with token | 2026-01-20T07:55:10Z INFO  auth - refresh ok, refresh_token={w64}
debug dump env | [debug] env: NODE_ENV=production PORT=3000 PAYMENT_API_SECRET={a44} LOG_LEVEL=info
diff added key | diff --git a/.env b/.env{n}@@ -3,2 +3,2 @@{n}-MAIL_FROM=a@northwind.example{n}+MAIL_API_SECRET={h40}
diff removed key | -  token: ghp_{a36}{n}+  token: {S}{GITHUB_TOKEN}
dockerfile env | FROM node:22-alpine{n}ENV NPM_TOKEN=npm_{a36}{n}RUN npm ci
dockerfile arg | ARG PIP_EXTRA_INDEX_URL=https://reader:{a24}@pypi.corp.example/simple
docker run env | docker run -d --name api -e DB_PASSWORD={a16} -e PORT=8080 registry.corp.example/api:1.4
compose postgres | db:{n}  image: postgres:16{n}  environment:{n}    POSTGRES_PASSWORD: {a24}
k8s secret base64 | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: db{n}data:{n}  password: {base64:[a18]}
k8s secret stringdata | kind: Secret{n}stringData:{n}  api-token: {a40}
kubectl create secret | kubectl -n prod create secret generic mail --from-literal=smtp-password={a16}
kubeconfig token | users:{n}- name: admin{n}  user:{n}    token: {base64:["alg":"RS256","kid":"[w42]"]}.{base64:["iss":"kubernetes/serviceaccount","sub":"sys:admin:[l6]"]}.{w342}
k3s token | K3S_URL=https://10.0.0.4:6443 K3S_TOKEN=K10{h64}::server:{h32}
github actions env | env:{n}  NODE_ENV: test{n}  DEPLOY_TOKEN: {a40}
gitlab ci variables | variables:{n}  SSH_HOST: deploy.corp.example{n}  REGISTRY_PASSWORD: gldt-{w20}
jenkins curl | curl -X POST https://jenkins.corp.example/job/shop/build --user admin:11{h32}
ansible vars | # group_vars/prod.yml{n}db_user: shop{n}db_password: {a18}
terraform variable | variable "db_password" {{n}  default = "{a20}"{n}}
tfvars | cloudflare_zone = "northwind.example"{n}hcloud_token = "{a64}"
terraform aws provider | provider "aws" {{n}  access_key = "AKIA{x16}"{n}  secret_key = "{b40}"{n}}
sql create user | CREATE USER 'reporter'@'%' IDENTIFIED BY '{a16}';
sql alter role | ALTER ROLE app WITH PASSWORD '{a20}';
sql dump settings row | INSERT INTO settings (name, value) VALUES ('smtp_api_key', 'SG.{w22}.{w43}');
table services | | service | host | token |{n}|---|---|---|{n}| gitea | git.corp.example | {h40} |
table env keys | | Variable | Value |{n}| --- | --- |{n}| PAYMENT_SECRET | sk_live_{a24} |{n}| LOG_LEVEL | debug |
gitea prose | For mirroring I made a Gitea token: {h40}
forgejo curl | curl -H "Authorization: token {h40}" https://codeberg.org/api/v1/user
home assistant | Home Assistant long-lived token: {base64:["alg":"HS256","typ":"JWT"]}.{base64:["iss":"[h34]","iat":1[d9],"exp":2[d9]]}.{w43}
mqtt config | mqtt:{n}  broker: mqtt.home.lan{n}  username: sensor{n}  password: {a14}
smtp ini | [smtp]{n}host = smtp.eu.mailgun.org{n}user = postmaster@mg.northwind.example{n}pass = {h32}-{h8}-{h8}
gmail app password | Gmail app password for the reports mailbox: {l4} {l4} {l4} {l4}
aws ses smtp | SMTP_USERNAME=AKIA{x16}{n}SMTP_PASSWORD=B{b43}
minio mc | mc alias set backup https://s3.corp.example {K20} {a40}
s3cfg | access_key = {K20}{n}secret_key = {b40}
r2 prose | R2 bucket \`nw-assets\`: access key {h32}, secret {h64}, endpoint is the account one.
backblaze | B2_APPLICATION_KEY_ID=003{h22}{n}B2_APPLICATION_KEY=K003{b27}
restic env | RESTIC_REPOSITORY=s3:https://s3.corp.example/backups{n}RESTIC_PASSWORD={a32}
borg prose | The Borg repo was created with passphrase {a28}; without it the archives are lost.
chat quote key | > Jana: can you send me the prod key?{n}> Tom: sure, it's {a40}
chat quote german | Tom schrieb: "nimm für den Test den API-Key {h32}, der läuft erst im Mai ab"
german prose token | Der Deploy-Token für die Pipeline lautet {w40} und liegt jetzt auch im Vault.
french prose key | La clé API du fournisseur est {a36}, à ne pas committer.
spanish prose secret | El secreto del cliente OAuth es {a40}; lo puse en el .env del servidor.
ruby stripe | Stripe.api_key = 'sk_live_51{a97}'
php config | 'mailer' => ['dsn' => 'smtp://postmaster:{a24}@smtp.northwind.example:587'],
csharp appsettings | "Jwt": { "Issuer": "northwind", "SigningKey": "{b43}=" }
java constant | private static final String API_TOKEN = "{a40}";
kotlin local properties | sdk.dir=/opt/android{n}signing.storePassword={a14}
rust const | const ADMIN_TOKEN: &str = "{h48}";
powershell env | $env:ARM_CLIENT_SECRET = "{a3}8Q~{a34}"
fish set | set -gx OPENAI_API_KEY sk-proj-{w74}T3BlbkFJ{w74}
shell inline var | TOKEN={h40} ./scripts/sync.sh --since 2026-01-01
httpie | http POST https://api.northwind.example/jobs X-Api-Key:{a36} name=reindex
wget header | wget --header="PRIVATE-TOKEN: glpat-{w20}" https://gitlab.corp.example/api/v4/projects/12/repository/archive.tar.gz
websocket url | wss://stream.northwind.example/v1?token={a48} drops after 60 s of silence
claude mcp json | "mcpServers": { "github": { "command": "npx", "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_{a36}" } } }
gh hosts yml | github.com:{n}    user: nwbot{n}    oauth_token: gho_{a36}{n}    git_protocol: https
netrc github | machine github.com login nwbot password ghp_{a36}
todo comment | // TODO move to vault: const licenseSecret = "{a32}";
agent summary | Done: set up the webhook. Secret for the HMAC check is {h64} (same value in the Render dashboard). Next: retry logic.
agent handoff | Handoff: API is up on :8080, admin token {a32} was generated on first start, save it somewhere.
generated admin log | INFO  Bootstrapped admin API token: {uuid}.{a32}
argocd password log | $ argocd admin initial-password -n argocd{n}{a16}{n}{n} This password must be only used for first time login.
jupyter url | Jupyter runs at http://gpu-02.corp.example:8888/lab?token={h48}
n8n encryption | N8N_ENCRYPTION_KEY={a32}
hasura header | x-hasura-admin-secret: {a32}
`;
