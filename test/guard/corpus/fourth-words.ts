/** Twelve lines in each of ten languages, written in the same way. */
export const fourthWords = `
en | admin login: root, password: {pw}
en | the key to the API is {a32}
en | The pass code of the alarm is {d6}
en | Log into the VPN with {pw} as password
en | private key of the bot: {h64}
en | Her credentials are anna / {pw}
en | DB password: {pw}
en | PIN: {d6}
en | Password reset to {pw} by support
en | signing key: {h64}
en | auth_token: '{a32}'
en | the password for the router is {pw}
zh | 路由器的密码是 {pw}
zh | PIN码：{d6}
zh | 数据库密码：{pw}
zh | 调用接口时请使用密钥 {a32}
zh | 测试环境的密码是“{pw}”
zh | 私钥口令 '{pw}'
zh | WiFi密码：{pw}
zh | 服务器账号 admin 密码 {pw}
zh | 签名密钥为：{h64}
zh | 访问令牌：{a32}
zh | 我昨晚把口令改成了 {pw}
zh | 密钥 = "{a32}"
es | contraseña={pw}
es | la clave de cifrado es {h64}
es | clave de firma: {h64}
es | frase de contraseña: '{pw}'
es | token de acceso: {a32}
es | nuevo secreto de cliente {a32}, válido hasta marzo
es | usuario root, contraseña {pw}
es | el token quedó en {a32}
es | Anoche cambié mi contraseña a {pw}
es | Usa el secreto {a32} para llamar al servicio
es | Las credenciales de Ana son ana / {pw}
es | Contraseña restablecida a {pw} por soporte
pt | PIN: {d6}
pt | palavra-passe → {pw}
pt | usuário root, senha {pw}
pt | O código PIN do alarme é {d6}
pt | A nova palavra-passe será {pw}
pt | As credenciais da Ana são ana / {pw}
pt | frase secreta: '{pw}'
pt | chave privada do bot: {h64}
pt | Senha do banco de dados: {pw}
pt | a senha do roteador é {pw}
pt | Ontem mudei minha senha para {pw}
pt | chave de assinatura: {h64}
ru | парольная фраза: '{pw}'
ru | Учётные данные Анны: anna / {pw}
ru | пароль={pw}
ru | новый секрет клиента — {a32}, действует до марта
ru | Заходи в VPN с паролем {pw}
ru | ПИН: {d6}
ru | приватный ключ бота: {h64}
ru | токен теперь {a32}
ru | ключ_api = "{a32}"
ru | Пароль базы данных: {pw}
ru | Пароль сброшен на {pw} поддержкой
ru | Вчера сменил пароль на {pw}
ja | 昨夜パスワードを {pw} に変更した
ja | トークンを {a32} に差し替えた
ja | APIキー = "{a32}"
ja | サポートがパスワードを{pw}にリセットした
ja | Wi-Fiのパスワードは{pw}です
ja | アクセストークン：{a32}
ja | 合言葉は {pw}
ja | 新しいクライアントシークレットは {a32}（3月まで有効）
ja | 管理者のパスワードは「{pw}」
ja | パスワード={pw}
ja | テスト環境のパスワードは『{pw}』
ja | ルーターのパスワードは {pw} です
de | neues Client-Geheimnis {a32}, gültig bis März
de | Annas Zugangsdaten sind anna / {pw}
de | Benutzer root, Kennwort {pw}
de | api_schlüssel = "{a32}"
de | Das Testkennwort heißt „{pw}“
de | WLAN-Passwort: {pw}
de | Passwort wurde vom Support auf {pw} zurückgesetzt
de | Zugangscode → {pw}
de | privater Schlüssel des Bots: {h64}
de | Bitte das Geheimnis {a32} für den Aufruf verwenden
de | Signaturschlüssel: {h64}
de | Mit dem Passwort {pw} ins VPN einloggen
fr | Mot de passe réinitialisé à {pw} par le support
fr | la clé de chiffrement est {h64}
fr | Les identifiants d'Anne sont anne / {pw}
fr | jeton d'accès : {a32}
fr | PIN : {d6}
fr | nouveau secret client {a32}, valable jusqu'en mars
fr | cle_api = "{a32}"
fr | le jeton vaut {a32}
fr | clé de signature : {h64}
fr | Le mot de passe de test est « {pw} »
fr | Mot de passe de la base : {pw}
fr | phrase secrète : '{pw}'
ko | 지원팀이 비밀번호를 {pw}로 초기화했다
ko | 와이파이 비번은 {pw}
ko | 관리자 암호는 '{pw}'
ko | 암호 {pw} 로 VPN에 접속
ko | 서명 키: {h64}
ko | API키 = "{a32}"
ko | 토큰을 {a32} 로 교체함
ko | 서버의 비밀키는 {a32} 입니다
ko | 어젯밤 비밀번호를 {pw}로 바꿨다
ko | PIN 번호: {d6}
ko | 테스트 환경 비밀번호는 "{pw}"
ko | 봇의 개인키: {h64}
tr | giriş şifresi → {pw}
tr | Wifi şifresi: {pw}
tr | Sunucunun gizli anahtarı {a32}
tr | şifreleme anahtarı {h64}
tr | erişim jetonu: {a32}
tr | Alarmın PIN kodu {d6}
tr | Ayşe'nin giriş bilgileri ayse / {pw}
tr | VPN'e {pw} parolasıyla gir
tr | botun özel anahtarı: {h64}
tr | yeni istemci sırrı {a32}, marta kadar geçerli
tr | Test şifresi "{pw}"
tr | Çağrı için {a32} gizli anahtarını kullan
`;
