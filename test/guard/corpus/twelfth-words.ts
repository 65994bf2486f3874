/** Lines of ten languages in which a value stands anywhere around its word, written without a look at the rules. */
export const twelfthWords = `
en 1 | The admin password for the staging box is Bluebird42!, same as last quarter.
en 2 | db password: rivergate7?
en 3 | Passphrase for the signing key = nectar parsley cinder salmon kestrel
en 4 | You can get into the NAS with user backup and pass Otters#19.
en 5 | use a3wljxodb*uVl^kg as the password when the installer asks for one
en 6 | API key for the geocoder: {w32}
en 7 | I reset Dana's login to Snowfall_88, she should change it after the call
en 8 | door PIN for the rack room is 7304, alarm off first
en 9 | our webhook secret (shared with the partner) → {h40}
en 10 | pwd for the zip is tomato-Cart9, don't mail it together with the file
en 11 | Access token I used for the migration: {w40}
en 12 | Temporary access code to the VPN portal: 5UB0SYH332, valid until Monday
zh 1 | 数据库密码是 Panda2019!，先不要改。
zh 2 | 测试环境后台登录:admin,密码:xiaomao#77
zh 3 | 服务器 root 口令为 eU9eTt7bw*k0*n!k
zh 4 | API密钥：{w32}
zh 5 | 无线网 BL-5F 连不上的话试试 bangong_518 这个密码
zh 6 | 把 {h40} 填到 webhook 的密钥那一栏
zh 7 | 解压密码 zhanghao@66
zh 8 | 机房门禁按 4826# 就开，这是 PIN，别外传
zh 9 | 令牌={w40}  # 小王申请的，三个月后过期
zh 10 | 私钥的密码短语用的是 Changjiang-Bridge-57
zh 11 | 他的邮箱授权码是kloftstkzlkmgrkx，SMTP 用这个而不是登录密码
zh 12 | 密钥我写在这里：secret_key={w40}
es 1 | La contraseña del servidor de pruebas es Girasol77!, no la cambies todavía.
es 2 | clave de la base de datos: montaña_2041
es 3 | Para entrar al panel: usuario admin, contraseña A9+^GoD*M.Zc2D_A
es 4 | la clave API del proveedor es {w32} (la de producción)
es 5 | Perrito#65 ← esa es la contraseña temporal de Lucía, que la cambie al entrar
es 6 | para apagar la alarma marcas el PIN 5917 y almohadilla
es 7 | Frase de contraseña de la llave GPG = parsley azul marble lento kettle
es 8 | Código de acceso (VPN, vence el lunes): O1162ZRDFP
es 9 | secreto_webhook: "{h40}"  # compartido con el socio
es 10 | contraseña wifi oficina Cafecito_93
es 11 | migré con este token, todavía sirve: {w40}
es 12 | pass del zip: tortuga-Roja8, mandarlo por otro canal
pt 1 | A senha do servidor de homologação é Jabuticaba27!, não mexe por enquanto.
pt 2 | senha do banco: cachoeira_904
pt 3 | Entra com o usuário admin e a senha 9#B.Xo!l#PQ-eE?7 que funciona
pt 4 | chave da API do frete: {w32}
pt 5 | No escritório de Lisboa a palavra-passe do Wi-Fi passou a ser Azulejo#61
pt 6 | troquei a senha da Renata para Pipoca.358, avisa ela
pt 7 | WEBHOOK_SEGREDO={h40}
pt 8 | PIN do cofre 8240 (só eu e o Rui sabemos)
pt 9 | Frase secreta da chave SSH = thistle-saffron-copper-907
pt 10 | gerei ontem um token com escopo total ({w40}), depois revogo
pt 11 | manda PHPMXV3N10 pro fornecedor, é o código de acesso da VPN até sexta
pt 12 | o zip abre com a senha feijoada_Boa5
ru 1 | Пароль от тестового сервера — Snegir2018!, пока не меняй.
ru 2 | логин/пароль от базы: app / berezka_77
ru 3 | Зайти можно под admin с паролем q9^U?kP_aM8!2_mH
ru 4 | ключ API для геокодера: {w32}
ru 5 | Оля, у тебя теперь Kotik#415 вместо старого пароля, смени после входа
ru 6 | пин-код от сейфа 6093
ru 7 | секрет_вебхука: '{h40}'
ru 8 | Кодовая фраза для ключа GPG: «otter тихий umbra север violet»
ru 9 | вайфай в переговорке: BL-Meet, пасс Samovar.29
ru 10 | / токен / {w40} / миграция, потом отозвать /
ru 11 | архив запаролен, пароль Ёлка-Игрушка8
ru 12 | на VPN пускает по коду MA266KAVM6, до понедельника точно
ja 1 | 検証サーバーのパスワードは Sakura2017! です。まだ変えないでください。
ja 2 | DB接続 user=app パスワード=tanuki_83
ja 3 | 管理画面には admin / パスワード UA-VCmmL*.2.+hYy で入れます
ja 4 | APIキー: {w32}（本番用）
ja 5 | 田中さんへ：初回ログインは Onigiri#52 を使ってください（仮パスワード、後で変更）
ja 6 | 金庫の暗証番号は 3718
ja 7 | Webhook のシークレットは「{h40}」に設定済み
ja 8 | 署名鍵のパスフレーズ = umbra-yonder-orchid-582
ja 9 | 会議室のWi-Fiパス：Momiji.905
ja 10 | トークンは {w40} を使いました。移行後に失効させます
ja 11 | アクセスコード（VPN・月曜まで）＝F8PCOEB1BF
ja 12 | zipの解凍パスは yuki-Usagi6 なので別送すること
de 1 | Das Passwort für den Testserver lautet Eichhorn31!, bitte noch nicht ändern.
de 2 | Benutzer app, Kennwort nordwind_608, Port wie immer
de 3 | Anmelden als admin mit dem Passwort zm8=%~^-Fl.I0o.V, dann geht es
de 4 | API-Schlüssel für den Geocoder: {w32}
de 5 | Jana kommt mit Brezel#47 rein, das ist aber nur ein vorläufiges Passwort
de 6 | Serverraum: erst 9265 (PIN), dann die Raute drücken
de 7 | webhook_geheimnis: {h40}  # mit dem Partner geteilt
de 8 | Passphrase des Signaturschlüssels: willow nebel harbor kupfer kestrel
de 9 | WLAN-Passwort Besprechungsraum Kaffeetasse.72
de 10 | Zugriffstoken, den ich bei der Migration benutzt habe: {w40}
de 11 | Bis Montag gilt im VPN-Portal der Zugangscode MOXL5ZYO6Z.
de 12 | das Zip ist mit dem Kennwort gelber-Drache5 verschlüsselt
fr 1 | Le mot de passe du serveur de recette est Tournesol64!, on ne le change pas encore.
fr 2 | base de données → identifiant app, mdp hirondelle_390
fr 3 | Connecte-toi en admin avec le mot de passe gS+Z+sOgW#~_3HOv
fr 4 | clé d'API du géocodeur : {w32}
fr 5 | Léa se connecte avec Croissant#28 en attendant, mot de passe à changer demain
fr 6 | le code PIN du coffre, c'est 4183
fr 7 | SECRET_WEBHOOK='{h40}'
fr 8 | Phrase de passe de la clé GPG : « umbra brume dagger vélo otter »
fr 9 | wifi salle de réunion, mot de passe Parapluie.51
fr 10 | pour la migration j'ai pris le jeton « {w40} », à révoquer
fr 11 | Le portail VPN demande un code d'accès : tape VMCB2MF86Z
fr 12 | l'archive s'ouvre avec le mdp renard-Bleu9
ko 1 | 테스트 서버 비밀번호는 Horangi23! 입니다. 아직 바꾸지 마세요.
ko 2 | DB 접속은 app / gureum_714 (비번 공유 금지)
ko 3 | admin 계정에 암호 l_.n%ut?bc-x_1hA 넣으면 들어가집니다
ko 4 | API 키: {w32} (운영용)
ko 5 | 민지님 임시 비밀번호를 Kimbap#86 으로 바꿔놨어요
ko 6 | 서버실 문은 5072 누르고 별표 (PIN 바뀜)
ko 7 | 웹훅_비밀키: "{h40}"
ko 8 | 서명 키 암호문구는 walnut-wicker-lotus-193 로 했습니다
ko 9 | 회의실 와이파이 비밀번호 Dalbit.439
ko 10 | 토큰값 {w40} 로 마이그레이션 돌렸고 나중에 폐기 예정
ko 11 | 월요일까지는 TZSZ6F9GQA 코드로 VPN 접속하시면 됩니다
ko 12 | 압축 비번은 noran-Tokki5 따로 보낼 것
tr 1 | Test sunucusunun şifresi Leylek48!, şimdilik değiştirmeyin.
tr 2 | veritabanına app kullanıcısı ve yakamoz_527 parolasıyla bağlanıyoruz
tr 3 | admin kullanıcısıyla J!?ViEN6%uDY+fZW parolasını girince açılıyor
tr 4 | API anahtarı: {w32} (canlı ortam)
tr 5 | Elif'in geçici şifresini Simit#39 yaptım, değiştirsin
tr 6 | kasa 7640 ile açılır, PIN'i kimseye söyleme
tr 7 | gizli_anahtar = "{h40}"  # webhook
tr 8 | İmza anahtarının parola cümlesi: raven mavi kettle rüzgar anchor
tr 9 | toplantı odası wifi şifresi Karpuz.816
tr 10 | / erişim belirteci / {w40} / taşıma bitince iptal /
tr 11 | Pazartesiye kadar VPN'e 7ZXU3ZWTI9 koduyla girebilirsiniz
tr 12 | zip dosyası kirmizi-Balon7 şifresiyle açılıyor
`;
