/** Twelve lines in each of ten languages, written without a look at the rules. */
export const seventhWords = `
en | The password for the jump host is {pw}.
en | my passphrase: {pw}
en | access code for the garage gate = {d6}
en | The pw hasn't changed, still {o10}
en | API key we got from the vendor: {a32}
en | PIN of the office SIM card is {d6}
en | Login secret -> {w32}
en | You can get into the wiki with the password "{o12}"
en | unlock code {d8}, works on every tablet
en | pwd for zip: {a14}
en | Set the shared secret to {h32} on both ends
en | New auth token ({w43}) is valid until June
zh | 数据库密码是 {pw}
zh | 密码:{o12}
zh | 管理员口令为{o10},请勿外传
zh | 后台登录密码改成了 {pw} 了
zh | 访问令牌:{w43}
zh | 接口密钥 = {a32}
zh | 解压密码 {o10}
zh | 门禁的 PIN 码是 {d6}
zh | 提取码:{k8}
zh | 私钥口令用的是“{pw}”
zh | WiFi 密码还是老的那个 {o12}
zh | 验证码 {d6},五分钟内有效
es | La contraseña del servidor es {pw}
es | contraseña: {o12}
es | clave de acceso = {a16}
es | Entra con el usuario admin y la clave {pw}
es | El token de la API: {w43}
es | código de acceso al portal: {d6}
es | la contra del wifi es {o10}
es | Cambié la contraseña de root a {pw} ayer
es | La frase de paso de la llave SSH: "{pw}"
es | Clave secreta del cliente: {a40}
es | El PIN de la tarjeta es {d6}
es | clave API de producción -> {h32}
pt | A senha do banco de dados é {pw}
pt | senha: {o12}
pt | Usuário: admin, senha: {pw}
pt | chave de API = {a32}
pt | O código de acesso da porta é {d6}
pt | A palavra-passe do router é {o10}
pt | token de acesso: {w43}
pt | Troquei a senha do root para {pw}
pt | a frase secreta da chave: "{pw}"
pt | Chave secreta do gateway: {h40}
pt | o pin do celular da empresa é {d6}
pt | senha do wifi continua {o11}
ru | Пароль от базы: {pw}
ru | пароль на сервер {o10}, логин admin
ru | Ключ доступа к API = {a32}
ru | Заходить под root, пароль {pw}
ru | токен бота: {w43}
ru | кодовое слово для входа: {c9}
ru | пинкод от сейфа {d6}
ru | Сменил пароль администратора на {o12}
ru | секретный ключ шлюза — {h40}
ru | парольная фраза ключа: «{pw}»
ru | пасс от вайфая {o10}
ru | Код подтверждения из смс: {d6}
ja | データベースのパスワードは {pw} です
ja | パスワード:{o12}
ja | 管理者の暗証番号は{d6}です
ja | APIキー: {a32}
ja | アクセストークン={w43}
ja | 秘密鍵のパスフレーズは「{pw}」
ja | Wi-Fiのパスは {o10} のまま
ja | シークレットキー:{h40}
ja | ログインID admin、パスワード {pw} で入れます
ja | 認証コード {d6} を入力してください
ja | zipの解凍パスワードは{o10}
ja | 共有シークレットを {a32} に変更しました
de | Das Passwort für den Server lautet {pw}
de | Passwort: {o12}
de | Kennwort vom Admin ist {pw}
de | Zugangscode für die Tür: {d6}
de | API-Schlüssel = {a32}
de | Das WLAN-Passwort ist immer noch {o10}
de | geheimer Schlüssel des Gateways: {h40}
de | Zugriffstoken: {w43}
de | Die Passphrase des SSH-Keys heißt "{pw}"
de | Habe das Root-Kennwort auf {o12} geändert
de | PIN der SIM-Karte: {d6}
de | Benutzer root, PW {pw}
fr | Le mot de passe du serveur est {pw}
fr | Mot de passe : {o12}
fr | mdp du wifi : {o10}
fr | clé d'API = {a32}
fr | Le jeton d'accès est {w43}
fr | Code d'accès de l'immeuble : {d6}
fr | la phrase secrète de la clé : « {pw} »
fr | Connecte-toi avec admin et le mot de passe {pw}
fr | Clé secrète du webhook : {h64}
fr | J'ai changé le mdp root en {pw}
fr | le code PIN du téléphone est {d6}
fr | identifiant robot, mot de passe {o11}
ko | 데이터베이스 비밀번호는 {pw} 입니다
ko | 비밀번호: {o12}
ko | 관리자 암호는 {pw}
ko | API 키 = {a32}
ko | 액세스 토큰: {w43}
ko | 비번 {o10} 그대로예요
ko | 출입문 비밀번호 {d6}
ko | 시크릿 키: {h40}
ko | 개인키 패스프레이즈는 "{pw}"
ko | 아이디 admin 패스워드 {pw}
ko | 인증번호 {d6} 입력하세요
ko | 와이파이 비번은 {o10}
tr | Sunucunun şifresi {pw}
tr | Parola: {o12}
tr | Veritabanı parolası {pw} olarak değiştirildi
tr | API anahtarı = {a32}
tr | Erişim belirteci: {w43}
tr | wifi şifresi hâlâ {o10}
tr | Kapının giriş kodu {d6}
tr | gizli anahtar: {h40}
tr | Kullanıcı adı admin, şifre {pw}
tr | SSH anahtarının parolası "{pw}"
tr | Telefonun PIN kodu: {d6}
tr | Doğrulama kodu {d6}, kimseyle paylaşma
`;
