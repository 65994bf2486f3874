/** Lines that hold a secret, written without a look at the rules. See template.ts. */
export const thirteenthSecrets = `
aws-key-pair | AWS_ACCESS_KEY_ID=AKIA{x16} AWS_SECRET_ACCESS_KEY={a40} terraform plan
aws-secret | aws_secret_access_key = {a40}   # profile [billing-prod]
aws-sts | got temp creds for the migration: ASIAZHQ3ESUYAIMEZFGO / E+p0kfZsEZ3w/{a27} / session token IQoJ{a136}/wvdEGj+UQ6Qs/{a28}/qMffTH5/{a41}/{a27}+{a38}+{a13}+{a49}+s/hmK9q+rLZ7FcxTG+{a35}
aws-credentials-csv | new user ci-uploader,AKIAKLUDQTYVHJ7VKUYE,{a40}
aws-bedrock | export AWS_BEARER_TOKEN_BEDROCK=ABSK{a111}=
aws-s3-presigned | dump is at https://acme-dumps.s3.eu-west-1.amazonaws.com/full.sql.gz?X-Amz-Algorithm={w16}&X-Amz-Credential=AKIAESSFBN544Y2DZRZU%2F20260611%2Feu-west-1%2Fs3%{w14}&X-Amz-Date=20260611T081512Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature={h64}
aws-ses-smtp | SMTP_USER=AKIANL3BHXJGPHM3QATK SMTP_PASS={a29}/fkMUEzMomRJNS2
azure-storage | DefaultEndpointsProtocol=https;AccountName=acmelogs;AccountKey={a29}/{a39}+CZqFvO+AStNPzgSA==;EndpointSuffix=core.windows.net
azure-client-secret | ARM_CLIENT_SECRET=HRI8Q~jKk.{w30}
azure-client-secret | appsettings: "AzureAd": {"TenantId": "{uuid}", "ClientId": "{uuid}", "ClientSecret": "hXo7Q~obQSbgta-wmbLcufA9Unm~{a12}"}
azure-sas | azcopy copy ./out "https://acmelogs.blob.core.windows.net/in?sv=2024-11-04&ss=b&srt=co&sp=rwdlac&se=2026-12-31T23:59:59Z&sig=OZ%{a19}%{a24}%3D"
azure-cosmos | AccountEndpoint=https://acme-orders.documents.azure.com:443/;AccountKey={a31}/{a54}==;
azure-servicebus | Endpoint=sb://acme-bus.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=Lnz4DP0/{a25}+ASbeSF06D=
azure-devops-pat | git clone https://build:{a84}@dev.azure.com/acme/platform/_git/api
azure-openai | AZURE_OPENAI_API_KEY={a84}
azure-functions | curl https://acme-fn.azurewebsites.net/api/resize?code={w54}==
azure-acr | docker login acmereg.azurecr.io -u acmereg -p {a42}+ACRP8wSs5
gcp-api-key | const MAPS_KEY = "AIza{a35}"; // server side key, no referrer limit
gcp-service-account | echo '{"type": "service_account", "project_id": "acme-etl-prod", "private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\\{a65}\\{a23}/A+f4hTAQIAMW+{a28}\\{a39}/{a13}/6R8PIS798NR\\{a26}/hhI/{a34}\\{a18}+WleW/{a18}/TaIg1WGRx0+gj+AOv2Wh04\\nvKhZhn1+{a56}\\{a23}/KaV1/CRtk/{a31}\\{a62}/5l\\{a21}/e0dZAg8Vwic+qs6Q0me3aP+{a20}\\nJakKnpHmxF/{a53}\\{a47}/TvMULxBdLLS0Q+5Q/\\{a13}+{a25}+{a25}\\nl+{a62}\\{a35}+5fM+{a22}+a9\\nwERy9hwup/DJ+{a36}+i/{a12}\\{a65}\\{a65}\\{a61}+uZo\\{a65}\\{a50}/{a14}\\n/{a36}+{a26}\\{a24}/HHbWMKMBlbeNV8+{a25}\\nh9nblB+{a49}/MoRMxQ2\\{a19}/{a13}/{a31}\\{a46}/7bQ4hgBX+TslHLNN1k\\nur/R0UfQ8/BTJKdmSXQINHsUFw8=\\n-----END PRIVATE KEY-----\\n", "client_email": "loader@acme-etl-prod.iam.gserviceaccount.com", "client_id": "{d21}"}' > sa.json
gcp-oauth-client | GOOGLE_CLIENT_SECRET=GOCSPX-HPwjrayqNIgU1_{a14}
gcp-oauth-access | curl -H "Authorization: Bearer ya29.{w203}" https://www.googleapis.com/drive/v3/files
gcp-oauth-refresh | "refresh_token": "1//{w100}"
gcp-hmac | gsutil interop keys: GOOG1E{x55} / {a17}+6FeWn5OW+/{a12}
gemini-auth-key | GEMINI_API_KEY=AQ.{w50}
digitalocean | doctl auth init -t dop_v1_{h64}
digitalocean-spaces | SPACES_KEY={K20} SPACES_SECRET={a23}+x/{a16}+
heroku | HEROKU_API_KEY=HRKU-{w60}
fly | FLY_API_TOKEN="FlyV1 fm2_{b244}"
cloudflare-token | CF_API_TOKEN={a40}  # zone:edit acme.io
cloudflare-token | wrangler uses cfut_{a48} now (new style token, edit workers)
cloudflare-global | X-Auth-Email: ops@acme.io / X-Auth-Key: {h37}
cloudflare-origin-ca | origin ca key v1.0-{h24}-{h146}
vercel | vercel deploy --prod --token vcp_{a56}
netlify | NETLIFY_AUTH_TOKEN: nfp_{a36}
railway | RAILWAY_TOKEN={uuid} railway up
supabase | supabase login --token sbp_{h40}
supabase-secret | SUPABASE_SERVICE_KEY=sb_secret_{w31}
supabase-service-jwt | service_role key: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{a135}.{w43}
neon | NEON_API_KEY=napi_{k64}
planetscale | DATABASE_URL=mysql://{k20}:pscale_pw_{a43}@aws.connect.psdb.cloud/shop?sslaccept=strict
hetzner | hcloud context create prod  # token: {a64}
scaleway | SCW_ACCESS_KEY={K20} SCW_SECRET_KEY={uuid}
alibaba | aliyun oss: accessKeyId LTAI{a20} accessKeySecret {a30}
tencent | TENCENTCLOUD_SECRET_ID=AKID{a32} TENCENTCLOUD_SECRET_KEY={a32}
yandex | yc api-key: AQVN{w36} (роль ai.languageModels.user)
databricks | databricks configure --host https://adb-{d16}.14.azuredatabricks.net, token dapi{w34}
snowflake | snowsql -a xy48213.eu-central-1 -u LOADER with SNOWSQL_PWD=Glacier_Fox!930
github-classic | remote set-url origin https://ghp_{a36}@github.com/acme/api.git
github-classic | gh auth login --with-token <<< ghp_{a36}
github-oauth | ~/.config/gh/hosts.yml -> oauth_token: gho_{a36}
github-server | GITHUB_TOKEN=ghs_{a36} (from the app, valid 1h, used by the bot)
github-server-jwt | installation token in the debug log: ghs_{w44}.eyJ{a124}.wTHtQ_{w336}
github-user | refresh flow gave access_token=ghu_{a36}&expires_in=28800&refresh_token=ghr_{a76}
github-fine | GH_PAT: "github_pat_{w82}" # contents:write on acme/docs
github-fine | I tested the dispatch with curl -H "Authorization: token github_pat_{w82}"
gitlab-pat | GITLAB_TOKEN=glpat-{w20}
gitlab-pat-routable | glab auth login --token glpat-{a48}.01.1c1wa29co
gitlab-deploy | docker login registry.gitlab.com -u gitlab+deploy-token-48213 -p {w25}
gitlab-runner | gitlab-runner register --url https://gitlab.acme.io --token glrt-{w20}
gitlab-trigger | curl -X POST -F token=glptt-{h40} -F ref=main https://gitlab.acme.io/api/v4/projects/88/trigger/pipeline
gitlab-runner-registration | old registration token still works: {w29}
gitlab-ci-job | cloned with https://gitlab-ci-token:glcbt-{w23}@gitlab.acme.io/core/lib.git
atlassian | jira: basic auth ops@acme.io:{w183}=0BCAD08C
bitbucket-app | git clone https://anna_dev:{a36}@bitbucket.org/acme/web.git
gitea | tea login add --url https://git.acme.io --token {h40}
codeberg-netrc | machine codeberg.org login anna password {h40}
circleci | CIRCLE_TOKEN=CCIPAT_{w63}
buildkite | BUILDKITE_API_TOKEN=bkua_{h40}
jenkins | curl -u deployer:{h34} https://ci.acme.io/job/release/build
teamcity | TEAMCITY_TOKEN=eyJ{a17}.{w36}.{a48}
sonar | mvn sonar:sonar -Dsonar.token=sqp_{h40}
sonar | SONAR_TOKEN=squ_{h40}
snyk | snyk auth {uuid}
argocd | argocd login cd.acme.io --username admin --password aE7LyNsUKEbyI_YB --grpc-web
anthropic | ANTHROPIC_API_KEY=sk-ant-api03-JeGE-{w90}
anthropic-admin | admin key for usage report: sk-ant-admin01-{w95}
anthropic-oauth | CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-{w95}
anthropic-refresh | {"claudeAiOauth":{"accessToken":"sk-ant-oat01-{w95}","refreshToken":"sk-ant-ort01-{w95}","expiresAt":{d13}}}
openai-project | OPENAI_API_KEY=sk-proj-{w156}
openai-legacy | openai.api_key = "sk-{a48}"
openai-svcacct | we run evals under sk-svcacct-{w156}
openai-admin | sk-admin-{w124} is the org admin key
huggingface | huggingface-cli login --token hf_{a34}
replicate | REPLICATE_API_TOKEN=r8_{a37}
groq | GROQ_API_KEY=gsk_{a52}
xai | XAI_API_KEY="xai-{a80}"
perplexity | pplx-{a48} works for sonar, used it in the spike
openrouter | OPENROUTER_API_KEY=sk-or-v1-{h64}
deepseek | DEEPSEEK_API_KEY=sk-{h32}
together | TOGETHER_API_KEY=tgp_v1_{a43}
fireworks | fireworks key fw_{a22} in agent.env
nvidia | NVIDIA_API_KEY=nvapi-{w64}
tavily | {"mcpServers":{"tavily":{"env":{"TAVILY_API_KEY":"tvly-dev-{a32}"}}}}
langsmith | LANGSMITH_API_KEY=lsv2_pt_{w43}
langfuse | LANGFUSE_SECRET_KEY=sk-lf-{uuid}
wandb | wandb login {h40}
pinecone | pc = Pinecone(api_key="pcsk_MKkPmH_{a63}")
elevenlabs | xi-api-key: sk_{h48}
jina | curl https://r.jina.ai/https://acme.io -H "Authorization: Bearer jina_{a60}"
firecrawl | FIRECRAWL_API_KEY=fc-{h32}
zhipu | ZHIPUAI_API_KEY={h32}.{a16}  # glm
modal | modal token set --token-id ak-{a22} --token-secret as-{a22}
stripe-live | STRIPE_SECRET_KEY=sk_live_{a99}
stripe-test | stripe listen --api-key sk_test_{a99}
stripe-restricted | rk_live_{a99}  <- restricted key of the reports job
stripe-webhook | STRIPE_WEBHOOK_SECRET=whsec_{a32}
square | SQUARE_ACCESS_TOKEN=EAAAjc5-{w56}
paypal | paypal client ANMNWjYSd_{w70} secret {a80}
braintree | access_token{S}production{S}{k16}{S}{h32} from the Braintree console
adyen | x-API-key: {w98}/97oyVt+{a21}=-TRGU3aDanLPgvfAy
razorpay | razorpay: key_id rzp_live_{a14}, key_secret {a24}
mollie | MOLLIE_KEY=live_{a30}
paystack | PAYSTACK_SECRET=sk_live_{h40}
flutterwave | FLW_SECRET_KEY=FLWSECK-{w34}
plaid | PLAID_CLIENT_ID={h24} PLAID_SECRET={h30}  # production
shopify-admin | X-Shopify-Access-Token: shpat_{h32}
shopify-shared | SHOPIFY_API_SECRET=shpss_{h32}
paddle | PADDLE_API_KEY=pdl_live_apikey_{w53}
slack-bot | SLACK_BOT_TOKEN=xoxb-{w51}
slack-user | xoxp-{w72} is the token of the archive script
slack-app | SLACK_APP_TOKEN=xapp-{w92}
slack-cookie | slackdump: token xoxc-{w104} cookie d=xoxd-{w120}
slack-webhook | alerts go to https://hooks.slack.com/services/T0NVKRV0LPY/B0RL4CKQY5V/{a24}
discord-bot | DISCORD_TOKEN={a26}.GE2SHl.{a38}
discord-webhook | https://discord.com/api/webhooks/{d19}/{w68}
telegram-bot | curl https://api.telegram.org/bot7056612107:AA{w33}/getMe
telegram-bot | токен бота оповещений 7189446061:AA{w33}
teams-webhook | https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
google-chat | https://chat.googleapis.com/v1/spaces/AAAAd4N_wSV/messages?key=AIza{a35}&token={a43}
feishu-webhook | 飞书机器人 https://open.feishu.cn/open-apis/bot/v2/hook/{uuid} 签名密钥 {a22}
dingtalk | 钉钉 https://oapi.dingtalk.com/robot/send?access_token={h64} 加签 {a67}
wecom | https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={uuid} 企业微信告警群
twilio | TWILIO_ACCOUNT_SID=AC{h32} TWILIO_AUTH_TOKEN={h32}
twilio-api-key | twilio api key SK{h32} with secret {a32}
line | LINE_CHANNEL_SECRET={h32} LINE_CHANNEL_ACCESS_TOKEN=a2Chfn4Jzon+bf/{a19}/Mk4lQm+{a56}/ilE5WciM/PnvwwD5+{a36}/1O/w1cDnyilFU=
sendgrid | SENDGRID_API_KEY=SG.ns-EmRQ_{a14}.{a43}
mailgun | curl --user "api:key-{h32}" https://api.mailgun.net/v3/mg.acme.io/messages
mailgun | MAILGUN_KEY={w50}
postmark | X-Postmark-Server-Token: {uuid}
resend | new Resend("re_LtPvHW06_{a24}")
brevo | BREVO_API_KEY=xkeysib-{w81}
gmail-app-password | gmail app password for alerts@acme.io: oydv eico bcei fumo
smtp-url | MAILER_DSN=smtp://noreply%40acme.io:{a18}@smtp.acme.io:587
datadog | DD_API_KEY={h32} DD_APP_KEY={h40}
newrelic-user | NEW_RELIC_API_KEY=NRAK-{K27}
newrelic-license | license_key: {a40}
sentry-org | SENTRY_AUTH_TOKEN=sntrys_{a138}=={w44}
sentry-user | sentry-cli --auth-token sntryu_{h64} releases new 4.2.0
grafana-sa | curl -H "Authorization: Bearer glsa_{w41}" https://grafana.acme.io/api/search
grafana-cloud | GRAFANA_CLOUD_TOKEN=glc_{a136}
honeycomb | HONEYCOMB_API_KEY=hcaik_{k58}
pagerduty | PD_TOKEN=u+{a18}
dynatrace | dt0c01.{x24}.{x64} (metrics.ingest)
splunk-hec | curl -k https://splunk:8088/services/collector -H "Authorization: Splunk {uuid}"
posthog | POSTHOG_PERSONAL_API_KEY=phx_{a47}
launchdarkly | LD_SDK_KEY=sdk-{uuid}
elastic-apikey | Authorization: ApiKey {base64:GO_oAQ-VKcDU4iDTgP2D:zynbIbyRIOZWGkVMHuYIMb}
axiom | AXIOM_TOKEN=xaat-{uuid}
opsgenie | Authorization: GenieKey {uuid}
npm | //registry.npmjs.org/:_authToken=npm_{a36}
npm-auth | //nexus.acme.io/repository/npm/:_auth={base64:ci-publish:a9Xxt4lpgkWdt2_JBtIu}
pypi | TWINE_USERNAME=__token__ TWINE_PASSWORD=pypi-{w167} twine upload dist/*
pip-index | pip install -i https://reader:{w22}@pypi.acme.io/simple acme-core
rubygems | :rubygems_api_key: rubygems_{h48}
cargo | cargo login {a35}
nuget | dotnet nuget push *.nupkg -k {k46} -s https://api.nuget.org/v3/index.json
nuget-config | <add key="ClearTextPassword" value="{w20}" />
dockerhub | echo dckr_pat_{a27} | docker login -u acmebot --password-stdin
docker-config | {"auths":{"registry.acme.io":{"auth":"{base64:puller:s7lrsgt-HFI3vR4Ipr7t2ncB}"}}}
jfrog | ARTIFACTORY_API_KEY={a73}
jfrog-ref | jf c add --access-token {base64:reftkn:01:1803986312:wb0oZjCBuwKASirC9h2SEVicUs}
clojars | CLOJARS_PASSWORD=CLOJARS_{h60} lein deploy clojars
maven-settings | <server><id>nexus</id><username>deployer</username><password>{a16}</password></server>
fcm-legacy | FCM_SERVER_KEY=AAAA5c6HoZY:APA91b{w134}
apns-p8 | APNS key (kid XK0ZJ7S6R0, team JUS4WUNJCQ): -----BEGIN PRIVATE KEY-----\\{a65}\\nmPFmCA9jx+{a54}\\{a38}+11/{a20}+o1\\nfimAbJnV\\n-----END PRIVATE KEY-----\\n
onesignal | ONESIGNAL_REST_KEY=os_v2_app_{k103}
mapbox | MAPBOX_DOWNLOADS_TOKEN=sk.eyJ{a61}.{w22}
openssh | DEPLOY_KEY="-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\\nQyNTUxOQAAACD+{a16}+{a39}\\{a28}+{a16}+{a25}\\{a71}\\nNO7y6AihC/F9wVZXzZRLAAAACWRlcGxveUBjaQECAwQ=\\n-----END OPENSSH PRIVATE KEY-----\\n"
rsa-pkcs1 | ssl_key: "-----BEGIN RSA PRIVATE KEY-----\\{a41}+{a23}\\{a65}\\n6PItgw4+{a20}/{a29}/QvfX2\\{a30}/{a13}+{a20}\\{a25}/{a39}\\{a65}\\{a50}+{a14}\\{a13}+G5UmzrS/{a13}+{a29}\\{a35}/{a29}\\{a65}\\{a35}+nNWv4oD/{a21}\\{a65}\\{a65}\\nhflP8BkZ2/{a31}/Td/{a19}\\{a22}/{a39}+GA\\{a14}+{a50}\\{a65}\\nXR+{a22}/FYOkDu+ziKCEZ/BoXAQWJwg/{a14}\\nZ82PFzwe/sfU3AcwRf/FDmuAaeeqn0Ub+{a31}\\nk+FZAsK/{a56}\\njDL+K/{a58}\\{a24}/9clQcpbi/{a31}\\{a34}/{a19}+ciRnSxfFc1\\{a22}+yNQboffEvot5o/{a28}\\{a13}+{a43}\\n-----END RSA PRIVATE KEY-----\\n"
pkcs8 | private_key = "-----BEGIN PRIVATE KEY-----\\{a65}\\{a12}/{a19}+{a32}\\{a65}\\ni1pALrUZ++{a45}+kF4fiznv\\{a65}\\{a19}/{a38}+G18rIW\\{a57}/cd79uqZ\\nRNDBueWmOWKjpW3Q+{a43}/W3Z\\{a54}+XL+cnnqRy8\\{a24}+zKldCR+NTmjhSM+0iyJ/bUhU7xfkHfXiGP/JCxBQ\\{a24}/H1nasXmq+sPeu72X/{a23}\\nau+TM0SKc+{a14}/wE22mCC+{a27}+s7h\\n5k0ME+Q+{a56}\\{a41}//+{a20}/\\nsPtmxP7y+KWt/{a42}+hKX80ZHk\\{a31}/{a33}\\{a32}+5RGjUj+{a25}\\{a32}/{a22}+zT39MM1vv\\no+{a17}/{a32}/AYHH3+RR/1d\\{a40}/JQ2OtS/LcM5YDHQFkwkCgYEA\\{a35}+{a29}\\naMWfToHsl/0bjSuam/tGb/{a42}\\nAflcTJmV/{a55}\\nUcxvbzoy0c+{a15}/{a35}+D\\n+{a38}+{a13}+dXG2q5MFbN\\{a28}=\\n-----END PRIVATE KEY-----\\n"
ed25519-pkcs8 | signing key "-----BEGIN PRIVATE KEY-----\\{a31}+{a33}\\n-----END PRIVATE KEY-----\\n" used for JWTs on stage
pgp | gpg --import <<< {S}'-----BEGIN PGP PRIVATE KEY BLOCK-----\\n\\{a36}/6HEUof/p0JQPF8xuk+ATn/ig1uC/2qT3G\\{a24}/{a25}/{a14}\\{a35}/KUvORQ/{a22}\\{a23}+{a24}+TNlXY+U5VlJfJXXT\\{a24}/xCj/{a36}\\nh5DIjzDFAO/XfyZN2xXk/+dEuYBuEeNoTeVZth+jwVkLIv/{a17}\\{a14}/kSzXFSoIl+{a15}/dbYE4psoVSKSUIaP/IfFbtJZ\\nM9ZLBhiZ+{a19}+{a13}/MPjFqpL2e/ZHQ+eNFJXmN\\{a28}+{a33}+Wk\\n=PF//\\n-----END PGP PRIVATE KEY BLOCK-----'
age | SOPS_AGE_KEY=AGE-SECRET-KEY-{K59}
wireguard | [Interface] PrivateKey = {a43}= Address = 10.66.0.7/32
ethereum | forge script Deploy --broadcast --private-key {k66}
bitcoin-wif | sweep L{a51} into cold storage tonight
stellar | stellar keys add issuer, seed SA{x54}
nostr | nostr bot key: nsec1{k58}
bitlocker | BitLocker recovery of LT-0419: 0{d5}-1{d5}-2{d5}-3{d5}-4{d5}-5{d5}-6{d5}-0{d5}
totp | otpauth://totp/AWS:root@acme?secret={x32}&issuer=AWS
k8s-sa | kubectl --token=eyJ{a87}.eyJ{a245}.{w342} get pods
k8s-secret | kind: Secret, data: {DB_PASSWORD: {a22}==}
kubeconfig-key | client-key-data: LS0t{a299}=
kubeadm | kubeadm join 10.0.0.5:6443 --token jvscod.{k16} --discovery-token-ca-cert-hash sha256:{h64}
k3s | K3S_TOKEN={a67}::server:{h32}
rancher | rancher login https://ra.acme.io --token token-uhc72:{k54}
vault-service | VAULT_TOKEN=hvs.{w95}
vault-unseal | Unseal Key 1: eqnOcwMSwQU2sW/{a29}
vault-approle | vault write auth/approle/login role_id={uuid} secret_id={uuid}
terraform-cloud | credentials "app.terraform.io" { token = "AKc7zwBMvFkEZA.atlasv1.{w67}" }
pulumi | PULUMI_ACCESS_TOKEN=pul-{h40}
doppler | DOPPLER_TOKEN=dp.st.prd.{a43}
onepassword-sa | OP_SERVICE_ACCOUNT_TOKEN=ops_{a458}
bitwarden-sm | BWS_ACCESS_TOKEN=0.{uuid}.{a30}:{a22}==
tailscale | tailscale up --authkey tskey-auth-{w49}
ngrok | ngrok config add-authtoken {w49}
postgres-url | DATABASE_URL=postgresql://app:{a20}@db-1.acme.internal:5432/orders?sslmode=require
postgres-url | psql "postgres://readonly:kaffeeKanne%2388@10.4.0.12/warehouse"
mongodb | mongodb+srv://svc_api:{a16}@cluster0.whhrcdg.mongodb.net/prod?retryWrites=true
redis | REDIS_URL=rediss://default:{a52}@eu1-calm-finch-38211.upstash.io:6379
mysql-cli | mysql -h db.acme.io -u root -pBlaubeere#431 shop < fix.sql
jdbc | spring.datasource.url=jdbc:mysql://db:3306/crm?user=crm&password={a14}
mssql | Server=tcp:acme.database.windows.net,1433;Initial Catalog=erp;User ID=erp_app;Password=Rt7!leCHWlyefMn9GZ;Encrypt=True
amqp | CELERY_BROKER_URL=amqp://worker:{a16}@rabbit.acme.io:5672/jobs
kafka-jaas | sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="{K16}" password="nO1GsPwrd+PdUELsGi/ehwF1fDNvfWcwjj+{a29}";
elastic-url | curl https://elastic:{a24}@es.acme.io:9200/_cat/indices
clickhouse | clickhouse-client --host ch.acme.cloud --secure --user default --password {w13}
pgpass | ~/.pgpass: db-1.acme.internal:5432:*:replicator:{w18}
mycnf | [client] user=backup password="{a15}"
netrc | machine api.acme.io login ci password {a24}
basic-header | Authorization: Basic {base64:reports:tGxpPmYrUdw8UF}
bearer-opaque | curl -H "Authorization: Bearer K-{w46}" https://api.acme.io/v2/invoices
jwt-session | localStorage.token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{a113}.{w43}"
x-api-key | http GET api.acme.io/v1/stock X-Api-Key:{a40}
cookie-php | Cookie: PHPSESSID={k26}; lang=de  (logged in as admin)
cookie-express | connect.sid=s%{a34}.{a43} copied from devtools, still valid
cookie-java | curl -b "JSESSIONID={H32}" https://erp.acme.io/export.csv
cookie-github | Cookie: user_session={w48}; logged_in=yes
curl-user | curl -u svc-report:MTwApFHKiQJs1xKz https://nexus.acme.io/service/rest/v1/status
sshpass | sshpass -p 'Lantern%Goat71' ssh root@192.168.40.9
proxy | https_proxy=http://buildproxy:N2c8rT5_tEbw@proxy.acme.io:3128
git-credentials | ~/.git-credentials: https://anna:{h40}@git.acme.io
django | SECRET_KEY = "django-insecure-%*%s4!!dcs@83e_#16&t45@gy=l)izyp5^%!l9cz#7qrv#f5v)"
rails | RAILS_MASTER_KEY={h32}
laravel | APP_KEY=base64:X0O7U+C3+{a34}=
notion | NOTION_TOKEN=ntn_{a46}
airtable | AIRTABLE_PAT={a17}.{h64}
figma | X-Figma-Token: figd_bE_{w37}
linear | LINEAR_API_KEY=lin_api_{a40}
hubspot | HUBSPOT_TOKEN=pat-eu1-{uuid}
okta | Authorization: SSWS {a42}
postman | POSTMAN_API_KEY=PMAK-{w59}
contentful | CONTENTFUL_MGMT=CFPAT-{w43}
facebook | FB_PAGE_TOKEN=EAA{a181}
dropbox | DROPBOX_TOKEN=sl.u.{w142}
salesforce | sf org login access-token, SF_ACCESS_TOKEN={a15}!AQ3TCBT2.{w87}
asana | ASANA_PAT=2/{d16}/{d16}:{h32}
auth0 | AUTH0_CLIENT_SECRET={w64}
clerk | CLERK_SECRET_KEY=sk_live_{a42}
algolia | ALGOLIA_ADMIN_KEY={h32}
`;
