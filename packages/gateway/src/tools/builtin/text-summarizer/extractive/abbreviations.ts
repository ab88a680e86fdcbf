/** Words before a full stop that ends no sentence, lower case and without that stop. */
interface Abbreviations {
  /** Something always follows: a name, a number, an example. */
  readonly before: ReadonlySet<string>;
  /** The same, where a number follows. */
  readonly beforeNumber: ReadonlySet<string>;
  /** May also be the last word of a sentence; what comes next decides. */
  readonly anywhere: ReadonlySet<string>;
}

/** Of any language; some are words of their own too. */
const BEFORE_NUMBER: ReadonlySet<string> = new Set(
  "n° nº no nr núm fig eq sec vol art p pp pg pág pag page ch chap cap kap pt bd abs abb tab s § č čís str стр рис табл гл п".split(
    " ",
  ),
);

const COMMON: Abbreviations = list(
  "e.g i.e cf vs vgl bzw ca figs eqs dr mr mrs ms prof st gen sen rep gov capt lt col sgt rev hon mt al",
  "etc jr sr inc ltd co corp p.m a.m u.s u.k u.s.a u.n e.u d.c ph.d b.c a.d",
);

const BY_LANGUAGE: Readonly<Record<string, Abbreviations>> = {
  en: list(
    "nos vols pp ed eds approx dept est jan feb mar apr jun jul aug sep sept oct nov dec viz messrs mmes adm brig cmdr cpl maj pvt supt rt ave blvd rd resp incl excl ref refs def thm lem prop cor",
    "bros assn univ min max",
  ),
  de: list(
    "z.b z b d.h d h u.a u a i.d.r i.a s.o s.u o.ä evtl ggf inkl exkl bspw sog max min abb abs aufl ausg bd bes betr dipl ing einschl engl frz griech lat geb gest hrsg jh kap nr mio mrd mind s str tel u v verf vgl zit zzgl allg usf hl nachm vorm jan feb mär apr jun jul aug sept okt nov dez std tab",
    "usw etc v.chr n.chr uvm u.v.m gmbh",
  ),
  fr: list(
    "m mm mme mmes mlle mlles me mgr p pp ex env éd fig no n°  cf c.-à-d av apr tél vol chap art janv févr avr juill sept oct nov déc",
    "etc",
  ),
  es: list(
    "sr sra srta sres dr dra d dña ud uds p.ej p ej pág págs núm art cap fig vol aprox admón av avda c ed gral lic ing prof tel máx mín",
    "etc ee.uu a.c d.c s.a",
  ),
  pt: list(
    "sr sra dr dra prof profa exmo exma p.ex ex pág págs núm art cap fig vol aprox av ed eng tel máx mín séc",
    "etc s.a ltda",
  ),
  it: list(
    "sig sig.ra sigg dott dott.ssa prof ing avv arch on es p.es pag pagg num art cap fig vol ecc.mo cfr ca tel min max sec",
    "ecc etc s.p.a s.r.l",
  ),
  nl: list(
    "dhr mevr mw ir ing bijv d.w.z o.a m.b.t t.o.v i.p.v m.a.w z.g.n zgn blz nr art hfst fig ca max min incl excl resp evt",
    "enz etc b.v n.v a.u.b",
  ),
  pl: list(
    "np tzn tzw tj m.in ul dr hab inż mgr prof pl al godz ok str rys tab zob por wg ww św płk gen nr red rozdz sp wyd jw ang łac",
    "itd itp etc r w",
  ),
  cs: list("např tj tzv tzn resp mj č čís str obr tab ing mgr dr doc prof sv ul kap viz popř apod sp", "atd aj apod"),
  sv: list("t.ex bl.a d.v.s s.k dvs ca kl nr s kap jfr resp ev inkl exkl max min", "osv m.m etc"),
  da: list("f.eks bl.a dvs d.v.s s.k ca kl nr kap jf hhv evt inkl ekskl pga ifm ang", "osv mm m.m etc"),
  no: list("f.eks bl.a dvs d.v.s s.k ca kl nr kap jf hhv evt inkl ekskl pga ang", "osv mm m.m etc"),
  fi: list("esim ks mm ns nk n vrt ym tms", "jne yms"),
  hu: list("pl ill dr ún stb kb vö ld sz prof özv ifj id", "stb"),
  ro: list("dl dna d-na d-l dr prof ing nr pag art cap fig ex cca str", "etc ș.a"),
  tr: list("dr prof doç yrd öğr gör örn vb vs bkz sn av yy st no cad sok mah apt tel", "vb vs vd"),
  ru: list(
    "т.е т.к т.н т.о см ср им г гг в вв н.э проф акад доц ул д кв корп стр рис табл гл п пп с напр руб коп тыс млн млрд св о оз р др ред изд",
    "т.д т.п др пр",
  ),
  uk: list(
    "т.зв тзв див напр ім м р рр ст вул буд кв корп стор рис табл гл п проф акад доц тис млн млрд с",
    "т.д т.п ін",
  ),
  bg: list("т.е т.нар напр вж срв г гг проф д-р доц ул бул стр фиг табл гл чл ал с", "т.н др"),
  ar: list("د أ م ص", "الخ"),
  el: list("π.χ κ κ.κ βλ σελ αρ λ.χ δηλ κεφ τ.μ", "κ.λπ κλπ κ.ά κ.ο.κ"),
};

/** What is shortened in a language, with what all share. */
export function abbreviationsOf(language: string | null): Abbreviations {
  const own = BY_LANGUAGE[language?.split("-")[0] ?? "en"];
  if (own === undefined) return COMMON;
  return {
    before: new Set([...COMMON.before, ...own.before].filter((word) => !own.anywhere.has(word))),
    beforeNumber: BEFORE_NUMBER,
    anywhere: new Set([...COMMON.anywhere, ...own.anywhere]),
  };
}

function list(before: string, anywhere: string): Abbreviations {
  return { before: new Set(before.split(/ +/)), beforeNumber: BEFORE_NUMBER, anywhere: new Set(anywhere.split(/ +/)) };
}
