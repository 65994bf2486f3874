/**
 * Secrets as they get into notes, over services and forms, written from the services' own documents and from what
 * public scanners know of them, without a look at our rules. The names of the rules mean nothing here.
 */
export const surveySecrets = String.raw`
github classic | GH token for the release job: ghp_{a36}
github fine-grained | export GH_TOKEN=github_pat_{a22}_{a59}
github oauth | curl -H "Authorization: token gho_{a36}" https://api.github.com/user
github server | GITHUB_TOKEN=ghs_{a36} act -j build
github refresh | refresh: ghr_{a36}
github user to server | the app's user token was ghu_{a36} (expires in 8 h)
gitlab pat | glpat-{w20} works for the package registry
gitlab routable pat | GITLAB_TOKEN: glpat-{w27}.01.{k9}
gitlab runner | gitlab-runner register --token glrt-{w20}
gitlab deploy | git clone https://deploy:gldt-{w20}@gitlab.com/acme/api.git
gitlab trigger | curl -F token=glptt-{h40} -F ref=main https://gitlab.com/api/v4/projects/1/trigger/pipeline
gitlab agent | helm install gl-agent --set config.token=glagent-{w50}
gitlab feed | feed: https://gitlab.com/acme.atom?feed_token=glft-{w20}
gitlab oauth app | client secret gloas-{h64}
gitlab scim | SCIM glsoat-{w20}
gitlab ci job | CI_JOB_TOKEN=glcbt-64_{w20}
gitlab incoming mail | incoming+acme-glimt-{k25}@incoming.gitlab.com
bitbucket app password | git remote set-url origin https://ada:ATBB{a32}@bitbucket.org/acme/api.git
bitbucket data center | BBDC-{b44} is Ada's HTTP access token
atlassian api token | Jira: ada@acme.io / ATATT3xFfGF0{w170}={H8}
atlassian cloud token | bitbucket repo token ATCTT3xFfGN0{w160}={H8}
azure devops pat | AZURE_DEVOPS_EXT_PAT={k52}
azure devops new pat | {a75}AZDO{a5} is the build PAT
gitea | gitea token {h40} for the mirror
npm | //registry.npmjs.org/:_authToken=npm_{a36}
npm legacy | //npm.pkg.acme.io/:_authToken={uuid}
pypi | TWINE_PASSWORD=pypi-AgEIcHlwaS5vcmc{w120}
rubygems | gem push with rubygems_{h48}
crates.io | cargo login cio{a32}
nuget | dotnet nuget push x.nupkg -k oy2{k43}
clojars | CLOJARS_PASSWORD=CLOJARS_{h60}
docker hub pat | docker login -u ada -p dckr_pat_{w27}
docker hub org | DOCKER_OAT=dckr_oat_{w32}
docker config | {"auths":{"registry.acme.io":{"auth":"{base64:ada:[pw][a8]}"}}}
packagecloud | packagecloud_token = {h48}
cloudsmith | CLOUDSMITH_API_KEY={h40}
jfrog api key | ARTIFACTORY_API_KEY: AKCp{a69}
jfrog reference | jfrog ref token cmVmdGtu{a56}
sonatype | NEXUS_PASSWORD: {pw}
hex.pm | HEX_API_KEY={h32}
jsr deno | deno deploy token: ddp_{a36}
slack bot | SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{a24}
slack user | xoxp-{d11}-{d11}-{d13}-{h32} belongs to Grace
slack app | app-level: xapp-1-A{K10}-{d13}-{h64}
slack config | xoxe.xoxp-1-{a160}
slack cookie | Cookie: d=xoxd-{w80}
slack webhook | alerts go to https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
slack workflow | https://hooks.slack.com/workflows/T{K10}/A{K10}/{d18}/{a24}
slack signing secret | SLACK_SIGNING_SECRET={h32}
discord bot | DISCORD_TOKEN=MT{a24}.G{a5}.{w38}
discord webhook | https://discord.com/api/webhooks/{d19}/{w68}
telegram bot | bot {d10}:AA{w33}
teams webhook | https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
power automate | https://prod-12.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-06-01&sig={w43}
mattermost | MATTERMOST_TOKEN={k26}
zulip | zuliprc: key={a32}
matrix | matrix access token syt_{a12}_{a20}_{a6}
rocket chat | X-Auth-Token: {w43}
google chat webhook | https://chat.googleapis.com/v1/spaces/AAAA{a7}/messages?key=AIza{w35}&token={w43}
webex bot | WEBEX_BOT_TOKEN={a64}_P0A1_{uuid}
line | LINE_CHANNEL_SECRET = {h32}
aws access key | aws_access_key_id = AKIA{x16}
aws secret | aws_secret_access_key = {b40}
aws session key | AWS_ACCESS_KEY_ID=ASIA{x16} AWS_SESSION_TOKEN=IQoJb3JpZ2luX2Vj{b300}
aws secret in prose | the root secret access key is {b40}
aws bedrock | AWS_BEARER_TOKEN_BEDROCK=ABSK{b110}
aws bedrock short | bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b200}
aws csv | AKIA{x16},{b40}
aws presigned | https://acme.s3.eu-west-1.amazonaws.com/dump.sql?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{x16}%2F20261101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Signature={h64}
gcp api key | maps key AIza{w35}
gcp service account | "private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b120}
gcp oauth secret | GOOGLE_CLIENT_SECRET=GOCSPX-{w28}
gcp access token | Authorization: Bearer ya29.{w120}
gcp refresh | refresh_token: 1//0{w62}
gcp new gemini key | GEMINI_API_KEY=AQ.Ab8RN6{w44}
gcp hmac | GOOG1E{x57} is the HMAC access id, secret {b40}
azure client secret | AZURE_CLIENT_SECRET={a3}8Q~{w34}
azure storage | DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={b86}==;EndpointSuffix=core.windows.net
azure storage key alone | az storage blob upload --account-key {b86}==
azure sas | https://acme.blob.core.windows.net/backup?sv=2024-11-04&ss=b&srt=sco&sp=rl&se=2027-01-01T00:00:00Z&sig={a43}%3D
azure service bus | Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={b43}=
azure cosmos | AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey={b86}==;
azure app config | Endpoint=https://acme.azconfig.io;Id={a8};Secret={b43}=
azure function | https://acme.azurewebsites.net/api/sync?code={w54}==
azure acr | docker login acme.azurecr.io -u acme -p {b42}+ACR{a6}
azure openai | AZURE_OPENAI_API_KEY={h32}
azure cognitive | Ocp-Apim-Subscription-Key: {h32}
azure redis | acme.redis.cache.windows.net:6380,password={b43}=,ssl=True,abortConnect=False
azure search | api-key: {a42}AzSe{a6}
digitalocean | doctl auth init -t dop_v1_{h64}
digitalocean oauth | doo_v1_{h64}
digitalocean spaces | SPACES_SECRET={b43}
linode | LINODE_CLI_TOKEN={h64}
vultr | VULTR_API_KEY={K36}
hetzner | hcloud token: {a64}
scaleway | SCW_SECRET_KEY={uuid}
ovh | OVH_APPLICATION_SECRET={a32}
alibaba | LTAI{a20} / {a30}
tencent | TENCENTCLOUD_SECRET_ID=AKID{a32}
yandex cloud | YC_TOKEN=t1.{a80}.{w86}
yandex api | AQVN{w35}
ibm cloud | ibmcloud login --apikey {w44}
oracle | oci_auth_token = "{a10}(;{a9}"
cloudflare token | CF_API_TOKEN={w40}
cloudflare new token | cfut_{a40}{h8}
cloudflare global | X-Auth-Key: {h37}
cloudflare origin ca | v1.0-{h24}-{h146}
cloudflare tunnel | cloudflared tunnel run --token eyJhIjoi{b120}
cloudflare tunnel service | sudo cloudflared service install eyJhIjoi{b160}
fly.io | FLY_API_TOKEN="FlyV1 fm2_{b200}"
fly.io old | fo1_{w43}
heroku new | HEROKU_API_KEY=HRKU-AA{w58}
heroku uuid | HEROKU_API_KEY={uuid}
render | RENDER_API_KEY=rnd_{a28}
railway | RAILWAY_TOKEN={uuid}
vercel | vercel deploy --token {a24}
vercel blob | BLOB_READ_WRITE_TOKEN=vercel_blob_rw_{a16}_{a30}
vercel new token | vcp_{a56}
netlify | NETLIFY_AUTH_TOKEN=nfp_{a36}
supabase pat | SUPABASE_ACCESS_TOKEN=sbp_{h40}
supabase secret | sb_secret_{w22}_{a8}
supabase service role | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSI{w80}.{w43}
neon | NEON_API_KEY=napi_{k64}
neon url | postgresql://ada:npg_{a16}@ep-cool-{d4}.eu-central-1.aws.neon.tech/main
planetscale | pscale_pw_{w43}
planetscale token | pscale_tkn_{w43}
turso | TURSO_AUTH_TOKEN=eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.{w120}.{w86}
upstash | UPSTASH_REDIS_REST_TOKEN={a55}==
mongodb uri | mongodb+srv://ada:{pw}@cluster0.{k5}.mongodb.net/main
mongodb atlas sa | MONGODB_ATLAS_CLIENT_SECRET=mdb_sa_sk_{w40}
postgres uri | DATABASE_URL=postgres://app:{a16}@db.internal:5432/app
mysql uri | mysql://root:{pw}@10.0.3.4/shop
redis uri | redis://default:{a32}@redis-{d5}.c1.eu-west-1.ec2.cloud.redislabs.com:{d5}
amqp uri | amqps://svc:{a20}@rabbit.acme.io/prod
jdbc | jdbc:postgresql://db.acme.io/app?user=app&password={a14}
odbc | Server=tcp:acme.database.windows.net;Database=app;User Id=sa;Password={pw};
libpq | host=db port=5432 user=app password={a14} dbname=app
cockroach | cockroach sql --url "postgresql://max:{a22}@free-tier.cockroachlabs.cloud:26257/defaultdb"
clickhouse cloud | clickhouse key secret 4b1d{a38}
snowflake | snowsql -a acme -u ada  # SNOWSQL_PWD={pw}
databricks | DATABRICKS_TOKEN=dapi{h32}
databricks oauth | client_secret: dose{h32}
confluent | confluent api secret: {b64}
elastic api key | Authorization: ApiKey {base64:[a20]:[a22]}
elastic cloud | ELASTIC_PASSWORD={a24}
algolia | ALGOLIA_ADMIN_KEY={h32}
openai project | OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
openai legacy | openai.api_key = "sk-{a20}T3BlbkFJ{a20}"
openai service | sk-svcacct-{w58}T3BlbkFJ{w58}
openai admin | sk-admin-{w58}T3BlbkFJ{w58}
anthropic | ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic admin | sk-ant-admin01-{w93}AA
anthropic oauth | CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-{w93}AA
google ai | genai.configure(api_key="AIza{w35}")
hugging face | HF_TOKEN=hf_{a34}
hugging face org | api_org_{a34}
cohere | CO_API_KEY={a40}
mistral | MISTRAL_API_KEY={a32}
groq | gsk_{a52}
openrouter | OPENROUTER_API_KEY=sk-or-v1-{h64}
perplexity | pplx-{a48}
xai | XAI_API_KEY=xai-{a80}
deepseek | DEEPSEEK_API_KEY=sk-{h32}
together | TOGETHER_API_KEY={h64}
fireworks | fireworks: fw_{a24}
replicate | REPLICATE_API_TOKEN=r8_{a37}
stability | STABILITY_API_KEY=sk-{a48}
elevenlabs | xi-api-key: sk_{h48}
assemblyai | ASSEMBLYAI_API_KEY={h32}
deepgram | DEEPGRAM_API_KEY={h40}
voyage | VOYAGE_API_KEY=pa-{w43}
jina | jina_{a60}
nvidia | NVIDIA_API_KEY=nvapi-{w64}
cerebras | csk-{k48}
pinecone | pcsk_{a6}_{a63}
langsmith | LANGCHAIN_API_KEY=lsv2_pt_{h32}_{h10}
langfuse | LANGFUSE_SECRET_KEY=sk-lf-{uuid}
weights and biases | wandb login {h40}
weights and biases new | WANDB_API_KEY=wandb_v1_{w77}
tavily | TAVILY_API_KEY=tvly-dev-{a32}
firecrawl | fc-{h32} is the Firecrawl key
exa | EXA_API_KEY={uuid}
brave | BRAVE_API_KEY=BSA{w28}
serpapi | SERPAPI_API_KEY={h64}
e2b | E2B_API_KEY=e2b_{h40}
baseten | baseten key {a8}.{a32}
modal | MODAL_TOKEN_ID=ak-{a22} MODAL_TOKEN_SECRET=as-{a22}
runpod | RUNPOD_API_KEY=rpa_{K36}{k6}
zhipu | ZHIPUAI_API_KEY={h32}.{a16}
dashscope | DASHSCOPE_API_KEY=sk-{h32}
cursor | CURSOR_API_KEY=key_{h64}
stripe live | STRIPE_SECRET_KEY=sk_live_{a99}
stripe restricted | rk_live_{a24}
stripe test | sk_test_{a24} for staging
stripe webhook | STRIPE_WEBHOOK_SECRET=whsec_{a32}
square | EAAA{w60}
square oauth secret | sq0csp-{w43}
paypal | PAYPAL_CLIENT_SECRET=E{w79}
braintree | access_token$production{S}{k16}{S}{h32}
adyen | ADYEN_API_KEY=AQE{b80}
razorpay | rzp_live_{a14} with key_secret {a24}
paystack | paystack sk_live_{h40}
flutterwave | FLWSECK-{h32}-X
mollie | MOLLIE_KEY=live_{a30}
gocardless | GC_ACCESS_TOKEN=live_{w40}
plaid | PLAID_SECRET={h30}
lemonsqueezy | LEMONSQUEEZY_API_KEY=eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiI5NGQ1OWNlZi{w100}.{w200}
paddle | pdl_live_apikey_{k26}_{a22}_{a3}
shopify | shpat_{h32}
shopify secret | SHOPIFY_API_SECRET=shpss_{h32}
coinbase | coinbase api secret {b86}==
binance | BINANCE_SECRET={a64}
kraken | kraken private key: {b86}==
ethereum key | deployer private key 0x{h64}
bitcoin wif | wallet: 5K{a49}
mnemonic | seed phrase: ranch visual solar kiwi update fabric lunar minor cabin trumpet orphan sadness
solana | SOLANA_PRIVATE_KEY=[{d2},{d2},{d2},1{d2},{d2},{d2},{d2},1{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2},{d2}]
infura | https://mainnet.infura.io/v3/{h32}
alchemy | https://eth-mainnet.g.alchemy.com/v2/{w32}
etherscan | ETHERSCAN_API_KEY={K34}
sendgrid | SG.{w22}.{w43}
mailgun | MAILGUN_API_KEY=key-{h32}
mailgun new | {h32}-{h8}-{h8} (mailgun private)
mailchimp | MAILCHIMP_API_KEY={h32}-us14
mandrill | MANDRILL_API_KEY=md-{a22}
postmark | X-Postmark-Server-Token: {uuid}
brevo | xkeysib-{h64}-{a16}
brevo smtp | xsmtpsib-{h64}-{a16}
resend | RESEND_API_KEY=re_{a8}_{a24}
mailjet | MJ_APIKEY_PRIVATE={h32}
sparkpost | SPARKPOST_API_KEY={h40}
smtp in prose | smtp relay: user apikey, password {a24}
twilio sid and token | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
twilio api key | SK{h32} with secret {a32}
vonage | VONAGE_API_SECRET={a16}
messagebird | MESSAGEBIRD_ACCESS_KEY={a25}
telnyx | KEY01{H32}_{a22}
plivo | PLIVO_AUTH_TOKEN={a40}
intercom | INTERCOM_TOKEN=dG9rO{b54}=
zendesk | ZENDESK_API_TOKEN={a40}
hubspot | pat-eu1-{uuid}
salesforce | sfdx: 00D{a12}!{a96}
salesforce refresh | 5Aep861{a80}
pipedrive | PIPEDRIVE_API_TOKEN={h40}
airtable | pat{a14}.{h64}
notion | NOTION_TOKEN=ntn_{d11}{a35}
notion old | secret_{a43}
linear | lin_api_{a40}
linear oauth | lin_oauth_{h64}
asana | ASANA_PAT=2/{d16}/{d16}:{h32}
trello | TRELLO_TOKEN=ATTA{h72}
clickup | pk_{d8}_{K32} is my ClickUp token
monday | MONDAY_API_KEY=eyJhbGciOiJIUzI1NiJ9.eyJ0aWQiOj{w100}.{w43}
figma | figd_{w40}
miro | MIRO_ACCESS_TOKEN=eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{w27}
typeform | tfp_{a44}_{a14}
contentful | CFPAT-{w43}
contentful delivery | CONTENTFUL_ACCESS_TOKEN={w43}
sanity | SANITY_API_TOKEN=sk{a180}
storyblok | STORYBLOK_PERSONAL_TOKEN={a22}tt-{d6}-{a20}
dropbox | sl.u.{w130}
box | BOX_CLIENT_SECRET={a32}
okta | Authorization: SSWS 00{w40}
auth0 | AUTH0_CLIENT_SECRET={w64}
onelogin | ONELOGIN_CLIENT_SECRET={h64}
clerk | CLERK_SECRET_KEY=sk_live_{a42}
workos | WORKOS_API_KEY=sk_live_{w60}
jumpcloud | JUMPCLOUD_API_KEY=jca_{a36}
1password service account | OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{b300}
1password secret key | A3-{K6}-{K6}-{K5}-{K5}-{K5}-{K5}
bitwarden | BWS_ACCESS_TOKEN=0.{uuid}.{a30}:{b22}==
doppler | dp.pt.{a43}
doppler service | DOPPLER_TOKEN=dp.st.prd.{a43}
infisical | INFISICAL_TOKEN=st.{h24}.{h32}.{h32}
hashicorp vault | VAULT_TOKEN=hvs.{w95}
vault old | vault login s.{a24}
vault unseal | Unseal Key 1: {b43}=
vault batch | hvb.{w150}
terraform cloud | credentials "app.terraform.io" { token = "{a14}.atlasv1.{w67}" }
consul | CONSUL_HTTP_TOKEN={uuid}
nomad | nomad acl secret id = {uuid}
pulumi | PULUMI_ACCESS_TOKEN=pul-{h40}
spacelift | SPACELIFT_API_KEY_SECRET={h64}
datadog | DD_API_KEY={h32}
datadog app | DD_APP_KEY={h40}
datadog new | ddapp_{a34}
new relic user | NRAK-{K27}
new relic licence | NEW_RELIC_LICENSE_KEY={h36}FFFFNRAL
grafana service account | glsa_{a32}_{h8}
grafana cloud | glc_eyJvIjoi{b90}
sentry user | SENTRY_AUTH_TOKEN=sntryu_{h64}
sentry org | sntrys_eyJpYXQiOjE3{b90}==_{b43}
honeycomb | HONEYCOMB_API_KEY=hcaik_{k26}{k32}
honeycomb ingest | x-honeycomb-team: {a22}
dynatrace | dt0c01.{x24}.{x64}
splunk hec | Authorization: Splunk {uuid}
pagerduty | Authorization: Token token=u+{w18}
opsgenie | Authorization: GenieKey {uuid}
rollbar | ROLLBAR_ACCESS_TOKEN={h32}
betterstack | BETTERSTACK_SOURCE_TOKEN={a24}
posthog personal | phx_{a43}
mixpanel | MIXPANEL_SECRET={h32}
amplitude | AMPLITUDE_SECRET_KEY={h32}
segment | SEGMENT_WRITE_KEY={a32}
launchdarkly | sdk-{uuid}
statsig | secret-{a43}
snyk | SNYK_TOKEN={uuid}
sonarqube | SONAR_TOKEN=sqp_{h40}
sonarqube user | squ_{h40}
codecov | CODECOV_TOKEN={uuid}
circleci | CCIPAT_{a22}_{h40}
travis | TRAVIS_TOKEN={a22}
buildkite | bkua_{h40}
buildkite agent | BUILDKITE_AGENT_TOKEN={a50}
drone | DRONE_TOKEN={a32}
jenkins | curl -u ada:11{h32} https://ci.acme.io/job/api/build
teamcity | eyJ0eXAiOiAiVENWMiJ9.{w36}.{w80}
octopus deploy | API-{K32}
argo cd | argocd login argo.acme.io --username admin --password {a16}
harness | pat.{w22}.{h24}.{a20}
postman | PMAK-{h24}-{h34}
readme | rdme_{k70}
sourcegraph | sgp_{h16}_{h40}
gitbook | gb_api_{a40}
ngrok | ngrok config add-authtoken 2{a26}_{a20}
tailscale auth | tskey-auth-k{a16}CNTRL-{a32}
tailscale api | TS_API_KEY=tskey-api-k{a16}CNTRL-{a32}
zerotier | ZT_TOKEN={a32}
wireguard | PrivateKey = {b43}=
wireguard psk | PresharedKey = {b43}=
openvpn static | -----BEGIN OpenVPN Static key V1-----{n}{h32}{n}{h32}
twingate | TWINGATE_REFRESH_TOKEN={w120}
netbird | netbird up --setup-key {K8}-{K4}-{K4}-{K4}-{K12}
kubernetes sa | token: eyJhbGciOiJSUzI1NiIsImtpZCI6I{w40}.eyJpc3MiOiJrdWJlcm5ldGVzL3{w200}.{w300}
kubeconfig | client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{b200}
kubernetes secret | kind: Secret{n}data:{n}  db-password: {base64:[pw][a8]}
kubeadm join | kubeadm join 10.0.0.4:6443 --token {k6}.{k16}
k3s | K3S_TOKEN=K10{h64}::server:{h32}
docker swarm | docker swarm join --token SWMTKN-1-{k50}-{k25} 10.0.0.4:2377
openshift | oc login --token=sha256~{w43}
rancher | token-{k5}:{k54}
ssh private key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ{b70}
rsa private key | -----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}
pgp private key | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{n}lQOYBG{b58}
putty key | PuTTY-User-Key-File-3: ssh-ed25519{n}Private-Lines: 1{n}{b44}{n}Private-MAC: {h64}
age key | AGE-SECRET-KEY-1{K58}
jwk | {"kty":"EC","crv":"P-256","d":"{w43}","x":"{w43}","y":"{w43}"}
minisign | untrusted comment: minisign encrypted secret key{n}RWRTY0Iy{b200}
htpasswd | admin:$apr1{S}{a8}{S}{a22}
bcrypt | ada:$2b$12{S}{a53}
shadow | root:$6{S}{a16}{S}{a86}:19500:0:99999:7:::
netrc | machine api.acme.io login ada password {a16}
pgpass | db.acme.io:5432:app:app:{a16}
basic auth header | Authorization: Basic {base64:ada:[pw][a6]}
bearer header | curl -H "Authorization: Bearer {w48}" https://api.acme.io/v1/me
jwt | session eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6{w40}.{w43}
session cookie | Cookie: sessionid={k32}; csrftoken={a32}
set-cookie | Set-Cookie: connect.sid=s%3A{w32}.{a43}; Path=/; HttpOnly
php session | curl -b 'PHPSESSID={k26}' https://intranet.acme.io
laravel cookie | laravel_session=eyJpdiI6I{b180}
next-auth cookie | Cookie: __Secure-next-auth.session-token={uuid}
gitlab cookie | _gitlab_session={h32}
linkedin cookie | li_at=AQED{w140}
api key header | X-API-Key: {a40}
private token header | PRIVATE-TOKEN: {w20}
auth token header | x-auth-token: {h64}
query key | https://api.weather.acme.io/v2/now?city=Bern&appid={h32}&apikey={h32}
query access token | https://graph.acme.io/me?access_token={a120}
url login | https://ada:{pw}@git.acme.io/acme/api.git
ftp url | ftp://upload:{pw}@files.acme.io/incoming
smb | net use Z: \\nas\backup /user:ada {pw}
rtsp camera | rtsp://admin:{pw}@192.168.1.64:554/Streaming/Channels/101
totp uri | otpauth://totp/Acme:ada?secret={x32}&issuer=Acme
totp seed | TOTP secret for the registrar: {x32}
totp grouped | 2FA seed: {x4} {x4} {x4} {x4} {x4} {x4} {x4} {x4}
backup codes | recovery codes: {k5}-{k5} {k5}-{k5} {k5}-{k5} {k5}-{k5}
facebook | EAACEdEose0cBA{a150}
facebook app secret | FACEBOOK_APP_SECRET={h32}
twitter bearer | AAAAAAAAAAAAAAAAAAAAA{a30}%3D{a50}
twitter secret | TWITTER_ACCESS_TOKEN_SECRET={a45}
twitch | TWITCH_CLIENT_SECRET={k30}
spotify | SPOTIFY_CLIENT_SECRET={h32}
reddit | reddit_secret = "{w27}"
linkedin | LINKEDIN_CLIENT_SECRET=WPL_AP1.{a16}.{b8}==
instagram | IGQVJ{w150}
tiktok | TIKTOK_CLIENT_SECRET={a32}
mapbox | sk.eyJ1IjoiYWRh{w60}.{w22}
here | HERE_API_KEY={w43}
maxmind | {a6}_{a29}_mmk
shodan | SHODAN_API_KEY={a32}
virustotal | VT_API_KEY={h64}
ipinfo | IPINFO_TOKEN={h14}
fastly | FASTLY_API_TOKEN={w32}
bunny | BUNNY_API_KEY={uuid}-{uuid}
akamai | client_secret = {b43}=
adobe | ADOBE_CLIENT_SECRET=p8e-{w32}
apify | apify_api_{a36}
prefect | pnu_{a36}
dagster | DAGSTER_CLOUD_API_TOKEN=user:{h32}
airbyte | AIRBYTE_CLIENT_SECRET={a32}
django | SECRET_KEY = 'django-insecure-{k40}'
rails master key | config/master.key: {h32}
rails credentials | RAILS_MASTER_KEY={h32}
laravel app key | APP_KEY=base64:{b43}=
flask | app.secret_key = b'{h48}'
jwt secret | JWT_SECRET={b64}
nextauth | NEXTAUTH_SECRET="{b43}="
symfony | APP_SECRET={h32}
encryption key | ENCRYPTION_KEY={h64}
ansible | ansible_become_pass: {pw}
wifi | WiFi: AcmeGuest / WPA2 key {pw}
home assistant | HASS_TOKEN=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiI{w70}.{w43}
plex | X-Plex-Token={w20}
grpc metadata | grpcurl -H 'authorization: Bearer {a64}' api.acme.io:443 list
curl user | curl -u deploy:{pw} https://nexus.acme.io/repository/raw/
mysql cli | mysql -u root -p{a14} shop
redis cli | redis-cli -h cache -a {a24}
sshpass | sshpass -p '{pw}' ssh root@10.0.0.9
psql env | PGPASSWORD={pw} psql -h db -U app
json config | {"clientSecret": "{a36}", "clientId": "web"}
java properties | spring.datasource.password={pw}
typescript | const apiSecret: string = "{a32}";
python | conn = connect(user="app", passwd="{pw}")
go | cfg.AuthToken = "{a40}"
php | define('DB_PASSWORD', '{pw}');
ruby | config.secret_token = '{h64}'
csharp | var accessKey = "{b40}";
powershell | $env:DEPLOY_PAT = "{a52}"
fish | set -x REGISTRY_TOKEN {a36}
dockerfile | ENV ADMIN_PASSWORD={pw}
compose | - POSTGRES_PASSWORD={pw}
terraform var | variable "db_password" { default = "{pw}" }
helm set | helm upgrade api --set auth.rootPassword={pw}
xml | <add key="ApiSecret" value="{a40}" />
toml | signing_key = "{h64}"
base64 login | echo {base64:username=ada[n]password=[pw][a6]} | base64 -d
base64 env | echo {base64:export AWS_SECRET_ACCESS_KEY=[b40]} | base64 -d > .env
markdown table | | staging | admin | password: {pw} |
list item | - admin password: {pw}
`;
