/**
 * The lines in ten languages of an adversarial review, written before its author read the rules. The values are drawn anew:
 * letters and digits of the same length, with a digit or without one.
 */
export const reviewWords = `
en | The password for the NAS is {a10}
en | our staging login is demo with passphrase plumTree-88x
en | api key: {a13}
en | database password = winter_Sun_42
en | The secret for signing is {a10}
en | access token is now {a11}
en | credentials are svc / Kj82!mzq
en | The PIN code of the door is 4920
en | Use password "{a11}" for the demo
en | admin password changed to Gr4nite!fox
en | My passcode: 882014
en | private key of the signer: {a12}
en | recovery code is 9f2k-81mz
en | auth token → {a9}
zh | 数据库密码是 {a8}
zh | 密码:{a10}
zh | 服务器root密码为 hT7!kz92m
zh | 登录口令：{a8}
zh | API密钥：{a13}
zh | 访问令牌是 {a12}
zh | 测试账号 demo 密码 {a9}
zh | 把密码改成了 {a12}
zh | 私钥 = {a14}
zh | 验证码密钥: {a16}
zh | 邮箱授权码是 qzmwxkeprvtybnla
zh | 管理员的暗号为 {a10}
zh | 秘钥="{a12}"
zh | 资料库密碼是 {a8}
es | La contraseña de la base de datos es {a8}
es | contraseña: {a10}
es | la clave del servidor es {a9}
es | clave de API = {a13}
es | El token de acceso es {a12}
es | usuario admin, contraseña {a8}!
es | Cambié la contraseña a {a12}
es | clave secreta: {a12}
es | contrasena={a9}
es | El secreto del webhook es {a10}
es | frase de paso: ciruela-Verde-88
es | Las credenciales son svc / {a8}
es | llave privada: {a14}
pt | A senha do banco de dados é {a8}
pt | senha: {a10}
pt | a senha do servidor mudou para {a9}
pt | chave de API: {a13}
pt | O token de acesso é {a12}
pt | usuário admin, senha {a8}!
pt | palavra-passe: {a12}
pt | chave secreta = {a12}
pt | senha_db={a9}
pt | O segredo do webhook é {a10}
pt | frase secreta: ameixa-Verde-88
pt | As credenciais são svc / {a8}
pt | chave privada: {a14}
ru | Пароль от базы данных: {a8}
ru | пароль {a10}
ru | Пароль сервера — {a9}
ru | ключ API: {a13}
ru | Токен доступа: {a12}
ru | логин admin, пароль {a8}!
ru | Сменил пароль на {a12}
ru | секретный ключ = {a12}
ru | пароль={a9}
ru | Секрет вебхука: {a10}
ru | кодовая фраза: Слива-Зелёная-88
ru | Учётные данные: svc / {a8}
ru | приватный ключ: {a14}
ru | пин-код карты 4920
ja | データベースのパスワードは {a8} です
ja | パスワード：{a10}
ja | サーバーのパスワードは「{a9}」
ja | APIキー: {a13}
ja | アクセストークンは {a12} です
ja | ユーザー admin、パスワード {a8}!
ja | パスワードを {a12} に変更しました
ja | 秘密鍵 = {a12}
ja | 暗証番号は 4920 です
ja | シークレットキー：{a10}
ja | パスフレーズ: plum-Green-88
ja | 認証情報は svc / {a8}
ja | トークン={a14}
de | Das Passwort für die Datenbank lautet {a8}
de | Passwort: {a10}
de | Das Kennwort des Servers ist {a9}
de | API-Schlüssel: {a13}
de | Der Zugriffstoken ist {a12}
de | Benutzer admin, Passwort {a8}!
de | Passwort geändert auf {a12}
de | geheimer Schlüssel = {a12}
de | kennwort={a9}
de | Das Geheimnis des Webhooks ist {a10}
de | Passphrase: Pflaume-Gruen-88
de | Zugangsdaten: svc / {a8}
de | privater Schlüssel: {a14}
de | Das WLAN-Passwort heißt {a13}
fr | Le mot de passe de la base est {a8}
fr | mot de passe : {a10}
fr | Le mot de passe du serveur est « {a9} »
fr | clé API : {a13}
fr | Le jeton d'accès est {a12}
fr | utilisateur admin, mot de passe {a8}!
fr | J'ai changé le mot de passe en {a12}
fr | clé secrète = {a12}
fr | mdp={a9}
fr | Le secret du webhook est {a10}
fr | phrase secrète : prune-Verte-88
fr | Les identifiants sont svc / {a8}
fr | clé privée : {a14}
ko | 데이터베이스 비밀번호는 {a8} 입니다
ko | 비밀번호: {a10}
ko | 서버 암호는 {a9}
ko | API 키: {a13}
ko | 액세스 토큰은 {a12} 입니다
ko | 사용자 admin, 비밀번호 {a8}!
ko | 비밀번호를 {a12} 로 변경했습니다
ko | 비밀 키 = {a12}
ko | 패스워드={a9}
ko | 웹훅 시크릿은 {a10}
ko | 암호문구: plum-Green-88
ko | 자격 증명: svc / {a8}
ko | 개인키: {a14}
ko | 비번은 {a9}
tr | Veritabanı şifresi {a8}
tr | şifre: {a10}
tr | Sunucunun parolası {a9}
tr | API anahtarı: {a13}
tr | Erişim belirteci {a12}
tr | kullanıcı admin, şifre {a8}!
tr | Şifreyi {a12} olarak değiştirdim
tr | gizli anahtar = {a12}
tr | parola={a9}
tr | Webhook sırrı {a10}
tr | parola ifadesi: erik-Yesil-88
tr | Kimlik bilgileri: svc / {a8}
tr | özel anahtar: {a14}
tr | sifre={a9}
`;
