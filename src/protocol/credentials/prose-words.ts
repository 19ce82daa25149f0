/** Words by which prose asks, denies and asks back. Languages other than English may ask before or after what they ask for. */

/** English verbs: what they ask for follows. */
export const ASKS = `enter input type paste provide supply specify insert submit reenter retype disclose reveal need needs
  requires fill attach upload gimme`;

/** They ask only for what is the user's own, or by heart: `send me your token`, not `send a token to Alice`. */
export const MILD_ASKS = `give share tell hand write put reply respond say copy present want verify confirm repeat answer`;

/** They ask only for what is the user's own. */
export const OWN_ASKS = `sign log authenticate unlock add include connect identify send confirm verify approve authorize
  authorise complete fill proceed require`;

/** Only something that one keeps in mind can be chosen. */
export const CHOICES = `choose create pick select define make invent set confirm verify repeat
  wählen wähle festlegen bestätigen bestätige erstellen elige elija crea cree confirma confirme repite repita choisissez créez
  confirmez répétez escolha crie scegli conferma ripeti kies bevestig herhaal välj bekräfta vælg velg придумайте подтвердите
  повторите выберите wybierz potwierdź zvolte potvrďte seçin oluşturun onaylayın 设置 設置 设定 設定 确认 確認 创建 作成 설정 확인`;

/** Adjectives and verbs that say it is wanted: after the name, or before it. */
export const WANTED = `required needed necessary mandatory wanted erforderlich notwendig benötigt nötig requis requise requises
  nécessaire obligatoire requerida requerido necesaria necesario obligatoria obrigatória obrigatório necessária richiesta necessaria obbligatoria
  vereist nodig krävs påkrævet påkrevd kreves vaaditaan tarvitaan wymagane wymagany potrzebne vyžadováno szükséges necesară gerekli
  gerekiyor требуется нужен нужно необходим необходимо потрібен потрібно απαιτείται مطلوبة مطلوب 必要です 必須 が必要 필요합니다 필요해요 필수
  diperlukan bắt buộc`;

/** Words of other languages that ask, before or after the name. */
export const ASKS_ANYWHERE = `eingeben eingibt eintippen einfügen einfuegen angeben geben gib gebt tippen füge fügen mitteilen nennen nenne
  eintragen tragen trage benötige benötigen brauche brauchen bereitstellen übermitteln lautet
  introduzca introducir introduzcan ingrese ingresa ingresar escribe escriba escribir pega pegue pegar proporciona
  proporcione proporcionar indica indique facilita facilite facilítame facilíteme teclea teclee necesito necesitamos besoin bisogno envía envíe dame deme dime dar darme decirme introduce
  saisissez saisir saisis entrez entrer tapez taper collez coller fournissez fournir indiquez indiquer renseignez renseigner donnez
  donner communiquez insérez envoyez
  digite insira informe introduza escreva cole forneça preciso precisamos envie coloque inserir informar digitar
  inserisci inserire inserisca digita digitare incolla incollare fornisci fornire scrivi immetti immettere
  voer vul typ plak geef invoeren invullen opgeven verstrek ange skriv fyll klistra mata indtast angiv angi oppgi tast indsæt anna
  syötä kirjoita liitä podaj podać wpisz wpisać wprowadź wprowadzić wklej potrzebuję zadejte zadat vložte napište uveďte zadajte napíšte
  adja írja illessze megadni írd introduceți introdu scrieți lipiți furnizați unesite upišite vnesite unesi shkruani įveskite
  ievadiet sisesta sisestage girin giriniz gir girmeniz yazın yazınız yapıştırın belirtin sağlayın nedir
  введите ввести введи укажите указать вставьте вставить напишите пришлите отправьте сообщите предоставьте впишите наберите введіть
  вкажіть вставте надішліть въведете въведи посочете унесите εισάγετε εισαγάγετε πληκτρολογήστε δώστε γράψτε
  أدخل ادخل إدخال ادخال اكتب أكتب قدم الصق أرسل أحتاج نحتاج تزويدنا تزويد הזן להזין להקליד להכניס הכנס הקלד הקש הזינו הדבק מהי وارد بنویسید
  दर्ज डालें भरें लिखें बताएं बताइए दीजिए nhập điền dán masukkan ketik ketikkan tempel tempelkan berikan isikan taip weka ingiza
  输入 輸入 填写 填寫 粘贴 黏貼 貼上 提供 键入 鍵入 发送 發送 告诉 告訴 填入 出示 是什么 是什麼 是多少 入力 記入 貼り付け 教えて 送信 何ですか
  입력 붙여 제공 알려 기입 적어 보내 무엇인가요 뭐예요 무엇입니까 ใส่ ป้อน กรอก ระบุ พิมพ์`;

/** Phrases that ask; the second part of a question for a thing that is the user's. */
export const ASKING_PHRASES = `what is, what s, what are, what was, wie lautet, wie ist, was ist, wie lauten, quel est, quelle est, quels sont,
  cual es, cuál es, cual era, qual e, qual é, quais são, qual o, qual a, wat is, vad är, hvad er, hva er, mikä on, jakie jest, jaki jest, jaké je, aké
  je, mi a, mi az, care este, какой у вас, какой ваш, какой твой, какой у тебя, каков ваш, який ваш, який у вас, ποιος είναι, ما هي, ما هو, क्या
  है, là gì, apa, cung cấp, hãy nhập, may i have, can i have, could i have, can i get, could i get, hand over, by entering, by providing,
  by typing, by pasting, by supplying, by submitting, mind giving, mind sharing, mind telling, mind sending, mind providing,
  mind entering, login with your, login using your, must be provided, must be entered, must be supplied, must be given, has to be
  provided, has to be entered, needs to be provided, needs to be entered, should be provided`;

/** They deny what follows. */
export const DENIALS = `no not never cannot dont cant wont without neither nor avoid refrain stop instead unable none nobody nothing
  rather don doesn didn`;

/** They deny the whole clause, wherever they stand. */
export const DENIALS_ANYWHERE = `nicht niemals nie kein keine keinen keinerlei ohne niemandem niemanden nadie ninguém nessuno personne никому pas jamais aucun aucune sans nunca jamás não sem mai
  senza non nooit niet geen zonder aldrig inte ej utan ikke ikkje uden uten älä älkää ilman nigdy bez nikdy nikada nemojte nikoli soha
  niciodată fără asla girmeyin girmeyiniz yazmayın paylaşmayın gerekmez değil не никогда нельзя без ні ніколи никога μην ποτέ δεν χωρίς
  لا لن عدم أبدا אל לא אין לעולם نکنید هرگز न नहीं मत कभी không đừng jangan tidak usisahau kamwe
  请勿 請勿 勿 不要 切勿 无需 無需 不需要 不会 不會 绝不 絕不 不得 别 不必 無須 从不 從不 无须 しないで ません 不要です ないで しない
  必要はありません 決して 誰にも 누구에게도 마세요 마십시오 않습니다 않아요 않 필요없 필요 없 절대 금지 ห้าม อย่า ไม่ต้อง ไม่`;

/** Denied, they affirm: `do not forget to enter`. */
export const OMISSIONS = `forget hesitate fail neglect worry omit vergessen olvide olvides oubliez esqueça dimenticare vergeet`;

/** At the head of a clause they make a question about the credential, not for it. */
export const QUESTIONS = `do does did is are was were has have had should shall how when where why whether if which while once who whose
  whom ob wann wo wie warum soll sollen welche welcher welches möchten wollen si cuando cómo cuándo dónde quiere quieres desea deseas
  comment quand où voulez souhaitez quando como onde deseja quer come dove vuoi vuole wanneer hoe wil moet czy jak kiedy gdzie если как
  когда где ли чи nasıl`;

/** Somebody else speaks or acts. */
export const SUBJECTS = `we they he she i who which because someone anyone nobody users people`;

/** `sites that ask you to`, `you may be asked to`. */
export const REPORTS = `ask asks asked asking prompt prompted prompts told invited requested requests request`;
export const REPORTED_BY = `be been that who someone anyone anybody if when sites they never email emails page scammers attackers users`;

export const THIRD_PARTIES = `their his her`;
export const OWN = `your ur my`;
export const TO_US = `me us here below again now`;
export const CONJUNCTIONS = `and or und oder et ou y e o en och eller og ja tai oraz lub és vagy și sau ve veya и или та або και ή 和 及 与 或 と や 및 또는`;
export const PRONOUNS = `it them this one`;

/** They name a part that is as good as the whole: `the value of your token`. */
export const WHOLES = `value values content contents text copy one some any either body json pem`;
export const PLACES = `box field form prompt space`;
/** After a label: `API key for the server`, `PIN please`. */
export const FOLLOWERS = `for of from with used using on issued associated generated here please again twice provided needed below like sent we without
  received protecting granting allowing giving created taken copied shown displayed obtained
  starting starts found für von zum zur vom para de del pour du da per di van voor för til dla do k ke для от к учетной пользователя аккаунта карты администратора сервера des der ihrer ihres deiner deines meiner dell della dello del
  eines einer cua bitte pls`;
/** `token to authenticate with` is asked for, `token to swap` is not. */
export const USES = `authenticate access use log login sign connect unlock authorize authorise verify call decrypt encrypt open continue
  proceed confirm approve`;

/** A list follows: `provide the following:`. */
export const ANNOUNCEMENTS = `following these below details information info fields data values key keys code codes this it one folgendes folgende siguiente siguientes
  suivant suivante suivants seguinte seguintes seguente seguenti следующее`;
/** They may stand between a name that says pin and its end. */
export const PIN_FOLLOWERS = `confirmation confirm confirmed again repeat repeated value entry input hash text string digits for please here`;
/** Nouns as often as verbs: verbs where one of VERB_SIGNS, or nothing, stands before. */
export const NOUNS_TOO = `type input share say copy answer set make present repeat sign log login connect complete pick insert paste write hand`;
export const VERB_SIGNS = `please to and or then just you must can could would will kindly simply now not never we i should again also t do`;
/** Inside a clause they begin a question of their own. */
export const EMBEDDED = `how when where why whether if whenever`;
/** `the password field`, `the password page` are no passwords; a name says it less surely. */
export const SCREEN_PARTS = `field fields box selector button page screen dialog prompt`;
/** `login: user name and password` */
export const INTRODUCTIONS = `login logins signin credentials required needed`;
/** `API key that you created` is a label, `token that you want to swap` a question. */
export const WISHES = `want wish would need will should like have do did can`;
export const FORMATS = `hex base64 pem der plain clear json openssh`;
/** `if true, a PIN is required` */
export const SETTINGS = `true false set enabled checked selected yes on empty`;
/** What a credential does. */
export const POWERS = `protects unlocks opens grants gives allows encrypts decrypts secures authenticates authorizes signs identifies`;
/** Directly before what is kept in mind they ask for it: `what PIN should I use`. */
export const WHAT = `what какой`;
