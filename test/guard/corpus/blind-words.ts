/** Six lines in each language, written before the words of the guard were tried on them. */
export const blindWords = `
en | The new wifi password is {o10}
en | staging db: user app, password {s11}
en | Our Sentry auth token is {h64}
en | the vault passphrase was reset to {a13}
en | door access code: {d6}
en | creds for jenkins are ci / {a12}
zh | 新的管理员密码已改为 {o10}
zh | 支付接口密钥是 {h32}
zh | 服务器登录口令为「{a12}」
zh | 访问令牌：{h40}
zh | 数据库账号 app，密码 {s11}
zh | 邮箱授权码：{l16}
es | La contraseña del wifi es {o10}
es | la clave secreta del webhook es {h40}
es | Cambiamos la contraseña a {a12}
es | token de la API: {h32}
es | credenciales de staging: app / {s11}
es | Contraseña del router → {a11}
pt | A senha do wifi é {o10}
pt | o token da API é {h40}
pt | A senha foi alterada para {a12}
pt | segredo do cliente: {h32}
pt | credenciais do staging: app / {s11}
pt | chave de acesso: {a20}
ru | Пароль от вайфая {o10}
ru | Токен бота: {h40}
ru | пароль изменён на {a12}
ru | секретный ключ вебхука — {h32}
ru | учётные данные стенда: app / {s11}
ru | пароль от архива: {c10}
ja | Wi-Fiのパスワードは{o10}です
ja | APIトークンは {h40} です
ja | パスワードを{a12}に変更した
ja | Webhookのシークレット: {h32}
ja | 認証情報：app / {s11}
ja | 暗証番号: {d4}
de | Das WLAN-Passwort ist {o10}
de | API-Token lautet {h40}
de | Das Passwort wurde auf {a12} geändert
de | Webhook-Schlüssel: {h32}
de | Zugangsdaten für Staging: app / {s11}
de | PIN der Alarmanlage ist {d6}
fr | Le mot de passe du wifi est {o10}
fr | le jeton de l'API est {h40}
fr | Le mot de passe a été changé en {a12}
fr | secret du client : {h32}
fr | identifiants de préprod : app / {s11}
fr | clé de chiffrement : {b43}=
ko | 와이파이 비밀번호는 {o10} 입니다
ko | API 토큰은 {h40} 입니다
ko | 비밀번호를 {a12}로 바꿨습니다
ko | 웹훅 시크릿: {h32}
ko | 자격 증명: app / {s11}
ko | 관리자 암호: {a11}
tr | Wi-Fi şifresi {o10}
tr | API belirteci: {h40}
tr | Parola {a12} olarak değiştirildi
tr | Webhook gizli anahtarı: {h32}
tr | giriş bilgileri: app / {s11}
tr | yönetici parolası: {a11}
`;
