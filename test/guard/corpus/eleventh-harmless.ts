/** Lines that hold no secret, written without a look at the rules. */
export const eleventhHarmless = `
placeholder dotenv angle | OPENAI_API_KEY=<your-openai-api-key>
placeholder dotenv empty | STRIPE_SECRET_KEY=
placeholder dotenv empty quotes | SENTRY_AUTH_TOKEN=""
placeholder dotenv your_x_here | SENDGRID_API_KEY=your_sendgrid_api_key_here
placeholder dotenv comment | DB_PASSWORD=   # set in .env.local, never commit
placeholder dotenv ask | JWT_SECRET= # generate with: openssl rand -base64 32
placeholder dotenv dots | GITHUB_TOKEN=ghp_...
placeholder dotenv sk dots | ANTHROPIC_API_KEY=sk-ant-...
placeholder json your | "apiKey": "YOUR_API_KEY"
placeholder yaml replace | password: <REPLACE_ME>
placeholder curl header | curl -H "Authorization: Bearer <token>" https://api.example.com/v1/users
placeholder curl upper | curl -H "X-API-Key: YOUR_API_KEY" "https://api.weather.example/v2/forecast?city=Bern"
placeholder url userpass | postgres://<user>:<password>@<host>:5432/<database>
placeholder url upper | mongodb+srv://USERNAME:PASSWORD@cluster0.example.mongodb.net/app
placeholder mustache | token: {{ api_token }}
placeholder handlebars chart | password: {{ .Values.postgresql.auth.password | quote }}
placeholder helm required | {{ required "A valid .Values.apiKey is required" .Values.apiKey }}
placeholder insert | api_key = "<insert key from 1Password here>"
placeholder todo | const apiKey = "TODO";
placeholder null json | {"access_token": null, "refresh_token": null, "expires_in": 3600}
placeholder toml | token = "<PYPI_TOKEN>"
placeholder pypirc | [pypi]{n}username = __token__{n}password = <your PyPI token>
placeholder aws credentials file | [default]{n}aws_access_key_id = <ACCESS_KEY_ID>{n}aws_secret_access_key = <SECRET_ACCESS_KEY>
placeholder npmrc | //registry.npmjs.org/:_authToken=\${NPM_TOKEN}
placeholder netrc | machine api.heroku.com{n}  login <email>{n}  password <api-key>
placeholder readme table | | \`API_TOKEN\` | yes | – | Token from the admin page, **Settings → API** |
placeholder in prose | Replace \`<client-secret>\` with the value shown in the Azure portal under Certificates & secrets.
placeholder php | define('DB_PASSWORD', 'your_password_here');
placeholder properties | spring.datasource.password=\${DB_PASSWORD}
placeholder properties default | spring.security.oauth2.client.registration.github.client-secret=\${GITHUB_CLIENT_SECRET:}
placeholder xml maven | <server><id>central</id><username>\${env.OSSRH_USER}</username><password>\${env.OSSRH_TOKEN}</password></server>
placeholder tfvars | db_password = "" # supplied through TF_VAR_db_password
placeholder terraform var | variable "db_password" {{n}  type      = string{n}  sensitive = true{n}}
placeholder connection string | Server=tcp:<server>.database.windows.net,1433;Database=<db>;User ID=<user>;Password=<password>;Encrypt=true;
placeholder jdbc | jdbc:mysql://localhost:3306/shop?user=\${user}&password=\${password}
placeholder stars | DATABASE_PASSWORD=********
placeholder ellipsis json | "private_key": "-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----\\n"
placeholder spanish | CLAVE_API=<tu-clave-aquí>
placeholder german | API_SCHLUESSEL=<hier eintragen>
placeholder french | MOT_DE_PASSE=<à remplir>
placeholder openapi | example: "Bearer {access_token}"
placeholder postman | Authorization: Bearer {{accessToken}}
placeholder http file | @token = {{login.response.body.$.token}}
placeholder dockerfile mount | RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
placeholder compose secrets | secrets:{n}  db_password:{n}    file: ./secrets/db_password.txt
placeholder compose file var | POSTGRES_PASSWORD_FILE: /run/secrets/db_password
placeholder compose interp | MYSQL_ROOT_PASSWORD: \${MYSQL_ROOT_PASSWORD:?set MYSQL_ROOT_PASSWORD}
placeholder compose passthrough | environment:{n}  - AWS_ACCESS_KEY_ID{n}  - AWS_SECRET_ACCESS_KEY
env node | const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!, { apiVersion: "2024-06-20" });
env node destructure | const { JWT_SECRET, REFRESH_SECRET, COOKIE_SECRET } = process.env;
env vite | const key = import.meta.env.VITE_MAPS_API_KEY;
env python getenv | password = os.getenv("DB_PASSWORD")
env python environ | SECRET_KEY = os.environ["DJANGO_SECRET_KEY"]
env python environ get default | api_key = os.environ.get("MAILGUN_API_KEY", "")
env python decouple | EMAIL_HOST_PASSWORD = config("EMAIL_HOST_PASSWORD")
env python pydantic | class Settings(BaseSettings):{n}    secret_key: SecretStr{n}    db_password: SecretStr
env python getpass | password = getpass.getpass("Password: ")
env go | token := os.Getenv("GITLAB_TOKEN")
env go lookup | secret, ok := os.LookupEnv("WEBHOOK_SECRET"); if !ok { log.Fatal("WEBHOOK_SECRET not set") }
env rust | let api_key = std::env::var("API_KEY").expect("API_KEY must be set");
env ruby | config.secret_key = ENV.fetch("DEVISE_SECRET_KEY")
env ruby credentials | Rails.application.credentials.dig(:aws, :secret_access_key)
env php | 'secret' => env('AWS_SECRET_ACCESS_KEY'),
env java | String password = System.getenv("KEYSTORE_PASSWORD");
env java value | @Value("\${jwt.secret}") private String jwtSecret;
env kotlin gradle | password = System.getenv("MAVEN_PASSWORD") ?: findProperty("maven.password") as String?
env csharp | var key = Environment.GetEnvironmentVariable("AZURE_OPENAI_API_KEY");
env swift | let token = ProcessInfo.processInfo.environment["API_TOKEN"]
env scala hocon | db.password = \${?DB_PASSWORD}
env r | key <- Sys.getenv("CENSUS_API_KEY")
env powershell | $headers = @{ Authorization = "Bearer $env:GRAPH_TOKEN" }
env shell default | : "\${API_TOKEN:?API_TOKEN must be set}"
env shell export subst | export VAULT_TOKEN=$(vault login -method=oidc -token-only)
env shell read | read -rsp "Database password: " DB_PASSWORD; export DB_PASSWORD
env shell cat file | export PGPASSWORD="$(cat /run/secrets/pg_password)"
env shell op | export OPENAI_API_KEY="$(op read 'op://Engineering/OpenAI/credential')"
env shell gcloud | TOKEN=$(gcloud auth print-access-token)
env shell aws ecr | aws ecr get-login-password --region eu-central-1 | docker login --username AWS --password-stdin {d12}.dkr.ecr.eu-central-1.amazonaws.com
env shell kubectl | kubectl get secret db-creds -o jsonpath='{.data.password}' | base64 -d
env shell k8s sa | TOKEN=$(cat /var/run/secrets/kubernetes.io/serviceaccount/token)
env shell ssm | aws ssm get-parameter --name /prod/api/db_password --with-decryption --query Parameter.Value --output text
env shell secretsmanager | aws secretsmanager get-secret-value --secret-id prod/billing/stripe --query SecretString --output text
env shell az keyvault | az keyvault secret show --vault-name kv-shop-prod --name db-password --query value -o tsv
env shell gcp secrets | gcloud secrets versions access latest --secret=sendgrid-api-key
env shell heroku | heroku config:get DATABASE_URL -a shop-staging
env shell wrangler | wrangler secret put STRIPE_WEBHOOK_SECRET
env shell vercel | vercel env pull .env.local --token="$VERCEL_TOKEN"
env shell gh secret | gh secret set NPM_TOKEN --repo acme/widgets < ~/.npm-token
env shell doppler | doppler run --project web --config prd -- npm start
env shell sops | sops --decrypt secrets/prod.enc.yaml | kubectl apply -f -
env shell ansible vault | ansible-playbook site.yml --ask-vault-pass --limit web
env shell aws-vault | aws-vault exec prod-admin -- terraform plan
env shell mysql prompt | mysql -u root -p -h 127.0.0.1 shop
env shell psql nopass | psql "host=localhost port=5432 dbname=app user=app sslmode=disable"
env shell pgpass | chmod 600 ~/.pgpass
env shell docker login stdin | echo "$CR_PAT" | docker login ghcr.io -u "$GITHUB_ACTOR" --password-stdin
env shell curl user var | curl -u "$JIRA_USER:$JIRA_TOKEN" https://acme.atlassian.net/rest/api/3/myself
env shell curl netrc | curl --netrc-file ~/.netrc https://artifacts.example.com/list
env shell git url var | git remote set-url origin https://x-access-token:\${GITHUB_TOKEN}@github.com/acme/widgets.git
env shell openssl gen | openssl genrsa -out server.key 4096
env shell openssl passin | openssl pkcs12 -in cert.p12 -out cert.pem -nodes -passin env:P12_PASSWORD
env shell ssh-keygen | ssh-keygen -t ed25519 -C "deploy@ci" -f ~/.ssh/deploy_key -N ""
env shell passwd | sudo passwd deploy
env shell rails edit | EDITOR="code --wait" bin/rails credentials:edit --environment production
env shell django | python manage.py createsuperuser --username admin --email admin@example.com
env shell ldap | ldapsearch -x -W -D "cn=admin,dc=example,dc=org" -b "ou=people,dc=example,dc=org"
env shell mongo | mongosh "mongodb://db.internal:27017/app" --username app --authenticationDatabase admin
env shell twine | TWINE_USERNAME=__token__ TWINE_PASSWORD="$PYPI_TOKEN" twine upload dist/*
env shell cargo | cargo publish --token "$CARGO_REGISTRY_TOKEN"
env shell npm login | npm login --registry=https://npm.pkg.github.com --scope=@acme
env shell helm set | helm upgrade --install api ./chart --set auth.existingSecret=api-auth --namespace prod
env shell terraform | terraform apply -var="db_password=$TF_DB_PASSWORD" -auto-approve
env shell create secret var | kubectl create secret generic db --from-literal=password="$DB_PASSWORD" --dry-run=client -o yaml
vault ref kv | vault kv get -field=password secret/apps/billing/postgres
vault ref agent template | {{ with secret "database/creds/readonly" }}{{ .Data.username }}:{{ .Data.password }}{{ end }}
vault ref ansible var | ansible_become_password: "{{ vault_become_password }}"
vault ref external secret | remoteRef:{n}  key: prod/api/database{n}  property: password
vault ref secretKeyRef | valueFrom:{n}  secretKeyRef:{n}    name: api-secrets{n}    key: stripe-secret-key
vault ref envFrom | envFrom:{n}  - secretRef:{n}      name: worker-env
vault ref imagePull | imagePullSecrets:{n}  - name: ghcr-pull-secret
vault ref op inject | DATABASE_URL=op://Production/Postgres/url
vault ref ecs valueFrom | "secrets": [{"name": "DB_PASSWORD", "valueFrom": "arn:aws:ssm:eu-west-1:{d12}:parameter/prod/db/password"}]
vault ref sm arn suffix | valueFrom: arn:aws:secretsmanager:us-east-1:{d12}:secret:prod/api/stripe-{a6}:secretKey::
vault ref appservice | @Microsoft.KeyVault(SecretUri=https://kv-shop-prod.vault.azure.net/secrets/SqlPassword/)
vault ref cloud run | gcloud run deploy api --set-secrets=DB_PASSWORD=db-password:latest --region=europe-west6
vault ref terraform data | password = data.aws_secretsmanager_secret_version.db.secret_string
vault ref terraform random | resource "random_password" "db" {{n}  length  = 24{n}  special = false{n}}
vault ref terraform output | output "db_password" { value = random_password.db.result, sensitive = true }
vault ref cloudformation | MasterUserPassword: '{{resolve:secretsmanager:prod/rds:SecretString:password}}'
vault ref cloudformation noecho | DBPassword:{n}  Type: String{n}  NoEcho: true{n}  MinLength: 12
vault ref cdk value | password: secret.secretValueFromJson("password").unsafeUnwrap(),
vault ref bicep | @secure(){n}param adminPassword string
vault ref pulumi | const dbPassword = config.requireSecret("dbPassword");
vault ref serverless | STRIPE_KEY: \${ssm:/myapp/\${sls:stage}/stripe-key}
vault ref nix sops | sops.secrets."wifi/psk" = { owner = "root"; mode = "0400"; };
vault ref esphome | password: !secret wifi_password
vault ref dbt | password: "{{ env_var('DBT_PASSWORD') }}"
vault ref databricks | token = dbutils.secrets.get(scope="prod", key="warehouse-token")
vault ref streamlit | openai.api_key = st.secrets["OPENAI_API_KEY"]
vault ref jenkins | withCredentials([string(credentialsId: 'sonar-token', variable: 'SONAR_TOKEN')]) { sh 'mvn sonar:sonar' }
vault ref jenkins userpass | withCredentials([usernamePassword(credentialsId: 'nexus', usernameVariable: 'NEXUS_USER', passwordVariable: 'NEXUS_PASS')])
vault ref fastlane | api_key = app_store_connect_api_key(key_id: ENV["ASC_KEY_ID"], issuer_id: ENV["ASC_ISSUER_ID"], key_filepath: "AuthKey.p8")
vault ref android gradle | storePassword keystoreProperties['storePassword']
vault ref prometheus | basic_auth:{n}  username: scraper{n}  password_file: /etc/prometheus/scrape_password
vault ref alertmanager | slack_api_url_file: /etc/alertmanager/slack_url
vault ref grafana | GF_SECURITY_ADMIN_PASSWORD__FILE=/run/secrets/grafana_admin
vault ref systemd env | EnvironmentFile=-/etc/default/worker
vault ref mcp config | "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "\${input:github_token}" }
vault ref vscode inputs | {"type": "promptString", "id": "github_token", "description": "GitHub token", "password": true}
vault ref claude mcp | claude mcp add --transport http sentry https://mcp.sentry.dev/mcp --header "Authorization: Bearer \${SENTRY_TOKEN}"
ci actions secret | NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}
ci actions github token | token: \${{ secrets.GITHUB_TOKEN }}
ci actions with | - uses: docker/login-action@v3{n}  with:{n}    username: \${{ github.actor }}{n}    password: \${{ secrets.GITHUB_TOKEN }}
ci actions pinned | - uses: actions/checkout@{h40} # v4.2.2
ci actions oidc | permissions:{n}  id-token: write{n}  contents: read
ci actions aws role | role-to-assume: arn:aws:iam::{d12}:role/github-actions-deploy
ci actions cache key | key: \${{ runner.os }}-pnpm-\${{ hashFiles('**/pnpm-lock.yaml') }}
ci actions mask | echo "::add-mask::$TOKEN"
ci actions persist | persist-credentials: false
ci actions app token | app-id: \${{ vars.APP_ID }}{n}private-key: \${{ secrets.APP_PRIVATE_KEY }}
ci gitlab job token | git clone https://gitlab-ci-token:\${CI_JOB_TOKEN}@gitlab.com/acme/shared.git
ci gitlab registry | docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
ci circleci context | context: [aws-prod, docker-hub-creds]
ci circleci auth | auth:{n}  username: $DOCKERHUB_USER{n}  password: $DOCKERHUB_PASSWORD
ci azure pipelines | env:{n}  SYSTEM_ACCESSTOKEN: $(System.AccessToken)
ci bitbucket | - pipe: atlassian/aws-s3-deploy:1.1.0{n}  variables:{n}    AWS_SECRET_ACCESS_KEY: $AWS_SECRET_ACCESS_KEY
ci drone | from_secret: docker_password
ci renovate | "hostRules": [{"matchHost": "npm.pkg.github.com", "token": "{{ secrets.GHCR_TOKEN }}"}]
ci dependabot | registries:{n}  npm-acme:{n}    type: npm-registry{n}    token: \${{secrets.DEPENDABOT_NPM_TOKEN}}
ci goreleaser | env:{n}  - GITHUB_TOKEN={{ .Env.GITHUB_TOKEN }}
ci semantic release | Error: ENOGHTOKEN No GitHub token specified.
hash git commit | Fixed in {h40}, backported to release/2.3.
hash git short | Reverted {h7} because it broke the login redirect.
hash git log line | {h9} (HEAD -> main, origin/main) auth: rotate session id after login
hash git range | git log --oneline {h8}..{h8}
hash git index | index {h7}..{h7} 100644
hash git ls-remote | {h40}	refs/heads/main
hash git merge base | Merge: {h7} {h7}{n}Author: Nora Frei <nora@example.com>
hash github permalink | https://github.com/acme/widgets/blob/{h40}/src/auth/session.ts#L41-L67
hash github compare | https://github.com/acme/widgets/compare/{h12}...{h12}
hash docker digest | FROM node:22-alpine@sha256:{h64}
hash docker image | Digest: sha256:{h64}{n}Status: Downloaded newer image for postgres:16
hash docker ps | {h12}   redis:7   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   6379/tcp   cache
hash docker imageid | "Id": "sha256:{h64}",
hash npm integrity | "integrity": "sha512-{b86}==",
hash pnpm lock | resolution: {integrity: sha512-{b86}==}
hash yarn lock | zod@^3.22.4:{n}  version "3.22.4"{n}  resolved "https://registry.yarnpkg.com/zod/-/zod-3.22.4.tgz#{h40}"
hash yarn berry | checksum: 10c0/{h128}
hash cargo lock | checksum = "{h64}"
hash go sum | github.com/stretchr/testify v1.9.0 h1:{b43}=
hash go sum mod | golang.org/x/crypto v0.24.0/go.mod h1:{b43}=
hash pip hash | certifi==2024.7.4 --hash=sha256:{h64}
hash poetry lock | {file = "idna-3.7-py3-none-any.whl", hash = "sha256:{h64}"},
hash uv lock | sdist = { url = "https://files.pythonhosted.org/packages/{h2}/{h2}/{h60}/ruff-0.5.0.tar.gz", hash = "sha256:{h64}", size = 2590000 }
hash composer lock | "content-hash": "{h32}",
hash gemfile lock | CHECKSUMS{n}  rack (3.1.4) sha256={h64}
hash swift resolved | "revision" : "{h40}",
hash nix sri | hash = "sha256-{b43}=";
hash nix store | /nix/store/{k32}-openssl-3.0.14
hash terraform lock h1 | "h1:{b43}=",
hash terraform lock zh | "zh:{h64}",
hash bazel | sha256 = "{h64}",{n}strip_prefix = "rules_go-0.48.0",
hash homebrew | url "https://example.com/tool-1.4.0.tar.gz"{n}sha256 "{h64}"
hash gradle wrapper | distributionSha256Sum={h64}
hash sha256sum | {h64}  dist/app-linux-amd64.tar.gz
hash md5sum | {h32} *backup.sql
hash md5 etag | ETag: "{h32}"
hash weak etag | etag: W/"{h4}-{b27}"
hash content md5 | Content-MD5: {b22}==
hash digest header | Digest: SHA-256={b43}=
hash sri script | <script src="https://cdn.jsdelivr.net/npm/htmx.org@2.0.0" integrity="sha384-{b64}" crossorigin="anonymous"></script>
hash csp | Content-Security-Policy: script-src 'self' 'sha256-{b43}='
hash asset filename | dist/assets/index-{w8}.js   184.21 kB │ gzip: 58.03 kB
hash asset chunk | GET /_next/static/chunks/app/page-{h16}.js 200 in 4ms
hash css module | .LoginForm_password__{a5} { border: 1px solid #ccc; }
hash build id | "buildId": "{w21}",
hash cert fingerprint | SHA256 Fingerprint={H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
hash ssh fingerprint | 256 SHA256:{b43} deploy@ci (ED25519)
hash ssh host prompt | ED25519 key fingerprint is SHA256:{b43}.{n}Are you sure you want to continue connecting (yes/no/[fingerprint])?
hash gpg fingerprint | Primary key fingerprint: {H4} {H4} {H4} {H4} {H4}  {H4} {H4} {H4} {H4} {H4}
hash gpg keyid | gpg: using RSA key {H40}
hash kubeadm ca | --discovery-token-ca-cert-hash sha256:{h64}
hash helm digest | digest: sha256:{h64}{n}generated: "2024-07-02T09:14:11.123456+02:00"
hash prisma migration | Migration \`20240702091411_add_api_tokens\` failed, checksum {h64}
hash alembic | revision = "{h12}"{n}down_revision = "{h12}"
hash alembic upgrade | INFO  [alembic.runtime.migration] Running upgrade {h12} -> {h12}, add token table
hash graphql persisted | "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "{h64}"}}
hash solidity tx | Transaction: https://sepolia.etherscan.io/tx/0x{h64}
hash eth address | Contract deployed to 0x{h40}
hash magnet | magnet:?xt=urn:btih:{h40}&dn=debian-12.iso
hash turbo | web:build: cache hit, replaying logs {h16}
hash git lfs | version https://git-lfs.github.com/spec/v1{n}oid sha256:{h64}{n}size 132735
id uuid request | request_id={uuid} status=401 path=/api/me
id uuid user | SELECT * FROM users WHERE id = '{uuid}';
id uuid url | https://app.example.com/projects/{uuid}/settings/tokens
id uuid tenant | tenantId: {uuid}
id uuid client id | AZURE_CLIENT_ID={uuid}
id uuid subscription | /subscriptions/{uuid}/resourceGroups/rg-shop-prod/providers/Microsoft.KeyVault/vaults/kv-shop-prod
id uuid xcode | PRODUCT_BUNDLE_IDENTIFIER = com.acme.shop; DEVELOPMENT_TEAM = {K10};
id xcode pbx | {H24} /* LoginViewController.swift in Sources */ = {isa = PBXBuildFile; fileRef = {H24} /* LoginViewController.swift */; };
id userSecretsId | <UserSecretsId>{uuid}</UserSecretsId>
id uuid trace | traceparent: 00-{h32}-{h16}-01
id cf ray | cf-ray: {h16}-FRA
id x-request-id | x-request-id: {h32}
id aws request | An error occurred (AccessDenied) when calling the AssumeRole operation, RequestId: {uuid}
id s3 host id | <RequestId>{K16}</RequestId><HostId>{b75}=</HostId>
id ulid | orderId: 01{K24}
id nanoid | slug: {w21}
id mongo objectid | db.users.findOne({ _id: ObjectId("{h24}") })
id stripe customer | Customer cus_{a14} has two active subscriptions.
id stripe price | STRIPE_PRICE_ID=price_1{a23}
id stripe event | evt_1{a23}: invoice.payment_failed
id slack channel | Post deployment notes into channel C0{K9}.
id youtube | https://www.youtube.com/watch?v={w11}
id google doc | https://docs.google.com/document/d/1{w43}/edit
id figma | https://www.figma.com/design/{a22}/Login-screens?node-id=12-340
id notion | https://www.notion.so/acme/Auth-design-{h32}
id sentry issue | Sentry WEB-3K2: TypeError in refreshToken (event {h32})
id ga | gtag('config', 'G-{K10}');
id recaptcha talk | reCAPTCHA returns \`invalid-input-secret\` when the site key is used on the server side.
id firebase app | projectId: "shop-prod-4f1c2", appId: "1:{d12}:web:{h22}"
id cognito pool | userPoolId: eu-central-1_{a9}
id cognito jwks | https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_{a9}/.well-known/jwks.json
id auth0 domain | AUTH0_DOMAIN=dev-{k16}.eu.auth0.com
id okta | issuer: https://dev-{d8}.okta.com/oauth2/default
id google client id | GOOGLE_CLIENT_ID={d12}-{k32}.apps.googleusercontent.com
id github app | GitHub App ID {d6}, installation {d8}
id github client | client_id: Iv1.{h16}
id aws vpc | vpc-0{h16}, subnets subnet-0{h16} and subnet-0{h16}
id aws ec2 | i-0{h16} is running in eu-west-1b
id aws ami | ami = "ami-0{h16}" # ubuntu 24.04 eu-central-1
id aws kms | arn:aws:kms:eu-west-1:{d12}:key/{uuid}
id aws kms alias | kms_key_id = "alias/prod/secrets"
id aws acm | certificateArn: arn:aws:acm:us-east-1:{d12}:certificate/{uuid}
id aws lambda arn | arn:aws:lambda:eu-central-1:{d12}:function:auth-token-authorizer:14
id aws sns | arn:aws:sns:eu-west-1:{d12}:password-reset-events
id aws sqs | https://sqs.eu-west-1.amazonaws.com/{d12}/token-cleanup-dlq
id aws rds host | shop-prod.{k12}.eu-central-1.rds.amazonaws.com
id aws cache host | cache.{k6}.ng.0001.euw1.cache.amazonaws.com:6379
id aws cloudfront | https://d{k13}.cloudfront.net, distribution E{K13}
id aws apigw | https://{k10}.execute-api.eu-west-1.amazonaws.com/prod/login
id aws hosted zone | hosted_zone_id = "Z{K20}"
id aws role policy | "Resource": "arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/*"
id aws s3 bucket | s3://acme-prod-terraform-state-{d12}/network/terraform.tfstate
id aws cdk asset | cdk-hnb659fds-assets-{d12}-eu-central-1/{h64}.zip
id aws log stream | 2024/07/02/[$LATEST]{h32}
id aws stack | arn:aws:cloudformation:eu-west-1:{d12}:stack/shop-auth/{uuid}
id gcp sa | deployer@shop-prod-{d6}.iam.gserviceaccount.com
id gcp secret path | projects/{d12}/secrets/sendgrid-api-key/versions/3
id gcp run url | https://api-{k10}-ew.a.run.app
id azure rg | MC_rg-shop-prod_aks-shop-prod_westeurope
id azure storage host | https://stshopprodweu001.blob.core.windows.net/backups/2024-07-02/shop.bak
id azure sb host | Endpoint=sb://sb-shop-prod.servicebus.windows.net/;EntityPath=orders
id azure principal | az role assignment create --assignee {uuid} --role "Key Vault Secrets User" --scope "$KV_ID"
id k8s pod | api-{h10}-{k5}   1/1   Running   0   4h12m
id k8s uid | uid: {uuid}{n}resourceVersion: "{d8}"
id eks oidc | https://oidc.eks.eu-west-1.amazonaws.com/id/{H32}
id neon host | ep-quiet-sun-{k8}-pooler.eu-central-1.aws.neon.tech
id supabase url | NEXT_PUBLIC_SUPABASE_URL=https://{l20}.supabase.co
id cloudflare zone | zone_id = "{h32}"
id cloudflare account | account_id = "{h32}"
id vercel project | {"orgId":"team_{a24}","projectId":"prj_{a28}"}
id vercel deploy | https://shop-{k9}-acme.vercel.app
id heroku slug | https://young-fjord-{d5}-{h12}.herokuapp.com
id ngrok host | https://{h12}.ngrok-free.app forwards to :3000
id openai request | openai request id req_{h32}
id openai chat | "id": "chatcmpl-{a29}", "object": "chat.completion"
id anthropic msg | "id": "msg_01{a22}", "type": "message"
id anthropic tool | "tool_use_id": "toolu_01{a22}"
id claude session | Resume with claude --resume {uuid}
id kafka cluster | cluster.id={w22}
id es index | green open .security-tokens-7 {w22} 1 0 14 3 112kb
id mac | link/ether {h2}:{h2}:{h2}:{h2}:{h2}:{h2} brd ff:ff:ff:ff:ff:ff
id ipv6 | listen [2001:db8:{h4}:{h4}::1]:443 ssl;
id ticket | JIRA AUTH-1294: token refresh loops on 401
id epoch | exp: 1719915251, iat: 1719911651, nbf: 1719911651
id dkim public | v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC{b170}wIDAQAB
id sourcemap | //# sourceMappingURL=main.{h8}.js.map
id windows sid | S-1-5-21-{d10}-{d10}-{d10}-1104
public key ssh ed25519 | ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE{b42} nora@laptop
public key ssh rsa | ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC{b341} deploy@build
public key ecdsa | ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBE{b85}= root@bastion
public key known hosts | gitlab.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{b42}
public key hashed host | |1|{b27}=|{b27}= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM{b42}
public key pem | -----BEGIN PUBLIC KEY-----{n}MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE{b28}{n}{b58}=={n}-----END PUBLIC KEY-----
public key cert | -----BEGIN CERTIFICATE-----{n}MIIDazCCAlOgAwIBAgIU{b44}{n}{b64}{n}{b64}{n}-----END CERTIFICATE-----
public key csr | openssl req -new -key server.key -out server.csr -subj "/CN=api.example.com"
public key age recipient | creation_rules:{n}  - path_regex: secrets/.*\\.yaml\${n}    age: age1{k58}
public key minisign | untrusted comment: minisign public key {H16}{n}RW{b54}
public key wireguard | [Peer]{n}PublicKey = {b43}={n}AllowedIPs = 10.8.0.2/32
public key jwk | {"kty":"RSA","use":"sig","kid":"{w22}","alg":"RS256","n":"{w342}","e":"AQAB"}
public key vapid public | VAPID_PUBLIC_KEY=B{w86}
public key tauri | "pubkey": "{base64:untrusted comment: minisign public key: [H16][n]RW[b54][n]}"
public key terraform | public_key = file("~/.ssh/id_ed25519.pub")
redacted json | {"user":"nora","password":"[REDACTED]","ip":"10.0.0.4"}
redacted filtered | Parameters: {"email"=>"nora@example.com", "password"=>"[FILTERED]", "remember_me"=>"1"}
redacted ci mask | Run docker login -u acme -p ***
redacted header | > Authorization: Bearer ***
redacted url | postgresql://app:***@db.internal:5432/shop
redacted python | SecretStr('**********')
redacted django | 'SECRET_KEY': '********************'
redacted terraform | ~ password = (sensitive value)
redacted terraform known | + db_password = (known after apply)
redacted removed | "client_secret": "<redacted>",
redacted tail | API key ending in …4f2a was revoked on Monday.
redacted gh status | - Token: gho_************************************
redacted gh scopes | - Token scopes: 'gist', 'read:org', 'repo', 'workflow'
redacted npm | //registry.npmjs.org/:_authToken = (protected)
redacted kubectl describe | Data{n}===={n}password:  24 bytes{n}username:  5 bytes
redacted kubectl get | NAME          TYPE     DATA   AGE{n}db-creds      Opaque   2      41d
redacted gitleaks | Finding: "token": "REDACTED"{n}RuleID: generic-api-key{n}Entropy: 4.21
redacted env print | STRIPE_SECRET_KEY=(set, 107 chars)
redacted bullet | Password: ••••••••••••
redacted rails inspect | #<User id: 14, email: "nora@example.com", encrypted_password: [FILTERED]>
redacted mongo uri | MongoServerError: bad auth for mongodb://app:<credentials>@db.internal:27017
redacted git trace | Authorization: basic <redacted>
redacted azure cli | "primaryKey": null,{n}"connectionString": "(hidden)"
talk rotate | Rotate the Stripe key every quarter; the steps are in docs/runbooks/rotate-keys.md.
talk where | The production database password lives in 1Password, vault "Engineering", item "shop-db".
talk ask | Ask Nora for access to the vault before running the migration.
talk token lifetime | Access tokens live for 15 minutes, refresh tokens for 30 days.
talk decision | We decided to keep refresh tokens in an httpOnly cookie and never in localStorage.
talk bug | Password reset mail contained the old token because the cache was not invalidated.
talk env | Copy .env.example to .env and fill in OPENAI_API_KEY and DATABASE_URL.
talk never commit | Never commit .env files; the pre-commit hook runs gitleaks.
talk scope | The token needs the scopes repo, read:org and workflow.
talk fine-grained | Use a fine-grained personal access token with read-only access to contents.
talk prefix | GitHub tokens begin with ghp_ (classic) or github_pat_ (fine-grained).
talk prefix stripe | Keys starting with sk_live_ are refused in development; use sk_test_ keys there.
talk prefix aws | Long-lived AWS keys start with AKIA, temporary ones with ASIA.
talk tokens llm | The prompt is about 12,400 tokens, max_tokens is 4096.
talk tokenizer | The tokenizer splits "password" into two tokens: pass and word.
talk design tokens | Design tokens: color.primary.500 = #3b82f6, spacing.4 = 1rem.
talk css token | Token names follow --ds-color-text-secondary-on-dark.
talk csrf | The CSRF token is read from the meta tag and sent as X-CSRF-Token.
talk pkce | PKCE: code_verifier has 43 to 128 characters, code_challenge_method is S256.
talk primary key | The primary key is (tenant_id, user_id); the foreign key points to accounts.id.
talk cache key | Cache key: user:{id}:permissions:v3, expires after 300 s.
talk key value | Key: value pairs are separated by a colon; secret: false hides nothing.
talk keyboard | Key bindings: Ctrl+Shift+P opens the palette, Esc closes the password dialog.
talk secret santa | The feature is called "secret santa" internally; folder src/features/secret-santa.
talk answer | Password: see the vault. User: admin@example.com.
talk password none | password: none needed, the socket uses peer authentication
talk password same | Password: the same as for staging, ask the team lead
talk token missing | token: missing in staging, so the webhook answers 401
talk key expired | API key: expired on 2024-06-30, a new one was requested
talk secret name | secret: api-tls (namespace ingress-nginx)
talk key algorithm | key: ed25519, hash: argon2id, memory 64 MiB, iterations 3
talk passkey | Passkeys replace the password for admins; WebAuthn challenge is stored in Redis for 5 minutes.
talk basic auth | Staging sits behind basic auth; credentials are pinned in the #staging channel.
talk login flow | Login flow: /login -> /oauth/authorize -> /oauth/callback?code=…&state=… -> /dashboard
talk oauth params | grant_type=authorization_code&code=CODE&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&client_id=CLIENT_ID
talk oauth response | Response fields: access_token (string), token_type ("Bearer"), expires_in (number), scope (string)
talk token type | {"token_type":"Bearer","expires_in":3600,"scope":"read write"}
talk jwt claims | {"iss":"https://auth.example.com","aud":"api","sub":"user-42","exp":1719915251}
talk jwt header | {"alg":"RS256","typ":"JWT","kid":"2024-07-key-1"}
talk commit message | fix(auth): compare tokens with timingSafeEqual instead of ===
talk commit feat | feat(api): add POST /v1/api-keys and DELETE /v1/api-keys/:id
talk changelog | - **BREAKING** \`password\` option renamed to \`credentials.password\`
talk todo | TODO(nora): move WEBHOOK_SECRET to the secret manager
talk fixme | // FIXME: token is undefined on first render, see AUTH-88
talk checklist | - [ ] revoke the old deploy key{n}- [x] add the new deploy key{n}- [ ] remove secrets from the Travis settings
talk adr | ADR 14: store password hashes with argon2id, cost is tuned to 250 ms.
talk file list | src/auth/password.ts, src/auth/token.ts, src/auth/secret-store.ts, test/auth/password.test.ts
talk path long | packages/authentication-service/src/main/java/com/acme/auth/token/RefreshTokenRotationService.java
talk class long | AbstractUserDetailsAuthenticationProvider, UsernamePasswordAuthenticationToken, OAuth2AuthorizedClientManager
talk constant long | ERR_OAUTH2_CLIENT_CREDENTIALS_GRANT_NOT_ENABLED_FOR_TENANT
talk version | openssl 3.0.14-1~deb12u2, node v22.4.1, pnpm 9.5.0+sha512.{h128}
talk semver | "version": "2.0.0-rc.14+build.20240702.{h7}"
talk git branch | feature/AUTH-1294-refresh-token-rotation-for-mobile-clients
talk docker tag | ghcr.io/acme/auth-service:main-{h7}-1719915251
talk feature flag | enable_password_strength_meter_v2: true
talk metrics | auth_token_refresh_total{status="error",reason="expired"} 14
talk env list | Required variables: DATABASE_URL, REDIS_URL, SESSION_SECRET, SMTP_PASSWORD, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
talk gitignore | .env{n}.env.*{n}!.env.example{n}*.pem{n}*.key{n}secrets/
talk gitleaks allow | [allowlist]{n}paths = ['''test/fixtures/.*''']
talk curl localhost | curl -i -X POST localhost:3000/api/login -H 'Content-Type: application/json' -d @login.json
talk cookie attributes | Set-Cookie: session=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0
talk www-authenticate | WWW-Authenticate: Bearer realm="api", error="invalid_token", error_description="The token expired"
talk cors | Access-Control-Allow-Headers: Authorization, Content-Type, X-Api-Key
rules password length | Passwords need at least 12 characters, one digit and one special character.
rules password regex | const PASSWORD_RE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w\\s]).{12,}$/;
rules zod | password: z.string().min(12, "Password must have at least 12 characters").max(128),
rules yup | confirmPassword: Yup.string().oneOf([Yup.ref("password")], "Passwords must match"),
rules joi | password: Joi.string().pattern(/^[a-zA-Z0-9!@#$%^&*]{8,64}$/).required()
rules laravel | 'password' => ['required', 'confirmed', Password::min(12)->mixedCase()->numbers()->uncompromised()],
rules rails | validates :password, length: { minimum: 12 }, if: :password_required?
rules django | {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
rules identity | options.Password.RequiredLength = 12; options.Password.RequireNonAlphanumeric = false;
rules class-validator | @IsStrongPassword({ minLength: 12, minSymbols: 1 }) password: string;
rules pam | password requisite pam_pwquality.so retry=3 minlen=12 dcredit=-1
rules cognito | PasswordPolicy: { MinimumLength: 12, RequireSymbols: true, TemporaryPasswordValidityDays: 3 }
rules jsonschema | "password": { "type": "string", "format": "password", "minLength": 12, "writeOnly": true }
rules alphabet | const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
code html input | <input type="password" name="password" id="password" autocomplete="current-password" required minlength="12">
code html label | <label for="new-password">New password</label>
code html csrf | <input type="hidden" name="_csrf" value="<%= csrfToken %>">
code blade | <input type="hidden" name="token" value="{{ $token }}">
code jsx field | <PasswordField label="Password" value={password} onChange={(e) => setPassword(e.target.value)} />
code vue | <input v-model="form.password" :type="showPassword ? 'text' : 'password'" />
code angular | password: ['', [Validators.required, Validators.minLength(12)]],
code react state | const [token, setToken] = useState<string | null>(null);
code react form | const { email, password } = Object.fromEntries(new FormData(event.currentTarget));
code localstorage | const token = localStorage.getItem("access_token");
code axios interceptor | config.headers.Authorization = \`Bearer \${getAccessToken()}\`;
code fetch | headers: { Authorization: \`Bearer \${session.accessToken}\`, "X-Requested-With": "fetch" },
code apollo | authorization: token ? \`Bearer \${token}\` : "",
code bcrypt | const passwordHash = await bcrypt.hash(dto.password, SALT_ROUNDS);
code bcrypt compare | if (!(await bcrypt.compare(password, user.passwordHash))) throw new UnauthorizedException();
code argon2 | const ok = await argon2.verify(user.passwordHash, password);
code jwt sign | const accessToken = jwt.sign({ sub: user.id }, config.jwtSecret, { expiresIn: "15m" });
code jwt verify | const payload = jwt.verify(token, publicKey, { algorithms: ["RS256"] });
code random token | const token = crypto.randomBytes(32).toString("hex");
code secrets module | token = secrets.token_urlsafe(32)
code hmac | const expected = createHmac("sha256", secret).update(rawBody).digest("hex");
code hmac python | digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
code timing safe | if not secrets.compare_digest(credentials.password, settings.admin_password): raise HTTPException(401)
code ts interface | interface Credentials { username: string; password: string; totp?: string }
code ts type | type TokenPair = { accessToken: string; refreshToken: string; expiresAt: Date };
code ts class field | private readonly apiKey: string;
code ts constructor | constructor(private readonly secretStore: SecretStore, private token?: string) {}
code ts enum | enum GrantType { Password = "password", RefreshToken = "refresh_token", ClientCredentials = "client_credentials" }
code ts const header | export const API_KEY_HEADER = "x-api-key";
code ts storage key | const TOKEN_STORAGE_KEY = "acme.auth.accessToken";
code ts cookie name | export const SESSION_COOKIE_NAME = "__Host-session";
code ts injection token | export const SECRET_STORE_TOKEN = Symbol("SecretStore");
code ts query key | queryKey: ["api-keys", workspaceId, { status: "active" }],
code ts i18n key | "auth.password.reset.success": "Your password was changed.",
code ts guard | if (!password || password.length < MIN_PASSWORD_LENGTH) return { error: "password_too_short" };
code go struct | type Config struct {{n}	Password string \`env:"DB_PASSWORD,required" json:"-"\`{n}	Token    string \`env:"API_TOKEN"\`{n}}
code go compare | if subtle.ConstantTimeCompare([]byte(token), []byte(cfg.Token)) != 1 {
code go header | req.Header.Set("Authorization", "Bearer "+token)
code go flag | password := flag.String("password", "", "database password")
code rust struct | pub struct Credentials { pub username: String, pub password: SecretString }
code rust expose | .basic_auth(&cfg.user, Some(cfg.password.expose_secret()))
code rust match | let token = match req.headers().get(AUTHORIZATION) { Some(v) => v, None => return Err(AuthError::MissingToken) };
code java getter | public void setPassword(String password) { this.password = password; }
code java encoder | user.setPassword(passwordEncoder.encode(request.getPassword()));
code java builder | .password(properties.getPassword()).username(properties.getUsername())
code kotlin data | data class LoginRequest(val email: String, @field:NotBlank val password: String)
code csharp record | public record LoginRequest(string Email, string Password);
code csharp attr | [DataType(DataType.Password)] public string Password { get; set; } = string.Empty;
code csharp bearer | client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
code python dataclass | password: str = field(repr=False)
code python fastapi | async def login(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> Token:
code python requests | response = requests.get(url, auth=(username, password), timeout=10)
code python argparse | parser.add_argument("--token", help="API token (default: $API_TOKEN)")
code python client | client = Anthropic(api_key=settings.anthropic_api_key)
code python none | def connect(host: str, user: str, password: str | None = None) -> Connection:
code php hash | $hash = password_hash($password, PASSWORD_ARGON2ID);
code php pdo | $pdo = new PDO($dsn, $config['user'], $config['password']);
code ruby has_secure | has_secure_password{n}has_secure_token :auth_token
code ruby permit | params.require(:user).permit(:email, :password, :password_confirmation)
code ruby filter | Rails.application.config.filter_parameters += [:passw, :secret, :token, :_key, :otp]
code elixir changeset | |> validate_length(:password, min: 12, max: 72)
code swift keychain | kSecClass as String: kSecClassGenericPassword,
code flutter | TextField(obscureText: true, controller: _passwordController)
code android xml | <EditText android:id="@+id/password" android:inputType="textPassword" android:hint="@string/password_hint" />
code prisma | model ApiToken {{n}  id        String   @id @default(cuid()){n}  hash      String   @unique{n}  expiresAt DateTime?{n}}
code typeorm | @Column({ name: "password_hash", type: "varchar", length: 255, select: false }) passwordHash!: string;
code drizzle | passwordHash: text("password_hash").notNull(),
code sqlalchemy | hashed_password: Mapped[str] = mapped_column(String(255), nullable=False)
code mongoose | password: { type: String, required: true, select: false },
code protobuf | message LoginRequest { string email = 1; string password = 2; }
code graphql sdl | input LoginInput { email: String! password: String! }
code playwright | await page.getByLabel("Password").fill(process.env.E2E_PASSWORD!);
code cypress | cy.get('input[name="password"]').type(Cypress.env('password'), { log: false });
code page object | private readonly passwordInput = this.page.locator('[data-testid="login-password"]');
code selenium | driver.findElement(By.id("password")).sendKeys(user.getPassword());
code test title | it("rejects an expired refresh token with 401", async () => {
code test expect | expect(response.body).not.toHaveProperty("password");
code test matcher | expect(result).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String) });
code test factory | const user = await createUser({ password: faker.internet.password({ length: 20 }) });
code test mock | vi.mocked(getSecret).mockResolvedValue(undefined);
error login | Error: Invalid email or password
error pg auth | FATAL:  password authentication failed for user "app"
error pg no password | fe_sendauth: no password supplied
error pg scram | SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string
error mysql | ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
error redis | NOAUTH Authentication required.
error mongo | MongoServerError: Authentication failed. (code 18, AuthenticationFailed)
error jwt expired | JsonWebTokenError: invalid signature; TokenExpiredError: jwt expired at auth.ts:41:17
error openai | 401 Unauthorized: You didn't provide an API key. You need to provide your API key in an Authorization header.
error anthropic | {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}
error github | remote: Support for password authentication was removed on August 13, 2021.
error git prompt | fatal: could not read Username for 'https://github.com': terminal prompts disabled
error ssh | git@github.com: Permission denied (publickey).
error ssh key perms | Permissions 0644 for '/home/nora/.ssh/id_ed25519' are too open.
error npm | npm error code E401{n}npm error Incorrect or missing password.
error npm otp | npm error code EOTP: This operation requires a one-time password from your authenticator.
error aws | Unable to locate credentials. You can configure credentials by running "aws configure".
error aws signature | SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided.
error aws expired | ExpiredToken: The security token included in the request is expired
error azure aad | AADSTS7000215: Invalid client secret provided. Ensure the secret being sent is the client secret value, not the secret ID.
error oauth | {"error":"invalid_grant","error_description":"Token has been expired or revoked."}
error csrf | ActionController::InvalidAuthenticityToken: Can't verify CSRF token authenticity.
error docker | denied: requested access to the resource is denied; unauthorized: authentication required
error syntax token | SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON
error tls key | curl: (58) unable to set private key file: 'client.key' type PEM
error k8s secret | MountVolume.SetUp failed for volume "creds": secret "api-creds" not found
error openssl | error:1E08010C:DECODER routines::unsupported
error zod env | Invalid environment variables: { SESSION_SECRET: [ 'Required' ], SMTP_PASSWORD: [ 'Required' ] }
log auth info | 2024-07-02T09:14:11.482Z INFO auth: user=42 method=password result=success duration=231ms
log auth json | {"level":"warn","msg":"token refresh failed","userId":42,"status":401,"traceId":"{h32}"}
log sshd | Jul  2 09:14:11 web1 sshd[2412]: Failed password for invalid user oracle from 203.0.113.9 port 41822 ssh2
log sshd key | sshd[811]: Accepted publickey for deploy from 10.0.0.4 port 50122 ssh2: ED25519 SHA256:{b43}
log nginx | 10.0.0.4 - - [02/Jul/2024:09:14:11 +0200] "POST /oauth/token HTTP/1.1" 200 1184 "-" "okhttp/4.12.0"
log sudo | sudo: nora : TTY=pts/0 ; PWD=/srv/app ; USER=root ; COMMAND=/usr/bin/passwd deploy
log vault | [INFO]  core: post-unseal setup complete; auth/token/ mounted
log rails | Completed 401 Unauthorized in 12ms (ActiveRecord: 1.4ms | Allocations: 2104)
log spring | o.s.s.w.FilterChainProxy : Securing POST /api/auth/token
log llm usage | usage: input_tokens=18231 output_tokens=912 cache_read_input_tokens=16384
log test summary | ✓ src/auth/password.test.ts (14 tests) 231ms
table tokens | | Token | Lifetime | Stored in |{n}|---|---|---|{n}| access | 15 min | memory |{n}| refresh | 30 d | httpOnly cookie |
table services | | Service | Secret name | Owner |{n}|---|---|---|{n}| billing | prod/billing/stripe | Nora |
table endpoints | | POST | /auth/password/forgot | sends a mail with a reset link |
table psql | \\d api_tokens{n} token_hash | character varying(64) | not null{n} expires_at | timestamp with time zone |
minified js | !function(e,t){"use strict";var n=t(12),r=e.token||n.getToken();r&&(e.headers.Authorization="Bearer "+r)}(window,o);
minified js 2 | const a=()=>{const[e,t]=u.useState(""),[n,r]=u.useState(!1);return i.jsx("input",{type:"password",value:e,onChange:s=>t(s.target.value)})};
minified css | .login-form input[type=password]{border:1px solid #d1d5db;border-radius:.375rem;padding:.5rem .75rem}
css token vars | :root { --token-color-border: #e5e7eb; --token-radius-md: 0.375rem; }
css scss | $key-color: #7c3aed; .api-key__value { font-family: $font-mono; user-select: all; }
css tailwind | className="flex h-10 w-full rounded-md border border-input bg-background px-3 py-2 text-sm ring-offset-background"
svg path | <path d="M12 1a5 5 0 0 0-5 5v4H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8a2 2 0 0 0-2-2h-1V6a5 5 0 0 0-5-5z"/>
sql create | CREATE TABLE api_keys (id uuid PRIMARY KEY, key_hash bytea NOT NULL, prefix varchar(8) NOT NULL, revoked_at timestamptz);
sql alter | ALTER TABLE users ADD COLUMN password_changed_at timestamptz;
sql update param | UPDATE users SET password_hash = $1, password_changed_at = now() WHERE id = $2;
sql select token | SELECT u.id FROM users u JOIN sessions s ON s.user_id = u.id WHERE s.token_hash = ? AND s.expires_at > NOW();
sql crypt | SELECT id FROM users WHERE email = $1 AND password_hash = crypt($2, password_hash);
sql role | CREATE ROLE app LOGIN; \\password app
sql role variable | ALTER ROLE app WITH PASSWORD :'app_password';
sql index | CREATE UNIQUE INDEX CONCURRENTLY idx_refresh_tokens_family ON refresh_tokens (family_id) WHERE revoked_at IS NULL;
regex github token | const GITHUB_TOKEN = /\\bgh[pousr]_[A-Za-z0-9]{36,255}\\b/;
regex aws key | AKIA[0-9A-Z]{16}
regex jwt | /^eyJ[\\w-]+\\.eyJ[\\w-]+\\.[\\w-]+$/
regex generic | (?i)(api[_-]?key|token|secret|password)\\s*[:=]\\s*['"]?([^\\s'"]{8,})
regex bearer | re.sub(r"(Authorization: Bearer )\\S+", r"\\1[redacted]", line)
regex url creds | s.replace(/:\\/\\/[^:@\\/]+:[^@\\/]+@/, "://***:***@")
regex sed | sed -E 's/(password=)[^&]+/\\1***/g' access.log
german sentence | Das Passwort für die Testumgebung steht im Tresor unter „Shop / Staging“.
german rule | Passwort: mindestens 12 Zeichen, davon eine Ziffer und ein Sonderzeichen.
german error | Anmeldung fehlgeschlagen: Benutzername oder Kennwort ist falsch.
german talk | Der API-Schlüssel wird beim Start aus der Umgebung gelesen, nicht aus der Datei config.yaml.
german note | Zugangsdaten bitte nur über den Passwortmanager teilen, nie per E-Mail.
german key | Schlüssel: siehe Vault, Pfad secret/data/shop/zahlung
german token | Token abgelaufen, neues Token beantragt am 02.07.2024 bei der IT.
german label | "passwortVergessen": "Passwort vergessen?",
french sentence | Le mot de passe de la base est stocké dans Vault, chemin secret/data/boutique.
french rule | Mot de passe : 12 caractères au minimum, dont un chiffre et une majuscule.
french error | Échec de l'authentification : identifiant ou mot de passe incorrect.
french talk | Le jeton d'accès expire au bout de 15 minutes ; le client le renouvelle tout seul.
french key | Clé API : à demander à l'équipe infra avant le déploiement.
spanish sentence | La contraseña de producción está en el gestor de secretos, no en el repositorio.
spanish rule | Contraseña: entre 12 y 64 caracteres, sin espacios.
spanish error | Error de inicio de sesión: usuario o contraseña incorrectos.
spanish talk | El token de acceso caduca a los 15 minutos y se renueva con el refresh token.
spanish key | Clave de API: pendiente, la entrega el cliente la semana que viene.
spanish label | "olvideContrasena": "¿Olvidaste tu contraseña?",
german commit | Fehler behoben: Token wurde nach dem Abmelden nicht gelöscht (siehe AUTH-131).
code shell function | get_token() { curl -fsS "$AUTH_URL/token" -d grant_type=client_credentials -u "$CLIENT_ID:$CLIENT_SECRET"; }
`;
