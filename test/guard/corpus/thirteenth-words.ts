/** Lines of ten languages that hold a secret, written without a look at the rules. */
export const thirteenthWords = `
en 1 | prod db password is HeronTrou82!Lake, user is svc_billing
en 2 | staging admin creds: admin / Welcome2Staging!
en 3 | DB_PASSWORD={a12}
en 4 | FYI the wifi passphrase in the lab: purple-otter-climbs-ladder
en 5 | PIN for the server room door is 48213, don't let it lock behind you
en 6 | | grafana | admin | pw: gr4fana4life | changed 2026-03 |
en 7 | export API_KEY='{h24}'
en 8 | I used "Summer2025!" as the root password on vm-114, please rotate later
en 9 | values.yaml of the redis chart now has \`password: "jU8{S}kd02-Wq"\`
en 10 | his pwd = monkeyBars77 (yes, really)
en 11 | recovery phrase of the payout wallet: glow orbit canyon pepper rude tank mimic wagon fossil lunar scout eager
en 12 | token for the internal mirror -> {a16}, valid until December
en 13 | {"user": "deploy", "secret": "mango-Carbon-51-tilt"}
en 14 | The keepass file opens with passcode 7719-QK-tide
en 15 | mysql root passwrd is hunter77Lemon, same on the replica
en 16 | ran sudo on build03 with KXp29!vault as the password, worked fine
en 17 | access code for the vendor portal (customer no. 2231): 60418855
en 18 | client_secret: w8Kf.Zq71bLxV0aPs3nT   # oauth app notes-sync
en 19 | jenkins login ci-bot, api token {h18}, put it in the job for now
en 20 | the passphrase on the GPG signing key is "three lazy tugboats at noon"
zh 1 | 生产库密码:Zx8#kLm2021,用户名 root,别外传
zh 2 | 测试环境的登录口令是 woaini1314,大家先用着
zh 3 | 服务器 10.2.3.14 账号 ops 密码 Ops@2024hz
zh 4 | API密钥 = "{a18}"
zh 5 | 门禁PIN码 662910,机房二楼
zh 6 | 跳板机的密碼改成了 Panda*9931 了,記得更新
zh 7 | 数据库连接凭据: app_rw / r3dLantern_77
zh 8 | 我把 token 写在这里了:{a16},明天过期前用掉
zh 9 | password: 'Changcheng#1688'  # 预发环境 nacos
zh 10 | | 禅道 | zhangwei | 口令 zw19880412 | 在用 |
zh 11 | 钱包助记词:orange clutch salt unveil pencil host track blossom mixture drift wrist galaxy
zh 12 | WiFi密码是 tianqibucuo2023(办公室三楼)
zh 13 | 访问令牌 {h16},放到请求头 X-Token 里就行
zh 14 | {"用户名":"backup","密码":"bk_Up!5582"}
zh 15 | 解压密码为 hanghai-lantian-5,附件发群里了
zh 16 | 刚才用 Qwer!2345 当 sudo 密码登录成功
zh 17 | app_secret:{a16}(微信小程序后台)
zh 18 | VPN 的动态口令失效了,先用备用码 83920174
zh 19 | 管理员初始pwd:Admin@Hz0571,首次登录不强制修改
zh 20 | SSH 私钥的密码短语是“雨后 茶园 三只 白鹭”
es 1 | la contraseña de producción es Tortuga_Verde91, no la cambien hoy
es 2 | usuario: mlopez contraseña: Madrid2024*
es 3 | CONTRASENA_BD=kT5zWq83nLx
es 4 | el PIN de la alarma de la oficina: 7306
es 5 | clave del wifi de invitados -> cafeconleche55
es 6 | te paso la pass del servidor de correo: Lluvia.Norte.38
es 7 | token de acceso (staging): {a16}
es 8 | | jira | admin | contraseña: j1raCordoba! | vence en junio |
es 9 | password: "pEz-globo-17-Mesa"   # base de datos de facturación
es 10 | frase de recuperación de la cartera: lobo nube farol cedro piano risa trigo museo boina actor ronda hielo
es 11 | la clave API de mapas es {h18}, está a nombre de Marta
es 12 | entré por ssh con "Sevilla#1992" como contraseña de root
es 13 | {"usuario":"informes","clave":"Rio.Plata.204"}
es 14 | código de acceso al portal del proveedor: 55821903
es 15 | credenciales del ftp: subida / sub1daRapida_9
es 16 | mi contrasenia del panel es gatito2010, por si hace falta entrar
es 17 | secreto del webhook = {a16}
es 18 | la frase de paso de la llave GPG es «cuatro limones bajo el puente»
es 19 | pwd del usuario deploy: D3ploy-Quito (aún sin rotar)
es 20 | con la contraseña Invierno2026{S} ya se puede abrir el backup cifrado
pt 1 | a senha do banco de produção é Jaca#Madura42
pt 2 | usuário: suporte senha: Flamengo1981!
pt 3 | SENHA_DB={a12}
pt 4 | PIN do cofre da sala 3: 90417
pt 5 | senha do wifi do escritório -> paodequeijo2023
pt 6 | o token da API interna é {a16}, vale até sexta
pt 7 | | gitlab | root | senha: Tucano_88azul | trocar depois |
pt 8 | password: 'Ipanema.Chuva.19'  # redis de homologação
pt 9 | usei "Mudar@2025" como senha do root na vm nova
pt 10 | frase de recuperação: abacate lousa vento prisma tijolo samba ninho carta oliva regra pomar fivela
pt 11 | chave de API do gateway = {h18}
pt 12 | {"login":"relatorios","senha":"c4fe-Coado-7"}
pt 13 | código de acesso do portal da prefeitura: 33870125
pt 14 | credenciais do sftp: envio / env10Noturno%
pt 15 | a palavra-passe do servidor de Lisboa é Sardinha.Assada.6
pt 16 | segredo do cliente OAuth: {a16}
pt 17 | entra no painel com a senha corinthians12 mesmo, ninguém mudou
pt 18 | a frase-senha da chave ssh é "tres barcos no rio manso"
pt 19 | pwd do usuario deploy é D3pl0y-Recife (sem rotação ainda)
pt 20 | o zip abre com Bromelia!305, é a senha padrão dos backups
ru 1 | пароль от прод базы: Vesna_2024!kot
ru 2 | логин admin пароль qazwsx987
ru 3 | DB_PASS={a12}   # тестовая база, пароль не меняли
ru 4 | пин-код от двери серверной 5190
ru 5 | вайфай в офисе, пароль: krasnaya-ploshad-7
ru 6 | токен для внутреннего API — {a16}, живёт до пятницы
ru 7 | | zabbix | Admin | пароль: Zbx#moroz55 | сменить |
ru 8 | password: "Sneg-Idet-301"  # redis на стейдже
ru 9 | зашёл рутом с паролем Priora2112, работает
ru 10 | сид-фраза кошелька: ripple mansion cotton yard velvet noble sugar hybrid arrest clinic kidney tower
ru 11 | ключ API карт = {h18}, записан на Олега
ru 12 | {"пользователь":"backup","пароль":"b4ckup_Noch"}
ru 13 | код доступа на портал поставщика: 48201937
ru 14 | учётные данные ftp: upload / Zagruzka!64
ru 15 | секрет вебхука: {a16}
ru 16 | пароль йцукен123 стоит на всех тестовых машинах
ru 17 | кодовая фраза от ключа GPG: «пять рыжих лисиц у реки»
ru 18 | пасс от деплоя Depl0y-Omsk, потом поменяем
ru 19 | архив открывается паролем Berezka#88, лежит на шаре
ru 20 | pwd: Ghjnjrjk1977 (это учетка Иванова в жире)
ja 1 | 本番DBのパスワードは Sakura_2024!db です
ja 2 | ユーザー名 admin / パスワード Fuji3776yama
ja 3 | DB_PASSWORD={a12} # 検証環境
ja 4 | サーバー室の暗証番号は 4471 です
ja 5 | 社内WiFiのパスワード:hashire-merosu-8
ja 6 | トークンはこちら → {a16}(金曜まで有効)
ja 7 | | redmine | admin | PW: redm1ne#osaka | 変更予定 |
ja 8 | password: "Yuki-Daruma-52"  # ステージングのredis
ja 9 | 「Natsu2025!」をrootのパスワードにして入れました
ja 10 | リカバリーフレーズ: topic bronze embark shiver kitchen lawn oven gesture flame cradle pupil wheat
ja 11 | APIキー:{h18}、田中さんの名義です
ja 12 | {"ユーザー":"backup","パスワード":"bKup_Yoru77"}
ja 13 | 取引先ポータルのアクセスコードは 70925518
ja 14 | FTPの接続情報:upload / Okuru!2319
ja 15 | Webhookのシークレットは {a16} に変更済み
ja 16 | 添付zipの解凍パスワードは kaigi0612 です
ja 17 | GPG鍵のパスフレーズは「みっつの青い凧と海」
ja 18 | PW:taro1985(山田さんのJiraアカウント)
ja 19 | deployユーザのパスワード=D3ploy-Nagoya、まだローテしてない
ja 20 | 認証キー {a16} をヘッダーに入れて叩いてください
de 1 | das Passwort für die Prod-DB lautet Eichhorn_Tanzt42
de 2 | Benutzer: admin Kennwort: Sommer2024!
de 3 | DB_PASSWORT={a12}
de 4 | PIN für die Tür zum Serverraum: 8302
de 5 | WLAN-Schlüssel im Büro -> brezel-mit-senf-19
de 6 | Token für die interne API ist {a16}, gültig bis Freitag
de 7 | | nagios | nagiosadmin | PW: N4gios#Kiel | bald ändern |
de 8 | password: 'Regen.Bogen.Haus.5'   # Redis auf Staging
de 9 | habe mich mit "Willkommen1!" als root-Passwort eingeloggt
de 10 | Wiederherstellungsphrase: tulip crisp wedding ignore panel stove ladder humble quarter fabric oyster blame
de 11 | API-Schlüssel für die Karten = {h18}, läuft auf Jens
de 12 | {"benutzer":"sicherung","passwort":"Nacht_S1cher"}
de 13 | Zugangscode zum Lieferantenportal: 91730246
de 14 | Zugangsdaten SFTP: upload / Hochl4den%Bonn
de 15 | das Geheimnis des Webhooks: {a16}
de 16 | Passwrot vom Druckerserver ist drucker123, bitte nicht lachen
de 17 | die Passphrase zum GPG-Schlüssel ist „sieben Gänse auf dem Deich“
de 18 | pw vom deploy-user: D3ploy-Weimar (noch nicht rotiert)
de 19 | das Archiv geht mit Kastanie!77 auf, Passwort steht sonst nirgends
de 20 | Losung für den Notfallzugang (Kennwort): Nordlicht-Funkturm-08
fr 1 | le mot de passe de la base de prod est Girafe_Bleue83
fr 2 | utilisateur : admin mot de passe : Azerty2024!
fr 3 | MOT_DE_PASSE_BDD={a12}
fr 4 | code PIN de la salle serveur : 6158
fr 5 | clé wifi du bureau -> croissant-au-beurre-4
fr 6 | le jeton de l'API interne est {a16}, valable jusqu'à vendredi
fr 7 | | glpi | glpi | mdp : Gl9i#Nantes | à changer |
fr 8 | password: "Pluie-Sur-Brest-29"   # redis de préprod
fr 9 | je me suis connecté en root avec le mdp Marseille13013
fr 10 | phrase de récupération : balcon neige flacon tresse cumin radeau virgule jardin moutarde ogive soupe lierre
fr 11 | clé API cartes = {h18}, au nom de Julie
fr 12 | {"utilisateur":"sauvegarde","mdp":"Nu1t_Blanche"}
fr 13 | code d'accès au portail fournisseur : 27490861
fr 14 | identifiants sftp : envoi / Env0i%Rapide
fr 15 | le secret du webhook : {a16}
fr 16 | mot de pase du vieux NAS : chocolat75 (jamais changé)
fr 17 | la phrase secrète de la clé GPG est « deux hiboux sur le toit »
fr 18 | mdp deploy = D3ploy-Lyon, pas encore tourné
fr 19 | l'archive s'ouvre avec Tournesol!56 (mot de passe habituel)
fr 20 | pwd de Karim sur jira: K4rimLoulou, il est en congé
ko 1 | 운영 DB 비밀번호는 Hangang_2024! 입니다
ko 2 | 아이디 admin 비번 qwer1234!@
ko 3 | DB_PASSWORD={a12}  # 스테이징 디비 비밀번호
ko 4 | 서버실 출입문 PIN은 9047 이에요
ko 5 | 사무실 와이파이 암호: kimchi-jjigae-11
ko 6 | 토큰은 {a16} 이고 금요일까지 유효합니다
ko 7 | | 젠킨스 | admin | 비밀번호: J3nkins#busan | 변경 예정 |
ko 8 | password: 'Nunsaram-Gyeoul-7'   # 레디스 개발서버
ko 9 | "Yeoreum2025!" 를 root 비밀번호로 해서 접속했습니다
ko 10 | 복구 문구: marble seed giant planet outdoor bamboo crater nephew arrow verify dolphin hazard
ko 11 | API 키: {h18} (김대리 명의)
ko 12 | {"사용자":"backup","비밀번호":"bKup_Saebyeok1"}
ko 13 | 협력사 포털 접속 코드 15839042
ko 14 | FTP 계정정보: upload / Ollyeo!7781
ko 15 | 웹훅 시크릿을 {a16} 로 바꿨어요
ko 16 | 비번 dlrjsqlqjs1! 로 들어가시면 됩니다
ko 17 | GPG 키 패스프레이즈는 "파란 지붕 아래 고양이 넷"
ko 18 | pw: minsu890417 (민수님 지라 계정)
ko 19 | deploy 계정 패스워드 = D3ploy-Daegu, 아직 교체 안 함
ko 20 | 첨부 압축파일 암호는 hoeui0715 입니다
tr 1 | prod veritabanı şifresi Kaplumbaga_71!
tr 2 | kullanıcı: admin parola: Ankara06!x
tr 3 | DB_SIFRE={a12}
tr 4 | sunucu odasının PIN kodu 3862
tr 5 | ofis wifi şifresi -> simit-ve-cay-34
tr 6 | iç API için token: {a16}, cumaya kadar geçerli
tr 7 | | zabbix | Admin | şifre: Zbx#izmir35 | değişecek |
tr 8 | password: "Kar-Yagar-Uludag-8"   # staging redis
tr 9 | root parolası olarak "Bahar2025!" ile girdim
tr 10 | kurtarma ifadesi: cactus lyrics shove domain easel wrap bitter puzzle amazing fiber trophy nest
tr 11 | harita API anahtarı = {h18}, Mehmet adına kayıtlı
tr 12 | {"kullanici":"yedek","sifre":"G3ce_Yedegi"}
tr 13 | tedarikçi portalı erişim kodu: 64018273
tr 14 | sftp kimlik bilgileri: yukle / Yukl3%Hizli
tr 15 | webhook gizli anahtarı {a16} olarak değiştirildi
tr 16 | sifre galatasaray1905 hala test makinelerinde duruyor
tr 17 | GPG anahtarının parolası «üç mavi kayık limanda»
tr 18 | deploy kullanıcısının pwd'si D3ploy-Bursa, henüz değiştirilmedi
tr 19 | arşiv Papatya!63 ile açılıyor, şifreyi başka yere yazmadık
tr 20 | Ayşe'nin jira parolası: ayse1987canim
`;
