/** Lines that hold a secret, written without a look at the rules. See template.ts. */
export const ninthSecrets = `
prose github classic pat | Pushed the branch with the token from the old laptop (ghp_{a36}), since \`gh auth login\` hung in the container.
prose openai project key | For the eval run I used the project key sk-proj-{w74}T3BlbkFJ{w74}; it has a limit of 20 dollars a month.
prose anthropic key | The integration tests only pass when ANTHROPIC_API_KEY is set. The user gave me sk-ant-api03-{w93}AA for this session.
bullet slack bot token | - Slack bot posts to #deploys with xoxb-{d12}-{d13}-{a24}
bullet stripe live | * Stripe: live key is \`sk_live_{a24}\`, webhooks go to /api/stripe/hook
bullet database password | - Staging DB: host \`db-stg.internal\`, user \`app_rw\`, password \`{a20}\`, port 5432
prose postgres url | Migrations have to be run against postgres://migrator:{a24}@pg-primary.prod.ridgeline.internal:5432/orders?sslmode=require, not against the pooler.
env openai | OPENAI_API_KEY=sk-proj-{w48}{n}OPENAI_MODEL=gpt-4o-mini
env several lines | NODE_ENV=production{n}PORT=3000{n}DATABASE_URL=postgresql://api:{a18}@10.4.2.17/api{n}LOG_LEVEL=info
env aws secret | AWS_REGION=eu-central-1{n}AWS_ACCESS_KEY_ID=AKIA{x16}{n}AWS_SECRET_ACCESS_KEY={b40}
env jwt secret hex | JWT_SECRET={h64}
env session secret export | export SESSION_SECRET='{w48}'
env nextauth | NEXTAUTH_URL=https://app.fieldnote.io{n}NEXTAUTH_SECRET={b43}=
env laravel | APP_NAME=Shopfront{n}APP_ENV=production{n}APP_KEY=base64:{b43}={n}APP_DEBUG=false
env django | DJANGO_SETTINGS_MODULE=core.settings.prod{n}SECRET_KEY="{a20}{s12}{a18}"
env twilio | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
env sendgrid | SENDGRID_API_KEY=SG.{w22}.{w43}
env mailgun | MAILGUN_DOMAIN=mg.parcelbird.com{n}MAILGUN_API_KEY={h32}-{h8}-{h8}
env redis url | REDIS_URL=rediss://default:{a32}@eu2-tidy-heron-31022.upstash.io:6379
env supabase service role | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJzZXJ2aWNlX3JvbGUi{w60}.{w43}
env encryption key | ENCRYPTION_KEY={h32}{n}# 32 chars, used by lib/crypto.ts for the stored refresh tokens
env smtp | SMTP_HOST=email-smtp.eu-west-1.amazonaws.com{n}SMTP_USER=AKIA{x16}{n}SMTP_PASS={b44}
env s3 minio | S3_ENDPOINT=https://minio.lan:9000{n}S3_ACCESS_KEY=backup-writer{n}S3_SECRET_KEY={a40}
env rails master | RAILS_MASTER_KEY={h32}
env cloudflare | CF_ACCOUNT_ID={h32}{n}CLOUDFLARE_API_TOKEN={w40}
env telegram | BOT_TOKEN={d10}:AA{w33}{n}ADMIN_CHAT_ID={d9}
env discord | DISCORD_TOKEN=MTE{a21}.G{a5}.{w38}
env google oauth secret | GOOGLE_CLIENT_ID={d12}-{k32}.apps.googleusercontent.com{n}GOOGLE_CLIENT_SECRET=GOCSPX-{w28}
env datadog | DD_SITE=datadoghq.eu{n}DD_API_KEY={h32}
env huggingface | HF_TOKEN=hf_{a34}
env groq comment | GROQ_API_KEY=gsk_{a52} # free tier, 30 rpm
env unknown provider | SEVDESK_API_TOKEN={h32}
env custom internal | BILLING_SERVICE_SHARED_SECRET={a44}
env with spaces | API_SECRET = "{a36}"
env windows set | set ARM_CLIENT_SECRET={a3}8Q~{w34}
env powershell | {S}env:AZURE_DEVOPS_EXT_PAT = "{k52}"
curl bearer | curl -s -H "Authorization: Bearer {a40}" https://api.internal.ridgeline.dev/v2/jobs | jq '.items[0]'
curl openai | curl https://api.openai.com/v1/models -H "Authorization: Bearer sk-proj-{w64}"
curl basic user | curl -u ci-bot:{a24} https://nexus.ridgeline.dev/repository/maven-releases/
curl api key header | curl -X POST 'https://api.parcelbird.com/v1/labels' -H 'X-API-Key: {a32}' -d @label.json
curl gitlab private token | curl --header "PRIVATE-TOKEN: glpat-{w20}" "https://gitlab.fieldnote.dev/api/v4/projects/412/pipelines"
curl slack webhook | curl -X POST -H 'Content-type: application/json' --data '{"text":"deploy done"}' https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
curl anthropic header | curl https://api.anthropic.com/v1/messages \\{n}  -H "x-api-key: sk-ant-api03-{w93}AA" \\{n}  -H "anthropic-version: 2023-06-01"
curl mailgun user | curl -s --user 'api:key-{h32}' https://api.mailgun.net/v3/mg.parcelbird.com/messages -F to=ops@parcelbird.com
curl cloudflare global | curl -X GET "https://api.cloudflare.com/client/v4/zones" -H "X-Auth-Email: ops@lumen.dev" -H "X-Auth-Key: {h37}"
git clone token | git clone https://x-access-token:ghs_{a36}@github.com/korvex/monolith.git
git remote gitlab | git remote set-url origin https://oauth2:glpat-{w20}@gitlab.com/lumen/firmware.git
git remote -v output | origin	https://deploy:{a30}@git.lumen.dev/infra/ansible.git (fetch)
docker login | docker login -u tidalhubci -p dckr_pat_{w27}
docker login stdin echo | echo "ghp_{a36}" | docker login ghcr.io -u brightmill-bot --password-stdin
npm config | npm config set //registry.npmjs.org/:_authToken npm_{a36}
npmrc file | @parcelbird:registry=https://npm.pkg.github.com{n}//npm.pkg.github.com/:_authToken=ghp_{a36}{n}always-auth=true
twine upload | TWINE_USERNAME=__token__ TWINE_PASSWORD=pypi-AgEIcHlwaS5vcmc{w140} twine upload dist/*
cargo login | cargo login cio{a32}
vault login | vault login hvs.{w90}
vault kv put | vault kv put secret/payments/adyen api_key={a48} merchant=NordkaiEU
gh auth stdin | gh auth login --with-token <<< "github_pat_{a22}_{a59}"
gh secret set | gh secret set DEPLOY_TOKEN --body "{a40}" --repo quillbox/web
heroku config | heroku config:set SESSION_KEY={h48} -a tidal-harbor
fly secrets | fly secrets set STRIPE_WEBHOOK_SECRET=whsec_{a32} --app shopfront
kubectl create secret | kubectl -n payments create secret generic adyen --from-literal=apiKey={a44}
helm set | helm upgrade --install grafana grafana/grafana --set adminPassword={a18} -n monitoring
aws configure | aws configure set aws_secret_access_key {b40} --profile staging
aws credentials file | [default]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}
aws session token | export AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjE{b220}
aws cli json output | {"AccessKey": {"UserName": "ci-deploy", "AccessKeyId": "AKIA{x16}", "Status": "Active", "SecretAccessKey": "{b40}"}}
psql pgpassword | PGPASSWORD={a16} psql -h pg.stg.ridgeline.dev -U reporting -d warehouse -c 'select count(*) from events'
pgpass line | db.fieldnote.dev:5432:warehouse:reporting:{a22}
mysql dump | mysqldump -h 10.0.3.8 -u backup -p'{a18}' shop > /backup/shop.sql
mongo srv | mongosh "mongodb+srv://svc-api:{a18}@cluster0.{k5}.mongodb.net/prod?retryWrites=true"
redis cli auth | redis-cli -h cache.prod -p 6380 -a {a32} --tls ping
sshpass | sshpass -p '{a14}' ssh deploy@10.0.0.40 'systemctl restart api'
kubeadm join | kubeadm join 10.20.0.4:6443 --token {k6}.{k16} --discovery-token-ca-cert-hash sha256:{h64}
tailscale up | sudo tailscale up --authkey tskey-auth-k{a12}CNTRL-{a32} --hostname build-3
terraform cloud cli | credentials "app.terraform.io" {{n}  token = "{a14}.atlasv1.{w67}"{n}}
terraform provider | provider "hcloud" {{n}  token = "{a64}"{n}}
terraform variable default | variable "db_password" {{n}  type    = string{n}  default = "{a24}"{n}}
terraform tfvars | region         = "fra1"{n}do_token       = "dop_v1_{h64}"{n}droplet_size   = "s-2vcpu-4gb"
terraform rds | resource "aws_db_instance" "main" {{n}  engine   = "postgres"{n}  username = "root_app"{n}  password = "{a20}"{n}}
yaml k8s secret stringData | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: smtp{n}stringData:{n}  password: {a24}
yaml k8s secret base64 | apiVersion: v1{n}kind: Secret{n}type: Opaque{n}data:{n}  DB_PASSWORD: {base64:[a24]}
yaml compose environment | services:{n}  db:{n}    image: postgres:16{n}    environment:{n}      POSTGRES_USER: tracker{n}      POSTGRES_PASSWORD: {a24}
yaml compose list style | services:{n}  web:{n}    environment:{n}      - RAILS_ENV=production{n}      - SECRET_KEY_BASE={h128}
yaml github workflow hardcoded | jobs:{n}  publish:{n}    steps:{n}      - run: npm publish{n}        env:{n}          NODE_AUTH_TOKEN: npm_{a36}
yaml gitlab ci vars | variables:{n}  SONAR_HOST_URL: https://sonar.lumen.dev{n}  SONAR_TOKEN: sqp_{h40}
yaml ansible | - hosts: db{n}  vars:{n}    mariadb_root_password: "{a22}"{n}    mariadb_port: 3306
yaml spring | spring:{n}  datasource:{n}    url: jdbc:postgresql://db.korvex.dev:5432/ledger{n}    username: ledger{n}    password: {a20}
yaml rails database | production:{n}  adapter: mysql2{n}  host: 10.1.1.9{n}  username: shop{n}  password: {a18}
yaml alertmanager | receivers:{n}  - name: ops{n}    pagerduty_configs:{n}      - routing_key: {h32}
yaml helm values | ingress:{n}  enabled: true{n}oauth2Proxy:{n}  clientID: grafana{n}  clientSecret: {a32}{n}  cookieSecret: from-vault
yaml prometheus | scrape_configs:{n}  - job_name: gitea{n}    bearer_token: {h40}{n}    static_configs:{n}      - targets: ['gitea:3000']
yaml kubeconfig | users:{n}- name: admin@lab{n}  user:{n}    token: eyJhbGciOiJSUzI1NiIsImtpZCI6I{w40}.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50{w120}.{w342}
json service account | {"type": "service_account", "project_id": "tidalhub-prod", "private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b32}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b24}=\\n-----END PRIVATE KEY-----\\n"}
json docker config | {"auths": {"registry.brightmill.dev": {"auth": "{base64:robot:[a32]}"}}}
json config api key | {{n}  "mailer": {{n}    "provider": "postmark",{n}    "serverToken": "{uuid}"{n}  }{n}}
json mcp server | {"mcpServers": {"github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"], "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "github_pat_{a22}_{a59}"}}}}
json appsettings | {"ConnectionStrings": {"Default": "Server=tcp:parcelbird-sql.database.windows.net,1433;Database=orders;User ID=svc_orders;Password={a22};Encrypt=True;"}}
json azure storage | "AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=nordkailogs;AccountKey={b86}==;EndpointSuffix=core.windows.net"
json token response | {"access_token":"{w86}","token_type":"Bearer","expires_in":3600,"scope":"read write"}
json refresh token | {"refresh_token": "1//0{w100}", "client_id": "desktop", "type": "authorized_user"}
toml pypirc like | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmcCJD{w130}
toml config section | [upstream]{n}url = "https://core.lumen.dev"{n}api_token = "{a40}"{n}timeout = 30
toml streamlit | [connections.snowflake]{n}account = "xy12345.eu-west-1"{n}user = "DASH_RO"{n}password = "{a20}"
ini my.cnf | [client]{n}host=10.0.3.8{n}user=backup{n}password={a20}
ini wireguard | [Interface]{n}Address = 10.8.0.2/24{n}PrivateKey = {b43}=
ini supervisor | [program:worker]{n}command=/opt/app/worker{n}environment=BROKER_URL="amqp://jobs:{a22}@mq.quillbox.dev:5672/prod"
ini grafana | [auth.generic_oauth]{n}enabled = true{n}client_id = grafana{n}client_secret = {a32}
netrc | machine api.github.com login ridgeline-bot password ghp_{a36}
xml maven settings | <server><id>fieldnote-releases</id><username>ci</username><password>{a26}</password></server>
properties spring | spring.mail.username=noreply@lumen.dev{n}spring.mail.password={l16}
properties keystore | storeFile=release.jks{n}storePassword={a20}{n}keyAlias=upload
pem rsa | -----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b44}{n}-----END RSA PRIVATE KEY-----
pem openssh | Deploy key for the runner:{n}{n}-----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW{n}{b70}{n}{b70}{n}{b60}{n}-----END OPENSSH PRIVATE KEY-----
pem ec | \`\`\`{n}-----BEGIN EC PRIVATE KEY-----{n}MHcCAQEEI{b55}{n}oAoGCCqGSM49AwEHoUQDQgAE{b40}{n}{b46}=={n}-----END EC PRIVATE KEY-----{n}\`\`\`
pem pkcs8 apple | AuthKey_{K10}.p8:{n}-----BEGIN PRIVATE KEY-----{n}MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg{b16}{n}{b64}{n}{b64}{n}{b8}{n}-----END PRIVATE KEY-----
pem one line env | GITHUB_APP_PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----\\nMIIEowIBAAKCAQEA{b48}\\n{b64}\\n{b64}\\n-----END RSA PRIVATE KEY-----\\n"
age key | # created: 2025-03-11T09:22:41+01:00{n}# public key: age1{k58}{n}AGE-SECRET-KEY-1{K58}
jwk private | {"kty":"EC","crv":"P-256","kid":"sig-2024","x":"{w43}","y":"{w43}","d":"{w43}"}
ethereum private key | DEPLOYER_PRIVATE_KEY=0x{h64}
dockerfile env | FROM node:20-slim{n}ENV NODE_ENV=production{n}ENV SENTRY_AUTH_TOKEN=sntrys_{w120}{n}RUN npm ci && npm run build
dockerfile arg | ARG GH_TOKEN=ghp_{a36}{n}RUN git config --global url."https://{S}{GH_TOKEN}@github.com/".insteadOf "https://github.com/"
dockerfile pip index | RUN pip install --extra-index-url https://ci:{a28}@pypi.korvex.dev/simple korvex-core==2.4.1
code python requests | resp = requests.get(f"{BASE}/orders", headers={"Authorization": "Token {h40}"})
code python openai client | client = OpenAI(api_key="sk-{a20}T3BlbkFJ{a20}")
code python boto3 | s3 = boto3.client("s3", aws_access_key_id="AKIA{x16}", aws_secret_access_key="{b40}")
code python sqlalchemy | engine = create_engine("postgresql+psycopg2://etl:{a20}@warehouse.tidalhub.dev/dwh")
code python fernet | FERNET_KEY = b"{w43}="
code python flask | app.config["SECRET_KEY"] = "{h48}"
code js const | const API_KEY = "{a40}"; // TODO move to env before merging
code ts fetch | await fetch(\`{S}{base}/v1/run\`, { headers: { "X-Api-Key": "{a36}" } });
code js stripe | const stripe = new Stripe("sk_live_{a99}", { apiVersion: "2024-06-20" });
code js jwt sign | const token = jwt.sign({ sub: user.id }, "{a48}", { expiresIn: "1h" });
code js mysql pool | const pool = mysql.createPool({ host: "10.2.0.5", user: "shop", password: "{a18}", database: "shop" });
code go const | const telegramToken = "{d10}:AA{w33}"
code go basic auth | req.SetBasicAuth("svc-export", "{a26}")
code java | private static final String CLIENT_SECRET = "{a40}";
code php define | define('DB_PASSWORD', '{a20}');
code ruby | Aws.config.update(credentials: Aws::Credentials.new("AKIA{x16}", "{b40}"))
code rust | let auth = format!("Bearer {}", "{a48}"); // hard coded until config lands
code c esp32 | #define MQTT_PASS "{a16}"{n}#define MQTT_HOST "mq.lan"
code bash var | API_TOKEN="{a40}"{n}for id in 1 2 3; do curl -sH "Authorization: Bearer {S}API_TOKEN" "{S}HOST/items/{S}id"; done
sql create user | CREATE USER exporter WITH PASSWORD '{a20}';
sql alter role | ALTER ROLE app_rw PASSWORD '{a24}'; -- done on stg, prod still open
sql mysql identified | GRANT ALL ON shop.* TO 'shop'@'10.%' IDENTIFIED BY '{a18}';
sql insert api key | INSERT INTO api_keys (name, secret, active) VALUES ('partner-dhl', '{a40}', true);
table markdown keys | | Service | Key |{n}|---|---|{n}| Resend | re_{a8}_{a24} |{n}| Status page | none needed |
table markdown env | | env | host | user | password |{n}|-----|------|------|----------|{n}| stg | db1.stg | app | {a18} |
table one row | | \`WEBHOOK_SECRET\` | \`{h40}\` | signs outgoing events |
log debug header | 2025-02-11 14:02:51 DEBUG http.client > GET /v1/me Authorization: Bearer {a43}
log request url | 10:41:07 INFO  fetching https://api.wetterkanal.net/v2/forecast?station=10384&apikey={h32}
log env dump | [entrypoint] starting with DB_HOST=pg DB_USER=app DB_PASSWORD={a22} DB_NAME=app
log error connection | sqlalchemy.exc.OperationalError: could not connect to "postgresql://svc:{a22}@pg-stg.brightmill.dev:5432/app": timeout expired
log initial password | GitLab: initial root password generated: {b43}=
log jenkins setup | Jenkins initial setup is required. Please use the following password to proceed to installation:{n}{n}{h32}
log argocd | \`kubectl -n argocd get secret argocd-initial-admin-secret\` decoded to {a16}, log in as admin with it
diff removed key | diff --git a/config.py b/config.py{n}-API_KEY = "{a40}"{n}+API_KEY = os.environ["API_KEY"]
diff added key | @@ -3,6 +3,7 @@{n} REGION=eu{n}+HONEYCOMB_API_KEY=hcaik_{k58}{n} SAMPLE=0.1
diff yaml rotate | -  token: {h40}{n}+  tokenFrom: vault
header authorization basic | Authorization: Basic {base64:integration:[a24]}
header cookie session | Cookie: sessionid={k32}; theme=dark; lang=de
header set-cookie jwt | Set-Cookie: auth=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1aWQiOjQyLCJyb2xlIjoiYWRtaW4iLCJleHAi{w24}.{w43}; HttpOnly; Path=/
header http file | GET https://api.parcelbird.dev/v1/tenants HTTP/1.1{n}Accept: application/json{n}X-Auth-Token: {a40}
chat quote user | User: "here is the key, use it for the import: {a40}"
chat quote slack | > @marc: the new prod API token is \`{h48}\`, the old one dies on Friday
chat quote german | > Der neue Token für die Schnittstelle lautet {a36}, bitte nur auf dem Testserver verwenden.
chat quote assistant | Assistant: I added the key (sk-or-v1-{h64}) to \`.env.local\` and restarted the dev server.
prose decision note | Decision 2025-04-02: we keep the legacy importer. It authenticates with api key {h32} against the ERP and needs no VPN.
prose handover | Handover for the next session: tests green, deploy blocked. The deploy token is {a32}; \`make deploy TOKEN=…\` takes it.
prose workaround | Workaround until SSO works: log in to Grafana with the service account token glsa_{a32}_{h8}.
prose webhook secret | The webhook signature failed because the secret in the dashboard (whsec_{b32}) differs from the one in .env.
prose root cause | Root cause: the worker still used the revoked key. Replaced by NRAK-{K27} in /etc/newrelic-infra.yml.
prose azure client secret | App registration \`nordkai-sync\` got a new client secret, {a3}8Q~{w34}, valid until 2026-01.
prose basic credentials | To reach the staging site you need HTTP basic auth: user preview, password {a16}.
prose db credentials parentheses | The read replica (reporter / {a20}) accepts connections only from the office network.
prose token in url | Opening https://ci.quillbox.dev/job/web/build?token={h32} starts a build without logging in.
prose invite link sas | Uploaded the dump to https://ridgelinelogs.blob.core.windows.net/tmp/dump.gz?sv=2023-11-03&sr=b&sp=r&se=2026-05-01T00%3A00%3A00Z&sig={a41}%2B%3D
prose replicate | Image generation goes through Replicate with r8_{a37}, about 0.4 cents per picture.
prose totp secret | The 2FA secret of the shared npm account is {x32} (add it to any authenticator app).
prose signing secret | Slack signing secret for the app "Releasebot": {h32}
prose aws secret alone | IAM user ci-deploy, secret access key {b40}, only allowed to write to the artifacts bucket.
prose hetzner | Hetzner Cloud token (project "lab"): {a64}
prose vercel | Vercel token for the CLI is {a24}, scope "fieldnote-team".
prose keycloak | In Keycloak the client \`backoffice\` has the client secret {a32}; redirect URIs are fixed now.
prose algolia admin | Reindexing needs the Algolia admin API key, which is {h32}, the search key is not enough.
prose restic repo | The restic repository password is {a28}, without it the backups are lost.
prose unnamed service | The label printer's cloud wants a token on each call; ours is \`{w48}\`.
prose two sentences | Fixed the 401. It was the wrong password for svc_sync; the right one is {a20}.
prose passphrase ssh | The SSH key of the build agent is encrypted, its passphrase is \`{a22}\`.
prose heroku | Heroku API key HRKU-{uuid} belongs to the shared ops account.
prose key in backticks | Use \`x-functions-key: {w54}==\` when calling the ingest function.
prose discord webhook | Alerts land in Discord via https://discord.com/api/webhooks/{d18}/{w68}
prose cloud run id token | I tested it with a fresh token: eyJhbGciOiJSUzI1NiIsImtpZCI6I{w44}.eyJhdWQiOiJodHRwczovL2FwaS5hY21l{w160}.{w342}
prose pinecone | Pinecone index \`docs-v2\` is empty until the job runs; key pcsk_{a6}_{a63}.
prose langsmith | Tracing is on: LangSmith key lsv2_pt_{h32}_{h10}, project "triage-agent".
prose tavily | Web search tool uses tvly-dev-{a32}.
prose airtable | Airtable sync reads base app{a14} with pat{a14}.{h64}
prose notion | Notion integration "Roadmap export" → token ntn_{d11}{a35}
prose figma | Export icons with the Figma token figd_{w40} (read only, expires in August).
bullet jira | - Jira: agent@lumen.dev with API token ATATT3xFfGF0{w168}={H8}
bullet shopify | - Shopify Admin API access token: shpat_{h32}
bullet hubspot | - HubSpot private app token **pat-eu1-{uuid}** (scopes: contacts read)
bullet gitea | - Gitea token for mirror script: {h40}
bullet sonar | * SonarQube: https://sonar.korvex.dev, token squ_{h40}
bullet nested | - Staging{n}  - URL: https://stg.fieldnote.io{n}  - Admin user: admin@fieldnote.io{n}  - Admin password: {a16}
bullet bold password | - **Password:** {a18}
bullet checkbox | - [x] rotate Mailchimp key → {h32}-us21{n}- [ ] tell marketing
bullet brevo | - Brevo SMTP key: xsmtpsib-{h64}-{a16}
bullet proxy | - Scraper proxy: http://cust-tidalhub-eu:{a16}@gate.proxyhive.net:7000
bullet elasticsearch | - ES: https://elastic:{a20}@es.brightmill.dev:9200, index \`logs-*\`
bullet rabbit | - RabbitMQ management: http://mq.parcelbird.dev:15672, login jobs, pw {a18}
bullet ftp | - SFTP of the customer: sftp.kundenwerk.de, user nordkai_in, password {a14}
bullet service key colon | - service key: {a48}
bullet databricks | - Databricks: host https://dbc-{h8}-{h4}.cloud.databricks.com, token dapi{h32}
bullet wandb | - W&B login key {h40}, entity quillbox-ml
bullet openweather | - weather API key -> {h32}
bullet planetscale | - PlanetScale branch \`dev\`: user {k20}, password pscale_pw_{w43}
bullet pulumi | - Pulumi access token pul-{h40} in ~/.pulumi/credentials.json
bullet splunk | - Splunk HEC token {uuid}, index main
numbered steps | 1. ssh to bastion{n}2. export VAULT_TOKEN=hvs.{w90}{n}3. run ./unseal.sh
numbered login | 1. Open https://admin.ridgeline.dev{n}2. Log in as root@ridgeline.dev with {a16}{n}3. Enable the flag \`new-checkout\`
heading credentials | ## Credentials{n}{n}ERP API{n}: user \`sync\`{n}: secret \`{a32}\`
heading env vars | ### Environment{n}{n}\`STRAPI_ADMIN_JWT_SECRET\`: \`{b22}==\`
code block bash | Deploy like this:{n}{n}\`\`\`bash{n}export NETLIFY_AUTH_TOKEN=nfp_{a36}{n}netlify deploy --prod{n}\`\`\`
code block yaml | The values file on the server:{n}{n}\`\`\`yaml{n}redis:{n}  auth:{n}    password: {a28}{n}\`\`\`
code block json | \`\`\`json{n}{ "apiKey": "{a40}", "baseUrl": "https://core.lumen.dev" }{n}\`\`\`
code block http | \`\`\`http{n}POST /oauth/token{n}{n}grant_type=client_credentials&client_id=fieldnote-sync&client_secret={a40}{n}\`\`\`
french prose token | Le jeton d'accès de l'API interne est {a40}, à renouveler en juin.
french env comment | # clé secrète du service de paiement{n}PAIEMENT_CLE_SECRETE={a40}
german bullet api | - API-Schlüssel für den Versanddienst: {h32}
german prose db | Die Datenbank auf dem Testsystem erreicht man mit Benutzer \`leser\` und Passwort \`{a16}\`.
spanish prose | La clave de la API de facturación es {a36}; no funciona en el entorno de pruebas.
italian prose | Il token del bot di Telegram è {d10}:AA{w33}.
dutch bullet | - Wachtwoord van de testdatabase: {a16}
portuguese prose | A senha do banco de homologação é {a16}, usuário \`leitura\`.
russian prose | Токен для деплоя: {a40}, действует до конца года.
crontab | 15 3 * * * B2_APPLICATION_KEY_ID=00{h23} B2_APPLICATION_KEY=K00{b28} /usr/local/bin/backup.sh
systemd | [Service]{n}Environment=API_AUTH_TOKEN={a40}{n}ExecStart=/opt/lumen/bin/agent
systemd paste cli arg | ExecStart=/usr/bin/cloudflared tunnel run --token eyJhIjoi{w160}
nginx proxy header | proxy_set_header Authorization "Bearer {a44}";
jdbc url param | jdbc:mysql://10.0.3.8:3306/shop?user=shop&password={a18}&useSSL=true
service bus | Endpoint=sb://korvex-bus.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
cosmos | AccountEndpoint=https://tidalhub.documents.azure.com:443/;AccountKey={b86}==;
app insights like unknown | ingest.endpoint=https://in.logs.brightmill.dev{n}ingest.key={a32}
clickhouse cli | clickhouse-client --host ch.parcelbird.dev --secure --user etl --password {a24} --query "show tables"
az login | az login --service-principal -u {uuid} -p {a3}8Q~{w34} --tenant {uuid}
gcloud print token | {S} gcloud auth print-access-token{n}ya29.a0A{w200}
aws ecr login | {S} aws secretsmanager get-secret-value --secret-id prod/api --query SecretString{n}"{\\"username\\":\\"api\\",\\"password\\":\\"{a32}\\"}"
cat env output | {S} cat .env.production{n}SITE_URL=https://fieldnote.io{n}COOKIE_SECRET={a40}
printenv grep | {S} printenv | grep -i token{n}GITLAB_TOKEN=glpat-{w20}
httpie | http POST https://api.nordkai.dev/v1/sync 'Authorization:Bearer {h64}' full:=true
wget | wget --header="X-JFrog-Art-Api: AKCp{a69}" https://quillbox.jfrog.io/artifactory/libs/core.jar
playwright login | await page.fill('#password', '{a16}'); // real account of the QA tenant
otpauth | otpauth://totp/Ridgeline:ops@ridgeline.dev?secret={x32}&issuer=Ridgeline
rclone conf | [b2]{n}type = b2{n}account = 00{h23}{n}key = K00{b28}
log git fatal | fatal: unable to access 'https://oauth2:glpat-{w20}@gitlab.com/lumen/firmware.git/': The requested URL returned error: 403
log redis refused | 2025-03-19 07:55:02 ERROR Redis connection to redis://:{a32}@cache.prod:6379 failed - connect ECONNREFUSED
log json headers | {"level":"debug","msg":"outgoing request","url":"https://api.parcelbird.com/v1/labels","headers":{"x-api-key":"{h40}"}}
log pip indexes | Looking in indexes: https://ci:{a28}@pypi.fieldnote.dev/simple, https://pypi.org/simple
log terraform output | Apply complete! Resources: 3 added, 0 changed, 0 destroyed.{n}{n}Outputs:{n}{n}db_password = "{a20}"
log token created | [bootstrap] service account "exporter" created, token {h48} (shown only once)
`;
