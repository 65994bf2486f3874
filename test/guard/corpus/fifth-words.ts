/** Twelve lines in each of ten languages, written without a look at the rules. */
export const fifthWords = `
en | The password for the shared test account is {pw}, please don't change it.
en | passphrase: {pw}
en | Door code at the datacenter is {d6}, valid until December.
en | pwd={pw} for the old Jenkins box
en | Use these credentials: bob / {pw}
en | API key for the weather feed: {a32}
en | My PIN for the smart card is {d6}.
en | the client secret we got from the partner is {a40}
en | Backup encryption key → {a32}
en | just ssh in as deploy, pass is {pw}
en | access_token = "{a40}"  # expires next year
en | Answer to the security question (first pet): {pw}
zh | 数据库密码是 {pw},别外传。
zh | 密码:{pw}
zh | 服务器的登录口令为 {pw}
zh | 测试环境账号 admin,密码 {pw}
zh | 访问令牌:{a40}
zh | 接口密钥 = {a32}
zh | 支付系统的私钥是 {h64}
zh | 堡垒机 PIN 码:{d6}
zh | WiFi密码改成了{pw},大家更新一下
zh | 初始密码为“{pw}”,首次登录后请修改
zh | 备份压缩包的解压密码: {pw}
zh | 微信小程序 AppSecret(应用密钥):{h32}
es | La contraseña del servidor de pruebas es {pw}
es | contraseña: {pw}
es | Clave de acceso al panel: {pw}
es | El usuario es soporte y la clave es {pw}.
es | clave_api = "{a32}"
es | Token de acceso del bot: {a40}
es | He cambiado la contraseña del root a {pw}, avisad a los demás.
es | El código de seguridad de la alarma es {d6}
es | Secreto del cliente OAuth: {a40}
es | Clave privada de la billetera: {h64}
es | Para entrar en la VPN usa la frase de paso «{pw}»
es | Contraseña del wifi de la oficina → {pw}
pt | A senha do banco de produção é {pw}
pt | senha: {pw}
pt | Usuário: admin, senha: {pw}
pt | Palavra-passe do router: {pw}
pt | chave_api={a32}
pt | O token de acesso do gateway é {a40}, não compartilhe.
pt | Troquei a senha do root para {pw} ontem à noite.
pt | Código PIN do cofre: {d6}
pt | Segredo do cliente: {a40}
pt | A chave privada da carteira ficou assim: {h64}
pt | senha_smtp = '{pw}'
pt | Frase-senha da chave SSH: {pw}
ru | Пароль от тестового сервера: {pw}
ru | пароль={pw}
ru | Логин root, пароль {pw}
ru | Ключ API: {a32}
ru | Токен бота — {a40}, срок до конца года
ru | Секретный ключ платёжного шлюза: {a40}
ru | Поменял пароль админа на {pw}, передай Саше.
ru | ПИН-код от токена {d6}
ru | Кодовая фраза для бэкапа: {pw}
ru | Пароль к вайфаю в офисе {pw}
ru | Приватный ключ кошелька: {h64}
ru | учётные данные для VPN: ivanov / {pw}
ja | 本番DBのパスワードは {pw} です。
ja | パスワード:{pw}
ja | 管理画面のログイン: admin、パスワード: {pw}
ja | アクセストークン:{a40}
ja | APIキーは {a32} を使ってください
ja | 秘密鍵: {h64}
ja | 暗証番号は {d6} に変更しました
ja | クライアントシークレット={a40}
ja | 添付ZIPの解凍パスワードは「{pw}」です
ja | Wi-Fiの暗号化キー:{pw}
ja | SSH鍵のパスフレーズは {pw}
ja | 仮パスワード {pw} を発行したので初回ログイン時に変更してください
de | Das Passwort für den Testserver lautet {pw}
de | Kennwort: {pw}
de | Zugangsdaten: Benutzer admin, Passwort {pw}
de | API-Schlüssel = {a32}
de | Der geheime Schlüssel vom Zahlungsanbieter ist {a40}
de | Zugriffstoken: {a40}
de | Die PIN für den Tresor ist {d6}.
de | Habe das Root-Passwort auf {pw} geändert
de | WLAN-Schlüssel im Büro: {pw}
de | Passphrase für das Backup: „{pw}“
de | Privater Schlüssel der Wallet: {h64}
de | Losungswort für die Hotline ist {pw}
fr | Le mot de passe de la base de prod est {pw}
fr | mot de passe : {pw}
fr | Identifiant : admin / mdp : {pw}
fr | mdp={pw}
fr | Clé API du service météo : {a32}
fr | Jeton d'accès : {a40}
fr | J'ai remis le mot de passe root à {pw}, pensez à le changer.
fr | Le code PIN du badge est {d6}
fr | Clé secrète du marchand : {a40}
fr | La phrase secrète de la sauvegarde est « {pw} »
fr | clé privée du portefeuille : {h64}
fr | Code wifi du bureau → {pw}
ko | 운영 DB 비밀번호는 {pw} 입니다.
ko | 비밀번호: {pw}
ko | 관리자 계정 admin, 비번 {pw}
ko | 암호={pw}
ko | API 키: {a32}
ko | 액세스 토큰은 {a40} 이고 연말에 만료됩니다
ko | 결제 모듈 비밀키: {a40}
ko | 서버실 출입 PIN 번호 {d6}
ko | root 패스워드를 {pw}(으)로 변경했습니다
ko | 지갑 개인키: {h64}
ko | 사무실 와이파이 비번은 {pw}
ko | 클라이언트 시크릿 = "{a40}"
tr | Test sunucusunun şifresi {pw}
tr | şifre: {pw}
tr | Kullanıcı adı: admin, parola: {pw}
tr | Parolası = {pw}
tr | API anahtarı: {a32}
tr | Erişim belirteci: {a40}
tr | Ödeme sağlayıcısının gizli anahtarı {a40}
tr | Root şifresini {pw} olarak değiştirdim, haberiniz olsun.
tr | Kasanın PIN kodu {d6}
tr | Ofisin wifi şifresi → {pw}
tr | Cüzdanın özel anahtarı: {h64}
tr | Yedek arşivinin parolası “{pw}”
`;
