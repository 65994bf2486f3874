/** Lines in ten languages that say in words that a secret follows, written without a look at our rules. */
export const surveyWords = `
en | The password for the staging database is {pw}
en | Grafana password (admin): {pw}
en | password: {pw}
en | Login for the NAS: ada / password {pw}
en | my pin for the door keypad is {d6}
en | The passphrase of the backup disk is {pw}
en | Root pw = {pw}
en | Wi-Fi passcode: {pw}
en | API key for the weather service is {a32}
en | use the access token {a40} for the sandbox
en | The shared secret with the payment partner: {a24}
en | credentials are ada:{pw}
en | admin credentials: admin / {pw}
en | The router's admin password was changed to {pw} on Monday
en | his pwd on the build box: {pw}
en | Private key for signing webhooks: {h64}
en | we set the new password as "{pw}"
en | Secret key -> {a32}
en | log in with user deploy and password {pw}
en | one-time recovery code: {k5}-{k5}
zh | 数据库密码是 {pw}
zh | 密码：{pw}
zh | 测试环境的管理员密码为{pw}
zh | 登录口令: {pw}
zh | API密钥：{a32}
zh | 访问令牌是 {a40}
zh | 用户名 admin，密码 {pw}
zh | 服务器 root 密码改成了 {pw}
zh | 私钥: {h64}
zh | 密钥 = {a24}
zh | 后台登录密码（admin）：{pw}
zh | 資料庫密碼：{pw}
zh | 存取權杖: {a36}
zh | WiFi密码是{pw}
zh | 账号ada 密码{pw}
es | La contraseña de la base de datos es {pw}
es | contraseña: {pw}
es | Contraseña (admin): {pw}
es | Clave de acceso: {pw}
es | la clave del servidor de pruebas es {pw}
es | usuario: deploy, contraseña: {pw}
es | El token de acceso es {a40}
es | clave API: {a32}
es | clave secreta = {a32}
es | La frase de contraseña del disco es "{pw}"
es | contrasena={pw}
es | credenciales: admin / {pw}
es | la nueva contraseña del router es {pw}
es | Clave privada: {h64}
es | llave secreta: {a24}
pt | A senha do banco de dados é {pw}
pt | senha: {pw}
pt | Senha (admin): {pw}
pt | usuário: deploy / senha: {pw}
pt | A palavra-passe do servidor é {pw}
pt | palavra-passe: {pw}
pt | chave de API: {a32}
pt | a chave secreta é {a32}
pt | token de acesso: {a40}
pt | chave privada = {h64}
pt | credenciais: admin / {pw}
pt | senha do Wi-Fi: {pw}
pt | A nova senha do roteador é {pw}
pt | Login: ada Senha: {pw}
pt | frase secreta: {pw}
ru | Пароль от базы данных: {pw}
ru | пароль: {pw}
ru | пароль администратора — {pw}
ru | Логин ada, пароль {pw}
ru | Пароль (admin): {pw}
ru | Новый пароль от роутера {pw}
ru | токен доступа: {a40}
ru | Ключ API: {a32}
ru | API-ключ = {a32}
ru | секретный ключ: {a32}
ru | приватный ключ {h64}
ru | закрытый ключ: {h64}
ru | кодовая фраза: {pw}
ru | учётные данные: admin / {pw}
ru | пин-код от сейфа: {d6}
ja | データベースのパスワードは {pw} です
ja | パスワード：{pw}
ja | パスワード: {pw}
ja | 管理者パスワード（admin）：{pw}
ja | ログインパスワードは「{pw}」
ja | APIキー: {a32}
ja | アクセストークンは {a40}
ja | シークレットキー = {a32}
ja | 秘密鍵: {h64}
ja | ユーザー名 admin / パスワード {pw}
ja | 暗証番号は{d6}です
ja | 合言葉：{pw}
ja | パスフレーズ: {pw}
ja | 認証情報: admin / {pw}
ja | 新しいパスワードを {pw} に変更しました
de | Das Passwort für die Datenbank ist {pw}
de | Passwort: {pw}
de | Kennwort: {pw}
de | Passwort (admin): {pw}
de | Das Kennwort lautet {pw}
de | Zugangsdaten: admin / {pw}
de | Benutzer deploy, Passwort {pw}
de | API-Schlüssel: {a32}
de | Der geheime Schlüssel ist {a32}
de | Zugriffstoken = {a40}
de | WLAN-Schlüssel: {pw}
de | Das neue Root-Passwort vom Router ist jetzt {pw}
de | privater Schlüssel: {h64}
de | Passwort vom NAS: {pw}
de | Geheimnis: {a24}
de | PIN für die Alarmanlage: {d6}
fr | Le mot de passe de la base de données est {pw}
fr | mot de passe : {pw}
fr | Mot de passe (admin) : {pw}
fr | mdp: {pw}
fr | utilisateur : deploy, mot de passe : {pw}
fr | La clé d'API est {a32}
fr | clé API : {a32}
fr | clé secrète = {a32}
fr | jeton d'accès : {a40}
fr | clé privée : {h64}
fr | identifiants : admin / {pw}
fr | phrase secrète : {pw}
fr | le nouveau mot de passe du routeur est « {pw} »
fr | Clé Wi-Fi : {pw}
fr | Le code secret est {pw}
ko | 데이터베이스 비밀번호는 {pw} 입니다
ko | 비밀번호: {pw}
ko | 관리자 비밀번호(admin): {pw}
ko | 패스워드 = {pw}
ko | 암호: {pw}
ko | API 키: {a32}
ko | 액세스 토큰: {a40}
ko | 접근 토큰은 {a40}
ko | 시크릿 키: {a32}
ko | 비밀 키 = {a32}
ko | 개인 키: {h64}
ko | 아이디 admin / 비밀번호 {pw}
ko | 와이파이 비번은 {pw}
ko | 새 비밀번호는 "{pw}"
ko | 인증 정보: admin / {pw}
tr | Veritabanı şifresi {pw}
tr | şifre: {pw}
tr | Şifre (admin): {pw}
tr | Parola: {pw}
tr | Sunucunun parolası {pw} olarak değiştirildi
tr | kullanıcı adı: deploy, şifre: {pw}
tr | API anahtarı: {a32}
tr | gizli anahtar = {a32}
tr | erişim belirteci: {a40}
tr | erişim jetonu {a40}
tr | özel anahtar: {h64}
tr | Wi-Fi şifresi: {pw}
tr | yeni yönetici şifresi: {pw}
tr | kimlik bilgileri: admin / {pw}
tr | parola={pw}
`;
