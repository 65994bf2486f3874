/** Secrets written without a look at the rules; 92 percent of them were found at the first run. */
export const thirdSecrets = `
grafana-cloud | gh secret set GRAFANA_CLOUD_TOKEN --body "glc_eyJ{w40}"
coveralls | export COVERALLS_REPO_TOKEN="{a33}"
atlassian | JIRA_API_TOKEN=ATATT3xFfGF0{w171}={H8}
paypal-braintree | "BRAINTREE_ACCESS_TOKEN": "access_token$production\${k16}\${h32}",
twilio-key | twilio_api_key = "SK{h32}"  # rotate in May
clerk | - clerk_secret_key: sk_live_{a42}
volcengine | const volc_accesskey = 'AKLT{a43}';
anthropic | - anthropic_api_key: sk-ant-api03-{w93}AA
fireworks | the fireworks api key for staging is fw_{a24}
mollie | const mollie_api_key = 'live_{a30}';
tinybird | gh secret set TB_TOKEN --body "p.eyJ{w40}.{w43}"
yandex-oauth | - yandex_oauth: y0_{w55}
asana | asana_pat = "2/{d16}/{d16}:{h32}"  # rotate in May
convex | - convex_deploy_key: prod:happy-otter-{d3}|{b64}
pulumi | gh secret set PULUMI_ACCESS_TOKEN --body "pul-{h40}"
sentry-user | - sentry_auth_token: sntryu_{h64}
vk | Ran \`curl -H "Authorization: Bearer vk1.a.{w190}" https://api.example.org/v1/me\` and got 200
mailgun | os.environ["MAILGUN_API_KEY"] = "key-{h32}"
github-fine | Ran \`curl -H "Authorization: Bearer github_pat_{a22}_{a59}" https://api.example.org/v1/me\` and got 200
dropbox | export DROPBOX_TOKEN="sl.B{w135}"
tavily | const tavily_api_key = 'tvly-dev-{a32}';
openrouter | - openrouter_api_key: sk-or-v1-{h64}
launchdarkly | - ld_sdk_key: sdk-{uuid}
npm | gh secret set NPM_TOKEN --body "npm_{a36}"
cloudflare-origin | export CF_ORIGIN_CA_KEY="v1.0-{h24}-{h146}"
inngest | os.environ["INNGEST_SIGNING_KEY"] = "signkey-prod-{h64}"
scaleway | const scw_secret_key = '{uuid}';
fly | FLY_API_TOKEN=FlyV1 fm2_{b180}
twitch | the twitch oauth for staging is oauth:{k30}
helicone | Ran \`curl -H "Authorization: Bearer sk-helicone-{k7}-{k7}-{k7}-{k7}" https://api.example.org/v1/me\` and got 200
deepgram | const deepgram_api_key = '{h40}';
ngrok | - ngrok_authtoken: 2{a26}_{a21}
hubspot | | HUBSPOT_TOKEN | \`pat-na1-{uuid}\` | prod |
posthog | Ran \`curl -H "Authorization: Bearer phx_{a43}" https://api.example.org/v1/me\` and got 200
gitlab-trigger | Ran \`curl -H "Authorization: Bearer glptt-{h40}" https://api.example.org/v1/me\` and got 200
segment | const segment_token = 'sgp_{a64}';
discord-bot | discord_token = "MT{a24}.G{w5}.{w38}"  # rotate in May
e2b | const e2b_api_key = 'e2b_{h40}';
pushbullet | | PUSHBULLET_TOKEN | \`o.{a32}\` | prod |
ghost | the ghost admin key for staging is {h24}:{h64}
postman | the postman api key for staging is PMAK-{h24}-{h34}
twitter | "TWITTER_BEARER": "AAAAAAAAAAAAAAAAAAAAA{a90}",
postmark | const postmark_server_token = '{uuid}';
consul | "CONSUL_HTTP_TOKEN": "{uuid}",
snyk | SNYK_TOKEN={uuid}
jfrog-ref | the jf access token for staging is cmVmdGtu{a56}
algolia | algolia_admin_key = "{h32}"  # rotate in May
duffel | | DUFFEL_TOKEN | \`duffel_live_{w43}\` | prod |
contentful | - contentful_mgmt_token: CFPAT-{w43}
azure-devops | os.environ["AZURE_DEVOPS_PAT"] = "{a76}AZDO{a4}"
railway | | RAILWAY_TOKEN | \`{uuid}\` | prod |
azure-storage | - azure_storage_key: {b86}==
rootly | gh secret set ROOTLY_TOKEN --body "rootly_{h64}"
clojars | clojars_password = "CLOJARS_{h60}"  # rotate in May
vercel | os.environ["VERCEL_TOKEN"] = "{a24}"
pagerduty | os.environ["PAGERDUTY_TOKEN"] = "u+{w18}"
circleci | gh secret set CIRCLE_TOKEN --body "CCIPAT_{a22}_{h40}"
huggingface | "HF_TOKEN": "hf_{a34}",
todoist | | TODOIST_TOKEN | \`{h40}\` | prod |
clickup | Ran \`curl -H "Authorization: Bearer pk_{d8}_{K32}" https://api.example.org/v1/me\` and got 200
auth0 | const auth0_client_secret = '{w64}';
digitalocean | DO_TOKEN=dop_v1_{h64}
octopus | Ran \`curl -H "Authorization: Bearer API-{K26}" https://api.example.org/v1/me\` and got 200
browserbase | - browserbase_api_key: bb_live_{w27}
datadog-api | dd_api_key = "{h32}"  # rotate in May
rubygems | os.environ["GEM_HOST_API_KEY"] = "rubygems_{h48}"
rollbar | export ROLLBAR_TOKEN="{h32}"
slack-app | - slack_app_token: xapp-1-A{K10}-{d13}-{h64}
instagram | gh secret set IG_TOKEN --body "IGQVJ{w160}"
linear | export LINEAR_API_KEY="lin_api_{a40}"
braintrust | | LITELLM_MASTER_KEY | \`sk-{w22}\` | prod |
aws-secret | AWS_SECRET_ACCESS_KEY={b40}
wandb | WANDB_API_KEY={h40}
baidu | - qianfan_api_key: bce-v3/ALTAK-{a21}/{h40}
replicate | Ran \`curl -H "Authorization: Bearer r8_{a37}" https://api.example.org/v1/me\` and got 200
brevo | brevo_api_key = "xkeysib-{h64}-{a16}"  # rotate in May
alibaba | "ALIYUN_ACCESS_KEY_ID": "LTAI5t{a18}",
jfrog | gh secret set JFROG_API_KEY --body "AKCp{a69}"
apify | | APIFY_TOKEN | \`apify_api_{a36}\` | prod |
brevo-smtp | | BREVO_SMTP_KEY | \`xsmtpsib-{h64}-{a16}\` | prod |
1password-secretkey | "OP_SECRET_KEY": "A3-{K6}-{K6}-{K5}-{K5}-{K5}-{K5}",
langfuse | export LANGFUSE_SECRET_KEY="sk-lf-{uuid}"
cloudinary | - cloudinary_url: cloudinary://{d15}:{w27}@d{k8}
cohere | - cohere_api_key: {a40}
supabase-pat | export SUPABASE_ACCESS_TOKEN="sbp_{h40}"
stripe-live | stripe_secret_key = "sk_live_51{a97}"  # rotate in May
bitwarden | Ran \`curl -H "Authorization: Bearer 0.{uuid}.{a30}:{b22}==" https://api.example.org/v1/me\` and got 200
resend | resend_api_key = "re_{a8}_{a24}"  # rotate in May
ory | ory_pat = "ory_pat_{a32}"  # rotate in May
nuget | the nuget api key for staging is oy2{k43}
snowflake-pat | export SNOWFLAKE_PAT="eyJ{w40}.eyJ{w40}.{w43}"
together | "TOGETHER_API_KEY": "tgp_v1_{w43}",
github-classic | - github_token: ghp_{a36}
mailgun2 | gh secret set MG_API_KEY --body "{h32}-{h8}-{h8}"
elevenlabs | the elevenlabs api key for staging is sk_{h48}
intercom | export INTERCOM_TOKEN="dG9rO{a54}="
voyage | os.environ["VOYAGE_API_KEY"] = "pa-{w43}"
heroku | const heroku_api_key = 'HRKU-AA{w58}';
slack-bot | const slack_bot_token = 'xoxb-{d12}-{d13}-{a24}';
sonar | Ran \`curl -H "Authorization: Bearer sqp_{h40}" https://api.example.org/v1/me\` and got 200
thunderstore | os.environ["TSS_TOKEN"] = "tss_{a36}"
moonshot | the moonshot api key for staging is sk-{a48}
firecrawl | "FIRECRAWL_API_KEY": "fc-{h32}",
serper | the serper api key for staging is {h40}
sentry-org | sentry_org_token = "sntrys_eyJ{w40}_{a43}"  # rotate in May
grafana-sa | Ran \`curl -H "Authorization: Bearer glsa_{a32}_{h8}" https://api.example.org/v1/me\` and got 200
triggerdev | - trigger_secret_key: tr_prod_{a20}
supabase-secret | "SUPABASE_SECRET": "sb_secret_{w22}_{a8}",
pinecone | export PINECONE_API_KEY="pcsk_{a6}_{a63}"
tencent | | TENCENT_SECRET_ID | \`AKID{a32}\` | prod |
github-app | const gh_app_token = 'ghs_{a36}';
google-ya29 | google_access_token = "ya29.a0Af{w120}"  # rotate in May
tailscale | - ts_authkey: tskey-auth-k{a10}CNTRL-{a32}
confluent | the confluent api secret for staging is cflt{b60}
cloudflare-global | Ran \`curl -H "Authorization: Bearer {h37}" https://api.example.org/v1/me\` and got 200
stripe-restricted | STRIPE_RESTRICTED_KEY=rk_live_{a24}
adafruit | "AIO_KEY": "aio_{a28}",
meraki | gh secret set MERAKI_KEY --body "{h40}"
config | restic: RESTIC_PASSWORD={pw}
config | sshpass -p '{pw}' ssh deploy@db.acme.io
sentence | Credentials for Jenkins: deploy/{pw}
sentence | db pass is {pw} (dont share)
config | localhost:5432:app:deploy:{a16}
uri | ldap bind: ldapsearch -x -D "cn=admin,dc=acme,dc=io" -w '{pw}' -b dc=acme
sentence | my api key ({a32}) stopped working
pem | nostr nsec1{k58}
sentence | For the demo account use demo@acme.io with password "{pw}".
pem | ETH deployer private key 0x{h64}
config | <add key="ClearTextPassword" value="{a16}" />
header | wget --header="X-Vault-Token: {a26}" https://vault.db.acme.io/v1/secret/data/app
config | DB::connect(user: "deploy", pass: "{pw}")
sentence | Snowflake: user REPORTER, password {pw}, warehouse WH_S
config | storePassword={pw}{n}keyAlias=upload{n}keyPassword={pw}
header | cookie: __Secure-next-auth.session-token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w60}.{w43}
uri | ftp://deploy:{pw}@ftp.db.acme.io/pub
sentence | Changed the root pw to {pw} yesterday
header | headers = {"X-Shopify-Hmac-Secret": "{h64}"}
sentence | PIN for the HSM is {d8}
config | az login --service-principal -u {uuid} -p {a3}8Q~{w34} --tenant {uuid}
pem | wg PresharedKey = {b43}=
config | ansible_become_pass: {pw}
header | Cookie: sessionid={k32}; csrftoken={a64}
config | psk="{pw}"
header | Ocp-Apim-Subscription-Key: {h32}
uri | sqlalchemy.url = postgresql+psycopg2://deploy:{a16}@db.acme.io/warehouse
config | JWT_SECRET={a48}
config | echo "{pw}" | sudo -S apt update
uri | host=db.acme.io port=5432 dbname=app user=deploy password={a16} sslmode=require
pem | PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b64}\\n{b40}\\n-----END RSA PRIVATE KEY-----"
webhook | https://hook.eu1.make.com/{k32}
pem | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END PGP PRIVATE KEY BLOCK-----
totp | TOTP seed for the root account: {x32}
totp | recovery code {k5}-{k5} for the GitHub org owner
config | enable secret 0 {pw}
config | mysql -u root -p{a16} shop < dump.sql
sentence | authenticate with key={a32} on the vendor portal
blob | echo {base64:token: ghp_[a36]} | base64 -d
url-param | https://gitlab.acme.io/feed.atom?feed_token=glft-{w20}
pem | {"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","d":"{w43}"}
config | ALTER ROLE deploy PASSWORD '{a16}';
blob | base64 of the env: {base64:DB_PASSWORD=[pw][n]API_KEY=[a32][n]}
config | client_secret: {w40}
header | Authorization: Basic {base64:deploy:[a16]}
uri | mssql+pyodbc://deploy:{a16}@db.acme.io/db?driver=ODBC+Driver+18
config | SESSION_SECRET: "{a24}"
uri | DefaultEndpointsProtocol=https;AccountName=st{k6};AccountKey={b86}==;EndpointSuffix=core.windows.net
uri | mongodb+srv://deploy:{a16}@cluster0.x{k4}.mongodb.net/prod
uri | DATABASE_URL=mysql://deploy:{a16}@db.acme.io/shop
webhook | https://oapi.dingtalk.com/robot/send?access_token={h64}
webhook | https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
header | curl -u deploy:{a16} https://db.acme.io/api/json
config | helm install app . --set auth.rootPassword={a16}
config | IDENTIFIED BY '{pw}'
config | echo deploy:{pw} | chpasswd
webhook | https://open.feishu.cn/open-apis/bot/v2/hook/{uuid}
uri | amqps://deploy:{a16}@db.acme.io/vhost
url-param | http://db.acme.io/api?api_key={h32}&fmt=json
config | htpasswd -b .htpasswd deploy {a16}
webhook | https://hooks.zapier.com/hooks/catch/{d7}/{k7}/
config | ENCRYPTION_KEY={h64}
sentence | The admin password on the staging box is {pw}
config | - POSTGRES_PASSWORD={pw}
config | secret_key_base: {h128}
config | val apiSecret: String = "{a32}"
sentence | pwd {pw} for grafana, user deploy
uri | smtp://deploy%40acme.io:{a16}@smtp.acme.io:587
sentence | Bob said the bearer token should be {a36} until Friday
config | machine db.acme.io login deploy password {a16}
config | docker login -u deploy -p {a16} registry.acme.io
config | net use Z: \\\\nas\\share /user:deploy {pw}
sentence | creds: deploy:{pw}
config | [default]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}
pem | -----BEGIN ENCRYPTED PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b40}{n}-----END ENCRYPTED PRIVATE KEY-----
uri | HostName=hub{k4}.azure-devices.net;DeviceId=sensor1;SharedAccessKey={b43}=
header | fetch(url, { headers: { Authorization: \`Bearer {a40}\` } })
sentence | login: deploy@acme.io{n}pass: {pw}
blob | kubeconfig client-key-data: {base64:-----BEGIN RSA PRIVATE KEY-----[n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b64][n][b40][n]-----END RSA PRIVATE KEY-----}
uri | libsql://app-{k4}.turso.io?authToken=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w60}.{w43}
uri | jdbc:postgresql://db.acme.io:5432/app?user=deploy&password={a16}
config | user deploy has hash $2b$12\${a53}
sentence | encryption key used for backups: {b43}=
config | spring.datasource.password={pw}
url-param | https://st{k5}.blob.core.windows.net/b/f.zip?sv=2022-11-02&sr=b&sp=r&se=2026-01-01&sig={a43}%3D
webhook | https://discord.com/api/webhooks/{d19}/{w68}
config | "refresh_token":"{w60}","expires_in":3600
uri | Endpoint=sb://bus-{k4}.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
config | snmp-server community {a14} RO
config | Vault unseal key 1: {b44}
sentence | Use {pw} as the database password.
config | NEXTAUTH_SECRET="{b43}="
sentence | SSH: deploy@db.acme.io (password: {pw})
config | wpa_passphrase={a16}
uri | jdbc:oracle:thin:deploy/{a16}@db.acme.io:1521:ORCL
config | DB_PASSWORD={pw}
totp | backup codes: {d5}-{d5} {d5}-{d5} {d5}-{d5} {d5}-{d5}
`;
