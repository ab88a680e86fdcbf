import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calculate } from "../../src/calculator/calculate.ts";

describe("factors of NIST SP 811 (2008), appendix B.8, of seven digits:", () => {
  it.each<[string, string, number]>([
    ["atm", "Pa", 1.01325e5],
    ["bar", "Pa", 1e5],
    ["psi", "Pa", 6.894757e3],
    ["Torr", "Pa", 1.333224e2],
    ["mmHg", "Pa", 1.333224e2],
    ["inHg", "Pa", 3.386389e3],
    ["inH2O", "Pa", 2.490889e2],
    ["lbf", "N", 4.448222],
    ["kgf", "N", 9.80665],
    ["dyn", "N", 1e-5],
    ["pdl", "N", 1.38255e-1],
    ["BTU", "J", 1.055056e3],
    ["cal", "J", 4.184],
    ["erg", "J", 1e-7],
    ["kWh", "J", 3.6e6],
    ["ft lbf", "J", 1.355818],
    ["hp", "W", 7.456999e2],
    ["PS", "W", 7.354988e2],
    ["BTU/(h ft2 °F)", "W/(m2 K)", 5.678263],
    ["ft", "m", 3.048e-1],
    ["in", "m", 2.54e-2],
    ["yd", "m", 9.144e-1],
    ["mi", "m", 1.609344e3],
    ["nmi", "m", 1.852e3],
    ["au", "m", 1.495979e11],
    ["ly", "m", 9.46073e15],
    ["parsec", "m", 3.085678e16],
    ["angstrom", "m", 1e-10],
    ["mil", "m", 2.54e-5],
    ["pica", "m", 4.233333e-3],
    ["point", "m", 3.527778e-4],
    ["mi2", "m2", 2.589988e6],
    ["ha", "m2", 1e4],
    ["ft3", "m3", 2.831685e-2],
    ["yd3", "m3", 7.645549e-1],
    ["in3", "m3", 1.638706e-5],
    ["gal", "m3", 3.785412e-3],
    ["imp gal", "m3", 4.54609e-3],
    ["qt", "m3", 9.463529e-4],
    ["pt", "m3", 4.731765e-4],
    ["cup", "m3", 2.365882e-4],
    ["fl oz", "m3", 2.957353e-5],
    ["imp fl oz", "m3", 2.841306e-5],
    ["tbsp", "m3", 1.478676e-5],
    ["tsp", "m3", 4.928922e-6],
    ["bbl", "m3", 1.589873e-1],
    ["lb", "kg", 4.535924e-1],
    ["oz", "kg", 2.834952e-2],
    ["troy ounce", "kg", 3.110348e-2],
    ["stone", "kg", 6.350293],
    ["slug", "kg", 1.45939e1],
    ["short ton", "kg", 9.071847e2],
    ["long ton", "kg", 1.016047e3],
    ["carat", "kg", 2e-4],
    ["grain", "kg", 6.479891e-5],
    ["lb/ft3", "kg/m3", 1.601846e1],
    ["mph", "m/s", 4.4704e-1],
    ["knot", "m/s", 5.144444e-1],
    ["km/h", "m/s", 2.777778e-1],
    ["mpg", "m/m3", 4.251437e5],
    ["deg", "rad", 1.745329e-2],
    ["rpm", "rad/s", 1.047198e-1],
    ["Ah", "coulomb", 3.6e3],
    ["eV", "J", 1.602177e-19],
  ])("1 %s in %s", (from, to, factor) => {
    const { value } = calculate(`convert(1, "${from}", "${to}")`);
    expect(Math.abs(Number(value) - factor)).toBeLessThanOrEqual(6e-7 * factor);
  });
});

describe("conversions that are exact by definition:", () => {
  it.each<[string, string]>([
    ["98.6 °F to °C", "37"],
    ["37 °C to °F", "98.6"],
    ["-40 F to C", "-40"],
    ["0 K to celsius", "-273.15"],
    ["212 degrees Fahrenheit to degrees Celsius", "100"],
    ["491.67 °R to °F", "32"],
    ["1 ft to in", "12"],
    ["1 stone to lb", "14"],
    ["1 mi to ft", "5280"],
    ["26.2 miles to km", "42.1648128"],
    ["1 gal to mL", "3785.411784"],
    ["1 GiB to MB", "1073.741824"],
    ["1 TB to TiB", "0.9094947017729282379150390625"],
    ["1 kB to B", "1000"],
    ["1 KiB to B", "1024"],
    ["1 B to bit", "8"],
    ["100 Mbps to MB/s", "12.5"],
    ["1 GB/s to Gbit/s", "8"],
    ["90 km/h to m/s", "25"],
    ["360 degrees to turns", "1"],
    ["1 kg m^2/s^2 to J", "1"],
    ["1 kg·m²·s⁻² to J", "1"],
    ["1 V A to W", "1"],
    ["1 uF to nF", "1000"],
    ["500 mA h to Ah", "0.5"],
    ["1 kcal to J", "4184"],
    ["5 ft 11 in to cm", "180.34"],
    ["1 h 30 min to s", "5400"],
    ["5'11\" to cm", "180.34"],
    ["5′ 11″ to cm", "180.34"],
    ["12° 30 arcmin to deg", "12.5"],
    ["1 m2 to cm2", "10000"],
    ["(3 + 4) miles in km", "11.265408"],
    ["12 in in ft", "1"],
    ["1e3 m -> km", "1"],
    ["2 KM to m", "2000"],
    ["8 m^3 to L", "8000"],
    ["1 mg/dL to g/L", "0.01"],
    ["60 bpm to Hz", "1"],
    ['convert(5 * 12 + 11, "in", "cm")', "180.34"],
    ["1 US pint to ml", "473.176473"],
    ["1 US fl oz to ml", "29.5735295625"],
    ["1 us gal to L", "3.785411784"],
    ["1 U.S. cup to mL", "236.5882365"],
    ["1 US cwt to lb", "100"],
    ["1 UK cwt to lb", "112"],
    ["1 imperial hundredweight to lb", "112"],
    ["1 UK pint to mL", "568.26125"],
    ["1 imperial fluid ounce to mL", "28.4130625"],
    ["1 US ton to lb", "2000"],
    ["1 metric cup to mL", "250"],
    ["1 barrel to gal", "42"],
    ["1 lightyear to m", "9460730472580800"],
    ["1 footcandle to lm/ft2", "1"],
    ["0 K to °F", "-459.67"],
    ['convert(convert(1, "mi", "ft"), "ft", "mi") + 1', "2"],
  ])("%s is %s", (expression, exact) => {
    expect(calculate(expression)).toMatchObject({ exact });
  });

  it.each<[string, number]>([
    ["30 mpg to L/100km", 7.84048611111111],
    ["7.84048611111111 L/100 km to mpg", 30],
    ["5 min/km to km/h", 12],
    ["3000 rpm to Hz", 50],
    ["50 Hz to rpm", 3000],
  ])("%s, the other way round, is %s", (expression, value) => {
    expect(Number(calculate(expression).value)).toBeCloseTo(value, 12);
  });

  it("says what it took a name for", () => {
    expect(calculate("1 month to days")).toMatchObject({ unit: "days", note: expect.stringContaining("365 days") });
    expect(calculate("1 gal to L")).toMatchObject({ unit: "L", note: expect.stringContaining("US gallon") });
    expect(calculate("1 barrel to L").note).toContain("42 US gallons");
    expect(calculate("2 cups to tbsp").note).toMatch(/US cup.*; tbsp is the US tablespoon/);
    expect(calculate("1 UK gal to L").note).toBeUndefined();
    expect(calculate("1 km to m")).toEqual({ value: 1000, exact: "1000", unit: "m" });
  });
});

/** Whole definitions, as NIST Handbook 44 appendix C and NIST SP 811 have them: none of a library's rounded figures. */
describe("what is called exact is the definition:", () => {
  it.each<[string, string, string]>([
    ["board foot", "in3", "144"],
    ["board foot", "m3", "0.002359737216"],
    ["measurement ton", "ft3", "40"],
    ["US dry barrel", "in3", "7056"],
    ["US bushel", "in3", "2150.42"],
    ["US dry pint", "in3", "33.6003125"],
    ["imperial barrel", "imp gal", "36"],
    ["imperial bushel", "imp gal", "8"],
    ["acre", "ft2", "43560"],
    ["acre-foot", "ft3", "43560"],
    ["cubic mile", "ft3", "147197952000"],
    ["cental", "lb", "100"],
    ["imperial hundredweight", "lb", "112"],
    ["displacement ton", "lb", "2240"],
    ["ounce", "lb", "0.0625"],
    ["troy ounce", "grain", "480"],
    ["pound", "grain", "7000"],
    ["pound of force", "N", "4.4482216152605"],
    ["kipf", "lbf", "1000"],
    ["mechanical horsepower", "ft lbf/s", "550"],
    ["inch of mercury", "mmHg", "25.4"],
    ["inch of water", "Pa", "249.08891"],
    ["foot-candle", "lm/ft2", "1"],
    ["Torr", "Pa", ""],
    ["torrs", "atm", ""],
    ["fc", "lx", ""],
    ["pound per square inch", "Pa", ""],
    ["U.S. survey foot", "m", ""],
    ["parsec", "m", ""],
    ["hefnerkerze", "cd", ""],
    ["Da", "kg", ""],
  ])("1 %s in %s", (from, to, exact) => {
    expect(calculate(`convert(1, "${from}", "${to}")`).exact ?? "").toBe(exact);
  });

  it("1 fc is 10.7639104167097 lx", () => {
    expect(calculate("1 fc to lx").value).toBe(10.7639104167097);
  });
});

describe("a unit is refused", () => {
  it.each<[string, string, RegExp]>([
    ["5 kg to m", "UNIT", /kg can't be converted to m: they measure different quantities/],
    ["5 m2 to mpg", "UNIT", /different quantities/],
    ["5 lx to cd/m2", "UNIT", /different quantities/],
    ["5 blorps to m", "UNIT", /blorps is not a known unit/],
    ["5 USD to EUR", "UNIT", /exchange rates are not available/],
    ["5 tons to kg", "UNIT", /tonne \(1000 kg\), short ton/],
    ["5 mb to kB", "UNIT", /MB for megabytes or Mbit/],
    ["5 MHZ to Hz", "UNIT", /MHz or mHz/],
    ["5 constructor to m", "UNIT", /not a known unit/],
    ["1 cwt to kg", "UNIT", /short cwt \(US, 100 lb\) or long cwt \(UK, 112 lb\)/],
    ["1 hundredweight to kg", "UNIT", /short hundredweight .* or long hundredweight/],
    ["1 bushel to L", "UNIT", /US bushel or imp bushel/],
    ["1 US foo to s", "UNIT", /US can mean several units/],
    ["-300 °C to °F", "DOMAIN", /^-300 °C is below absolute zero, -273\.15 °C$/],
    ["-460 °F to K", "DOMAIN", /below absolute zero, -459\.67 °F$/],
    ["-1 K to °C", "DOMAIN", /below absolute zero, 0 K$/],
    ['convert(5, "__proto__", "m")', "UNIT", /not a known unit/],
    ["5 m^10 to m", "UNIT", /power must be a whole number from -9 to 9/],
    ['convert(5, "(m", "m")', "UNIT", /can't be read as a unit/],
    ['convert(5, "", "m")', "UNIT", /expected a unit/],
    [`convert(5, "${"m ".repeat(60)}", "m")`, "UNIT", /at most 100 characters/],
    ['convert(5, 6, "m")', "TYPE", /a quoted string, such as convert/],
    ['convert(5, "km")', "ARITY", /convert takes 3 arguments/],
    ["convert(5, km, m)", "UNKNOWN_IDENTIFIER", /km is not known/],
    ["5 km + 3 km", "SYNTAX", /units only in conversions/],
    ["0 min/km to km/h", "DIVISION_BY_ZERO", /has no value/],
    ["1 / 0 km to m", "SYNTAX", /units only in conversions/],
    ["(1 / 0) km to m", "DIVISION_BY_ZERO", /divisor is zero/],
  ])("in %s", (expression, code, message) => {
    expect(() => calculate(expression)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

it("a currency is refused with what to do instead", () => {
  expect(() => calculate("250 USD to EUR")).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/look up the rate and multiply by it/) }),
  );
});

const GROUPS = [
  ["km", "mi", "ft", "in", "nmi", "ly", "au", "yd", "µm"],
  ["kg", "lb", "oz", "stone", "t", "short ton", "mg"],
  ["°C", "°F", "K", "°R"],
  ["kWh", "J", "kcal", "BTU", "eV"],
  ["GB", "GiB", "bit", "Mbit"],
  ["km/h", "m/s", "mph", "kn"],
  ["L", "gal", "m3", "fl oz", "imp pt"],
] as const;

const TEMPERATURES: ReadonlySet<string> = new Set(GROUPS[2]);

it("a conversion and back is where it began", () => {
  const pair = fc
    .constantFrom(...GROUPS)
    .chain((units) => fc.tuple(fc.constantFrom(...units), fc.constantFrom(...units)));
  fc.assert(
    fc.property(pair, fc.integer({ min: -1e9, max: 1e9 }), ([from, to], any) => {
      // Nothing is below absolute zero.
      const value = TEMPERATURES.has(from) ? Math.abs(any) : any;
      const back = calculate(`convert(convert(${value} / 1000, "${from}", "${to}"), "${to}", "${from}")`);
      expect(Math.abs(Number(back.value) - value / 1000)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(value)));
    }),
    { numRuns: 300, seed: 20_261_121 },
  );
});
