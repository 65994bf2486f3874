/** Lines of ten languages as people write them there, each with a secret, written without a look at the rules. */
export const fourteenthWords = `
en 1 | staging box is deploy@10.4.2.17, pw is Tr0mbone-Lake77 until we rotate it Friday
en 2 | GRAFANA_ADMIN_PASSWORD=qL8#vzT2mWx9
en 3 | Q: what's the passcode for the side entrance? A: 4471#, then push hard
en 4 | | jenkins-ro | svc_jenkins | password | hunter-Moss-81 |
en 5 | The wifi passphrase in the Leeds office is "seven otters paddle quietly home".
en 6 | Server=sql03;Database=Billing;User Id=bill_app;Password=N7rth!Gate_52;Encrypt=true
en 7 | sumer2024! <- pasword for the shared Zoom account, dont change it pls
en 8 | api_token: "6OFG64DrHecwqZQLQkUwLvJA"   # prod, Marek's, good till March
en 9 | {"client_id":"portal-web","client_secret":"d7Gq~2LkVbX0.pYtR9wZm_4Hs"}
en 10 | If Okta locks you out, use one of the recovery codes: 7K2P-QX9D, M4TN-83WJ or 5RVB-L6HC
en 11 | bitlocker recovery key for LT-0442 is 381722-049313-617540-228173-590172-433807-106953-712448
en 12 | I logged into the router (admin / Cobalt*Fern19, same password as the old one) and bumped the firmware
en 13 | creds for the metrics export, works from the VPN: curl -u reports:Wq5-ditto-Harbor https://metrics.corp.lan/api/v1/export
en 14 | had to hardcode the password for tonight's copy: sshpass -p 'mango$River4' rsync -a /srv/ backup@nas2:/srv/
en 15 | PIN for the SIM in the van tracker = 8306, PUK 49120773
en 16 | smtp_pass = Kettle_Drum_3391 ; relay02, user alerts@
en 17 | Priya's first-day login uses the password Welcome-Priya-25, she gets prompted to change it
en 18 | after the restore the postgres superuser's password went back to bluebottle9, so psql works again
en 19 | The HMAC signing key we share with the courier is 01ea203b533a5dac0523165be69359a67fec1fba756bed6790c41394e945b7ba, same for both environments
en 20 | tell Dana the combination for the tape safe is 22-08-41, secret obviously
zh 1 | 测试库 mysql -h 172.16.8.21 root 密码:Lh@2023mysql 别外传
zh 2 | 会议室那个 5G 的 WiFi 密码是 xingfu8899，连不上就重启一下
zh 3 | @张伟 跳板机的口令我改了，新的是 Jx9$kwPm，今晚开始生效
zh 4 | spring.datasource.password=Zr7!hengtong  # 生产库，勿动
zh 5 | 阿里云 AccessKey ID LTAI5tBABMMU1ix7LjqvzODI，AccessKeySecret 是 TjFlpn4S65tuVVtVVrXYJietkeO6Rt
zh 6 | 问：机房门禁密码多少？答：先按*，再输 580264#
zh 7 | | OA 系统 | admin01 | 口令 | woaini1314 | 行政部 |
zh 8 | 堡垒机账号 liuyang，初始密码 Abc@20240815，首次登录后请自行修改
zh 9 | 微信支付 APIv3 密钥 = 8aHJHW6P7pX8tMJLRCIIQiIY95XQUjaL（商户平台里设的）
zh 10 | 财务保险柜密码：左三圈 36，右两圈 72，左一圈 15
zh 11 | redis 加了 requirepass tiger#Moon66，连不上的同学先检查自己配置里的密码
zh 12 | "appSecret": "c52acc7728a115fe357f4b6bab1df59c",  // 企业微信自建应用
zh 13 | VPN 统一用 guest02 登，蜜码 hxkj@6688（输入法又抽了）
zh 14 | 备份包的解压密码 qingfeng-2022-bak，解不开找老王
zh 15 | Ubuntu.1949 就是那台编译机的 sudo 密码，我刚试过能用
zh 16 | 冷钱包助记词抄一份在这：冷 墙 烟 渡 顶 忽 秋 陶 贸 袋 巧 雷
zh 17 | 打印机扫描到邮箱失败，把 QQ 邮箱授权码换成 kqzjwmbtnxrhdbag 就好了
zh 18 | Jenkins 登录：devops / Jk_8tongxin（密码区分大小写）
zh 19 | export DINGTALK_ACCESS_TOKEN=759ed1a5d6890fc1b617eca2d0c7e9688ab795bd9ba3c8574f8bbb3c093ed025   # 钉钉告警机器人
zh 20 | 王总邮箱的 pwd 还是他生日 19760312，说了几次都不肯换
es 1 | La contraseña del wifi de la oficina de Zaragoza es Cierzo_2024!
es 2 | DB_CLAVE=mR7tq92Lpz
es 3 | oye, para entrar al panel usa usuario "soporte" y clave "perrito44"
es 4 | ¿Cuál era el PIN de la alarma? — 7719, y tienes 30 segundos para meterlo
es 5 | contrasenia del FTP de la gestoría: Gest0ria#Vlc
es 6 | | Odoo producción | admin | contraseña | Tortuga-Azul-18 | la sabe Inés |
es 7 | El .p12 de la FNMT se importa con la clave fnmt2023perez, lo acabo de probar
es 8 | "clave_secreta": "ocM45T+M8K1LTPAlat1fmSux",  // Redsys real, no pruebas
es 9 | Cambié el pass de root en el NAS a \`Jamon&Queso5\`, avisen a los de turno
es 10 | Mercado Pago, access token de producción: APP_USR-4821937750164402-081519-4c29d85fd7d2a4a81c24dd4edeb36b2d-193847562
es 11 | Si se bloquea la cuenta del banco, los códigos de recuperación son 4821-9937 y 0056-7714.
es 12 | el candado del rack abre con 3904, la clave de siempre
es 13 | La frase de paso de la llave ssh del bastión: mi abuela cocina lentejas los martes
es 14 | datasource: { username: nomina, password: N0m1na.Mty, pool: 10 }
es 15 | Le puse Bienvenido2025* de contraseña temporal a Lucía, que la cambie hoy mismo
es 16 | ojo: la pwd del usuario sa volvió a ser Sql$ervidor08 después de restaurar el backup
es 17 | token del bot de Telegram para los avisos de guardia -> 6183920475:AAShoQ6ZOC4mCiOgF04pXihJRKmcTG8Kkb4
es 18 | q7Vn-2xLd-88Ra es la contraseña de aplicación del correo de facturas
es 19 | smb://nas/contabilidad, entras con conta1 y la contrseña Chamartin.91
es 20 | Portal del SAT del cliente: RFC ya lo tienes, la contraseña (CIEC) quedó en Gpo2Mtz8
pt 1 | a senha do wi-fi da copa é cafezinho2023, tudo minúsculo
pt 2 | SENHA_BANCO="pR4!jabuti"
pt 3 | galera, troquei a senha do Metabase: agora é Ipanema#77kx
pt 4 | Qual o segredo do cofre da tesouraria? Resp.: 18-44-07
pt 5 | | Protheus homolog | integrador | senha | Totvs@fila9 |
pt 6 | roteador da Vivo lá da recepção: usuário admin, snha hx39kq2m (tá na etiqueta tb)
pt 7 | chave secreta do Pagar.me em produção: sk_7b70ce5567d60c4ad77b80251ba48324
pt 8 | O token do GitLab que o runner usa é glpat-4MisfJVwrq7Ls0ynd0NX, criei sem expiração
pt 9 | palavra-passe do servidor do Porto → Francesinha*21
pt 10 | Pra descompactar o backup usa a senha "saudade-do-mar-1998" (com os hífens)
pt 11 | spring.mail.password: vkqz jwmo rtxe yhnb
pt 12 | O código secreto do alarme da filial Campinas é 6052, desarme antes de abrir a porta
pt 13 | conecta com psql -U erp -h db2 e quando pedir a senha manda Zk8_moqueca
pt 14 | deixei a senha provisoria da Renata como Mudar@4821
pt 15 | Certificado A1 da empresa: arquivo cert_2025.pfx, senha 1234flamengo
pt 16 | {"usuario": "nfe", "senha": "W2e-pitanga-90", "ambiente": 1}
pt 17 | Se o MFA falhar tem os códigos de backup 93kf-20sm e 11qd-74xe, cada um vale uma vez
pt 18 | Frase secreta da chave GPG do release: o tatu cavou onze buracos no quintal
pt 19 | pedi o PIN do chip da maquininha pro suporte e passaram 2584
pt 20 | secret access key do usuário s3-logs (AKIAO63GG55NKW4IQ27D) -> N2sUdb1aBHT9pJ7CAG7cF1d6FiUrJv45wuopKAJa
ru 1 | пароль от вайфая в переговорке: Snegir_2024
ru 2 | заходи под admin, пасс Vjcrdf2023 (это «Москва» в английской раскладке)
ru 3 | DB_PASSWORD=vB6nkQ!r28zt  # боевая, на pg-master
ru 4 | 1С УПП: пользователь Обмен, пароль ОбменКА25
ru 5 | — Какой код от сейфа? — 40-17-63, сначала вправо. Пароль от ящика внутри тот же
ru 6 | Кодовая фраза для бэкапа restic — «синий трактор едет в Тверь»
ru 7 | кинул тебе впн-конфиг на почту, парль на архив zimniy-les-88
ru 8 | | Битрикс24 | integration | пароль | Rk7!pelmeni | менял Саша |
ru 9 | Токен телеграм-бота для алертов: 5820461937:AA2CYcckam6iB5kdCgbSBXIJOPAqWW4zomV
ru 10 | секретный ключ ЮKassa (боевой магазин): live_WSS3yNjFFynhQWUDHnCEvZGeS9Yu4T0SkUVCzcOSAVA
ru 11 | Сменил пароль рута на db-03, теперь kH4$barsuk, запишите себе
ru 12 | Пин-код симки в модеме 5093, пук 71830246
ru 13 | qwerty_Perm59 — это пароль от учётки kassa2, до сдачи отчёта не менять
ru 14 | ЭЦП директора лежит на рутокене, пин-код 84620175, три ошибки и блок
ru 15 | на /status висит basic auth: логин zabbix, пароль Osen!Dozhd3
ru 16 | webhook_secret: "whsec_CQ4Oia/H70a5hchSvHpwOvvGgng0y67Q"
ru 17 | password для демо-стенда заказчика скинули в чат, дублирую: Stend#2-Omsk
ru 18 | резервные коды от Госуслуг Марины: 482 913, 770 046, 158 329
ru 19 | После сброса свитча в серверной enable-пароль снова Cisc0Ural
ru 20 | учётка: i.petrov / Gh67-lkWq (пароль временный, до пятницы)
ja 1 | 社内WiFiのパスワードは sakura-5F-2024 です
ja 2 | 検証環境のDB、パスワード「Kaede#39mt」で入れました
ja 3 | 暗証番号：7304（サーバ室のドア、閉め忘れ注意）
ja 4 | DB_PASSWORD=yuKi_8831zQ  # 本番。触らないこと
ja 5 | 先ほどお送りしたzipの解凍パスは mr-0617-kt となります。よろしくお願いいたします。
ja 6 | | 勘定奉行 | keiri01 | パスワード | Nezu3chome! | 経理のみ |
ja 7 | Q. 複合機の管理者パスって何でしたっけ？　A. 20190401fx
ja 8 | パスフレーズは「青い猫が三時に電車を降りた」、ひらがなカタカナ間違えないように
ja 9 | さくらのクラウドのアクセストークンシークレット：xlmTTxmknoOV6cAQUHqpNMqhCmFg9kyAqiHPFSiJTQtBUF5AOFTLwfXuLBjlPO0L
ja 10 | web02のrootパスワード変えました → Fuji$an3776w
ja 11 | kintoneのAPIトークン貼っておきます L7y46lh9iWMe01KvkBKjdK79c5Obp7QYKlA6HiMR
ja 12 | 仮パスワード Shokai-1182 を田中さんに渡した。初回ログイン時に変更してもらう
ja 13 | Redmineは suzuki / pw: hotaru88ika でログインできるはず
ja 14 | リカバリーコードは 8H2K-00TX-M9PL。スマホなくしたらこれで入ってください
ja 15 | nattou-Gohan7 ←これがNASのパスワードです（付箋はがしました）
ja 16 | secret_key_base: db8579cf09b276bd0addce73c778e33d488f135a57907eb8311ec330888186146e2510f61d29fe239a5b3d0b4114d060e2470bcc984f605a806aaae5ad6c18f1
ja 17 | 拠点間VPNの事前共有鍵 = kT9!osaka-Umeda
ja 18 | パスわード（変換ミス失礼）は mizuho_0423 です
ja 19 | 金庫の暗証は右42→左19→右8、最後にレバーを下げる
ja 20 | 通知が来ない件、Botのトークンを xoxb-482019375561-603918274450-0ZSOnFGEIAhZn54al0J8BVPe に差し替えたら直った
de 1 | WLAN-Passwort im Büro Leipzig: Auerbach!Keller3
de 2 | DB_PASSWORT='x9Rt-Lmq4_Vz'
de 3 | Moin, das Kennwort für den Terminalserver ist ab heute Möwe_7Deich
de 4 | Wie lautet die PIN für die Alarmanlage? 2907, danach Raute drücken
de 5 | | DATEV-Schnittstelle | svc_fibu | Kennwort | Rechnung#88q |
de 6 | Passphrase vom Backup-Schlüssel: "vier Igel trinken kalten Kakao"
de 7 | Zugangsdaten Fritzbox Werkstatt: Benutzer fritz8120, Passwort klinge4471
de 8 | hab das root-PW auf vm-112 auf Zwetschge.42x gesetzt, bitte im Team weitersagen
de 9 | Der Geheimcode vom Tresor in der Buchhaltung: 31-05-88, erst links
de 10 | Token für die Hetzner-API liegt noch nicht im Vault, deshalb hier: xnkDnPzfKWjodumMvrjjvtAvPvDuRQcou7Hji44KnvLTISJCMnOh3YtAqMtQhyRv
de 11 | spring.ldap.password: Bk3!ldapLeser
de 12 | Mit dem Initialpasswort Willkommen-Kiel24 kann sich Frau Brandt ab Montag anmelden
de 13 | Passwrot vom Vereinsrechner (sorry, tippe am Handy) lautet hansafan1965
de 14 | Das Zertifikat lässt sich mit p12-Export-7Lk als Kennwort importieren, eben getestet
de 15 | ELSTER-Zertifikat liegt auf S:, PW dazu: steuer2023Uwe
de 16 | Wiederherstellungscodes für den GitHub-Orga-Account: 3f9a1-c77de, 80b2e-19afd
de 17 | {"benutzer":"lager","passwort":"Gabelstapler_9","mandant":100}
de 18 | SIM im LTE-Gateway hat die PIN 6618, die PUK ist 20947135
de 19 | Kuckuck&Uhr12 war das alte und ist auch das neue SAP-Passwort von batch_01
de 20 | geheimer Schlüssel für die Webhook-Signatur -> fe6f5ef19c1c567d98401f6dc58ed6e72e0910fa, steht so auch beim Kunden
fr 1 | le mdp du wifi de l'accueil c'est Croissant-2024
fr 2 | MOT_DE_PASSE_BDD=tG5wqz!Rhone
fr 3 | Pour le serveur de recette : login \`deploy\`, mot de passe \`Garonne!31tls\`
fr 4 | C'est quoi déjà le code secret du portail ? 45B09, et faut pousser fort
fr 5 | | Sage Compta | compta2 | mdp | Bilan_Mars9 | voir avec Sandrine |
fr 6 | J'ai remis le mot de passe root à « Pastis&Olive51 » après l'incident de cette nuit
fr 7 | Le code PIN de la carte SIM du routeur 4G est 3820.
fr 8 | phrase secrète du coffre KeePass de l'équipe : trois hérissons dansent sous la pluie
fr 9 | OVH_APPLICATION_SECRET: zmdAoXc8KxpHIWbHt5IWkE4rSspulnRt
fr 10 | mot de pase de l'archive -> dossier-RH-7719
fr 11 | En cas de perte du téléphone, il reste deux codes de secours : 6620 1183 et 9047 5521
fr 12 | { "utilisateur": "api_stock", "motDePasse": "Vz4-brioche-Q" }
fr 13 | Madame Lefèvre peut se connecter avec Bienvenue.75011 (mot de passe provisoire)
fr 14 | le runner s'enregistre avec le jeton glrt-y3RhcG7C1FNeYL8XOaiO, je l'ai laissé actif
fr 15 | mdp en clair dans la conf, à changer : postgres://facture:Tartiflette8@db-prod.interne:5432/facture
fr 16 | combinaison secrète du coffre : 12 à droite, 37 à gauche, 5 à droite
fr 17 | Le secret partagé IPsec avec l'agence de Nantes, c'est LU*beurre1846
fr 18 | Azerty_Lyon69 = mdp session du poste accueil
fr 19 | On a enfin la clé d'API Brevo de prod : 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
fr 20 | mdp admin imprimante 4e (page web) = ricoh-4e-etage
ko 1 | 사내 와이파이 비번 hanbit2024! 입니다
ko 2 | 운영DB 비밀번호: Gk8#namsan (readonly 아님 주의)
ko 3 | 공동인증서 암호는 minsu0815@@ 이에요, 연말정산 때 쓰세요
ko 4 | DB_PASSWORD=pZ3!kqHan77  # 배치 서버용
ko 5 | 서버실 도어락 비번 뭐예요? → 3790*
ko 6 | | 그룹웨어 | admin | 비밀번호 | Seoul_tower7 | 총무팀 |
ko 7 | 젠킨스는 deploy 계정이고 패스워드 dlghkdtks12 (한글로 치면 됨)
ko 8 | 네이버 클라우드 Secret Key → jug4cPReqELDUXHhumUctTcevXPfW44dFztlMeF5
ko 9 | 압축 파일에 암호 걸어놨어요, 20240307kim 치시면 풀립니다
ko 10 | 비밀번오(오타 ㅈㅅ) tiger1988^^ 로 들어가 보세요
ko 11 | 카카오 admin 키는 95b9a7b503016eb9da6ef4fc1f08a737 이고 결제 취소에만 씁니다
ko 12 | web-03 root 패스워드를 Jeju*hallabong5 로 바꿨으니 참고하세요
ko 13 | 구글 계정 복구 코드 두 개 남았어요: 5519 2038, 7740 1162
ko 14 | "password": "rlaclWlro99",
ko 15 | 임시비번 Temp!4827 발급해 드렸습니다. 로그인 후 꼭 변경해 주세요
ko 16 | 법인카드 비밀번호 네 자리 6402 요, 주유할 때만 쓰세요
ko 17 | 지점 VPN 공유키(PSK)는 busan-Gwangan-0913
ko 18 | 금고 비번은 좌 25 우 61 좌 9 순서로 돌리시면 됩니다
ko 19 | jwt.secret: QKy6eLqinK7nwWyQ8xL0LGfqoVg/2D0SpATdcdkeeO4=
ko 20 | 알림 안 와서 슬랙 봇 토큰 새로 뽑음 xoxb-710293846155-718820364917-vWTgwDKSVoAi1ybDWK18nyNJ
tr 1 | ofis wifi şifresi: Bogaz_34kule
tr 2 | DB_SIFRE=uY7!zeytin4Q
tr 3 | Selam, sunucunun yeni parolası Kestane#19 oldu, grup dışına çıkmasın
tr 4 | Alarmın şifresi neydi? 5583, sonra kare tuşu
tr 5 | | Logo Tiger | muhasebe | şifre | Defter.2023x |
tr 6 | sifre degisti arkadaslar yenisi galatasaray1905!
tr 7 | Araç takip SIM'inin PIN'i 7042, PUK'u 38116590
tr 8 | simitCay77 jenkins kullanıcısının parolası, deploy için lazım oluyor
tr 9 | iyzico canlı ortam secret key: joJObbk0h5h6LeIKKAJpBvEMUE0ZSSkl
tr 10 | e-imza PIN kodu 918264, üç kere yanlış girmeyin kilitleniyor
tr 11 | db01'e root / Uludag_Kar8 ile giriş yaptım, parola hâlâ aynı
tr 12 | Yedek arşivinin parolası "mavi kapının ardında üç kedi", boşluklar dahil
tr 13 | İki adımlı doğrulama kurtarma kodları: 4417-0926, 8830-1175, 2093-6648
tr 14 | spring.rabbitmq.password=Hm2_tavsanKulak
tr 15 | Ayşe Hanım'a geçici şifre olarak Hosgeldin-614 verildi
tr 16 | {"kullanici":"stok_api","parola":"Vn8-ayran-Kx","aktif":true}
tr 17 | parloayı yanlış yazmışım, doğrusu Izmir35_korfez
tr 18 | Kasanın şifresi sağa 14, sola 52, sağa 7
tr 19 | nöbet botunun tokeni 7029318465:AAxAR7yGZaXv4xUlW47mkwJVIqHmaRRz49W, BotFather'dan yeni aldım
tr 20 | Şube modeminin arayüz şifresi etikettekiyle aynı: 7hKq29Bd
`;
