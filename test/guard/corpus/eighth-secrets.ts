/** Secrets of services, written without a look at the rules. */
export const eighthSecrets = `
github classic, prose | I pushed with the personal token ghp_{a36} because the SSH agent was not running.
github classic, env | # .env.local{n}GITHUB_TOKEN=ghp_{a36}{n}GITHUB_ORG=acme-labs
github fine-grained, bullet | - PAT for the release bot: github_pat_{a22}_{a59} (expires in March)
github in remote url | git remote set-url origin https://x-access-token:ghs_{a36}@github.com/acme/web.git
github oauth, curl | curl -H "Authorization: token gho_{a36}" https://api.github.com/user/repos
github refresh, json | {"access_type":"offline","refresh_token":"ghr_{a76}","scope":"repo"}
github in gh login | echo ghp_{a36} | gh auth login --with-token
gitlab pat, prose | Use glpat-{w20} for the group-level API calls, it has read_api and write_repository.
gitlab pat, header | PRIVATE-TOKEN: glpat-{w20}
gitlab deploy token, docker login | docker login registry.gitlab.com -u gitlab+deploy-token-4412 -p gldt-{w20}
gitlab runner, toml | [[runners]]{n}  name = "shell-1"{n}  url = "https://gitlab.example.org"{n}  token = "glrt-{w20}"{n}  executor = "shell"
gitlab ci job, clone | git clone https://oauth2:glpat-{w20}@gitlab.acme.io/platform/infra.git
bitbucket app password | Bitbucket app password for CI: ATBB{a32} (user acme-ci)
aws secret key, credentials file | [default]{n}aws_access_key_id = AKIA{x16}{n}aws_secret_access_key = {b40}{n}region = eu-central-1
aws secret only, env | export AWS_SECRET_ACCESS_KEY={b40}
aws secret, prose | The secret access key that belongs to the s3-backup user is {b40}, rotate it after the migration.
aws session token, shell | export AWS_SESSION_TOKEN="IQoJb3JpZ2luX2Vj{b300}=="
aws, terraform provider | provider "aws" {{n}  region     = "eu-west-1"{n}  access_key = "AKIA{x16}"{n}  secret_key = "{b40}"{n}}
aws, cli configure | aws configure set aws_secret_access_key {b40} --profile staging
aws, boto3 | s3 = boto3.client("s3", aws_access_key_id=KEY_ID, aws_secret_access_key="{b40}")
aws, java properties | cloud.aws.credentials.secretKey={b40}
aws, key id and secret on one line | AWS keys: AKIA{x16} / {b40}
aws ses smtp | SMTP host email-smtp.eu-west-1.amazonaws.com, user AKIA{x16}, SMTP password {b44}
aws, dockerfile | FROM node:20-slim{n}ENV AWS_SECRET_ACCESS_KEY={b40}{n}RUN npm ci
gcp api key, url | GET https://maps.googleapis.com/maps/api/geocode/json?address=Bern&key=AIza{w35}
gcp api key, gemini env | GEMINI_API_KEY="AIza{w35}"
google oauth client secret, json | {"web":{"client_id":"{d12}-{k32}.apps.googleusercontent.com","client_secret":"GOCSPX-{w28}","redirect_uris":["http://localhost:3000/cb"]}}
google access token, header | Authorization: Bearer ya29.a0{w160}
google refresh token, python | creds = Credentials(None, refresh_token="1//0{w60}", token_uri="https://oauth2.googleapis.com/token")
gcp service account json | {"type":"service_account","project_id":"acme-prod","private_key_id":"{h40}","private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b400}\\n-----END PRIVATE KEY-----\\n","client_email":"deploy@acme-prod.iam.gserviceaccount.com"}
azure client secret, yaml | azure:{n}  tenant_id: {uuid}{n}  client_id: {uuid}{n}  client_secret: {a3}8Q~{w34}
azure storage connection string | DefaultEndpointsProtocol=https;AccountName=acmelogs;AccountKey={b86}==;EndpointSuffix=core.windows.net
azure service bus | Endpoint=sb://acme-events.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
azure sas url | https://acmelogs.blob.core.windows.net/dumps/db.bak?sv=2022-11-02&sr=b&sp=r&se=2027-01-01T00%3A00%3A00Z&sig={a43}%3D
azure cosmos | AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey={b86}==;
azure devops pat, shell | az devops login --organization https://dev.azure.com/acme <<< {k52}
azure openai, curl | curl https://acme.openai.azure.com/openai/deployments?api-version=2024-02-01 -H "api-key: {h32}"
openai project key, env | OPENAI_API_KEY=sk-proj-{w74}T3BlbkFJ{w74}
openai legacy, prose | my OpenAI key is sk-{a20}T3BlbkFJ{a20}, use it for the embeddings job
openai service account, python | client = OpenAI(api_key="sk-svcacct-{w58}T3BlbkFJ{w58}")
anthropic, shell | export ANTHROPIC_API_KEY=sk-ant-api03-{w93}AA
anthropic, chat quote | > user: here, take this one: sk-ant-api03-{w93}AA{n}> assistant: Thanks, I set it in the shell.
anthropic admin, header | x-api-key: sk-ant-admin01-{w93}AA
anthropic oauth, json | {"claudeAiOauth":{"accessToken":"sk-ant-oat01-{w86}-{w6}AA","expiresAt":1762345678901}}
openrouter, yaml | openrouter:{n}  api_key: sk-or-v1-{h64}{n}  model: meta-llama/llama-3-70b
huggingface, cli | huggingface-cli login --token hf_{a34}
groq, note | Groq works now (key gsk_{a52}), limit 30 requests per minute.
replicate, ts | const replicate = new Replicate({ auth: "r8_{a37}" });
perplexity, toml | [llm.perplexity]{n}key = "pplx-{a48}"
deepseek, curl | curl https://api.deepseek.com/chat/completions -H "Authorization: Bearer sk-{h32}" -d @body.json
mistral, json | { "provider": "mistral", "apiKey": "{a32}", "model": "mistral-large-latest" }
cohere, python | co = cohere.Client("{a40}")
pinecone, env | PINECONE_API_KEY=pcsk_{a6}_{a63}
elevenlabs, header | xi-api-key: sk_{h48}
langsmith, env | LANGCHAIN_API_KEY=lsv2_pt_{h32}_{h10}
wandb, shell | wandb login {h40}
slack bot, env | SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{a24}
slack user, prose | Posted with the user token xoxp-{d12}-{d12}-{d13}-{h32}; it has chat:write.
slack app, toml | app_token = "xapp-1-A{K10}-{d13}-{h64}"
slack webhook, ci | - run: curl -X POST --data '{"text":"deployed"}' https://hooks.slack.com/services/T{K8}/B{K10}/{a24}
slack signing secret, env | SLACK_SIGNING_SECRET={h32}
discord bot, js | client.login("{base64:1[d17]}.G{a5}.{w38}");
discord webhook, note | Alerts go to https://discord.com/api/webhooks/{d18}/{w68}
telegram, env | TELEGRAM_BOT_TOKEN={d10}:AA{w33}
telegram, url | curl "https://api.telegram.org/bot{d10}:AA{w33}/getUpdates"
teams webhook | Teams connector: https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
stripe live, env | STRIPE_SECRET_KEY=sk_live_51{a97}
stripe restricted, prose | For the report job we created a restricted key, rk_live_{a99}, with read on charges only.
stripe webhook, yaml | stripe:{n}  webhook_secret: whsec_{a32}
stripe test secret, curl | curl https://api.stripe.com/v1/charges -u sk_test_51{a97}:
twilio auth token, env | TWILIO_ACCOUNT_SID=AC{h32}{n}TWILIO_AUTH_TOKEN={h32}
twilio, curl | curl -X POST https://api.twilio.com/2010-04-01/Accounts/AC{h32}/Messages.json -u AC{h32}:{h32}
twilio api key secret, node | const client = twilio(apiKeySid, "{a32}", { accountSid }); // api key secret
sendgrid, python | sg = SendGridAPIClient('SG.{w22}.{w43}')
mailgun, curl | curl -s --user 'api:key-{h32}' https://api.mailgun.net/v3/mg.acme.io/messages
mailchimp, ini | [mailchimp]{n}api_key = {h32}-us14
postmark, header | X-Postmark-Server-Token: {uuid}
resend, ts | const resend = new Resend("re_{a8}_{a24}");
brevo, env | BREVO_KEY=xkeysib-{h64}-{a16}
npm token, npmrc | //registry.npmjs.org/:_authToken=npm_{a36}
npm token, gh secret set | gh secret set NPM_TOKEN --body npm_{a36}
npm legacy token | npm config set _authToken {uuid} --location project
npm private registry _auth | registry=https://nexus.acme.io/repository/npm/{n}_auth={base64:deployer:[a24]}
pypi, pypirc | [pypi]{n}username = __token__{n}password = pypi-AgEIcHlwaS5vcmc{w150}
pypi, twine command | TWINE_USERNAME=__token__ TWINE_PASSWORD=pypi-AgEIcHlwaS5vcmc{w140} twine upload dist/*
rubygems, credentials | ---{n}:rubygems_api_key: rubygems_{h48}
crates.io, toml | [registry]{n}token = "cio{a32}"
nuget, powershell | dotnet nuget push out/Acme.1.2.0.nupkg -k oy2{k43} -s https://api.nuget.org/v3/index.json
docker hub pat | echo "dckr_pat_{w27}" > /tmp/pat && docker login -u acmebot --password-stdin < /tmp/pat
docker config auth | {"auths":{"ghcr.io":{"auth":"{base64:acmebot:ghp_[a36]}"}}}
artifactory, gradle | artifactory_password=AKCp{a69}
maven settings | <server>{n}  <id>releases</id>{n}  <username>ci</username>{n}  <password>{a28}</password>{n}</server>
heroku, netrc | machine api.heroku.com{n}  login ops@acme.io{n}  password HRKU-AA{w58}
heroku uuid key | HEROKU_API_KEY={uuid}
netlify, cli | netlify deploy --prod --auth nfp_{a36} --site acme-docs
vercel, shell | vercel --token {a24} --prod
fly.io | FLY_API_TOKEN="FlyV1 fm2_{b220}="
cloudflare token, env | CLOUDFLARE_API_TOKEN={w40}
cloudflare global key, headers | X-Auth-Email: ops@acme.io{n}X-Auth-Key: {h37}
cloudflare tunnel | cloudflared service install eyJhIjoi{b170}
digitalocean, doctl | doctl auth init -t dop_v1_{h64}
digitalocean spaces, table | | bucket | access key | secret |{n}|---|---|---|{n}| acme-media | DO00{K16} | {b43} |
linode, terraform | provider "linode" {{n}  token = "{h64}"{n}}
hetzner, env | HCLOUD_TOKEN={a64}
render, prose | Render deploys via API, key rnd_{a28}.
railway | RAILWAY_TOKEN={uuid} railway up --detach
supabase pat | supabase login --token sbp_{h40}
supabase service role, env | SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{base64:["iss": "supabase", "ref":"[l20]","role":"service_role","iat":17[d8],"exp":20[d8]]}.{w43}
jwt bearer, curl | curl -H 'Authorization: Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6Im1haW4ifQ.eyJ{w150}.{w342}' https://api.acme.io/v1/me
jwt, log | [auth] issued token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w90}.{w43} for user 4411
planetscale, url | mysql://{k12}:pscale_pw_{w43}@aws.connect.psdb.cloud/acme?sslaccept=strict
neon, url | DATABASE_URL=postgresql://neondb_owner:npg_{a12}@ep-cool-field-{k8}-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=require
postgres url, random password | postgres://app_rw:{a24}@db-prod-1.internal.acme.io:5432/orders
postgres url, prose | For the import I connected to postgresql+asyncpg://importer:{a20}@10.4.2.17/warehouse and it was fast.
mongo atlas, env | MONGO_URI=mongodb+srv://acme-app:{a16}@cluster0.{k5}.mongodb.net/?retryWrites=true&w=majority
redis url | REDIS_URL=rediss://default:{a32}@eu1-happy-cat-30112.upstash.io:30112
redis-cli | redis-cli -h cache.acme.io -a {a48} ping
amqp, compose | environment:{n}  BROKER_URL: amqps://worker:{a32}@rabbit.acme.io/jobs
mysql dsn, go | db, err := sql.Open("mysql", "svc_bill:{a22}@tcp(10.0.3.4:3306)/billing?parseTime=true")
jdbc | jdbc:postgresql://pg.acme.io:5432/crm?user=crm_app&password={a24}&ssl=true
mssql, ado | Server=tcp:acme.database.windows.net,1433;Database=erp;User ID=erp_app;Password={a22};Encrypt=True;
sqlalchemy, snowflake | engine = create_engine("snowflake://LOADER:{a20}@xy12345.eu-central-1/ANALYTICS/RAW")
upstash rest token | UPSTASH_REDIS_REST_URL=https://eu1-calm-owl-31002.upstash.io{n}UPSTASH_REDIS_REST_TOKEN=A{b52}Q==
turso | TURSO_AUTH_TOKEN=eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ{w80}.{w86}
elastic api key, curl | curl -H "Authorization: ApiKey {base64:[w20]:[w22]}" https://es.acme.io:9243/_cat/indices
elastic password, log | The generated password for the elastic built-in superuser is:{n}{a20}
vault token, shell | export VAULT_ADDR=https://vault.acme.io VAULT_TOKEN=hvs.{w90}
vault legacy, note | Vault root token from init: s.{a24}
vault unseal key | Unseal Key 1: {b43}={n}(three of five are needed, this is mine)
vault approle | role_id={uuid} secret_id={uuid} works for the CI approle
terraform cloud, credentials | credentials "app.terraform.io" {{n}  token = "{a14}.atlasv1.{a67}"{n}}
consul acl | consul members -token={uuid}
doppler, shell | doppler configure set token dp.pt.{a43}
1password service account | OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{w220}
datadog api key, yaml | datadog:{n}  api_key: {h32}{n}  site: datadoghq.eu
datadog app key, env | DD_APP_KEY={h40}
new relic user key, header | Api-Key: NRAK-{K27}
new relic license | NEW_RELIC_LICENSE_KEY=eu01xx{h30}NRAL
sentry auth, sentryclirc | [auth]{n}token=sntrys_eyJ{w120}_{b43}
sentry user token, prose | sentry-cli needs a token; I generated sntryu_{h64} under my account.
grafana service account | curl -H "Authorization: Bearer glsa_{a32}_{h8}" https://grafana.acme.io/api/dashboards/home
grafana cloud | GRAFANA_CLOUD_TOKEN=glc_eyJ{w140}
pagerduty, header | Authorization: Token token={a20}
honeycomb, otel | OTEL_EXPORTER_OTLP_HEADERS="x-honeycomb-team={a22}"
splunk hec | curl -k https://splunk.acme.io:8088/services/collector -H "Authorization: Splunk {uuid}" -d '{"event":"hi"}'
linear, graphql | curl https://api.linear.app/graphql -H "Authorization: lin_api_{a40}"
notion, js | const notion = new Client({ auth: "ntn_{a46}" })
notion older, env | NOTION_SECRET=secret_{a43}
airtable, curl | curl "https://api.airtable.com/v0/app{a14}/Leads" -H "Authorization: Bearer pat{a14}.{h64}"
asana | Asana PAT: 2/{d16}/{d16}:{h32}
jira api token, prose | Jira: use ops@acme.io with API token ATATT3xFfGF0{w172}={H8}
figma, header | X-Figma-Token: figd_{w40}
shopify, env | SHOPIFY_ADMIN_TOKEN=shpat_{h32}
paypal, oauth curl | curl -u "A{w79}:E{w79}" -d grant_type=client_credentials https://api-m.paypal.com/v1/oauth2/token
binance, env | BINANCE_SECRET_KEY={a64}
facebook page token | https://graph.facebook.com/v19.0/me/feed?access_token=EAA{a180}
twitter bearer | TWITTER_BEARER=AAAAAAAAAAAAAAAAAAAAA{a30}%3D{a50}
twitter consumer secret | consumer_secret: {a50}
mapbox secret, prose | The upload script needs the secret scope, so: sk.eyJ1{w70}.{w22}
algolia admin, js | const client = algoliasearch("{K10}", "{h32}"); // admin key
databricks, cfg | [DEFAULT]{n}host  = https://adb-{d16}.3.azuredatabricks.net{n}token = dapi{h32}-2
confluent, properties | sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="{K16}" password="{b64}";
sonarqube | mvn sonar:sonar -Dsonar.host.url=https://sonar.acme.io -Dsonar.token=squ_{h40}
snyk, shell | snyk auth {uuid}
codecov upload | bash <(curl -s https://codecov.io/bash) -t {uuid}
circleci, note | CircleCI token is CCIPAT_{a22}_{h40}, only for reading of artifacts.
buildkite api | BUILDKITE_API_TOKEN=bkua_{h40}
jenkins, curl | curl -X POST https://jenkins.acme.io/job/deploy/build --user admin:11{h32}
okta, header | Authorization: SSWS 00{w40}
auth0, env | AUTH0_CLIENT_SECRET={w64}
clerk, nextjs | CLERK_SECRET_KEY=sk_live_{a42}
keycloak, yaml | keycloak:{n}  realm: acme{n}  client-id: backend{n}  credentials:{n}    secret: {a32}
launchdarkly | ldClient = LaunchDarkly.init("sdk-{uuid}");
hubspot, node | new hubspot.Client({ accessToken: "pat-na1-{uuid}" })
postman | X-Api-Key: PMAK-{h24}-{h34}
ngrok, cli | ngrok config add-authtoken 2{a26}_{a21}
tailscale, cloud-init | runcmd:{n}  - tailscale up --authkey=tskey-auth-k{a11}CNTRL-{a32} --ssh
wireguard | [Interface]{n}PrivateKey = {b43}={n}Address = 10.8.0.2/24
kubernetes sa token | kubectl --server=https://10.0.0.1:6443 --token=eyJhbGciOiJSUzI1NiIsImtpZCI6I{w30}.eyJ{w300}.{w342} get pods
kubeconfig key data | users:{n}- name: admin{n}  user:{n}    client-key-data: {base64:-----BEGIN RSA PRIVATE KEY-----[n]MIIEpAIBAAKCAQEA[b48][n][b64][n][b64][n]-----END RSA PRIVATE KEY-----[n]}
k8s secret manifest | apiVersion: v1{n}kind: Secret{n}metadata:{n}  name: billing{n}type: Opaque{n}data:{n}  api-key: {base64:[a40]}
kubeadm join | kubeadm join 10.0.0.1:6443 --token {k6}.{k16} --discovery-token-ca-cert-hash sha256:{h64}
docker swarm | docker swarm join --token SWMTKN-1-{k50}-{k25} 10.0.0.9:2377
basic auth header, random | Authorization: Basic {base64:svc-export:[a28]}
proxy auth | HTTPS_PROXY=http://lum-customer-acme:{k16}@zproxy.lum-superproxy.io:22225
netrc | machine git.acme.io login buildbot password {a40}
pgpass | db.acme.io:5432:*:reporter:{a26}
cookie, curl | curl 'https://app.acme.io/admin' -H 'Cookie: sessionid={k32}; csrftoken={a64}'
set-cookie, log | < set-cookie: connect.sid=s%3A{w32}.{a43}; Path=/; HttpOnly
django secret key | SECRET_KEY = "django-insecure-{o25}{s25}"
flask secret, python | app.config["SECRET_KEY"] = "{h48}"
rails master key | config/master.key is {h32}
rails secret_key_base, yaml | production:{n}  secret_key_base: {h128}
laravel app key | APP_KEY=base64:{b43}=
nextauth | NEXTAUTH_URL=http://localhost:3000{n}NEXTAUTH_SECRET={b43}=
jwt signing secret, java | jwt.secret={a64}{n}jwt.expiration=3600
jwt secret, ts fallback | const secret = process.env.JWT_SECRET ?? "{h64}";
encryption key, prose | The column encryption key (AES-256, hex) is {h64}. Without it the old rows cannot be read.
fernet key | cipher = Fernet(b"{w43}=")
hmac webhook, diff | -const WEBHOOK_SECRET = "";{n}+const WEBHOOK_SECRET = "{h40}";
totp url | otpauth://totp/Acme:ops@acme.io?secret={x32}&issuer=Acme
totp secret, prose | 2FA seed for the shared registrar account: {x16}
recovery codes | Recovery codes for GitHub:{n}{h5}-{h5}{n}{h5}-{h5}{n}{h5}-{h5}
openssh private key | -----BEGIN OPENSSH PRIVATE KEY-----{n}b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQy{n}{b70}{n}{b70}{n}{b70}{n}-----END OPENSSH PRIVATE KEY-----
rsa private key in heredoc | cat > deploy.pem <<'PEM'{n}-----BEGIN RSA PRIVATE KEY-----{n}MIIEpAIBAAKCAQEA{b48}{n}{b64}{n}{b64}{n}{b64}{n}-----END RSA PRIVATE KEY-----{n}PEM
ec private key | -----BEGIN EC PRIVATE KEY-----{n}MHcCAQEE{b56}{n}{b64}{n}{b38}=={n}-----END EC PRIVATE KEY-----
pkcs8 in env with \\n | APPLE_P8="-----BEGIN PRIVATE KEY-----\\nMIGTAgEAMBMGByqGSM49AgEG{b40}\\n{b64}\\n{b64}\\n{b8}\\n-----END PRIVATE KEY-----"
pgp private key | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{n}lQdGBGX{b57}{n}{b64}{n}{b64}{n}={b4}{n}-----END PGP PRIVATE KEY BLOCK-----
putty ppk | PuTTY-User-Key-File-3: ssh-ed25519{n}Encryption: none{n}Comment: deploy{n}Private-Lines: 1{n}{b44}{n}Private-MAC: {h64}
ethereum private key | DEPLOYER_PRIVATE_KEY=0x{h64}
hardhat config | accounts: ["0x{h64}"], // funded mainnet wallet
alchemy url | provider = new ethers.JsonRpcProvider("https://eth-mainnet.g.alchemy.com/v2/{w32}")
generic api key, german | Der API-Schlüssel für den Wetterdienst ist {a32}, bitte nicht weitergeben.
generic token, french | Le jeton d'accès de l'API interne : {h40} (valable jusqu'en juin).
generic key, spanish | La clave de API de producción es {a36}.
generic token, prose | The internal gateway only accepts the bearer token {a48}; I hard-coded it for now.
generic api key, json config | "weather": { "endpoint": "https://api.weather.acme.io", "api_key": "{h32}" }
generic secret, toml | [oauth]{n}client_id = "acme-portal"{n}client_secret = "{w43}"
generic token, query string | fetch("https://api.acme.io/v2/export?access_token={a40}&format=csv")
generic key, csharp | private const string ApiKey = "{a32}";
generic key, go | const apiToken = "{h40}" // TODO move to vault
generic key, rust | let token = "{a40}".to_string(); // auth token for the ingest API
generic key, kotlin | val API_SECRET = "{b40}="
generic key, php define | define('AUTH_KEY', '{a24}{s40}');
generic key, ci yaml | deploy:{n}  script:{n}    - export DEPLOY_KEY={a40}{n}    - ./deploy.sh
generic key, powershell | $env:API_TOKEN = "{a40}"
generic key, fish | set -x MEILI_MASTER_KEY {w43}
generic key, sql insert | INSERT INTO api_keys (owner, key) VALUES ('partner-a', '{a40}');
sql create user | CREATE USER etl WITH PASSWORD '{a24}';
sql alter role | ALTER ROLE replicator PASSWORD '{a28}';
generic key, table | | service | API key |{n}| --- | --- |{n}| geocoder | {a32} |
generic key, header | X-API-Key: {a40}
generic key, helm | helm upgrade app ./chart --set auth.apiKey={a32} --set replicas=2
generic key, docker run | docker run -d -e ADMIN_TOKEN={w64} -p 80:80 vaultwarden/server:latest
generic key, ansible | vars:{n}  grafana_admin_password: {a24}{n}  grafana_port: 3000
generic key, systemd | [Service]{n}Environment=BORG_PASSPHRASE={a32}{n}ExecStart=/usr/local/bin/backup.sh
restic, shell | RESTIC_PASSWORD={a40} restic -r s3:s3.acme.io/backup snapshots
tfvars | db_password = "{a24}"{n}db_size = "db.t3.micro"
appsettings json | "Jwt": { "Issuer": "acme", "SigningKey": "{b43}=" }
spring yaml | spring:{n}  datasource:{n}    username: app{n}    password: {a22}
ldap bind | ldapsearch -x -D "cn=reader,dc=acme,dc=io" -w {a20} -b dc=acme,dc=io
smtp url | EMAIL_URL=smtps://noreply%40acme.io:{a24}@mail.acme.io:465
sshpass, random | sshpass -p '{a18}' scp dump.sql ops@10.1.1.4:/srv/
home assistant token | HASS token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{base64:["iss": "[h32]", "iat":17[d8],"exp":20[d8]]}.{w43}
gitea, curl | curl -H "Authorization: token {h40}" https://git.acme.io/api/v1/user
expo eas | EXPO_TOKEN={w40} eas build --platform ios --non-interactive
apple app-specific password | xcrun notarytool submit app.zip --apple-id dev@acme.io --password {l4}-{l4}-{l4}-{l4} --team-id {K10}
zoom, env | ZOOM_CLIENT_SECRET={a32}
mcp config, github | {"mcpServers":{"github":{"command":"npx","args":["-y","@modelcontextprotocol/server-github"],"env":{"GITHUB_PERSONAL_ACCESS_TOKEN":"ghp_{a36}"}}}}
mcp add, shell | claude mcp add search -e BRAVE_API_KEY=BSA{w28} -- npx -y brave-search-mcp
fenced env block | The file on the server holds:{n}\`\`\`env{n}PORT=8080{n}SESSION_SECRET={h64}{n}\`\`\`
kubectl create secret | kubectl create secret generic smtp --from-literal=password={a28}
aws put-secret-value | aws secretsmanager put-secret-value --secret-id prod/db --secret-string '{"username":"app","password":"{a24}"}'
wrangler secret | echo {h40} | npx wrangler secret put INGEST_TOKEN
git extraheader | git config http.extraheader "AUTHORIZATION: bearer {k52}"
vscode rest client | @token = {w43}{n}GET https://api.acme.io/v1/orders{n}Authorization: Bearer {{token}}
commit message | fix: use the new partner token ({a40}) since the old one was blocked
german, client secret | Client-Secret der Testanwendung: {a40} (läuft im Mai ab)
traceback with dsn | sqlalchemy.exc.OperationalError: could not connect: postgresql://crm:{a22}@pg-2.acme.io/crm
build arg | docker build --build-arg NPM_TOKEN=npm_{a36} -t web .
`;
