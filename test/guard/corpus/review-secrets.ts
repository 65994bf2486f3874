/**
 * The secrets of an adversarial review, written before its author read the rules. `debatable` has no form of its own, or is
 * not clearly a secret; such lines count all the same. Passphrases of plain words are left out, as SECURITY.md says.
 */
export const reviewSecrets = `
token:github-classic | ghp_{a36}
token:github-oauth | Deploy token for staging: gho_{a36}
token:github-app | \`ghs_{a36}\`
token:github-refresh | - ghr_{a36} (rotate in Q3)
token:github-user | curl -H "Authorization: Bearer ghu_{a36}" https://api.internal/v1
token:github-fine | export TOKEN=github_pat_11{K20}_{a59}
token:gitlab-pat | We used glpat-{w20} when testing the import.
token:gitlab-pat-routable | "glpat-{w27}.01.{k9}",
token:gitlab-deploy | gldt-{w20}
token:gitlab-runner | Deploy token for staging: glrt-{w20}
token:gitlab-ci-job | \`glcbt-64_{w20}\`
token:gitlab-trigger | - glptt-{h40} (rotate in Q3)
token:gitlab-feed | curl -H "Authorization: Bearer glft-{w20}" https://api.internal/v1
token:gitlab-oauth-app | export TOKEN=gloas-{h64}
token:gitlab-agent | We used glagent-{w50} when testing the import.
token:gitlab-scim | "glsoat-{w20}",
token:bitbucket-app | ATBB{a28}{H4}
token:bitbucket-http | Deploy token for staging: BBDC-{a44}
token:atlassian | \`ATATT3xFfGF0{w171}={H8}\`
token:atlassian-admin | - ATCTT3xFfGN0{w171}={H8} (rotate in Q3)
token:aws-key | curl -H "Authorization: Bearer AKIA{x16}" https://api.internal/v1
token:aws-sts | export TOKEN=ASIA{x16}
token:aws-secret | \`aws_secret_access_key = {b40}\`
token:aws-session | "aws_session_token=IQoJb3JpZ2luX2VjE{b300}",
token:aws-bedrock | ABSK{b128}
token:google-api | Deploy token for staging: AIzaSy{w33}
token:google-oauth-secret | \`GOCSPX-{w28}\`
token:google-access | - ya29.a0{w160} (rotate in Q3)
token:google-refresh | curl -H "Authorization: Bearer 1//0{w90}" https://api.internal/v1
token:azure-storage | - DefaultEndpointsProtocol=https;AccountName=devstore77;AccountKey={b86}==;EndpointSuffix=core.windows.net
token:azure-ad-secret | We used {a3}8Q~{a33}a when testing the import.
token:azure-sas | \`https://devstore77.blob.core.windows.net/c/f.zip?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2027-01-01T00:00:00Z&sig={b43}%3D\`
debatable token:azure-devops | {k52}
token:azure-devops-new | Deploy token for staging: {a76}AZDO{a4}
token:azure-sb | Endpoint=sb://orders.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={b43}=
token:azure-cosmos | - AccountEndpoint=https://x7.documents.azure.com:443/;AccountKey={b86}==;
token:azure-func | - https://fn-prod.azurewebsites.net/api/run?code={w54}==
token:azure-iot | \`HostName=hub9.azure-devices.net;DeviceId=d1;SharedAccessKey={b43}=\`
token:azure-appconfig | \`Endpoint=https://ac1.azconfig.io;Id={a4}-l0-s0:{a20};Secret={b43}=\`
token:openai-old | "sk-{a20}T3BlbkFJ{a20}",
token:openai-proj | sk-proj-{w74}T3BlbkFJ{w74}
token:openai-svc | Deploy token for staging: sk-svcacct-{w74}T3BlbkFJ{w74}
token:openai-admin | \`sk-admin-{w58}T3BlbkFJ{w58}\`
token:anthropic | - sk-ant-api03-{w93}AA (rotate in Q3)
token:anthropic-oat | curl -H "Authorization: Bearer sk-ant-oat01-{w93}AA" https://api.internal/v1
token:anthropic-admin | export TOKEN=sk-ant-admin01-{w93}AA
token:openrouter | We used sk-or-v1-{h64} when testing the import.
token:groq | "gsk_{a52}",
token:xai | xai-{a80}
token:perplexity | Deploy token for staging: pplx-{a48}
token:hf | \`hf_{a34}\`
token:replicate | - r8_{a37} (rotate in Q3)
token:deepseek | curl -H "Authorization: Bearer sk-{h32}" https://api.internal/v1
token:cerebras | export TOKEN=csk-{k48}
token:fireworks | We used fw_{a22} when testing the import.
token:together-v1 | "tgp_v1_{w43}",
token:nvidia | nvapi-{w64}
token:pinecone | Deploy token for staging: pcsk_{a6}_{a63}
token:langsmith | \`lsv2_pt_{h32}_{h10}\`
token:langfuse | - sk-lf-{uuid} (rotate in Q3)
token:elevenlabs | curl -H "Authorization: Bearer sk_{h48}" https://api.internal/v1
token:tavily | export TOKEN=tvly-dev-{a32}
token:firecrawl | We used fc-{h32} when testing the import.
token:jina | "jina_{h32}{a28}",
token:voyage | pa-{w43}
token:wandb-new | Deploy token for staging: wandb_v1_{a77}
token:e2b | \`e2b_{h40}\`
token:exa | EXA_API_KEY={uuid}
token:mistral | - MISTRAL_API_KEY={a32}
token:cohere | \`COHERE_API_KEY={a40}\`
token:modal | - ak-{a22} / as-{a22}
token:composio | "ak_{w20}",
token:stripe-live | sk_live_51{a97}
token:stripe-test | Deploy token for staging: sk_test_51{a97}
token:stripe-rk | \`rk_live_51{a97}\`
token:stripe-whsec | - whsec_{a32} (rotate in Q3)
token:stripe-org | curl -H "Authorization: Bearer sk_org_live_{a60}" https://api.internal/v1
token:square | export TOKEN=EAAA{w60}
token:square-old | We used sq0csp-{w43} when testing the import.
token:square-atp | "sq0atp-{w22}",
token:paypal-braintree | access_token$production\${k16}\${h32}
token:plaid | Deploy token for staging: access-production-{uuid}
token:razorpay | rzp_live_{a14} secret {a24}
token:paystack | - sk_live_{h40} (rotate in Q3)
token:flutterwave | curl -H "Authorization: Bearer FLWSECK-{h32}-X" https://api.internal/v1
token:adyen | export TOKEN=AQE{b90}=
token:mollie | We used live_{a30} when testing the import.
token:lemon | \`LEMONSQUEEZY_WEBHOOK_SECRET={a24}\`
token:polar | polar_oat_{a43}
token:paddle | Deploy token for staging: pdl_live_apikey_01{k24}_{a22}_{a3}
token:slack-bot | \`xoxb-{d12}-{d13}-{a24}\`
token:slack-user | - xoxp-{d12}-{d12}-{d13}-{h32} (rotate in Q3)
token:slack-app | curl -H "Authorization: Bearer xapp-1-A0{K9}-{a13}-{h64}" https://api.internal/v1
token:slack-cookie | export TOKEN=xoxd-{a80}%3D
token:slack-config | We used xoxe.xoxp-1-{a163} when testing the import.
token:slack-client | "xoxc-{a12}-{a12}-{a13}-{h64}",
token:slack-hook | https://hooks.slack.com/services/T0{K9}/B0{K9}/{a24}
token:slack-wf | \`https://hooks.slack.com/workflows/T0{K9}/A0{K9}/{a18}/{a24}\`
token:discord-hook | https://discord.com/api/webhooks/{d19}/{w68}
token:discord-bot | - MT{a24}.G{w5}.{w38} (rotate in Q3)
token:teams-hook | \`https://contoso.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}\`
token:teams-pa | https://prod-12.westeurope.logic.azure.com:443/workflows/{h32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={w43}
token:telegram | We used {d10}:AA{w33} when testing the import.
token:gchat-hook | \`https://chat.googleapis.com/v1/spaces/AAAA{w7}/messages?key=AIzaSy{w33}&token={w43}\`
debatable token:mattermost-hook | \`https://chat.corp.io/hooks/{k26}\`
token:zapier | \`https://hooks.zapier.com/hooks/catch/{d7}/{k7}/\`
token:ifttt | https://maker.ifttt.com/trigger/door/with/key/{w43}
token:feishu | - https://open.feishu.cn/open-apis/bot/v2/hook/{uuid}
token:dingtalk | - https://oapi.dingtalk.com/robot/send?access_token={h64}
token:wecom | https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={uuid}
token:make-hook | \`https://hook.eu1.make.com/{k32}\`
token:twilio | "SK{h32}",
token:twilio-auth | TWILIO_AUTH_TOKEN={h32}
token:sendgrid | Deploy token for staging: SG.{w22}.{w43}
token:mailgun | \`key-{h32}\`
debatable token:mailgun-new | - {h32}-{h8}-{h8} (rotate in Q3)
token:mailchimp | curl -H "Authorization: Bearer {h32}-us21" https://api.internal/v1
token:postmark | - POSTMARK_SERVER_TOKEN={uuid}
token:resend | We used re_{a8}_{a24} when testing the import.
token:brevo | "xkeysib-{h64}-{a16}",
token:mandrill | md-{a22}
token:loops | \`LOOPS_API_KEY={h32}\`
debatable token:klaviyo | \`pk_{h34}\`
token:npm | - npm_{a36} (rotate in Q3)
token:npmrc | curl -H "Authorization: Bearer //registry.npmjs.org/:_authToken={uuid}" https://api.internal/v1
token:npmrc-basic | export TOKEN=//nexus.corp.io/repository/npm/:_auth=ZGVwbG95OlF4OCF2a3owTG13
token:pypi | We used pypi-AgEIcHlwaS5vcmc{w150} when testing the import.
token:rubygems | "rubygems_{h48}",
token:crates | cio{a32}
token:nuget | Deploy token for staging: oy2{k43}
token:docker-pat | \`dckr_pat_{w27}\`
token:docker-oat | - dckr_oat_{w32} (rotate in Q3)
token:packagist | curl -H "Authorization: Bearer packagist_uut_{h68}" https://api.internal/v1
token:clojars | export TOKEN=CLOJARS_{h60}
token:jfrog | We used AKCp{a69} when testing the import.
token:jfrog-ref | "cmVmdGtuOjAx{a52}",
token:jsr | jsrp_{a34}
token:hex | \`HEX_API_KEY={h32}\`
token:vsce | \`VSCE_PAT={k52}\`
token:chrome | - CWS_REFRESH_TOKEN=1//04{w85}
token:do-pat | curl -H "Authorization: Bearer dop_v1_{h64}" https://api.internal/v1
token:do-oauth | export TOKEN=doo_v1_{h64}
token:do-refresh | We used dor_v1_{h64} when testing the import.
token:heroku | "HRKU-AA{w58}",
token:heroku-old | \`HEROKU_API_KEY={uuid}\`
token:fly | \`FlyV1 fm2_{b200}\`
token:render | \`rnd_{a28}\`
token:railway | RAILWAY_TOKEN={uuid}
token:vercel | \`VERCEL_TOKEN={a24}\`
token:vercel-new | export TOKEN=vcp_{a56}
token:vercel-blob | We used vercel_blob_rw_{a16}_{a30} when testing the import.
token:netlify | "nfp_{a36}",
token:cf-token | CLOUDFLARE_API_TOKEN={w40}
token:cf-global | X-Auth-Key: {h37}
token:cf-origin | \`v1.0-{h24}-{h146}\`
token:cf-tunnel | - cloudflared tunnel run --token eyJhIjoi{a160}
token:cf-turnstile | TURNSTILE_SECRET=0x4AAAAAAA{w24}
token:supabase-pat | export TOKEN=sbp_{h40}
token:supabase-secret | We used sb_secret_{w22}_{w8} when testing the import.
token:planetscale | "pscale_tkn_{w43}",
token:planetscale-pw | pscale_pw_{w43}
token:neon | Deploy token for staging: napi_{k64}
token:upstash | UPSTASH_REDIS_REST_TOKEN=AX{a50}=
token:convex | - prod:happy-otter-123|{b80} (rotate in Q3)
token:turso | TURSO_AUTH_TOKEN=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{w60}.{w43}
token:xata | export TOKEN=xau_{a33}
token:linode | - LINODE_TOKEN={h64}
token:hetzner | - HCLOUD_TOKEN={a64}
token:scaleway | - SCW_SECRET_KEY={uuid}
token:vultr | - VULTR_API_KEY={K36}
token:alibaba | \`LTAI5t{a18}\`
token:tencent | - AKID{a32} (rotate in Q3)
token:yandex | curl -H "Authorization: Bearer AQVN{w36}" https://api.internal/v1
token:yandex-oauth | export TOKEN=y0_AgAAAA{w49}
token:ibm | \`IBM_CLOUD_API_KEY={w44}\`
token:oracle | OCI auth token: {a12}>{a5}[{a2}
token:terraform | {a14}.atlasv1.{w67}
token:vault | Deploy token for staging: hvs.{w95}
token:vault-batch | \`hvb.{w140}\`
token:vault-old | - VAULT_TOKEN=s.{a24}
token:consul | - CONSUL_HTTP_TOKEN={uuid}
token:nomad | \`NOMAD_TOKEN={uuid}\`
token:pulumi | We used pul-{h40} when testing the import.
token:doppler | "dp.pt.{a43}",
token:doppler-st | dp.st.prd.{a43}
token:infisical | Deploy token for staging: st.{h24}.{h32}.{h32}
token:1password | \`ops_eyJ{a300}\`
token:bitwarden | - 0.{uuid}.{a30}:{b22}== (rotate in Q3)
token:age | curl -H "Authorization: Bearer AGE-SECRET-KEY-1{a58}" https://api.internal/v1
token:k8s-sa | export TOKEN=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{w60}.{w43}
token:ngrok | - ngrok config add-authtoken 2{a26}_{a21}
token:tailscale | "tskey-auth-k{a10}CNTRL-{a32}",
token:tailscale-api | tskey-api-k{a10}CNTRL-{a32}
token:wireguard | \`PrivateKey = {b43}=\`
token:zerotier | ZT_TOKEN={a32}
token:sentry-user | - sntryu_{h64} (rotate in Q3)
token:sentry-org | curl -H "Authorization: Bearer sntrys_eyJpYXQiOjE3{a90}_{a43}" https://api.internal/v1
token:sentry-dsn-secret | \`https://{h32}:{h32}@o12345.ingest.sentry.io/42\`
token:newrelic | We used NRAK-{K27} when testing the import.
token:newrelic-lic | "{h36}NRAL",
token:newrelic-ingest | NRII-{w32}
token:datadog | DD_API_KEY={h32}
token:datadog-app | \`DD_APP_KEY={h40}\`
token:datadog-new | - ddapp_{a34} (rotate in Q3)
token:grafana | curl -H "Authorization: Bearer glsa_{a32}_{h8}" https://api.internal/v1
token:grafana-cloud | export TOKEN=glc_eyJ{a120}==
token:grafana-old | We used eyJrIjoi{a80} when testing the import.
token:honeycomb | "hcaik_01{k58}",
token:dynatrace | dt0c01.{x24}.{x64}
token:posthog | Deploy token for staging: phx_{a43}
token:segment | \`sgp_{a64}\`
token:mixpanel | MIXPANEL_SECRET={h32}
token:amplitude | \`AMPLITUDE_SECRET_KEY={h32}\`
token:launchdarkly | export TOKEN=sdk-{uuid}
token:launchdarkly-api | We used api-{uuid} when testing the import.
token:pagerduty | - PAGERDUTY_TOKEN=u+{w18}
token:opsgenie | \`Authorization: GenieKey {uuid}\`
token:betterstack | LOGTAIL_SOURCE_TOKEN={a24}
token:axiom | \`xaat-{uuid}\`
token:axiom-p | - xapt-{uuid} (rotate in Q3)
token:bugsnag | BUGSNAG_API_KEY={h32}
token:rollbar | - ROLLBAR_ACCESS_TOKEN={h32}
token:splunk-hec | \`Authorization: Splunk {uuid}\`
token:sumologic | - SUMO_ACCESS_KEY={a64}
token:elastic | \`Authorization: ApiKey e3cyMH06e3cyMn0=\`
token:codecov | - CODECOV_TOKEN={uuid}
token:sonar | \`squ_{h40}\`
token:sonar-proj | - sqp_{h40} (rotate in Q3)
token:snyk | SNYK_TOKEN={uuid}
token:snyk-uat | export TOKEN=snyk_uat.{h8}.{w200}
token:circleci | We used CCIPAT_{a22}_{h40} when testing the import.
token:buildkite | "bkua_{h40}",
token:buildkite-agent | bkct_{a40}
token:travis | TRAVIS_TOKEN={a22}
token:depot | \`depot_project_{h64}\`
token:nx | NX_CLOUD_ACCESS_TOKEN={b64}
token:notion | curl -H "Authorization: Bearer ntn_{d11}{a35}" https://api.internal/v1
token:notion-old | export TOKEN=secret_{a43}
token:linear | We used lin_api_{a40} when testing the import.
token:linear-oauth | "lin_oauth_{h64}",
token:asana | 2/{d16}/{d16}:{h32}
token:clickup | Deploy token for staging: pk_{a8}_{K32}
token:airtable | \`pat{a14}.{h64}\`
token:figma | - figd_{w40} (rotate in Q3)
token:postman | curl -H "Authorization: Bearer PMAK-{h24}-{h34}" https://api.internal/v1
token:shopify | export TOKEN=shpat_{h32}
token:shopify-ss | We used shpss_{h32} when testing the import.
token:hubspot | "pat-na1-{uuid}",
token:salesforce | 00D5g00000{a5}!AQ{a90}
token:zendesk | \`ZENDESK_API_TOKEN={a40}\`
token:intercom | \`dG9rO{a54}=\`
token:trello | - ATTA{h64}{H8} (rotate in Q3)
token:dropbox | curl -H "Authorization: Bearer sl.u.{w140}" https://api.internal/v1
token:box | \`BOX_CLIENT_SECRET={a32}\`
token:okta | Authorization: SSWS 00{w40}
token:auth0 | \`AUTH0_CLIENT_SECRET={w64}\`
token:clerk | sk_live_{a42}
token:workos | Deploy token for staging: sk_live_a2V5XzAxe0syNH0se2EyNX0=
token:stytch | \`secret-live-{w36}=\`
token:facebook | - EAAG{a180} (rotate in Q3)
token:twitter-bearer | curl -H "Authorization: Bearer AAAAAAAAAAAAAAAAAAAAA{a24}%3D{a50}" https://api.internal/v1
token:twitch | export TOKEN=oauth:{k30}
token:spotify | - SPOTIFY_CLIENT_SECRET={h32}
token:instagram | "IGQV{a160}",
token:linkedin | WPL_AP1.{a16}.{a6}==
token:mapbox-sk | Deploy token for staging: sk.eyJ1Ijoi{a60}.{w22}
token:algolia | - ALGOLIA_ADMIN_KEY={h32}
token:contentful | - CFPAT-{w43} (rotate in Q3)
token:sanity | curl -H "Authorization: Bearer skProd{a150}" https://api.internal/v1
token:typeform | export TOKEN=tfp_{w43}_{a14}
token:readme | We used rdme_{k70} when testing the import.
token:databricks | "dapi{h32}-2",
token:snowflake | - SNOWFLAKE_PASSWORD={a10}%{a2}!
token:mongodb-atlas | Deploy token for staging: mdb_sa_sk_{w40}
token:confluent | \`CONFLUENT_CLOUD_API_SECRET={b64}\`
token:duffel | - duffel_live_{w43} (rotate in Q3)
token:easypost | curl -H "Authorization: Bearer EZAK{a54}" https://api.internal/v1
token:shippo | export TOKEN=shippo_live_{h40}
token:lob | We used live_{h35} when testing the import.
token:frameio | "fio-u-{w64}",
token:prefect | pnu_{k36}
token:dagster | Deploy token for staging: agent:acme:{h32}
token:cursor | \`key_{h64}\`
token:sourcegraph | - sgp_{h16}_{h40} (rotate in Q3)
token:ghost | GHOST_ADMIN_API_KEY={h24}:{h64}
token:cloudinary | - cloudinary://{d15}:{w27}@demo-cloud
token:expo | \`EXPO_TOKEN={w40}\`
token:appcenter | - APPCENTER_ACCESS_TOKEN={h40}
token:apple-app-pw | - apple app-specific password: {l4}-{l4}-{l4}-{l4}
token:gmail-app-pw | - gmail app password {l4} {l4} {l4} {l4}
token:unkey | \`unkey_{a22}\`
token:inngest | - signkey-prod-{h64} (rotate in Q3)
token:trigger.dev | curl -H "Authorization: Bearer tr_prod_{a24}" https://api.internal/v1
token:browserbase | export TOKEN=bb_live_{w27}
token:deepgram | \`DEEPGRAM_API_KEY={h40}\`
token:assemblyai | \`ASSEMBLYAI_API_KEY={h32}\`
token:stability | sk-{a48}
token:huggingface-org | Deploy token for staging: api_org_{a34}
debatable token:ably | \`abCdEf.{w6}:{w43}\`
token:pusher | - PUSHER_APP_SECRET={h20}
token:livekit | - LIVEKIT_API_SECRET={a43}
token:agora | \`AGORA_CERT_SECRET={h32}\`
assign | DB_PASSWORD={a10}%{a2}?
assign | db_pass: {a8}^{a2}$
assign |   password: "{a6}#{a2}?"
assign | "clientSecret": "{w40}"
assign | const apiKey = "{a32}";
assign | API_KEY = os.environ.get("API_KEY", "{a32}")
assign | var signingKey = []byte("{a32}")
assign | private static final String PASSWORD = "{a8}!{a2}$";
assign | $db_password = '{a7}#{a2}?';
assign | let jwtSecret: String = "{a40}"
assign | SECRET_KEY = "django-insecure-{a50}"
assign | secret_key_base: {h128}
assign | RAILS_MASTER_KEY={h32}
assign | APP_KEY=base64:{b43}=
assign | NEXTAUTH_SECRET={b43}=
assign | JWT_SECRET={a24}
assign | SESSION_SECRET: {a24}
assign | ENCRYPTION_KEY={h64}
assign | MYSQL_ROOT_PASSWORD={a6}%{a2}!
assign | POSTGRES_PASSWORD: {a12}%{a2}!
assign | REDIS_PASSWORD={a20}
assign | spring.datasource.password={a8}^{a2}$
assign | <add key="SmtpPassword" value="{a7}%{a2}!" />
assign | <password>{a8}%{a2}?</password>
assign | password = {l5}{d4}
assign | ADMIN_PW={a5}*{a2}$
assign | PGPASSWORD={a8}%{a2}? psql -h db1 -U app
assign | mysql -u root -p{a6}^{a2}? shop
assign | sshpass -p '{a7}*{a2}!' ssh root@10.1.2.3
assign | docker login -u ci -p {a10}%{a2}! registry.corp.io
assign | curl -u admin:{a7}*{a2}? https://jenkins.corp.io
assign | htpasswd -b .htpasswd admin {a7}#{a2}?
assign | net use \\\\srv\\share /user:CORP\\bob {a7}*{a2}?
assign | machine api.heroku.com login a@b.io password {uuid}
assign | openssl enc -aes-256-cbc -pass pass:{a10}^{a2}$ -in x
assign | gpg --batch --passphrase {a10}*{a2}$ -c f
assign | keytool -storepass {a6}!{a2}$ -keystore k.jks
assign | kubectl create secret generic db --from-literal=password={a9}!{a2}$
assign | helm install x --set auth.password={a14}
assign | az login --service-principal -u {uuid} -p {a34} --tenant x
assign | ansible_become_pass: {a7}!{a2}$
assign | vault_password: {a9}^{a2}!
assign |   - name: DATABASE_PASSWORD{n}    value: "{a8}*{a2}!"
assign | data:{n}  password: e2ExMH0he2EyfSE=
assign | {"username":"root","password":"{a6}#{a2}?"}
assign | {"access_key":"{a20}","secret_key":"{a40}"}
assign | config.api_token = "{a30}"
assign | token := "{a40}"
assign | val apiSecret = "{a36}"
assign | auth_token = '{h40}'
assign | GH_PAT: {a40}
assign | SIGNING_KEY={b44}
assign | WEBHOOK_SECRET={a28}
assign | client_secret={w36}&grant_type=client_credentials
assign | refresh_token={w64}
assign | pin = 839204
assign | WIFI_PSK="{a8}^{a2}$"
assign | set -gx NPM_TOKEN {uuid}
assign | $env:API_SECRET = "{a30}"
assign | ENV SECRET_TOKEN {a32}
assign | ARG NPM_TOKEN={a36}
assign | SetEnv DB_PASS {a6}*{a2}$
assign | define('AUTH_KEY', '{a64}');
assign | define( "DB_PASSWORD", "{a8}%{a2}?" );
assign | password => "{a7}%{a2}!",
assign | :password "{a8}^{a2}!"
assign | (def api-key "{a32}")
assign | storePassword={a6}^{a2}?
assign | keyPassword '{a6}%{a2}$'
assign | bot_token: "{a40}"
assign | OAUTH_CLIENT_SECRET={a32}
assign | sa_password={a8}^{a2}!
assign | LDAP_BIND_PW={a8}!{a2}$
assign | pwd={a5}*{a2}!
assign | smtp_pass="{l16}"
assign | X_API_KEY={a28}
conn | postgres://app:{a14}@db.internal:5432/shop
conn | postgresql+asyncpg://svc:{a12}%40x@10.0.0.4/x
conn | mysql://root:{a10}@127.0.0.1:3306/app
conn | mongodb+srv://admin:{a16}@cluster0.ab1cd.mongodb.net/test
conn | redis://:{a20}@cache:6379/0
conn | rediss://default:{a32}@eu1-x.upstash.io:6379
conn | amqp://user:{a12}@rabbit:5672/vhost
conn | Server=db1;Database=x;User Id=sa;Password={a8}%{a2}$;
conn | jdbc:mysql://h/db?user=root&password={a12}
conn | jdbc:oracle:thin:scott/{a10}@//h:1521/orcl
conn | Data Source=h;User ID=u;Pwd={a6}*{a2}!;
conn | ftp://bob:{a9}@ftp.corp.io/x
conn | https://ci:{a20}@git.corp.io/a/b.git
conn | https://oauth2:glpat-{w20}@gitlab.com/a/b.git
conn | https://x-access-token:{a40}@github.com/a/b
conn | smtp://u%40x.io:{a12}@smtp.x.io:587
conn | clickhouse://default:{a12}@ch:9000
conn | snowflake://u:{a12}@acct/db
conn | neo4j+s://neo4j:{w43}@ab.databases.neo4j.io
conn | socks5://u:{a10}@proxy:1080
conn | ldap bind cn=admin,dc=x password {a8}#{a2}?
conn | s3://AKIA{x16}:{a40}@bucket
conn | host=db1 port=5432 user=app password={a12} dbname=x
conn | sqlserver://sa:{a12}@h:1433?database=x
conn | db1:5432:shop:app:{a8}*{a2}$
header | Authorization: Bearer {a48}
header | Authorization: Basic YWRtaW46e2E4fSp7YTJ9IQ==
header | authorization: token {h40}
header | X-API-Key: {a32}
header | x-auth-token: {h40}
header | Cookie: session={w64}
header | Cookie: sessionid={k32}; csrftoken={a32}
header | Set-Cookie: connect.sid=s%3A{w32}.{w43}; Path=/; HttpOnly
header | Cookie: JSESSIONID={H32}
header | Cookie: PHPSESSID={k26}
header | Cookie: __Secure-next-auth.session-token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{w60}.{w43}
header | Cookie: li_at=AQED{w120}
header | PRIVATE-TOKEN: {w20}
header | Proxy-Authorization: Basic cHJveHk6Wng4MWtrUXch
header | -H "apikey: {a32}"
header | Ocp-Apim-Subscription-Key: {h32}
header | X-Amz-Security-Token: IQoJb3JpZ2lu{b200}
debatable header | Authorization: Digest username="a", response="{h32}"
header | X-Shopify-Access-Token: {h32}
header | session cookie from the browser: _gh_sess={a120}
pem | -----BEGIN RSA PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END RSA PRIVATE KEY-----
pem | -----BEGIN PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END PRIVATE KEY-----
pem | -----BEGIN EC PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END EC PRIVATE KEY-----
pem | -----BEGIN OPENSSH PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END OPENSSH PRIVATE KEY-----
pem | -----BEGIN ENCRYPTED PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END ENCRYPTED PRIVATE KEY-----
pem | -----BEGIN DSA PRIVATE KEY-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END DSA PRIVATE KEY-----
pem | -----BEGIN PGP PRIVATE KEY BLOCK-----{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}{b64}{n}-----END PGP PRIVATE KEY BLOCK-----
pem | "private_key": "-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n-----END PRIVATE KEY-----\\n"
pem | PuTTY-User-Key-File-3: ssh-ed25519{n}Encryption: none{n}Private-Lines: 1{n}{b54}==
pem | key starts b3BlbnNzaC1rZXktdjEAAAAA{b300}
pem | {"kty":"RSA","n":"{w300}","e":"AQAB","d":"{w300}"}
pem | {"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","d":"{w43}"}
prose | The password for the staging database is {a6}%{a2}?.
prose | root password on db3: {a7}!{a2}$
prose | Admin login: admin / {a6}^{a2}$
prose | user: deploy, pass: {a5}!{a2}!
prose | Log in with admin and password {a7}^{a2}$ to reproduce.
prose | the wifi password is {l6}{d3}
prose | Password was changed to {a8}!{a2}! yesterday
prose | Our API key ({a32}) is limited to 100 rpm
prose | Use the token {a40} for the smoke test
prose | my ssh passphrase is {a10}*{a2}!
prose | credentials: svc_ci / {a8}#{a2}!
prose | username ci_bot password {a7}#{a2}?
prose | bob@gmail.com / {a6}#{a2}$
prose | Test account: qa@corp.io, pw {a5}*{a2}?
prose | The secret is "{a24}"
prose | Jenkins password (admin): {a8}%{a2}$
prose | sudo password = {a5}%{a2}$
prose | default pw for the routers: {a6}*{a2}?
prose | PIN for the token: 493028
prose | the master password of the vault is \`{a12}*{a2}?\`
prose | api key for openweather {h32}
debatable prose | license key: {K5}-{K5}-{K5}-{K5}-{K5}
prose | recovery codes: {k5}-{k5} {k5}-{k5} {k5}-{k5} {k5}-{k5}
prose | TOTP seed: {x32}
prose | otpauth://totp/Corp:bob?secret={x32}&issuer=Corp
prose | 2FA secret for the shared account is {x16}
prose | MFA setup key {l4} {l4} {l2}4{l1} {l4} {l1}7{l2} {l4} {l4} {l4}
prose | seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident
prose | mnemonic = "witch collapse practice feed shame open despair creek road again ice least"
prose | eth private key 0x{h64}
prose | wallet private key: {h64}
prose | bitcoin WIF 5{a50}
prose | xprv9s21ZrQH143K{a95}
prose | Password: {a4}#{a2}$
prose | pass is hunter2hunter
prose | The DB creds are app:{a8}^{a2}$
prose | | prod | admin | password | {a7}#{a2}! |
prose | Login to grafana: admin:{a8}#{a2}?
prose | Temporary password "{a6}*{a2}$" expires Friday
prose | ssh pi@10.0.0.9 (password: {l9}{d1})
prose | access code for the VPN is {K10}
prose | Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{w60}.{w43}
prose | eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{w60}.{w43}
prose | auth: { username: "x", password: "{a5}^{a2}$" }
prose | Basic auth for staging is preview:{a12}
prose | encryption passphrase → {a10}!{a2}?
prose | shared secret between the services = {a32}
prose | webhook signing secret {h40}
prose | client id {h20}, client secret {h40}
prose | Basic c3ZjOnthMTJ9I3thMn0/
prose | docker config auth: "auth": "Y2k6e2ExNH0je2EyfSE="
prose | admin:$2b$12\${a53} (bcrypt of prod admin)
prose | root:$6\${a8}\${a86}:19000:0:99999:7:::
`;
