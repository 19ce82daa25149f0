/** Words around a credential's name that decide whether it is meant itself: what follows it, what is done with it. */

/** `password policy`, `token count`: the credential only qualifies what is asked for. */
export const HEADS = `policy policies length strength expiry expires expire expired expiration rotation rotated age reset resets
  change changed changes url urls uri link endpoint endpoints name names id ids label labels title manager managers provider
  generator generation required enabled disabled needed protected protection min max minimum maximum limit limits budget usage
  count counts total ttl lifetime location path paths file files filename directory dir folder format algorithm type types
  kind symbol address addresses contract decimals supply price amount balance quota standard pair size window rate cost index
  position status state version versions method methods mode hint hints complexity rule rules requirement requirements validity
  duration interval days hours minutes date time owner issuer audience scope scopes permission permissions role roles
  group region arn ref reference references store storage engine vault namespace description comment note purpose reason
  fingerprint thumbprint strategy option options preference settings setting config configuration category delivery channel
  visible visibility hidden masked exists present attempts retries attempt failures history uses less free swap transfer sale mint burn cap caps ceiling threshold
  ring bucket stream grant flow holder brand last last4 prefix separator delimiter economics list logo template creation deletion
  removal renewal revocation management authentication authorization login auth based encryption hashing encoding review scanner scan
  detection leak leaks audit support updated created digits network issuer offer rewards fee design color colour question
  questions server servers service services exchange consumer consumption column columns variable variables parameter parameters attribute property table
  política politica longitud caducidad nombre politique longueur durée nom comprimento nome lunghezza richtlinie richtlinien länge
  laenge stärke ablauf ablaufdatum anzahl art zurücksetzen änderung ändern gültigkeit verwaltung hinweis alter lengte naam beleid
  aantal längd namn længde navn lengde pituus nimi długość nazwa délka název hossza neve uzunluğu politikası adı sayısı süresi
  策略 政策 长度 長度 强度 強度 数量 數量 名称 名稱 类型 類型 有效期 过期 過期 规则 規則 提示 重置 修改 更改 管理 个数 數 数 编号 地址 符号 权限 期限
  长 的名称 的名稱 的长度 的數量 的数量 的类型 的有效期 的地址
  長さ の長さ ポリシー の数 名 名前 の名前 種類 の種類 タイプ 有効期限 の有効期限 リセット 変更 の変更 ヒント アドレス 強度
  길이 정책 개수 수 이름 종류 유형 재설정 변경 만료 만료일 관리 주소 강도 힌트 의`;

/** Verbs for what is done with a credential that somebody has: in front of its name they make no request for it. */
export const ACTIONS = `rotate revoke delete remove change forgot forget forgotten remember show hide save store enable disable skip
  generate regenerate expire validate manage allow allows resend renew swap buy sell mint burn cap caps ceiling threshold stake deactivate approve grant
  inspect view list rename describe compare print export reset lost mount rotated count estimate tokenize encrypt decrypt hash
  display ignore keep block prevent detect scan audit find search
  restablecer cambiar réinitialiser changer zurücksetzen ändern löschen redefinir alterar reimpostare cambiare modificare сбросить
  изменить сменить удалить обновить показать zresetować zmienić usunąć sıfırla değiştir
  重置 修改 更改 删除 刪除 撤销 轮换 リセット 変更 削除 初期化 재설정 변경 삭제 초기화`;

/** A name that starts with one of these is about a credential, mostly whether there is one. */
export const OPENERS = `num number count use uses using has have is no require requires should needs need send with without via are was were does did how many
  which whose why`;

/** Nouns in front, where the credential follows in the genitive: `longitud (de la) contraseña`, `длина пароля`. */
export const HEADS_BEFORE = `política politicas políticas longitud tipo tipos nombre número numero cantidad politique longueur nom
  nombre nome comprimento quantidade lunghezza criterio criteri длина длину имя имени название срок сроки причина причину сброс сброса смена смены политика тип количество число кількість
  довжина брой дължина długość długości nazwa nazwę nazwy liczba ilość délka název počet số độ tên jumlah panjang nama عدد طول اسم סוג אורך שם مدت`;

/** Between the request and the credential they end what is requested: `the name of the secret`. */
export const BLOCKS = `of for to with from in on at by that which who whose where whether if when how as than about between without
  using via before after into because until unless per except but besides whenever why
  del des du della dello dei degli delle di da do dos von vom zum zur fur für mit van voor met av för att pour avec para con por com
  für om от для о об про з для od dla pre pro για από عن من ل של על dari untuk tentang của`;

/** English words that make a statement about the credential that stands before them. */
export const STATEMENTS = `is are was were will would must should shall may might can cannot could has have had expires
  expired changed remains stays isn aren wasn won becomes became belongs seems looks appears
  ist sind wird werden wurde muss darf kann hat es son está será debe est sont sera doit peut deve pode è è deve zijn wordt moet är ska
  er skal jest są musi je są бывает должен будет был`;

export const DETERMINERS = `the a an your my our any this these those one another
  el la los las un una unos tu su sus tus mi le les l votre vos ton ta tes mon ma der die das den dem ein eine einen ihr ihre ihren
  ihrem dein deine deinen deinem mein meine os um uma seu sua teu tua meu minha il lo gli uno mio mia het een uw je jouw mijn din
  ditt dit det en ett et mitt min twoje swoje twój swój vaše své svou ваш ваша ваше вашу вашого твой твоего свой свои свое своё мой
  το τον την σας το bạn cua`;

export const QUALIFIERS = `new old current either both same optional required please existing temporary strong valid own correct full actual secret
  neue neues neuer neuen nuevo nueva nouveau nouvelle novo nova nuovo nuova nieuw nieuwe nytt ny nowe nové új yeni новый новое новые
  текущий старый новий нова 新 新しい 現在の 您的 你的 您 你 あなたの 새 새로운 현재 请 請 귀하의 사용자 用户 用戶 ユーザー 登录 登錄 ログイン
  ваш ваша bitte por favor s il vous plait lütfen пожалуйста`;

/** What is said of a credential that did not work. */
export const FAULTS = `invalid wrong incorrect bad missing unknown leaked stolen compromised rejected revoked weak duplicate hardcoded
  unused failed ungültig ungültiges falsches falsche inválida invalide incorrecta неверный неправильный`;

/** About hardware: its pins are no secrets. */
export const HARDWARE = `gpio led arduino raspberry esp32 esp8266 microcontroller pinout breadboard servo relay connector header chip
  i2c spi uart pwm soldered wired wire jumper sensor circuit`;

/** Whatever code is sent to somebody's device opens something. */
export const SENT = `sent texted emailed sms messaged receive received authenticator texting mailed whatsapp enviamos enviado enviada envoyé envoyée gesendet geschickt skickat wysłany reçu recibido recebido ricevuto
  ontvangen отправили отправлен пришёл`;
