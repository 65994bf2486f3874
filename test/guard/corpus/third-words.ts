/** Twelve lines in each of ten languages, written in the same way. */
export const thirdWords = `
en | ssh passphrase is '{pw}'
en | the staging password "{pw}" still works
en | session token {a32} came from devtools
en | I changed my passphrase to {pw} last night
en | access token -> {a32}
en | Please use the secret {a32} when calling the endpoint
en | encryption secret = {h64}
en | The password was {pw}, now expired
en | new client secret {a32} valid till March
en | api_key = "{a32}"
en | Default password of the camera: {pw}
en | pw={pw}
zh | 登录密码: {pw}
zh | 用密码 {pw} 登录 VPN
zh | 生产库的口令是{pw}，不要外传
zh | 令牌设置为 {a32}
zh | 新的客户端密钥是{a32}，有效期到三月
zh | 门禁密码为{d6}
zh | 机器人的私钥：{h64}
zh | 把 token 换成 {a32} 就可以了
zh | 管理后台密码已重置为 {pw}
zh | API密钥：{a32}
zh | 管理员账号 root，密码 {pw}
zh | 加密密钥={h64}
es | PIN: {d6}
es | La clave del wifi es {pw}
es | la contraseña del router es {pw}
es | clave de acceso → {pw}
es | La nueva contraseña será {pw}
es | La contraseña de pruebas es «{pw}»
es | La clave secreta del servidor es {a32}
es | Contraseña de la base de datos: {pw}
es | clave privada del bot: {h64}
es | El código PIN de la alarma es {d6}
es | clave_api = "{a32}"
es | Entra en la VPN con la contraseña {pw}
pt | Use o segredo {a32} para chamar o serviço
pt | A chave secreta do servidor é {a32}
pt | a chave de criptografia é {h64}
pt | chave_api = "{a32}"
pt | A senha do wifi é {pw}
pt | novo segredo do cliente {a32}, válido até março
pt | token de acesso: {a32}
pt | Senha redefinida para {pw} pelo suporte
pt | o token ficou {a32}
pt | senha={pw}
pt | A senha de testes é "{pw}"
pt | Entre na VPN com a senha {pw}
ru | Новый пароль будет {pw}
ru | Секретный ключ сервера это {a32}
ru | токен доступа: {a32}
ru | Пароль от вайфая {pw}
ru | пароль от роутера {pw}
ru | ключ подписи: {h64}
ru | ПИН-код сигнализации {d6}
ru | логин root, пароль {pw}
ru | Тестовый пароль — «{pw}»
ru | кодовая фраза → {pw}
ru | ключ шифрования {h64}
ru | Используй секрет {a32} для вызова сервиса
ja | データベースのパスワード：{pw}
ja | ユーザー root、パスワード {pw}
ja | ボットの秘密鍵：{h64}
ja | 新しいパスワードは {pw} になります
ja | アラームの暗証番号は{d6}です
ja | 署名鍵は {h64}
ja | パスワード {pw} でVPNに入る
ja | パスフレーズ: '{pw}'
ja | 暗号化キー={h64}
ja | サーバーの秘密鍵は {a32} です
ja | PINコード：{d6}
ja | 呼び出しにはシークレット {a32} を使ってください
de | Passphrase: '{pw}'
de | der Verschlüsselungsschlüssel ist {h64}
de | Gestern habe ich mein Passwort auf {pw} geändert
de | Der geheime Schlüssel des Servers ist {a32}
de | passwort={pw}
de | Zugriffstoken: {a32}
de | Der PIN-Code der Alarmanlage lautet {d6}
de | Datenbankpasswort: {pw}
de | das Passwort vom Router ist {pw}
de | der Token steht auf {a32}
de | Das neue Kennwort wird {pw}
de | PIN: {d6}
fr | Le code PIN de l'alarme est {d6}
fr | utilisateur root, mot de passe {pw}
fr | Hier j'ai changé mon mot de passe en {pw}
fr | Le nouveau mot de passe sera {pw}
fr | La clé secrète du serveur est {a32}
fr | mot_de_passe={pw}
fr | Utilise le secret {a32} pour appeler le service
fr | clé privée du bot : {h64}
fr | mdp → {pw}
fr | Mot de passe wifi : {pw}
fr | le mot de passe du routeur est {pw}
fr | Connecte-toi au VPN avec le mot de passe {pw}
ko | 호출할 때 시크릿 {a32} 을 사용하세요
ko | 비밀번호={pw}
ko | 액세스 토큰: {a32}
ko | 새 클라이언트 시크릿은 {a32} (3월까지 유효)
ko | 새 비밀번호는 {pw}가 됩니다
ko | 데이터베이스 비밀번호: {pw}
ko | 패스워드 → {pw}
ko | 암호문구: '{pw}'
ko | 암호화 키={h64}
ko | 공유기 비밀번호는 {pw} 입니다
ko | 경보기 비밀번호는 {d6}이다
ko | 사용자 root, 암호 {pw}
tr | parola: '{pw}'
tr | Dün gece şifremi {pw} olarak değiştirdim
tr | Şifre destek tarafından {pw} olarak sıfırlandı
tr | Yeni parola {pw} olacak
tr | PIN: {d6}
tr | şifre={pw}
tr | api_anahtarı = "{a32}"
tr | kullanıcı root, parola {pw}
tr | modemin şifresi {pw}
tr | imza anahtarı: {h64}
tr | Veritabanı parolası: {pw}
tr | token şu an {a32}
`;
