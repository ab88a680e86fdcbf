/**
 * The most common function words of each language, by ISO 639 code. They identify a language, and comparisons of
 * sentences ignore them.
 */
export const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    "a about after all also an and any are as at be because been before being but by can could did do does each for from had has have he her his how i if in into is it its just like may me might more most must my no not of on one only or other our out over s she should so some such t than that the their them then there these they this those through to up us very was we were what when where which while who why will with would you your",
  ),
  de: words(
    "aber als am an auch auf aus bei beim bin bis da damit dann das dass dem den der des die dies diese diesem diesen dieser dieses doch durch ein eine einem einen einer eines er es etwa für gegen hat hatte haben ich ihr ihre im in ins ist ja jede jeder kann kein keine können man mehr mit muss müssen nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sollte sowie über um und uns unter vom von vor war waren was weil wenn werden wie wieder wir wird wo wurde wurden zu zum zur zwischen",
  ),
  fr: words(
    "à ainsi au aux avec car ce ceci cela celle celui ces cet cette ceux chaque comme d dans de des donc dont du elle elles en est et était été être eux fait faire il ils j je l la là le les leur leurs lors lui m mais me même mes n ne ni nos notre nous on ont ou où par pas peu peut peuvent plus pour qu quand que quel quelle qui s sa sans se selon ses si son sont sous sur ta te toute toutes tous tout très tu un une vers vos votre vous y",
  ),
  es: words(
    "a al algo algunas algunos ante antes aquí así aunque cada como con contra cual cuando de del desde donde dos el él ella ellas ellos en entre era es esa ese eso esta está están este esto estos fue fueron ha hace han hasta hay la las le les lo los más me mi mientras mismo muy nada ni no nos o otra otro otros para pero por porque puede pueden pues que qué quien se según ser si sí sin sino sobre solo son su sus también tan tiene todo todos tu un una uno unos y ya yo",
  ),
  pt: words(
    "a à ainda ao aos após as às até cada com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era essa esse esta está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu muito na não nas nem no nos num numa o os ou para pela pelas pelo pelos pode podem por porque qual quando que quem se seja sem ser seu seus só sobre sua suas também tem têm toda todos tudo um uma umas uns você vocês",
  ),
  it: words(
    "a abbiamo ad agli ai al alla alle allo anche ancora altri c che chi ci ciò come con contro cui d da dagli dai dal dalla dalle degli dei del dell della delle dello deve di dopo dove due e è ed era essere fra già gli ha hanno i il in io l la le lo loro ma mentre mi molto ne nei nel nell nella nelle no noi non nostro o ogni oppure per perché più può poi prima qual quale quando quello quella questa queste questi questo qui se sei si sia sono sotto stato su sua sue sui sul sulla suo tra tutti tutto un una uno viene vi",
  ),
  nl: words(
    "aan al alle als andere bij dan dat de deze die dit door dus een eerst elk en er gaan geen had hebben heeft hem het hier hij hoe hun ik in is je kan kunnen maar meer men met mijn moet na naar niet nog nu of om omdat onder ons ook op over te tegen toch tot uit u uw van veel voor was wat we wel werd wie wij worden wordt zal ze zelf zich zij zijn zo zonder zou",
  ),
  pl: words(
    "a aby ale bardzo bez bo być był była było były by co czy dla do gdy gdzie go i ich im innych ja jak jako je jednak jego jej jest jeszcze jeśli już każdy kiedy która które którego której który których którzy lub ma mi może można my na nad nam nas nie niż o od on ona oraz po pod przed przez przy się są swoje ta tak także tam te tego tej ten to tu tych tylko tym u w we więc wszystkich z za ze że",
  ),
  cs: words(
    "a aby ale ani asi až bez bude by byl byla bylo být co což či další do ho i jak jako je jeho její jejich jen ještě ji již jsem jsou k kde kdo když která které který kteří ku má mezi mi mnoho může na nad nebo než není o od on pak po pod podle pokud pro proto protože před při s se si své svých ta tak také tato té ten tedy tento této to tom tomu tu u už v ve více však z za ze že",
  ),
  sv: words(
    "alla allt andra att av blev bli blir både de dem den denna deras dess det detta dig din du där då efter ej eller en ett finns från för genom ha hade han har hon hur här i icke in inte ja jag kan kunde man med mellan men min mot mycket många måste ni nu något när och också om på samma sedan sig sin ska skulle som så till under upp ut utan vad var vara vi vid vilka vilken är även över",
  ),
  da: words(
    "af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dog du efter ej eller en er et for fra få før ham han har havde hun hvad hver hvis hvor hvordan i ikke ind jeg jo kan kun kunne man mange med meget men mere mig min mod må ned nogle noget nu når og også om op os over på se sig sin skal skulle som så til ud under var ved vi vil ville være været",
  ),
  no: words(
    "alle at av ble bli blir da de dei den denne der dere deres det dette din du eller en enn er et etter for fordi fra før ha hadde han har hva hvem hver hvilken hvis hvor hvordan i ikke ikkje inn ja jeg kan kom kunne man mange med meg mellom men mer min mot må noe noen nå når og også om opp oss over på samme seg selv siden sin skal skulle slik som så til ut uten var ved vi vil ville være vært",
  ),
  fi: words(
    "että ei eivät ennen he hän hänen ja jo joka joko jolla jonka jos jossa jota jotka kaikki kanssa kautta koko koska kuin kuinka kuitenkin kun kuten me mikä minä mitä mukaan mutta muut myös ne niiden niin niitä noin nyt näin olemme olen olet oli olisi olivat olla on ovat paljon sekä se sen siellä siinä sillä sitä siis sitten tai tässä tämä tämän te tulee tällä vaan vai vaikka vain voi voidaan voit vielä",
  ),
  hu: words(
    "a abban ahhoz aki akik ami amely amelyek amit annak arra az azok azonban azt be csak de e egy egyes egyik ehhez ekkor el ennek erre és ez ezek ezért ezt fel ha hanem hogy igen így ill is kell ki lehet legyen lesz majd már meg mely mert mi milyen mind mint minden most nagyon ne nekik nem nincs olyan ott össze s saját se sem sok számára szerint tehát több úgy után vagy van vannak vissza volt voltak",
  ),
  ro: words(
    "a acest această acestea aceste acestui acolo adică ai al ale am an ar are asupra au această ca că care către ce cea cei cel cele chiar cu cum da dacă dar de deci despre din dintre doar după ea ei el ele este eu fi fie fiecare fost în între îi își la le li lor lui mai mult ne nici noi nu o ori pe pentru poate prin sa să sale sau se si și sunt suntem său te toate toți tot trebuie un unde unei unor unui va",
  ),
  tr: words(
    "acaba ama ancak artık aslında az bana bazı belki ben bile bir biri birkaç biz bu bunlar bunu bunun çok çünkü da daha de değil diğer diye dolayı en fakat gibi göre hem hep her herhangi hiç için ile ilgili ise kadar karşı kendi kendisi ki kim mi mı mu mü nasıl ne neden nerede o olan olarak oldu olduğu olduğunu olmak olması olur on ona onlar onu onun sadece sen siz son sonra şey şu tarafından tüm üzere var ve veya ya yani yapılan yer yine yok zaten",
  ),
  id: words(
    "ada adalah agar akan anda antara apa atau bagi bahwa banyak beberapa belum bisa bukan dalam dan dapat dari dengan di dia harus hanya hal ia ini itu jika juga kami karena ke kepada kita lagi lain lebih maka masih mereka mungkin namun oleh pada para perlu saat saja salah sama sampai sangat satu saya sebagai sebelum sebuah secara sedang sehingga selama semua seperti serta setelah setiap suatu sudah tanpa telah tersebut tetapi tidak untuk yaitu yang",
  ),
  vi: words(
    "bạn bị bởi các cái cả cần chỉ chiếc cho chúng có cũng của cùng cứ do đã đang đây để đến đó được gì hay hơn họ không khi khác lại là làm lên loại mà mình mỗi một này nên nếu như những nhưng nhiều nào phải qua ra rằng rất sau sẽ sự số ta tại theo thì thể tôi trên trong trước từ tự và vào vẫn vì với về vừa ví dụ đi đều điều ở",
  ),
  ca: words(
    "a al als amb aquest aquesta aquests així això cada com dels del de des el ella ells els en entre era és està estan et fer fins ha hi ho i ja l la les li llur lo més molt ni no nosaltres o on pel pels per però perquè poden pot quan que qual quals què qui s se segons sense ser seu seva seus si sobre són sota també te tot tots un una unes uns vostre",
  ),
  hr: words(
    "ako ali bez bi bila bilo bio biti će da dok do drugi ga gdje i ih ili im ima iz između je jedan jer još ju kad kada kako kao kod koja koje koji kojih kroz li mi mnogo može možete mu na nad nakon ne nego neki nije no o od on ona oni osim ova ovaj ove ovo po pod pri prije s sa samo se sve svi svoje ta tada taj te to toga u uz vam vaš već više za zbog što",
  ),
  ru: words(
    "а без более бы был была были было быть в вам вас весь во вот все всё вы где да даже для до его ее её если есть еще ещё же за здесь и из или им их к как когда которая которое которые который ко кто ли либо между меня может мы на над не него нет ни них но о об один он она они от очень по под при с со так также такой там то того тоже только том ты у уже чего чем что чтобы эта эти это этого этом этот я",
  ),
  uk: words(
    "а або адже але б без би більше був була були було бути в вам вас ви від він вона вони все всі де для до є за з зі із і й його її їх коли котрий ми може можна на над не неї немає ні них об один о от по про при свої себе се та так також такий там те ти тільки то того тому у хто це цей цього ця ці чи що щоб як яка яке який які якщо",
  ),
  bg: words(
    "а ако ала без беше би бъде в ваш вас вече ви все във върху г ги го да дали до докато е един една едно за защото и из или им има искам й как като какво когато което които който към ли м ме между може можете му на над най не него нея ни ние но няма о от отколкото по под поради после при с са само се си след сме със т така тези този това той тя у че ще я",
  ),
  ar: words(
    "أن أو أي أيضا إذا إلا إلى إن التي الذي الذين الى ان او بعد بعض بين تكون ثم حتى حول حيث خلال ذلك سوف على عليه عليها عن عند عندما غير فقط في فيه فيها قبل قد كان كانت كل كما كيف لا لأن لكن لم لن له لها ليس ما مثل مع من منذ منها منه نحن هذا هذه هنا هناك هو هي هم و وقد ولا ولكن وهذا وهو وهي يكون يمكن يتم يجب",
  ),
  fa: words(
    "آن آنها اگر اما این با باید بر برای بسیار به بود بودن بی پس تا تر ترین چه چون چگونه حتی خود خواهد در دارد دارند داشت دو دیگر را روی زیر سپس شد شده شما شود کرد کردن کرده کند کنند کنید که ما مانند مورد می نمی نیز نیست هر هم همان همه همین هنوز و وقتی ها های هستند است یا یک یکی",
  ),
  he: words(
    "אבל או אותו אחד אחרי אין איך אל אלא אם אנו אני אשר את אתה בין גם הוא היא היה היו הם הזה הזאת זה זו זאת יותר יש כאשר כדי כי כל כמו כך לא לאחר לו לי מאוד מה מי מן ניתן על עם עד עוד פי רק של שלא שלו שלה תוך",
  ),
  hi: words(
    "अपना अपनी अपने अब आप इन इस इसका इसके इसी उन उनके उस उसके एक ऐसे और क कई कर करता करते करना करने कहा का कि किया किसी की कुछ के को कोई क्या गए गया जब जा जाता जाती जाते जिस जो तक तथा तरह तो था थी थे द दिया दो द्वारा न नहीं ने पर फिर बहुत बाद भी में मैं यदि यह यहाँ या ये रहा रहे लिए लेकिन व वह वाले वे सकता सकते सब साथ से हम ही हुआ हुए है हैं हो होता होती होने",
  ),
  el: words(
    "αλλά αν από αυτά αυτές αυτή αυτό αυτός για δε δεν εάν είναι εκεί ένα έναν ένας επίσης έχει έχουν η ή θα και κάθε κάποιο κατά με μετά μη μια μπορεί μπορείτε μόνο να ο οι όμως όπως όταν ότι ου παρά πιο ποιος πολύ που προς πριν πως σας σε στα στη στην στις στο στον στους τα την της τι τις το τον του τους των ως ώστε",
  ),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
