/** A text and the sentences that it has; without a text, the sentences with a space between them. */
export interface GoldenRule {
  readonly rule: string;
  readonly language: string;
  readonly sentences: readonly string[];
  readonly text?: string;
}

/** Rules that our sentences do not follow, and why not. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  "en 18": "whether a name goes on after 6 P.M. can't be told without knowing what it means",
  "en 31": "items within a line are no sentences of their own",
  "en 33": "items within a line are no sentences of their own",
  "en 34": "the number of an item stands outside of its sentence",
  "en 35": "items within a line are no sentences of their own",
  "en 36": "the number of an item stands outside of its sentence",
  "en 39": "items within a line are no sentences of their own",
  "en 42": "lines in small letters are taken for one wrapped line far more often than for a list",
  "en 47": "a reference in brackets after a quotation without a stop is rare outside of essays",
  "en 50": "dots before a capital letter end a sentence",
  "en 51": "dots stay with the sentence before them",
  "en 52": "a capital letter after a stop without a space is more often a file or a class than a sentence",
  "ar 1": "a colon ends no sentence",
  "el 1": "a sentence begins with a capital letter",
  "nl 2": "a sentence begins with a capital letter",
};

/**
 * The Golden Rules of sentence segmentation as published with Pragmatic Segmenter (README of
 * github.com/diasks2/pragmatic_segmenter at 018ef34e5dbfc6442ab726679948ba651b6fa477, MIT, Kevin S. Dias), by their
 * languages and numbers there. Rules 37 and 38 of English, which are about the signs of two kinds of bullets within a
 * line, and those of Armenian, Burmese, Amharic and Urdu are left out.
 */
export const GOLDEN_RULES: readonly GoldenRule[] = [
  ...rules("en", [
    [1, ["Hello World.", "My name is Jonas."]],
    [2, ["What is your name?", "My name is Jonas."]],
    [3, ["There it is!", "I found it."]],
    [4, ["My name is Jonas E. Smith."]],
    [5, ["Please turn to p. 55."]],
    [6, ["Were Jane and co. at the party?"]],
    [7, ["They closed the deal with Pitt, Briggs & Co. at noon."]],
    [8, ["Let's ask Jane and co.", "They should know."]],
    [9, ["They closed the deal with Pitt, Briggs & Co.", "It closed yesterday."]],
    [10, ["I can see Mt. Fuji from here."]],
    [11, ["St. Michael's Church is on 5th st. near the light."]],
    [12, ["That is JFK Jr.'s book."]],
    [13, ["I visited the U.S.A. last year."]],
    [14, ["I live in the E.U.", "How about you?"]],
    [15, ["I live in the U.S.", "How about you?"]],
    [16, ["I work for the U.S. Government in Virginia."]],
    [17, ["I have lived in the U.S. for 20 years."]],
    [18, ["At 5 a.m. Mr. Smith went to the bank.", "He left the bank at 6 P.M.", "Mr. Smith then went to the store."]],
    [19, ["She has $100.00 in her bag."]],
    [20, ["She has $100.00.", "It is in her bag."]],
    [21, ["He teaches science (He previously worked for 5 years as an engineer.) at the local University."]],
    [22, ["Her email is Jane.Doe@example.com.", "I sent her an email."]],
    [23, ["The site is: https://www.example.50.com/new-site/awesome_content.html.", "Please check it out."]],
    [24, ["She turned to him, 'This is great.' she said."]],
    [25, ['She turned to him, "This is great." she said.']],
    [26, ['She turned to him, "This is great."', "She held the book out to show him."]],
    [27, ["Hello!!", "Long time no see."]],
    [28, ["Hello??", "Who is there?"]],
    [29, ["Hello!?", "Is that you?"]],
    [30, ["Hello?!", "Is that you?"]],
    [31, ["1.) The first item", "2.) The second item"]],
    [32, ["1.) The first item.", "2.) The second item."]],
    [33, ["1) The first item", "2) The second item"]],
    [34, ["1) The first item.", "2) The second item."]],
    [35, ["1. The first item", "2. The second item"]],
    [36, ["1. The first item.", "2. The second item."]],
    [39, ["a. The first item", "b. The second item", "c. The third list item"]],
    [40, ["This is a sentence\ncut off in the middle because pdf."]],
    [41, ["It was a cold \nnight in the city."]],
    [42, ["features", "contact manager", "events, activities"], "features\ncontact manager\nevents, activities\n"],
    [43, ["You can find it at N°. 1026.253.553.", "That is where the treasure is."]],
    [44, ["She works at Yahoo! in the accounting department."]],
    [45, ["We make a good team, you and I.", "Did you see Albert I. Jones yesterday?"]],
    [46, ["Thoreau argues that by simplifying one’s life, “the laws of the universe will appear less complex. . . .”"]],
    [47, ['"Bohr [...] used the analogy of parallel stairways [...]" (Smith 55).']],
    [
      48,
      [
        "If words are left off at the end of a sentence, and that is all that is omitted, indicate the omission with ellipsis marks (preceded and followed by a space) and then indicate the end of the sentence with a period . . . .",
        "Next sentence.",
      ],
    ],
    [49, ["I never meant that....", "She left the store."]],
    [50, ["I wasn’t really ... well, what I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it."]],
    [
      51,
      [
        "One further habit which was somewhat weakened . . . was that of combining words into self-interpreting compounds.",
        ". . . The practice was not abandoned. . . .",
      ],
    ],
    [
      52,
      ["Hello world.", "Today is Tuesday.", "Mr. Smith went to the store and bought 1,000.", "That is a lot."],
      "Hello world.Today is Tuesday.Mr. Smith went to the store and bought 1,000.That is a lot.",
    ],
  ]),
  ...rules("de", [
    [
      1,
      [
        "„Ich habe heute keine Zeit“, sagte die Frau und flüsterte leise: „Und auch keine Lust.“",
        "Wir haben 1.000.000 Euro.",
      ],
    ],
    [
      2,
      [
        "Es gibt jedoch einige Vorsichtsmaßnahmen, die Du ergreifen kannst, z. B. ist es sehr empfehlenswert, dass Du Dein Zuhause von allem Junkfood befreist.",
      ],
    ],
    [3, ["Was sind die Konsequenzen der Abstimmung vom 12. Juni?"]],
  ]),
  ...rules("ja", [
    [1, ["これはペンです。", "それはマーカーです。"], "これはペンです。それはマーカーです。"],
    [2, ["それは何ですか？", "ペンですか？"], "それは何ですか？ペンですか？"],
    [3, ["良かったね！", "すごい！"], "良かったね！すごい！"],
    [
      4,
      [
        "自民党税制調査会の幹部は、「引き下げ幅は３．２９％以上を目指すことになる」と指摘していて、今後、公明党と合意したうえで、３０日に決定する与党税制改正大綱に盛り込むことにしています。",
      ],
    ],
    [5, ["これは父の\n家です。"]],
  ]),
  ...rules("ar", [
    [
      1,
      [
        "سؤال وجواب:",
        "ماذا حدث بعد الانتخابات الايرانية؟",
        "طرح الكثير من التساؤلات غداة ظهور نتائج الانتخابات الرئاسية الايرانية التي أججت مظاهرات واسعة واعمال عنف بين المحتجين على النتائج ورجال الامن.",
        "يقول معارضو الرئيس الإيراني إن الطريقة التي اعلنت بها النتائج كانت مثيرة للاستغراب.",
      ],
    ],
    [
      2,
      [
        "وقال د. ديفيد ريدي و الأطباء الذين كانوا يعالجونها في مستشفى برمنجهام إنها كانت تعاني من أمراض أخرى.",
        "وليس معروفا ما اذا كانت قد توفيت بسبب اصابتها بأنفلونزا الخنازير.",
      ],
    ],
    [
      3,
      [
        "ومن المنتظر أن يكتمل مشروع خط أنابيب نابوكو البالغ طوله 3300 كليومترا في 12/08/2014 بتكلفة تُقدر بـ 7.9 مليارات يورو أي نحو 10.9 مليارات دولار.",
        "ومن المقرر أن تصل طاقة ضخ الغاز في المشروع 31 مليار متر مكعب انطلاقا من بحر قزوين مرورا بالنمسا وتركيا ودول البلقان دون المرور على الأراضي الروسية.",
      ],
    ],
  ]),
  ...rules("it", [
    [1, ["Salve Sig.ra Mengoni!", "Come sta oggi?"]],
    [2, ["Una lettera si può iniziare in questo modo «Il/la sottoscritto/a.»."]],
    [3, ["La casa costa 170.500.000,00€!"]],
  ]),
  ...rules("ru", [
    [1, ["Объем составляет 5 куб.м."]],
    [2, ["Маленькая девочка бежала и кричала: «Не видали маму?»."]],
    [3, ["Сегодня 27.10.14"]],
  ]),
  ...rules("es", [
    [1, ["¿Cómo está hoy?", "Espero que muy bien."]],
    [2, ["¡Hola señorita!", "Espero que muy bien."]],
    [3, ["Hola Srta. Ledesma.", "Buenos días, soy el Lic. Naser Pastoriza, y él es mi padre, el Dr. Naser."]],
    [
      4,
      ["¡La casa cuesta $170.500.000,00!", "¡Muy costosa!", "Se prevé una disminución del 12.5% para el próximo año."],
    ],
    [5, ["«Ninguna mente extraordinaria está exenta de un toque de demencia.», dijo Aristóteles."]],
  ]),
  ...rules("el", [
    [
      1,
      [
        "Με συγχωρείτε· πού είναι οι τουαλέτες;",
        "Τις Κυριακές δε δούλευε κανένας.",
        "το κόστος του σπιτιού ήταν £260.950,00.",
      ],
    ],
  ]),
  ...rules("hi", [
    [
      1,
      [
        "सच्चाई यह है कि इसे कोई नहीं जानता।",
        "हो सकता है यह फ़्रेन्को के खिलाफ़ कोई विद्रोह रहा हो, या फिर बेकाबू हो गया कोई आनंदोत्सव।",
      ],
    ],
  ]),
  ...rules("fa", [[1, ["خوشبختم، آقای رضا.", "شما کجایی هستید؟", "من از تهران هستم."]]]),
  ...rules("nl", [
    [
      1,
      [
        "Hij schoot op de JP8-brandstof toen de Surface-to-Air (sam)-missiles op hem af kwamen.",
        "81 procent van de schoten was raak.",
      ],
    ],
    [2, ["81 procent van de schoten was raak.", "...en toen barste de hel los."]],
  ]),
];

function rules(language: string, rows: readonly (readonly [number, readonly string[], string?])[]): GoldenRule[] {
  return rows.map(([number, sentences, text]) => ({
    rule: `${language} ${number}`,
    language,
    sentences,
    ...(text === undefined ? {} : { text }),
  }));
}
