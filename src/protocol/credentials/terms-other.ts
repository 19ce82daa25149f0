/** Names of credentials in other languages. Accents do not matter: words are folded before they are compared. */
import type { Terms } from './terms-english.js';

const ROMANCE = `contraseña, contrasenia, motdepasse, numéro de votre carte, numéro de ta carte, número de su tarjeta, número de tu
  tarjeta, número do seu cartão, numero della tua carta, numero della sua carta, contrasenya, contrasinal, clave secreta, clave de acceso, clave personal, tu clave,
  su clave, clave api, clave de api, clave de la api, clave privada, código de verificación, código de seguridad, código de
  acceso, código de un solo uso, código de confirmación, código secreto, código de recuperación, frase semilla, frase de
  recuperación, palabra de seguridad, cadena de conexión, credencial, credenciales, llave privada, llave api, llave secreta,
  secreto del cliente, mot de passe, mots de passe, mdp, code secret, code confidentiel, code de sécurité, code de
  vérification, code de confirmation, code d accès, code à usage unique, code de récupération, clé api, clé d api, clé de l
  api, clé secrète, clé privée, clé d accès, clé de chiffrement, cryptogramme visuel, phrase secrète, phrase de passe, phrase
  de récupération, identifiants de connexion, chaîne de connexion, senha, senhas, palavra passe, chave api, chave de api,
  chave da api, chave privada, chave secreta, chave de acesso, código de verificação, código de segurança, código de
  confirmação, cadeia de conexão, string de conexão, codice di verifica, codice di sicurezza, codice di accesso, codice di
  conferma, codice segreto, codice otp, chiave api, chiave privata, chiave segreta, chiave di accesso, credenziali, frase di
  recupero, stringa di connessione, frase segreta, parola d accesso, parolă, parola, parolei, parole de acces, cod de
  verificare, cod de securitate, cheie api, cheia api, cheie privată, cheia privată, date de autentificare, frase de segurança,
  clau api, clau secreta`;

const GERMANIC = `passwort, passwörter, kennwort, kennwörter, geheimzahl, geheimnummer, zugangsdaten, anmeldedaten,
  sicherheitscode, sicherheitsfrage beantworten, bestätigungscode, verifizierungscode, prüfcode, einmalcode, zugangscode,
  freischaltcode, zugriffscode, api schlüssel, api schluessel, privater schlüssel, privaten schlüssel, private schlüssel,
  geheimer schlüssel, geheimen schlüssel, geheimschlüssel, zugriffsschlüssel, zugangsschlüssel, geheimnis, kartenprüfnummer,
  prüfziffer, wiederherstellungscode, wiederherstellungsphrase, wiederherstellungsschlüssel, verbindungszeichenfolge,
  passphrase, wachtwoord, wagwoord, toegangscode, beveiligingscode, verificatiecode, bevestigingscode, herstelcode, api
  sleutel, privésleutel, privé sleutel, geheime sleutel, inloggegevens, wachtzin, eenmalige code, lösenord, engångskod,
  verifieringskod, säkerhetskod, api nyckel, privat nyckel, hemlig nyckel, inloggningsuppgifter, lösenfras, adgangskode,
  kodeord, passord, engangskode, engangskoden, bekræftelseskode, bekreftelseskode, sikkerhedskode, sikkerhetskode, api
  nøgle, api nøkkel, privat nøgle, privat nøkkel, hemmelig nøkkel, lykilorð, aðgangsorð, pasvorto`;

const SLAVIC_AND_BALTIC = `hasło, hasła, hasłem, haśle, haseł, hasłu, kod weryfikacyjny, kod sms, kod jednorazowy, kod
  bezpieczeństwa, kod dostępu, kod potwierdzający, klucz api, klucz prywatny, klucz tajny, klucz dostępu, dane logowania,
  fraza odzyskiwania, heslo, hesla, heslem, hesle, heslu, ověřovací kód, bezpečnostní kód, overovací kód, api klíč, api
  kľúč, soukromý klíč, súkromný kľúč, přihlašovací údaje, lozinka, lozinku, lozinke, zaporka, zaporku, geslo, gesla,
  slaptažod, парол, пасворд, код подтверждения, код из смс, код из sms, смс код, sms код, одноразовый код, код безопасности,
  код доступа, секретный код, проверочный код, секретный ключ, приватный ключ, закрытый ключ, ключ api, api ключ, ключ
  доступа, ключ шифрования, кодовое слово, кодовая фраза, сид фраза, мнемоническая фраза, фраза восстановления, фразу
  восстановления, учетные данные, учетных данных, строка подключения, секрет, код підтвердження, код підтверження, секретний
  ключ, приватний ключ, ключ апі, ключ апи, апи ключ, код за потвърждение, таен ключ, лозинк, шифра за приступ, код доступу`;

const OTHERS = `salasana, salasõna, parool, tunnusluku, tunnusluvun, kertakäyttökoodi, vahvistuskoodi, turvakoodi, api avain,
  yksityinen avain, jelszo, jelszav, pin kód, ellenőrző kód, biztonsági kód, api kulcs, privát kulcs, titkos kulcs, şifre,
  şifreniz, şifrenizi, şifreyi, şifresi, şifresini, şifrem, şifrenin, parolanız, parolanızı, parolayı, parolasını, doğrulama
  kodu, doğrulama kodunu, güvenlik kodu, güvenlik kodunu, api anahtarı, api anahtarını, api anahtarınız, api anahtarınızı,
  özel anahtar, gizli anahtar, parol, parolni, fjalëkalim, fjalëkalimi, pasahitza, cyfrinair, pasfhocal, mật khẩu, mã xác
  minh, mã xác nhận, mã xác thực, mã bảo mật, mã otp, khóa api, khóa bí mật, khóa riêng tư, cụm từ khôi phục, kata sandi,
  katasandi, kata laluan, kode verifikasi, kode otp, kode keamanan, kode konfirmasi, kod pengesahan, kunci api, kunci privat,
  kunci rahasia, frasa pemulihan, nenosiri, nywila, κωδικός πρόσβασης, κωδικό πρόσβασης, κωδικού πρόσβασης, κωδικός
  επαλήθευσης, κωδικό επαλήθευσης, κωδικός ασφαλείας, κωδικό ασφαλείας, συνθηματικό, κλειδί api, ιδιωτικό κλειδί, μυστικό
  κλειδί, პაროლ, գաղտնաբառ, купиясөз, құпиясөз, нууц үг`;

const RIGHT_TO_LEFT_AND_INDIC = `كلمة المرور, كلمة مرور, كلمه المرور, لكلمة المرور, وكلمة المرور, بكلمة المرور, كلمة السر,
  كلمة سر, كلمة مرورك, الرقم السري, رقم سري, رقمك السري, الرمز السري, رمز سري, رمز التحقق, رمز تحقق, رمز الأمان, رمز
  التأكيد, رمز الدخول, مفتاح api, المفتاح السري, مفتاح سري, المفتاح الخاص, رمز الوصول, بيانات الاعتماد, عبارة الاسترداد, رمز
  عبور, گذرواژه, رمزعبور, گذر واژه, کلمه عبور, رمز دوم, کد تایید, کلید api, סיסמ, קוד אימות, קוד האימות, קוד אבטחה, קוד האבטחה, קוד הגישה, קוד סודי, קוד גישה, מפתח api,
  מפתח פרטי, מפתח סודי, पासवर्ड, पासकोड, पिन, ओटीपी, गुप्त कोड, सत्यापन कोड, एपीआई कुंजी, गुप्त कुंजी, পাসওয়ার্ড,
  கடவுச்சொல், పాస్వర్డ్, ಪಾಸ್ವರ್ಡ್, പാസ്വേഡ്, પાસવર્ડ, ਪਾਸਵਰਡ, පාස්වර්ඩ්, මුරපද, پاسورڈ, پاس ورڈ, የይለፍ ቃል`;

const UNSPACED = `密码, 密碼, 口令, 验证码, 驗證碼, 密钥, 密鑰, 金鑰, 私钥, 私鑰, 助记词, 助記詞, 访问令牌, 存取權杖, 安全码, 安全碼,
  动态码, 動態碼, 恢复码, 备用码, 凭据, 憑據, 登录凭证, 访问凭证, 身份凭证, 连接字符串, 连接串, パスワード, 暗証番号, 暗証コード, パスフレーズ, パスコード, 認証コード, 確認コード,
  検証コード, セキュリティコード, ワンタイムコード, アクセスキー, 秘密鍵, シークレット, シードフレーズ, リカバリーフレーズ, 復旧コード,
  リカバリーコード, 合言葉, 接続文字列, 資格情報, 認証情報, 비밀번호, 암호, 패스워드, 인증번호, 인증코드, 보안코드, 확인코드, 비밀키, 개인키,
  시크릿, 접근토큰, 액세스토큰, 핀번호, 복구문구, 시드문구, 복구코드, 연결문자열, 자격증명, รหัสผ่าน, รหัสลับ, รหัสยืนยัน, รหัสความปลอดภัย,
  ລະຫັດຜ່ານ, ពាក្យសម្ងាត់, စကားဝှက်`;

export const OTHER_TERMS: readonly Terms[] = [
  { kind: 'code', phrases: 'código, codice, kod, koden, kode, код, коды, code' },
  { kind: 'memorised', phrases: ROMANCE },
  { kind: 'memorised', phrases: GERMANIC },
  { kind: 'memorised', phrases: SLAVIC_AND_BALTIC },
  { kind: 'memorised', phrases: OTHERS },
  { kind: 'memorised', phrases: RIGHT_TO_LEFT_AND_INDIC },
  { kind: 'memorised', phrases: UNSPACED },
  {
    kind: 'memorised',
    phrases:
      'api キー, api 키, api 密钥, api 密鑰, api 金鑰, 인증 번호, 인증 코드, 보안 코드, 비밀 번호, 비밀 키, 확인 코드',
  },
  { kind: 'memorised', phrases: 'アクセス トークン, 액세스 토큰, 접근 토큰' },
  { kind: 'memorised', phrases: 'kode, kod, código, codice, κωδικός, код', before: 'pin' },
  {
    kind: 'memorised',
    phrases: 'pin',
    before: 'kode, kod, código, codice, code, codul, cod, κωδικός, κωδικό, код, mã, รหัส',
  },
  {
    kind: 'memorised',
    phrases:
      'pinkod, pinkode, pinkoodi, pinnummer, pin nummer, pin koodi, пинкод, пин код, пін код, пін, пин, πιν, su nip, tu nip, nip de',
  },
  { kind: 'memorised', phrases: 'pin 码, pin 碼, pin コード, pin 번호' },
  {
    kind: 'token',
    phrases: `jeton, token, токен, токена, токену, токеном, токене, τοκεν, 令牌, 权杖, 權杖, トークン, 토큰, โทเค็น, โทเคน, טוקן, توکن,
      belirteç, belirteci, tokenu, tokena, tokent`,
  },
  {
    kind: 'memorised',
    phrases: `jeton d accès, jeton d authentification, jeton api, token de acceso, token de acceso personal, token de acesso, token de acesso pessoal, token di accesso, токен доступа,
      токена доступа, erişim belirteci`,
  },
  {
    kind: 'card',
    phrases: `número de tarjeta, número de la tarjeta, tarjeta de crédito, tarjeta de débito, numéro de carte, numéro de la carte,
      carte bancaire, carte de crédit, kartennummer, kreditkarte, kreditkartennummer, número do cartão, número de cartão, cartão de
      crédito, numero di carta, numero della carta, carta di credito, kaartnummer, creditcardnummer, kortnummer, kreditkort,
      kreditkortsnummer, kortin numero, luottokortti, luottokortin numero, numer karty, karta kredytowa, číslo karty, kártyaszám,
      bankkártyaszám, numărul cardului, kart numarası, kart numaranız, kart numaranızı, kredi kartı, номер карты, номера карты,
      номер картки, номер банковской карты, кредитная карта, αριθμός κάρτας, رقم البطاقة, بطاقة الائتمان, شماره کارت, מספר כרטיס,
      कार्ड नंबर, số thẻ, nomor kartu, 银行卡号, 卡号, 信用卡, 信用卡号, カード番号, クレジットカード, 카드번호, 카드 번호, 신용카드, หมายเลขบัตร,
      หมายเลขบัตรเครดิต`,
  },
  { kind: 'whole', phrases: 'clave, sandi' },
  {
    kind: 'harmless',
    phrases: `会员卡号, 會員卡號, 회원카드번호, 암호화, 암호화폐, 公钥, 公鑰, 公開鍵, 공개키, şifreleme, palabra clave, palabras clave, una parola, parola da, पिन कोड, parola chiave, parole chiave,
      palavra chave, clave primaria, clave pública, clave foránea, mot clé, mots clés, clé primaire, clé publique, schlüsselwort,
      секретарь, секретаря, секретарю, секретариат, секретар, jeton de jeu,
      öffentlicher schlüssel`,
  },
];
