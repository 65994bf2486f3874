/** Secrets written without a look at the rules; 91 percent of them were found at the first run. */
export const fourthSecrets = `
newrelic-license | $env:NEW_RELIC_LICENSE_KEY = "{h36}NRAL"
porkbun | PORKBUN_SECRET: 'sk1_{h64}'
shopify |       - name: SHOPIFY_ACCESS_TOKEN{n}        value: "shpat_{h32}"
facebook | kubectl create secret generic app --from-literal=FB_ACCESS_TOKEN=EAA{a170}
lob | ENV LOB_API_KEY live_{h35}
exa | let key = std::string::String::from("{uuid}"); // EXA_API_KEY
square-csp |       - name: SQUARE_SECRET{n}        value: "sq0csp-{w43}"
cursor | let key = std::string::String::from("key_{h64}"); // CURSOR_API_KEY
adyen | let key = std::string::String::from("AQE{b110}-{b43}=-{a16}"); // ADYEN_API_KEY
deepseek | let key = std::string::String::from("sk-{h32}"); // DEEPSEEK_API_KEY
xai | private static final String XAI_API_KEY = "xai-{a80}";
deno | ENV DENO_DEPLOY_TOKEN ddp_{a36}
mailchimp | $env:MAILCHIMP_API_KEY = "{h32}-us8"
aws-bedrock | set -x AWS_BEARER_TOKEN_BEDROCK ABSKQmVkcm9ja0FQSUtleS{a90}=
digitalocean-refresh | $env:DO_REFRESH = "dor_v1_{h64}"
okta | process.env.OKTA_API_TOKEN ??= "00{w40}"
netlify | process.env.NETLIFY_AUTH_TOKEN ??= "nfp_{a36}"
groq | let key = std::string::String::from("gsk_{a52}"); // GROQ_API_KEY
nvidia | kubectl create secret generic app --from-literal=NVIDIA_API_KEY=nvapi-{w64}
datadog-app | private static final String DD_APP_KEY = "{h40}";
dynatrace | kubectl create secret generic app --from-literal=DT_API_TOKEN=dt0c01.{K24}.{K64}
vultr |       - name: VULTR_API_KEY{n}        value: "{K36}"
wakatime | let key = std::string::String::from("waka_{uuid}"); // WAKATIME_API_KEY
polar | $env:POLAR_ACCESS_TOKEN = "polar_oat_{a43}"
aws-akia | docker run -e AWS_ACCESS_KEY_ID=AKIA{x16} -p 80:80 app
dockerhub | private static final String DOCKER_PAT = "dckr_pat_{w27}";
modal | set -x MODAL_TOKEN_SECRET as-{a22}
maxmind | set -x MAXMIND_LICENSE_KEY {a6}_{a29}_mmk
knock | $env:KNOCK_API_KEY = "sk_{w43}"
plaid | PLAID_ACCESS_TOKEN → access-production-{uuid}
shippo | SHIPPO_TOKEN → shippo_live_{h40}
flutterwave | docker run -e FLW_SECRET_KEY=FLWSECK-{h32}-X -p 80:80 app
jsr | $env:JSR_TOKEN = "jsrp_{a40}"
sendgrid | process.env.SENDGRID_API_KEY ??= "SG.{w22}.{w43}"
valtown | I set VALTOWN_KEY to vtwn_{a27} and the call worked.
zhipu | kubectl create secret generic app --from-literal=ZHIPUAI_API_KEY={h32}.{a16}
gitlab-runner | process.env.RUNNER_TOKEN ??= "glrt-{w20}"
redpanda | let key = std::string::String::from("{uuid}"); // SIGNOZ_INGEST_KEY
langsmith | I set LANGSMITH_API_KEY to lsv2_pt_{h32}_{h10} and the call worked.
shopify-ss | set -x SHOPIFY_SHARED shpss_{h32}
dub | DUB_API_KEY: 'dub_{a24}'
planning-shortcut | kubectl create secret generic app --from-literal=SHORTCUT_API_TOKEN={uuid}
linkedin | ENV LINKEDIN_SECRET WPL_AP1.{a16}.{a6}==
neon | set -x NEON_API_KEY napi_{k64}
statsig | let key = std::string::String::from("secret-{a43}"); // STATSIG_SECRET
telegram | kubectl create secret generic app --from-literal=TELEGRAM_BOT_TOKEN=8{d9}:AA{w33}
doppler-st | private static final String DOPPLER_SERVICE = "dp.st.prd.{a43}";
workos | private static final String WORKOS_API_KEY = "sk_{a60}";
stytch | process.env.STYTCH_SECRET ??= "secret-live-{w36}="
perplexity | let key = std::string::String::from("pplx-{a48}"); // PPLX_API_KEY
infracost | INFRACOST_API_KEY: 'ico-{a32}'
codecov | $env:CODECOV_TOKEN = "{uuid}"
google-api | kubectl create secret generic app --from-literal=GOOGLE_API_KEY=AIza{w35}
azure-devops-old | $env:ADO_PAT = "{k52}"
notion-old | NOTION_SECRET: 'secret_{a43}'
databricks |       - name: DATABRICKS_TOKEN{n}        value: "dapi{h32}"
paddle | docker run -e PADDLE_API_KEY=pdl_live_apikey_01{k24}_{a22}_{a3} -p 80:80 app
context7 |       - name: CONTEXT7_API_KEY{n}        value: "ctx7sk-{uuid}"
paystack | docker run -e PAYSTACK_SECRET_KEY=sk_live_{h40} -p 80:80 app
vault-old | kubectl create secret generic app --from-literal=VAULT_ROOT_TOKEN=s.{a24}
stripe-whsec | kubectl create secret generic app --from-literal=STRIPE_WEBHOOK_SECRET=whsec_{a32}
readme | ENV README_API_KEY rdme_{k70}
hetzner |       - name: HCLOUD_TOKEN{n}        value: "{a64}"
jenkins | $env:JENKINS_API_TOKEN = "11{h32}"
render | kubectl create secret generic app --from-literal=RENDER_API_KEY=rnd_{a28}
brave | $env:BRAVE_API_KEY = "BSA{w28}"
honeycomb | $env:HONEYCOMB_API_KEY = "hcaik_01{k56}"
defined | let key = std::string::String::from("dnkey-{K26}-{k52}"); // DN_API_KEY
frameio | FRAMEIO_TOKEN: 'fio-u-{w64}'
svix | I set SVIX_TOKEN to testsk_{w32}.eu and the call worked.
planetscale-pw | process.env.PSCALE_PW ??= "pscale_pw_{w43}"
square | SQUARE_ACCESS_TOKEN: 'EAAA{w60}'
doppler | DOPPLER_TOKEN → dp.pt.{a43}
checkly | set -x CHECKLY_API_KEY cu_{h32}
betterstack |       - name: LOGTAIL_TOKEN{n}        value: "{a24}"
gandi | I set GANDI_PAT to {h40} and the call worked.
zuplo | set -x ZUPLO_KEY zpka_{h32}_{h8}
jina | kubectl create secret generic app --from-literal=JINA_API_KEY=jina_{h32}{w28}
openai-proj | kubectl create secret generic app --from-literal=OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
turso | ENV TURSO_AUTH_TOKEN eyJ{w40}.eyJ{w40}.{w43}
linode | process.env.LINODE_TOKEN ??= "{h64}"
harness |       - name: HARNESS_PAT{n}        value: "pat.{w22}.{h24}.{a20}"
buildkite | process.env.BUILDKITE_API_TOKEN ??= "bkua_{h40}"
sourcegraph | SRC_ACCESS_TOKEN → sgp_{h16}_{h40}
razorpay | I set RAZORPAY_KEY_SECRET to {a24} and the call worked.
telnyx | $env:TELNYX_API_KEY = "KEY0{H31}_{a22}"
tfc | TFE_TOKEN: '{a14}.atlasv1.{w67}'
vault | kubectl create secret generic app --from-literal=VAULT_TOKEN=hvs.CAESI{w90}
cloudflare | process.env.CLOUDFLARE_API_TOKEN ??= "{w40}"
age | $env:AGE_KEY = "AGE-SECRET-KEY-1{K58}"
google-refresh | ENV GOOGLE_REFRESH_TOKEN 1//0{w99}
bitbucket | process.env.BITBUCKET_APP_PASSWORD ??= "ATBB{a32}"
notion | docker run -e NOTION_TOKEN=ntn_{d11}{a35} -p 80:80 app
mistral | MISTRAL_API_KEY → {a32}
yandex |       - name: YC_API_KEY{n}        value: "AQVN{w36}"
newrelic-user | private static final String NEW_RELIC_API_KEY = "NRAK-{K27}";
typeform | process.env.TYPEFORM_TOKEN ??= "tfp_{w44}_{w14}"
mapbox | $env:MAPBOX_SECRET_TOKEN = "sk.eyJ1Ijoi{a60}.{w22}"
planetscale | I set PSCALE_TOKEN to pscale_tkn_{w43} and the call worked.
crates | set -x CARGO_REGISTRY_TOKEN cio{a32}
loops | process.env.CAL_API_KEY ??= "cal_live_{h32}"
prefect | process.env.PREFECT_API_KEY ??= "pnu_{k36}"
easypost | EASYPOST_API_KEY: 'EZAK{a54}'
mongodb-sa | I set MDB_SA_SECRET to mdb_sa_sk_{w40} and the call worked.
openai-svc | ENV OPENAI_KEY sk-svcacct-{w58}T3BlbkFJ{w58}
axiom | process.env.AXIOM_TOKEN ??= "xaat-{uuid}"
airtable | set -x AIRTABLE_PAT pat{a14}.{h64}
figma | ENV FIGMA_TOKEN figd_{w40}
cerebras | ENV CEREBRAS_API_KEY csk-{k48}
azure-openai | I set AZURE_OPENAI_KEY to {a52}JQQJ99{K10}AAABACOG{a4} and the call worked.
runpod | $env:RUNPOD_API_KEY = "rpa_{K40}{k6}"
google-oauth | kubectl create secret generic app --from-literal=GOOGLE_CLIENT_SECRET=GOCSPX-{w28}
gitlab-pat | $env:GITLAB_TOKEN = "glpat-{w20}"
azure-ad | set -x AZURE_CLIENT_SECRET {a3}8Q~{a34}
opsgenie | docker run -e OPSGENIE_API_KEY={uuid} -p 80:80 app
fastly | FASTLY_API_KEY → {w32}
1password-sa | OP_SERVICE_ACCOUNT_TOKEN: 'ops_eyJ{w40}'
pypi | set -x PYPI_TOKEN pypi-AgEIcHlwaS5vcmc{w150}
twilio-auth | kubectl create secret generic app --from-literal=TWILIO_AUTH_TOKEN={h32}
totp | otp_secret: "{x32}"
header | Authorization: ApiKey {base64:[a20]:[a22]}
config | kubeadm join 10.0.0.1:6443 --token {k6}.{k16} --discovery-token-ca-cert-hash sha256:{h64}
url-param | https://maps.example.com/api/geocode?address=x&key={a39}
pem | xprv9s21ZrQH143K{a96}
config | k3s server --token K10{h64}::server:{h32}
config | password: ENC-none "{pw}"
sentence | user: deploy pw: {pw}
header | Set-Cookie: connect.sid=s%3A{w32}.{a43}; Path=/; HttpOnly
webhook | https://chat.googleapis.com/v1/spaces/AAAA{a7}/messages?key=AIza{w35}&token={w43}%3D
sentence | the secret key you need is {h48}
sentence | API secret (sandbox): {a28}
pem | {"kty":"oct","k":"{w43}","alg":"HS256"}
uri | Server=tcp:db.acme.io,1433;Initial Catalog=crm;User ID=deploy;Password={a16};Encrypt=True;
uri | redis://:{a16}@db.acme.io:6379/0
config | keytool -storepass {a16} -keystore app.jks
config | id_token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w60}.{w43}
sentence | token is \`{a40}\`, expires in June
sentence | sudo password → {pw}
config | <password>{pw}</password>
sentence | We rotated the client secret; new one: {w40}
webhook | https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={uuid}
totp | MFA_SEED={x16}
uri | postgres://deploy:{a16}@db.acme.io:5432/app?sslmode=require
config | psycopg2.connect(host="db.acme.io", user="deploy", password="{pw}")
sentence | Wifi in the office: network acme-guest, password {pw}
config | define('AUTH_SALT', '{a64}');
config | smtp_pass: "{l4} {l4} {l4} {l4}"
config | kubectl config set-credentials ci --token={w60}
sentence | webhook signing secret is {a32}
config | redis-cli -h db.acme.io -a {a16} ping
webhook | https://prod-12.westeurope.logic.azure.com/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-06-01&sig={w43}
config | data:{n}  password: {base64:[pw]}{n}  username: YWRtaW4=
url-param | wss://stream.acme.io/v1?access_token={a48}
header | curl -H "X-API-Key: {a32}" https://db.acme.io/v2/items
config | CREATE USER app WITH PASSWORD '{pw}';
config | docker swarm join --token SWMTKN-1-{k50}-{k25} 10.0.0.5:2377
webhook | https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
config | openssl enc -aes-256-cbc -k {a16} -in a -out b
uri | rediss://default:{a36}@eu1-{k5}.upstash.io:6379
config | //npm.acme.io/:_password={b20}
header | Authorization: Bearer {w43}
webhook | https://outlook.office.com/webhook/{uuid}@{uuid}/JenkinsCI/{h32}/{uuid}
totp | 2FA secret: {x4} {x4} {x4} {x4} {x4} {x4} {x4} {x4}
uri | git clone https://deploy:{a16}@git.db.acme.io/team/app.git
url-param | https://bucket.s3.amazonaws.com/k?X-Amz-Credential=AKIA{x16}%2F20260101&X-Amz-Signature={h64}
config | 7z x backup.7z -p{a16}
webhook | https://api.telegram.org/bot{d10}:AA{w33}/sendMessage
header | -H 'PRIVATE-TOKEN: {w26}'
pem | -----BEGIN EC PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END EC PRIVATE KEY-----
config | define('DB_PASSWORD', '{pw}');
pem | "private_key": "-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b40}\\n-----END PRIVATE KEY-----\\n",
config | [[auth]]{n}user = "deploy"{n}secret = "{pw}"
totp | otpauth://totp/Acme:deploy@acme.io?secret={x32}&issuer=Acme
pem | BTC WIF key: L{a51}
sentence | master key: {h64}
sentence | log in as deploy / {pw}
pem | TLS_KEY_B64={base64:-----BEGIN PRIVATE KEY-----[n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b40][n]-----END PRIVATE KEY-----}
config | :api_token "{a36}"
pem | -----BEGIN RSA PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END RSA PRIVATE KEY-----
config | APP_KEY=base64:{b43}=
sentence | passphrase for the deploy key = {pw}
config | setx API_SECRET "{a30}"
totp | oathtool --totp -b {x26}
pem | -----BEGIN OPENSSH PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END OPENSSH PRIVATE KEY-----
config | {"auths":{"registry.acme.io":{"auth":"{base64:deploy:[a16]}"}}}
header | Cookie: JSESSIONID={H32}; remember-me={b64}
config | hmac_key => "{h40}",
header | xh GET db.acme.io/users "api-key:{a36}"
pem | -----BEGIN PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END PRIVATE KEY-----
pem | minisign secret key: RWRTY0Iy{b200}
config | grub.pbkdf2 password_hash for root: $6\${a16}\${a86}
uri | sqlserver://deploy:{a16}@db.acme.io:1433?database=erp
sentence | the service account's password was reset to '{pw}'
config | openssl rsa -in k.pem -passin pass:{a16}
uri | clickhouse://deploy:{a16}@db.acme.io:9440/logs?secure=true
uri | http_proxy=http://deploy:{a16}@proxy.corp.lan:3128
config | //registry.npmjs.org/:_authToken={uuid}
header | X-Auth-Token: {h40}
url-param | https://app.acme.io/reset?token={w40}
header | Authorization: token {h40}
webhook | https://discordapp.com/api/webhooks/{d18}/{w68}
config | cfg.Password = "{pw}"
pem | PuTTY-User-Key-File-3: ssh-ed25519{n}Encryption: none{n}Private-Lines: 1{n}{b48}{n}Private-MAC: {h64}
sentence | {pw} is the password for the test tenant
config | $conn = new mysqli("localhost", "deploy", "{pw}", "shop");
uri | nats://deploy:{a16}@db.acme.io:4222
uri | AccountEndpoint=https://cos{k4}.documents.azure.com:443/;AccountKey={b86}==;
config | SECRET_KEY = 'django-insecure-{a50}'
config | PGPASSWORD={a16} psql -h db.acme.io -U app
sentence | keystore password {a16}, alias upload
uri | snowflake://deploy:{a16}@ab12345.eu-west-1/DB/PUBLIC?warehouse=WH
pem | [Interface]{n}PrivateKey = {b43}={n}Address = 10.8.0.2/24
config | password = "{pw}"
header | Proxy-Authorization: Basic {base64:deploy:[a16]}
`;
