import { expect, it } from "vitest";
import { detectLanguage } from "../../src/language/detect-language.ts";

/** Of article 1 of the Universal Declaration of Human Rights, in the translations that the United Nations publish. */
const ARTICLE_1: readonly (readonly [string, string])[] = [
  [
    "en",
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience.",
  ],
  ["de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt."],
  ["fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison."],
  [
    "es",
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia.",
  ],
  [
    "pt",
    "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência.",
  ],
  [
    "it",
    "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza.",
  ],
  [
    "nl",
    "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten.",
  ],
  ["pl", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem."],
  ["sv", "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete."],
  ["da", "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed."],
  ["no", "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft."],
  ["ca", "Tots els éssers humans neixen lliures i iguals en dignitat i en drets. Són dotats de raó i de consciència."],
  ["ru", "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью."],
  ["uk", "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю."],
  [
    "ar",
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
  ],
  ["zh", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"],
  ["ja", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"],
  ["ko", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."],
  ["hi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।"],
  ["el", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."],
];

it.each(ARTICLE_1)("knows %s by one sentence", (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});

it.each([
  ["nothing", ""],
  ["numbers", "12 34 56 78 90 12 34 56 78"],
  ["words of no language that it knows", "brzq flurm tovik glarn sevot prindu malko vestri"],
  ["a word", "hi"],
])("says of %s that it is not clear", (_name, text) => {
  expect(detectLanguage(text)).toBeNull();
});

it("goes by most of a long text, not by its licence", () => {
  const [, english = ""] = ARTICLE_1[0] ?? [];
  const [, german = ""] = ARTICLE_1[1] ?? [];
  expect(detectLanguage(`${english.repeat(20)}\n\n${`${german} `.repeat(1_000)}`)).toBe("de");
});
