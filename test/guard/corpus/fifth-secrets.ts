/** Secrets, written without a look at the rules. */
export const fifthSecrets = `
github-pat | GITHUB_TOKEN=ghp_{a36}
github-pat | git clone https://x-access-token:ghp_{a36}@github.com/acme/infra-live.git
github-pat | The release bot pushes with ghp_{a36}, it expires in March so renew before then.
github-fine | export GH_TOKEN="github_pat_{a22}_{a59}"
github-fine | curl -H "Authorization: Bearer github_pat_{a22}_{a59}" https://api.github.com/user/repos
github-fine | | renovate | \`github_pat_{a22}_{a59}\` | contents:write |
github-oauth | oauth_token: gho_{a36}
github-app | 2026-09-14T08:11:02Z DEBUG installation token minted: ghs_{a36} (expires in 3600s)
github-user | {"access_token":"ghu_{a36}","expires_in":28800,"refresh_token":"ghr_{a76}"}
github-hosts | # ~/.config/gh/hosts.yml{n}github.com:{n}    user: mkessler{n}    oauth_token: gho_{a36}{n}    git_protocol: https
github-webhook | GitHub App webhook secret is set to \`{h40}\` both in the app settings and in WEBHOOK_SECRET.
github-client | GITHUB_CLIENT_ID=Iv1.{h16}{n}GITHUB_CLIENT_SECRET={h40}
gitlab-pat | GITLAB_TOKEN: glpat-{w20}
gitlab-pat | git remote set-url origin https://oauth2:glpat-{w20}@gitlab.com/team/backend.git
gitlab-routable | glab auth login --hostname gitlab.example.net --token glpat-{w27}.01.{k9}
gitlab-runner | gitlab-runner register --url https://gitlab.com --token glrt-t3_{w20}
gitlab-runner-old | registration token GR1348941{w20} still works on the old group runners
gitlab-deploy | docker login registry.gitlab.com -u gitlab+deploy-token-48213 -p gldt-{w20}
bitbucket-app | git clone https://jsmith:ATBB{a32}@bitbucket.org/acme/mobile.git
atlassian | curl -u ops@acme.io:ATATT3xFfGF0{w171}={H8} https://acme.atlassian.net/rest/api/3/myself
azure-devops | AZURE_DEVOPS_EXT_PAT={a52}JQQJ99{a14}AAASAZDO{a4}
azure-devops-old | git -c http.extraheader="Authorization: Basic {base64::[k52]}" fetch https://dev.azure.com/acme/core/_git/core
aws-pair | aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}
aws-env | export AWS_ACCESS_KEY_ID=AKIA{x16} AWS_SECRET_ACCESS_KEY={b40}
aws-tf | provider "aws" {{n}  region     = "eu-central-1"{n}  access_key = "AKIA{x16}"{n}  secret_key = "{b40}"{n}}
aws-session | "Credentials": {"AccessKeyId": "ASIA{x16}", "SecretAccessKey": "{b40}", "SessionToken": "IQoJb3JpZ2luX2VjE{b320}=="}
aws-py | s3 = boto3.client("s3", aws_access_key_id="AKIA{x16}", aws_secret_access_key="{b40}")
aws-prose | CI user in the staging account: key AKIA{x16}, secret {b40} (rotate after migration)
aws-cli | aws configure set aws_secret_access_key {b40} --profile prod
aws-presigned | https://acme-exports.s3.eu-west-1.amazonaws.com/q3/ledger.csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{x16}%2F20260911%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260911T101500Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature={h64}
aws-bedrock | AWS_BEARER_TOKEN_BEDROCK=ABSKQmVkcm9ja0FQSUtleS{b110}=
aws-ses-smtp | SMTP_USERNAME=AKIA{x16}{n}SMTP_PASSWORD=B{b43}
gcp-apikey | const genAI = new GoogleGenerativeAI("AIza{w35}");
gcp-apikey | curl "https://generativelanguage.googleapis.com/v1beta/models?key=AIza{w35}"
gcp-apikey | GEMINI_API_KEY=AIza{w35}
gcp-newkey | GOOGLE_API_KEY="AQ.Ab8RN6{w44}"
gcp-oauth | "client_secret": "GOCSPX-{w28}",
gcp-access | Authorization: Bearer ya29.a0{w180}
gcp-refresh | {"type":"authorized_user","client_id":"764086051850-{k32}.apps.googleusercontent.com","client_secret":"d-{w22}","refresh_token":"1//0{w98}"}
gcp-sa | {"type": "service_account", "project_id": "acme-prod", "private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b32}\\n{b64}\\n{b64}\\n{b24}==\\n-----END PRIVATE KEY-----\\n", "client_email": "deployer@acme-prod.iam.gserviceaccount.com"}
google-app-pw | Gmail app password for alerts@acme.io: {l4} {l4} {l4} {l4}
azure-storage | AZURE_STORAGE_CONNECTION_STRING="DefaultEndpointsProtocol=https;AccountName=acmelogs;AccountKey={b86}==;EndpointSuffix=core.windows.net"
azure-client | az login --service-principal -u {uuid} -p {a3}8Q~{w34} --tenant {uuid}
azure-client | ARM_CLIENT_SECRET={a3}8Q~{w34}
azure-sas | https://acmebackup.blob.core.windows.net/dumps/2026-10.bak?sv=2024-11-04&ss=b&srt=co&sp=rwdl&se=2027-01-01T00:00:00Z&st=2026-10-01T00:00:00Z&spr=https&sig={a40}%2B{a2}%3D
azure-sb | Endpoint=sb://acme-bus.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
azure-cosmos | AccountEndpoint=https://acme-cosmos.documents.azure.com:443/;AccountKey={b86}==;
azure-openai | AZURE_OPENAI_API_KEY={a52}JQQJ99BJAC{a10}AAABACOG{a4}
azure-func | curl https://acme-fn.azurewebsites.net/api/reindex?code={w54}==
azure-acr | docker login acmeregistry.azurecr.io -u acmeregistry -p {a42}+ACR{a6}
openai-proj | OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
openai-proj | client = OpenAI(api_key="sk-proj-{w74}T3BlbkFJ{w74}")
openai-old | I used the old key sk-{a20}T3BlbkFJ{a20} for the embeddings backfill, still valid.
openai-svc | openai_api_key: "sk-svcacct-{w74}T3BlbkFJ{w74}"
openai-admin | curl https://api.openai.com/v1/organization/users -H "Authorization: Bearer sk-admin-{w58}T3BlbkFJ{w58}"
anthropic | export ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic | x-api-key: sk-ant-api03-{w93}AA
anthropic | {"env": {"ANTHROPIC_API_KEY": "sk-ant-api03-{w93}AA", "DISABLE_TELEMETRY": "1"}}
anthropic-admin | the usage report script needs the admin key sk-ant-admin01-{w93}AA
anthropic-oauth | CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-{w86}AA
anthropic-creds | {"claudeAiOauth":{"accessToken":"sk-ant-oat01-{w86}AA","refreshToken":"sk-ant-ort01-{w86}AA","expiresAt":1790012345000}}
claude-session | Cookie: sessionKey=sk-ant-sid01-{w86}AA
groq | GROQ_API_KEY=gsk_{a20}WGdyb3FY{a24}
xai | XAI_API_KEY: xai-{a80}
perplexity | PPLX_KEY="pplx-{a48}"
huggingface | huggingface-cli login --token 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
huggingface | model = AutoModel.from_pretrained("acme/private-llm", token="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")
replicate | REPLICATE_API_TOKEN=r8_{a37}
openrouter | | openrouter | sk-or-v1-{h64} | shared by evals |
deepseek | DEEPSEEK_API_KEY=sk-{h32}
mistral | MISTRAL_API_KEY={a32}
cohere | co = cohere.ClientV2(api_key="{a40}")
elevenlabs | curl -H "xi-api-key: sk_{h48}" https://api.elevenlabs.io/v1/voices
nvidia | os.environ["NVIDIA_API_KEY"] = "nvapi-{w64}"
langsmith | LANGCHAIN_API_KEY=lsv2_pt_{h32}_{h10}
langfuse | LANGFUSE_SECRET_KEY="sk-lf-{uuid}"
pinecone | pc = Pinecone(api_key="pcsk_{a5}_{a63}")
tavily | "TAVILY_API_KEY": "tvly-dev-{a32}"
firecrawl | npx -y firecrawl-mcp  # FIRECRAWL_API_KEY=fc-{h32}
brave | claude mcp add brave-search -e BRAVE_API_KEY=BSA{w28} -- npx -y @modelcontextprotocol/server-brave-search
wandb | wandb login {h40}
modal | modal token set --token-id ak-{a22} --token-secret as-{a22}
fal | FAL_KEY="{uuid}:{h32}"
e2b | E2B_API_KEY=e2b_{h40}
context7 | "args": ["-y", "@upstash/context7-mcp", "--api-key", "ctx7sk-{uuid}"]
slack-bot | SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{a24}
slack-bot | app = App(token="xoxb-{d12}-{d13}-{a24}", signing_secret="{h32}")
slack-user | curl -d "token=xoxp-{d12}-{d12}-{d13}-{h32}" https://slack.com/api/conversations.list
slack-app | socket mode token: xapp-1-A{K10}-{d13}-{h64}
slack-webhook | alerts go to https://hooks.slack.com/services/T{K10}/B{K10}/{a24}
slack-cookie | slackdump auth: xoxc-{d12}-{d12}-{d13}-{h64} with cookie d=xoxd-{a120}%3D
discord-bot | client.login("MT{a24}.G{w5}.{w38}")
discord-webhook | curl -H "Content-Type: application/json" -d '{"content":"deploy done"}' https://discord.com/api/webhooks/{d19}/{w68}
telegram | TELEGRAM_BOT_TOKEN={d10}:AA{w33}
telegram | https://api.telegram.org/bot{d10}:AA{w33}/getUpdates
teams-webhook | https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
teams-workflow | POST https://prod-41.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={w43}
matrix | access_token: syt_{w12}_{a20}_{a6}
gchat-webhook | https://chat.googleapis.com/v1/spaces/AAAA{w7}/messages?key=AIza{w35}&token={w43}
stripe-live | STRIPE_SECRET_KEY=sk_live_51{a14}{a83}
stripe-live | curl https://api.stripe.com/v1/charges -u sk_live_{a24}:
stripe-live | Stripe::setApiKey('sk_live_51{a97}');
stripe-restricted | restricted key for the exporter: rk_live_51{a97}
stripe-test | stripe listen --api-key sk_test_51{a97}
stripe-whsec | endpoint_secret = 'whsec_{a32}'
paypal | PAYPAL_CLIENT_SECRET=E{w79}
square | SQUARE_ACCESS_TOKEN=EAAA{w60}
adyen | "adyen": {"merchant": "AcmeECOM", "apiKey": "AQE{b120}-{b43}=-{s16}"}
mollie | $mollie->setApiKey("live_{a30}");
razorpay | RAZORPAY_KEY_ID=rzp_live_{a14}{n}RAZORPAY_KEY_SECRET={a24}
paddle | PADDLE_API_KEY=pdl_live_apikey_01{k24}_{a22}_{a3}
plaid | PLAID_SECRET={h30}
shopify | X-Shopify-Access-Token: shpat_{h32}
shopify-app | SHOPIFY_API_SECRET=shpss_{h32}
coinbase | COINBASE_API_SECRET="-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEEI{b55}\\n{b64}\\n{b36}==\\n-----END EC PRIVATE KEY-----\\n"
eth-key | PRIVATE_KEY=0x{h64}  # hardhat deployer, mainnet
seed-phrase | Treasury wallet seed phrase: orbit cable lunar velvet stable anchor river puzzle mimic frost galaxy tuna
sendgrid | SENDGRID_API_KEY=SG.{w22}.{w43}
sendgrid | sgMail.setApiKey('SG.{w22}.{w43}')
mailgun | curl -s --user 'api:key-{h32}' https://api.mailgun.net/v3/mg.acme.io/messages
mailchimp | mailchimp_key: {h32}-us14
postmark | X-Postmark-Server-Token: {uuid}
resend | const resend = new Resend('re_{a8}_{a24}');
brevo | BREVO_API_KEY=xkeysib-{h64}-{a16}
smtp-url | MAILER_DSN=smtp://noreply%40acme.io:{a16}@mail.acme.io:587
twilio | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
npm | //registry.npmjs.org/:_authToken=npm_{a36}
npm | NPM_TOKEN=npm_{a36} pnpm publish --no-git-checks
npmrc-basic | //nexus.acme.io/repository/npm-private/:_auth={base64:deploy:[pw]}
yarnrc | npmScopes:{n}  acme:{n}    npmRegistryServer: "https://npm.pkg.github.com"{n}    npmAuthToken: "ghp_{a36}"
pypi | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmc{w155}
pypi | twine upload -u __token__ -p pypi-AgEIcHlwaS5vcmc{w155} dist/*
pip-index | pip install --extra-index-url https://svc-pip:{a24}@pypi.acme.io/simple acme-core
rubygems | :rubygems_api_key: rubygems_{h48}
crates | cargo login cio{a32}
nuget | dotnet nuget push bin/Release/*.nupkg -k oy2{k43} -s https://api.nuget.org/v3/index.json
dockerhub | echo dckr_pat_{w27} | docker login -u acmebot --password-stdin
docker-config | {"auths": {"registry.acme.io": {"auth": "{base64:ci-pull:[a20]}"}}}
docker-login | docker login ghcr.io -u acmebot -p ghp_{a36}
jfrog | curl -H "X-JFrog-Art-Api: AKCp8{a68}" https://acme.jfrog.io/artifactory/api/repositories
maven | <server><id>ossrh</id><username>{a8}</username><password>{b44}</password></server>
datadog | DD_API_KEY={h32}{n}DD_APP_KEY={h40}
datadog-helm | helm install dd datadog/datadog --set datadog.apiKey={h32} --set datadog.site=datadoghq.eu
newrelic | NEW_RELIC_API_KEY=NRAK-{K27}
newrelic-lic | license_key: eu01xx{h30}NRAL
sentry-user | SENTRY_AUTH_TOKEN=sntryu_{h64}
sentry-org | auth.token=sntrys_eyJpYXQiOjE3{b120}=_{b43}
grafana-sa | curl -H "Authorization: Bearer glsa_{a32}_{h8}" https://grafana.acme.io/api/dashboards/home
grafana-cloud | password: glc_eyJvIjoi{b120}=
pagerduty | Authorization: Token token=u+{w18}
splunk-hec | curl -k https://splunk.acme.io:8088/services/collector -H "Authorization: Splunk {uuid}" -d '{"event":"ping"}'
dynatrace | DT_API_TOKEN=dt0c01.{x24}.{x64}
posthog | POSTHOG_PERSONAL_API_KEY=phx_{a47}
elastic | Authorization: ApiKey {base64:[w20]:[w22]}
cloudflare | CLOUDFLARE_API_TOKEN={w40}
cloudflare-global | curl -H "X-Auth-Email: ops@acme.io" -H "X-Auth-Key: {h37}" https://api.cloudflare.com/client/v4/zones
cloudflare-tunnel | cloudflared service install eyJhIjoi{b172}
digitalocean | doctl auth init -t dop_v1_{h64}
do-spaces | SPACES_KEY=DO00{K16} SPACES_SECRET={b43}
heroku | HEROKU_API_KEY=HRKU-AA{w58}
heroku-netrc | machine api.heroku.com{n}  login dev@acme.io{n}  password {uuid}
fly | FLY_API_TOKEN="FlyV1 fm2_{b600}=="
vercel | vercel deploy --prod --token {a24}
netlify | NETLIFY_AUTH_TOKEN=nfp_{a36}
render | render key rnd_{a32} belongs to Julia
hetzner | hcloud_token = "{a64}"
alibaba | ALIBABA_CLOUD_ACCESS_KEY_ID=LTAI5t{a18} ALIBABA_CLOUD_ACCESS_KEY_SECRET={a30}
supabase-pat | SUPABASE_ACCESS_TOKEN=sbp_{h40}
supabase-secret | const admin = createClient(url, 'sb_secret_{w22}_{w8}')
supabase-jwt | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJlZiI6ImtxenZ0bndwbG14aHJzZHlvYmZlIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImlhdCI6MTc1OTMxMjAwMCwiZXhwIjoyMDc0ODg4MDAwfQ.{w43}
neon | NEON_API_KEY=napi_{k64}
planetscale | pscale_tkn_{w43} is the service token for the migrations job
upstash | UPSTASH_REDIS_REST_TOKEN={a56}
turso | TURSO_AUTH_TOKEN=eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJhIjoicnciLCJpYXQiOjE3ODgwMTIzNDUsImlkIjoiN2QxYjNjMGUtNTJhYS00ZjBjLTlhNDEtMGU2ZDJmN2I5MWMzIn0.{w86}
databricks | databricks configure --host https://adb-481516.7.azuredatabricks.net --token dapi{h32}-2
snowflake | snowsql -a xy48213.eu-central-1 -u ETL_SVC; SNOWSQL_PWD={pw}
pg-url | DATABASE_URL=postgres://app:{a20}@db.prod.acme.io:5432/app?sslmode=require
pg-url | psql "postgresql://postgres.{l20}:{pw}@aws-0-eu-central-1.pooler.supabase.com:6543/postgres"
pg-url | Prod replica for reports: postgresql://readonly:{a16}@ep-cool-{l6}-{d8}.eu-central-1.aws.neon.tech/neondb
pgpass | db.prod.acme.io:5432:billing:billing_rw:{a18}
pg-shell | PGPASSWORD={pw} pg_dump -h 10.0.4.12 -U admin billing > billing.sql
mysql-url | SQLALCHEMY_DATABASE_URI = "mysql+pymysql://root:{pw}@10.20.0.8/shop"
mysql-cli | mysqldump -u backup -p'{pw}' --all-databases
mongo | mongosh "mongodb+srv://admin:{a16}@cluster0.{k5}.mongodb.net/orders"
redis | REDIS_URL=rediss://default:{a32}@eu2-{l6}.upstash.io:6379
amqp | broker_url: amqps://worker:{w32}@rabbit.acme.io:5671/jobs
mssql | Server=tcp:acme-sql.database.windows.net,1433;Initial Catalog=crm;User ID=crm_app;Password={pw};Encrypt=True;
jdbc | spring.datasource.url=jdbc:postgresql://pg:5432/inv?user=inv&password={a14}
vault | VAULT_TOKEN=hvs.{w95}
vault-unseal | Unseal Key 1: {b44}{n}Initial Root Token: hvs.{w24}
doppler | DOPPLER_TOKEN=dp.st.prd.{a43}
onepassword | OP_SERVICE_ACCOUNT_TOKEN=ops_eyJzaWduSW5BZGRyZXNzIjoi{w600}
bitwarden | BWS_ACCESS_TOKEN=0.{uuid}.{a30}:{b22}==
terraform-cloud | credentials "app.terraform.io" {{n}  token = "{a14}.atlasv1.{w67}"{n}}
pulumi | PULUMI_ACCESS_TOKEN=pul-{h40}
tfvars | db_master_password = "{pw}"
circleci | CIRCLECI_CLI_TOKEN=CCIPAT_{a22}_{h40}
buildkite | buildkite-agent start --token "bkct_{a64}"
jenkins | curl -u jdoe:11{h32} https://ci.acme.io/job/nightly/build
sonar | sonar-scanner -Dsonar.host.url=https://sonar.acme.io -Dsonar.token=sqp_{h40}
postman | PMAK-{h24}-{h34} (Postman, used by newman in CI)
snyk | SNYK_TOKEN={uuid}
linear | LINEAR_API_KEY=lin_api_{a40}
notion | NOTION_TOKEN=ntn_{d11}{a35}
figma | X-Figma-Token: figd_{w40}
airtable | Airtable base sync: pat{a14}.{h64}
hubspot | HUBSPOT_ACCESS_TOKEN=pat-eu1-{uuid}
salesforce | sid: 00D{a12}!AQ{w94}
okta | Authorization: SSWS 00{w40}
auth0 | AUTH0_CLIENT_SECRET={w64}
clerk | CLERK_SECRET_KEY=sk_live_{a42}
facebook | META_PAGE_TOKEN=EAA{a190}ZD
twitter | consumer_key = "{a25}"{n}consumer_secret = "{a50}"{n}access_token_secret = "{a45}"
mapbox | MAPBOX_DOWNLOADS_TOKEN=sk.eyJ1Ijoi{w60}.{w22}
tailscale | sudo tailscale up --authkey=tskey-auth-{a11}CNTRL-{a32}
ssh-key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW{n}QyNTUxOQAAACD{b57}{n}{b70}{n}{b66}{n}-----END OPENSSH PRIVATE KEY-----
rsa-key | The deploy key got pasted in the ticket:{n}-----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}{n}{b64}{n}{b64}{n}-----END RSA PRIVATE KEY-----
pgp-key | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{n}lQdGBG{b58}{n}{b64}{n}{b64}{n}={b4}{n}-----END PGP PRIVATE KEY BLOCK-----
wireguard | [Interface]{n}PrivateKey = {b43}={n}Address = 10.66.0.4/32
wireguard-psk | PresharedKey = {b43}=
age | sops key on the build host: AGE-SECRET-KEY-12NLP2QVMK38F2S5GX6VKHA23SW3UV0JHZX2X084FUKSDRY9JWH22Q2UN3K
minisign-ppk | PuTTY-User-Key-File-3: ssh-ed25519{n}Encryption: none{n}Private-Lines: 1{n}{b48}{n}Private-MAC: {h64}
jwk | {"kty":"OKP","crv":"Ed25519","x":"{w43}","d":"{w43}","kid":"2026-08"}
totp-uri | otpauth://totp/GitHub:acmebot?secret={x32}&issuer=GitHub
totp-seed | 2FA seed for the npm publisher account: {x32}
recovery-codes | GitHub recovery codes: {h5}-{h5}, {h5}-{h5}, {h5}-{h5}, {h5}-{h5}
jwt | curl https://api.acme.io/v2/orders -H 'Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzdmMtb3JkZXJzIiwic2NvcGUiOiJyZWFkIHdyaXRlIiwiaWF0IjoxNzkwMDA5NDc3LCJleHAiOjE4MjE1MzcwMDB9.{w43}'
jwt-log | [10:41:07] auth.service issued accessToken=eyJhbGciOiJSUzI1NiIsImtpZCI6Ikp4M3E5VHpQYjEifQ.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMiLCJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6Y2k6ZGVwbG95ZXIiLCJhdWQiOlsiYXBpIl0sImV4cCI6MTgyMTUzOTI0Mn0.{w342} for user 8841
jwt-secret | JWT_SECRET={h64}
cookie | curl 'https://admin.acme.io/users' -b 'connect.sid=s%3A{w32}.{a43}'
cookie-php | Cookie: PHPSESSID={k26}; wordpress_logged_in_{h32}=admin%7C1791234567%7C{a43}%7C{h64}
cookie-django | sessionid={k32}; csrftoken={a64}
basic-header | Authorization: Basic {base64:grafana-admin:[pw]}
basic-curl | curl -fsS -u 'svc_export:{pw}' https://erp.acme.io/api/export
basic-url | wget https://partner:{a14}@files.acme.io/drop/2026-10.zip
netrc | machine git.acme.io login cibot password {a24}
k8s-secret | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: billing-db{n}data:{n}  password: {base64:[pw]}
k8s-stringdata | kubectl create secret generic smtp --from-literal=password='{pw}' -n mail
k8s-sa | kubectl config set-credentials ci --token=eyJhbGciOiJSUzI1NiIsImtpZCI6Ikp4M3E5VHpQYjEifQ.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMiLCJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6Y2k6ZGVwbG95ZXIiLCJhdWQiOlsiYXBpIl0sImV4cCI6MTgyMTUzNzM2Mn0.{w342}
kubeconfig | users:{n}- name: admin{n}  user:{n}    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b400}=
kubeadm | kubeadm join 10.0.0.5:6443 --token {k6}.{k16} --discovery-token-ca-cert-hash sha256:{h64}
compose | environment:{n}  - MYSQL_ROOT_PASSWORD={pw}
ansible | ansible_become_pass: {pw}
django-key | SECRET_KEY = '{k50}'
rails-master | config/master.key is {h32}
laravel | APP_KEY=base64:{b43}=
nextauth | NEXTAUTH_SECRET="{b43}="
prose-pw | The staging admin login is admin / {pw}, ask Lena before changing it.
prose-pw | I reset the root password on the NAS to {pw} last Friday.
prose-pw | Log in to the VPN as mkessler with password "{pw}" and then open the jump host.
wifi | Office Wi-Fi: SSID acme-guest, WPA2 passphrase {pw}
sshpass | sshpass -p '{pw}' ssh root@192.168.10.14
keystore | storePassword={pw}{n}keyPassword={pw}{n}keyAlias=upload
openssl | openssl pkcs12 -in acme.p12 -nodes -passin pass:{pw}
restic | RESTIC_PASSWORD={a32} restic -r s3:s3.amazonaws.com/acme-backup snapshots
ps-cred | $cred = New-Object PSCredential("ACME\\svc_sql", (ConvertTo-SecureString "{pw}" -AsPlainText -Force))
ldap | ldapsearch -x -D "cn=admin,dc=acme,dc=io" -w {pw} -b dc=acme,dc=io
pin | The HSM partition PIN is {d8} and the SO PIN is in the safe.
gcs-signed | https://storage.googleapis.com/acme-private/report.pdf?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=signer%40acme-prod.iam.gserviceaccount.com%2F20261002%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20261002T090000Z&X-Goog-Expires=604800&X-Goog-SignedHeaders=host&X-Goog-Signature={h512}
reset-link | Password reset link still open: https://app.acme.io/reset-password?token={w43}
`;
