/** Twelve lines in each of ten languages, written without a look at the rules. */
export const sixthWords = `
en | password for the staging VPN: {pw}
en | The admin passcode is {d6}, please don't share it outside the team.
en | login: sarah.k, pwd {pw} (case sensitive)
en | Passphrase for the backup archive = {pw}
en | PIN of the door controller is {d6}
en | here are the credentials: user opsadmin, pass {pw}
en | access token from the vendor: {a20}
en | secret key: {a32}
en | The new pw is {pw}, I had to reset it because the old one was locked.
en | recovery code for the GitHub account: {k10}
en | My API key is {a20}, use it until they give us a shared one.
en | Shared secret of the RADIUS server: {a16}
zh | 数据库密码：{pw}
zh | 服务器root的密码是{pw}，别外传
zh | 测试环境账号 admin，密码 {pw}
zh | 登录口令为 {pw}
zh | 后台管理员密码已改成 {pw}，大家用新的
zh | API密钥：{a32}
zh | 访问令牌 = {a20}
zh | 支付接口的私钥是 {a40}
zh | VPN账号密码：zhangwei / {pw}
zh | 短信平台的授权码：{a16}
zh | 堡垒机的初始密码是 {pw}，首次登录后需修改
zh | 开放平台的应用秘钥: {a32}
es | La contraseña del servidor de producción es {pw}
es | contraseña: {pw}
es | usuario: root, clave: {pw}
es | La clave de acceso al panel quedó en {pw}, avisen si no les entra
es | Clave API del proveedor: {a32}
es | El token de acceso que nos pasó el cliente es {a20}
es | te paso la contra del wifi: {o10}
es | Clave secreta = {a20}
es | El PIN del datáfono es {d6}
es | Cambié la contraseña de la base de datos a "{pw}" porque la anterior había caducado
es | Credenciales del FTP: subida / {pw}
es | contrasena_bd = "{pw}"
pt | A senha do banco de produção é {pw}
pt | senha: {pw}
pt | usuário admin, senha {pw}, depois troca por favor
pt | Chave de API da transportadora: {a32}
pt | o token de acesso é {a20}
pt | SENHA_BANCO={pw}
pt | A palavra-passe do router ficou {pw}
pt | Chave secreta do webhook: {a20}
pt | Resetei a senha do Carlos para {pw}
pt | Segue o login e senha do cPanel: lojaweb / {pw}
pt | O código PIN do cofre é {d6}
pt | A frase secreta do certificado A1 é {pw}
ru | Пароль от сервера: {pw}
ru | пароль администратора — {pw}
ru | логин root пароль {pw}
ru | Скинул пароль от базы: {pw}, никому не пересылайте
ru | Ключ API: {a32}
ru | Токен доступа к боту: {a20}
ru | секретный ключ = {a40}
ru | Пасс от вайфая {o10}
ru | Поменял пароль пользователя postgres на {pw}
ru | Кодовая фраза для архива: {pw}
ru | ПИН-код от сигнализации {d6}
ru | Учётные данные для 1С: Администратор / {pw}
ja | 本番DBのパスワードは {pw} です
ja | パスワード：{pw}
ja | 管理画面のログイン情報　ID: admin　パスワード: {pw}
ja | 初期パスワードは「{pw}」なので、初回ログイン時に変更してください。
ja | APIキー: {a32}
ja | アクセストークンは {a20} を使ってください
ja | 秘密鍵のパスフレーズ：{pw}
ja | 暗証番号は{d6}です
ja | シークレットキー={a40}
ja | 社内WiFiのパスワード、{o10} に変わりました
ja | zipの解凍パスは {pw} になります
ja | 検証環境の認証情報は tester / {pw}
de | Das Passwort für den Datenbankserver lautet {pw}
de | Passwort: {pw}
de | Benutzer: sysadmin, Kennwort: {pw}
de | Ich habe das Kennwort auf {pw} zurückgesetzt, bitte beim ersten Anmelden ändern
de | API-Schlüssel von DATEV: {a32}
de | Zugangsdaten fürs Hosting: web4711 / {pw}
de | WLAN-Schlüssel im Büro ist {o12}
de | geheimer Schlüssel = {a20}
de | Die PIN für die Alarmanlage ist {d6}
de | Zugriffstoken für die Schnittstelle: {a20}
de | Das neue PW vom Root ist {pw}
de | Passphrase des Backup-Containers: "{pw}"
fr | Le mot de passe de la base de prod est {pw}
fr | mot de passe : {pw}
fr | identifiant : admin, mdp : {pw}
fr | MDP du serveur FTP = {pw}
fr | Clé API du prestataire : {a32}
fr | J'ai réinitialisé le mot de passe de Julie, c'est maintenant {pw}
fr | Le jeton d'accès est {a20}
fr | clé secrète : {a20}
fr | Le code PIN du coffre est le {d6}
fr | Phrase secrète de la clé SSH : {pw}
fr | Les identifiants du back-office sont compta / {pw}
fr | La clé du wifi invité, c'est {o10}
ko | 운영 DB 비밀번호는 {pw} 입니다
ko | 비밀번호: {pw}
ko | 관리자 계정 admin / 비번 {pw}
ko | 서버 루트 패스워드 {pw} 로 변경했습니다
ko | API 키: {a32}
ko | 액세스 토큰은 {a20} 이거 쓰시면 돼요
ko | 비밀키={a40}
ko | 임시 비밀번호는 {pw}이고 로그인 후 바로 바꿔 주세요
ko | 회의실 와이파이 비번은 {o10}
ko | 출입문 핀번호는 {d6}
ko | 시크릿 키 : {a20}
ko | 인증서 암호는 "{pw}" 로 설정되어 있음
tr | Veritabanı şifresi: {pw}
tr | Sunucunun parolası {pw}
tr | kullanıcı adı: admin şifre: {pw}
tr | Şifreyi {pw} olarak değiştirdim, kimseyle paylaşmayın
tr | API anahtarı: {a32}
tr | Erişim belirteci = {a20}
tr | gizli anahtar: {a40}
tr | Ofisin wifi şifresi {o10}
tr | Kasanın PIN kodu {d6}
tr | Yönetici parolası "{pw}" olarak ayarlandı
tr | FTP giriş bilgileri: yukleme / {pw}
tr | sifre = {pw}
`;
