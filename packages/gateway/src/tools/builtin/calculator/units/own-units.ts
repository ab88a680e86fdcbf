import { NATIONAL_UNITS } from "./national-units.ts";

/**
 * Units that the library has not, or not exactly: names, how many, and of what. Symbols with `prefixes` take those of
 * the SI. Figures are the defining ones of NIST SP 811 (2008) appendix B and CODATA 2022; units after them are rounded
 * by nobody.
 */
export interface OwnUnit {
  /** In their case; several names for one unit. */
  readonly names: readonly string[];
  /** A decimal literal, or two with a stroke between. */
  readonly amount: string;
  /** An expression of other units. */
  readonly of: string;
  readonly hasPrefixes?: boolean;
  /** The figure is a measurement: nothing that is calculated with it is exact. */
  readonly isMeasured?: boolean;
  readonly note?: string;
}

export const OWN_UNITS: readonly OwnUnit[] = [
  ...NATIONAL_UNITS,
  // Angles are whole parts of a turn; the radian is not.
  { names: ["°", "deg", "degs", "degree", "degrees"], amount: "1/360", of: "turn" },
  { names: ["arcmin", "arcmins", "arcminute", "arcminutes"], amount: "1/21600", of: "turn" },
  { names: ["arcsec", "arcsecs", "arcsecond", "arcseconds"], amount: "1/1296000", of: "turn" },
  { names: ["gon", "grad", "gradian", "gradians"], amount: "1/400", of: "turn" },
  { names: ["turn", "turns", "rev", "revolution", "revolutions"], amount: "1", of: "base turn" },
  { names: ["rpm"], amount: "1", of: "turn/min" },
  { names: ["′"], amount: "1", of: "ft" },
  { names: ["″"], amount: "1", of: "in" },
  // Speed
  { names: ["mph"], amount: "1", of: "mi/h" },
  { names: ["kph", "kmh", "kmph"], amount: "1", of: "km/h" },
  { names: ["kn", "kt", "kts", "knot", "knots"], amount: "1", of: "nmi/h" },
  { names: ["fps"], amount: "1", of: "ft/s" },
  // Length
  { names: ["au", "AU", "astronomical unit", "astronomical units"], amount: "149597870700", of: "m" },
  { names: ["Å", "angstrom", "angstroms"], amount: "1e-10", of: "m" },
  { names: ["micron", "microns", "um"], amount: "1e-6", of: "m" },
  { names: ["light year", "light years", "lightyear", "lightyears"], amount: "1", of: "ly" },
  { names: ["furlong", "furlongs"], amount: "220", of: "yd" },
  { names: ["chain", "chains"], amount: "22", of: "yd" },
  { names: ["rod", "rods"], amount: "5.5", of: "yd" },
  { names: ["fathom", "fathoms"], amount: "2", of: "yd" },
  { names: ["league", "leagues"], amount: "3", of: "mi" },
  { names: ["mil", "mils", "thou"], amount: "0.001", of: "in" },
  { names: ["pica", "picas"], amount: "1/6", of: "in" },
  { names: ["point", "points"], amount: "1/72", of: "in" },
  { names: ["US survey foot", "US survey feet", "U.S. survey foot", "U.S. survey feet"], amount: "1200/3937", of: "m" },
  // Area and volume
  { names: ["sqft"], amount: "1", of: "ft2" },
  { names: ["sqm"], amount: "1", of: "m2" },
  { names: ["cc"], amount: "1", of: "cm3" },
  { names: ["mi3", "mi³", "cu mi", "cubic mile", "cubic miles"], amount: "4168181825.440579584", of: "m3" },
  { names: ["oil barrel", "oil barrels", "oil bbl"], amount: "42", of: "US gallon" },
  {
    names: ["bbl", "barrel", "barrels"],
    amount: "42",
    of: "US gallon",
    note: "barrel is that of oil, 42 US gallons",
  },
  { names: ["US dry barrel", "US dry barrels", "US dry bbl"], amount: "7056", of: "in3" },
  { names: ["board foot", "board feet"], amount: "144", of: "in3" },
  { names: ["measurement ton", "measurement tons", "MTON"], amount: "40", of: "ft3" },
  { names: ["metric cup", "metric cups"], amount: "250", of: "mL" },
  { names: ["metric tbsp", "metric tablespoon", "metric tablespoons"], amount: "15", of: "mL" },
  { names: ["metric tsp", "metric teaspoon", "metric teaspoons"], amount: "5", of: "mL" },
  // Mass
  { names: ["short ton", "short tons"], amount: "2000", of: "lb" },
  { names: ["long ton", "long tons", "displacement ton", "displacement tons"], amount: "2240", of: "lb" },
  { names: ["metric ton", "metric tons"], amount: "1000", of: "kg" },
  { names: ["short hundredweight", "short hundredweights", "short cwt", "cental"], amount: "100", of: "lb" },
  { names: ["long hundredweight", "long hundredweights", "long cwt"], amount: "112", of: "lb" },
  { names: ["ct", "carat", "carats"], amount: "0.2", of: "g" },
  { names: ["slug", "slugs"], amount: "9.80665/0.3048", of: "lb" },
  {
    names: ["Da", "dalton", "daltons", "amu"],
    amount: "1.66053906892e-27",
    of: "kg",
    hasPrefixes: true,
    isMeasured: true,
  },
  // Force, pressure
  { names: ["lbf", "pound-force", "pounds-force", "pound of force"], amount: "9.80665", of: "lb m/s2" },
  { names: ["kip", "kips", "klb", "kipf", "klbf"], amount: "1000", of: "lbf" },
  { names: ["pdl", "poundal", "poundals"], amount: "1", of: "lb ft/s2" },
  {
    names: ["psi", "lbf/in2", "lbf/in²", "pound per square inch", "pounds per square inch"],
    amount: "1",
    of: "lbf/(in in)",
  },
  { names: ["ksi"], amount: "1000", of: "psi" },
  { names: ["mmHg"], amount: "133.322387415", of: "Pa" },
  { names: ["inHg", "Hg", "inch of mercury", "inches of mercury"], amount: "25.4", of: "mmHg" },
  { names: ["Torr", "torr", "torrs"], amount: "101325/760", of: "Pa" },
  { names: ["cmH2O"], amount: "98.0665", of: "Pa" },
  { names: ["inH2O", "inAq", "Aq", "inch of water", "inches of water"], amount: "249.08891", of: "Pa" },
  // Energy, power
  { names: ["cal"], amount: "4.184", of: "J", hasPrefixes: true, note: "cal is the thermochemical calorie, 4.184 J" },
  { names: ["calorie", "calories"], amount: "4.184", of: "J", note: "calorie is 4.184 J; on food it means kcal" },
  { names: ["kilocalorie", "kilocalories", "Cal"], amount: "4184", of: "J" },
  { names: ["BTU", "Btu", "BTUs"], amount: "1055.05585262", of: "J" },
  { names: ["therm", "therms"], amount: "100000", of: "BTU", note: "therm is 100 000 BTU" },
  { names: ["eV", "electronvolt", "electronvolts"], amount: "1.602176634e-19", of: "J", hasPrefixes: true },
  { names: ["erg", "ergs"], amount: "1e-7", of: "J" },
  {
    names: ["hp", "horsepower", "mechanical horsepower"],
    amount: "550",
    of: "ft lbf/s",
    note: "hp is the mechanical horsepower; PS the metric",
  },
  { names: ["PS", "metric horsepower"], amount: "75", of: "kgf m/s" },
  // Electricity and the rest of the SI
  { names: ["A", "ampere", "amperes", "amp", "amps"], amount: "1", of: "base A", hasPrefixes: true },
  { names: ["mol", "mole", "moles"], amount: "1", of: "base mol", hasPrefixes: true },
  { names: ["lm", "lumen", "lumens"], amount: "1", of: "lx m2", hasPrefixes: true },
  {
    names: ["fc", "ft-c", "footcandle", "footcandles", "foot-candle", "foot-candles", "foot candle", "foot candles"],
    amount: "1",
    of: "lm/ft2",
  },
  { names: ["HK", "hefnerkerze"], amount: "0.92", of: "cd", isMeasured: true },
  { names: ["V", "volt", "volts"], amount: "1", of: "W/A", hasPrefixes: true },
  { names: ["Ω", "Ω", "ohm", "ohms", "Ohm"], amount: "1", of: "V/A", hasPrefixes: true },
  { names: ["coulomb", "coulombs"], amount: "1", of: "A s", hasPrefixes: true },
  { names: ["farad", "farads"], amount: "1", of: "A s/V", hasPrefixes: true },
  { names: ["siemens"], amount: "1", of: "A/V", hasPrefixes: true },
  { names: ["H", "henry", "henries"], amount: "1", of: "V s/A", hasPrefixes: true },
  { names: ["Wb", "weber", "webers"], amount: "1", of: "V s", hasPrefixes: true },
  { names: ["T", "tesla", "teslas"], amount: "1", of: "Wb/(m m)", hasPrefixes: true },
  { names: ["gauss"], amount: "1e-4", of: "T" },
  { names: ["Ah"], amount: "1", of: "A h", hasPrefixes: true },
  { names: ["VA"], amount: "1", of: "W", hasPrefixes: true },
  { names: ["Bq", "becquerel", "becquerels"], amount: "1", of: "Hz", hasPrefixes: true },
  { names: ["Gy", "gray", "Sv", "sievert", "sieverts"], amount: "1", of: "J/kg", hasPrefixes: true },
  // Data
  { names: ["bps"], amount: "1", of: "bit/s", hasPrefixes: true },
  { names: ["Kbps"], amount: "1000", of: "bit/s" },
  { names: ["Bps"], amount: "1", of: "B/s", hasPrefixes: true },
  { names: ["kbit", "Kbit"], amount: "1000", of: "bit" },
  { names: ["Mbit"], amount: "1e6", of: "bit" },
  { names: ["Gbit"], amount: "1e9", of: "bit" },
  { names: ["Tbit"], amount: "1e12", of: "bit" },
  { names: ["kibit", "Kibit"], amount: "1024", of: "bit" },
  { names: ["Mibit"], amount: "1048576", of: "bit" },
  { names: ["Gibit"], amount: "1073741824", of: "bit" },
  // Time
  { names: ["hr", "hrs"], amount: "1", of: "h" },
  { names: ["sec", "secs"], amount: "1", of: "s" },
  { names: ["mins"], amount: "1", of: "min" },
  { names: ["us", "usec"], amount: "1e-6", of: "s" },
  { names: ["bpm"], amount: "1", of: "min^-1" },
  { names: ["msec"], amount: "1e-3", of: "s" },
  {
    names: ["month", "months", "mo"],
    amount: "1/12",
    of: "year",
    note: "a year counts 365 days and a month a twelfth of that; the datetime tool knows the calendar",
  },
];

/** Temperature scales: what is added to a value, and the size of a degree in kelvins. */
export const TEMPERATURES: readonly { names: readonly string[]; offset: string; amount: string }[] = [
  { names: ["K", "kelvin", "kelvins", "degK"], offset: "0", amount: "1" },
  {
    names: ["C", "°C", "℃", "celsius", "Celsius", "degC", "deg C", "degrees C", "degree Celsius", "degrees Celsius"],
    offset: "273.15",
    amount: "1",
  },
  {
    names: [
      ...["F", "°F", "℉", "fahrenheit", "Fahrenheit", "degF", "deg F", "degrees F"],
      ...["degree Fahrenheit", "degrees Fahrenheit"],
    ],
    offset: "459.67",
    amount: "5/9",
  },
  { names: ["°R", "degR", "rankine", "Rankine"], offset: "0", amount: "5/9" },
];

/** Names that people mean different things by: what to write instead. */
export const AMBIGUOUS_NAMES: ReadonlyMap<string, string> = new Map([
  ["ton", "tonne (1000 kg), short ton (US) or long ton (UK)"],
  ["tons", "tonne (1000 kg), short ton (US) or long ton (UK)"],
  ["mb", "MB for megabytes or Mbit for megabits"],
  ["gb", "GB for gigabytes or Gbit for gigabits"],
  ["tb", "TB for terabytes or Tbit for terabits"],
  ["kb", "kB for kilobytes or kbit for kilobits"],
  ["Kb", "kB for kilobytes or kbit for kilobits"],
  ["M", "m for metres, min for minutes, nmi for nautical miles or mol/L"],
  ["S", "s for seconds or siemens"],
  ["c", "cup, C for degrees Celsius or m/s for the speed of light"],
  ["p", "pt for pints or Pa"],
  ["R", "rankine or rad"],
  ["cwt", "short cwt (US, 100 lb) or long cwt (UK, 112 lb)"],
  ["hundredweight", "short hundredweight (US, 100 lb) or long hundredweight (UK, 112 lb)"],
  ["hundredweights", "short hundredweight (US, 100 lb) or long hundredweight (UK, 112 lb)"],
  ["bu", "US bushel or imp bushel"],
  ["bushel", "US bushel or imp bushel"],
  ["bushels", "US bushel or imp bushel"],
  ["pk", "US peck or imp peck"],
  ["peck", "US peck or imp peck"],
  ["pecks", "US peck or imp peck"],
  ["US", "µs for microseconds, or the unit behind it as in US gal, US fl oz, US cwt"],
  ["r", "rad"],
]);

/** The prefixes of the SI by symbol: powers of ten. */
export const SI_PREFIXES: ReadonlyMap<string, number> = new Map([
  ["T", 12],
  ["G", 9],
  ["M", 6],
  ["k", 3],
  ["d", -1],
  ["c", -2],
  ["m", -3],
  ["µ", -6],
  ["μ", -6],
  ["u", -6],
  ["n", -9],
  ["p", -12],
  ["f", -15],
  ["tera", 12],
  ["giga", 9],
  ["mega", 6],
  ["kilo", 3],
  ["milli", -3],
  ["micro", -6],
  ["nano", -9],
  ["pico", -12],
]);
