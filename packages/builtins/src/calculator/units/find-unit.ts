import { type Unit as ConvertUnit, convert, MeasureKind } from "convert";
import { conversions } from "convert/conversions";
import { CalculatorError } from "../calculator-error.ts";
import { type Decimal, DOUBLE, EXACT, fromDouble, parseDecimal, toDecimal } from "../decimal.ts";
import type { OwnUnit } from "./own-unit.ts";
import { AMBIGUOUS_NAMES, OWN_UNITS, SI_PREFIXES, TEMPERATURES } from "./own-units.ts";
import { parseUnitText } from "./parse-unit-text.ts";
import { type Dimensions, multiplyUnits, UNITY, type Unit } from "./unit.ts";

const ONE = parseDecimal("1");

/**
 * For each of the library's unit kinds: its dimensions, and the factor from the library's base unit to the
 * calculator's.
 */
const KINDS: ReadonlyMap<MeasureKind, { readonly dimensions: Dimensions; readonly scale: Decimal }> = new Map([
  [MeasureKind.Angle, { dimensions: { turn: 1 }, scale: fromDouble(1 / (2 * Math.PI)) }],
  [MeasureKind.Area, { dimensions: { m: 2 }, scale: ONE }],
  [MeasureKind.Data, { dimensions: { bit: 1 }, scale: ONE }],
  [MeasureKind.Energy, { dimensions: { kg: 1, m: 2, s: -2 }, scale: ONE }],
  [MeasureKind.Force, { dimensions: { kg: 1, m: 1, s: -2 }, scale: ONE }],
  [MeasureKind.Frequency, { dimensions: { s: -1 }, scale: ONE }],
  [MeasureKind.Illuminance, { dimensions: { lm: 1, m: -2 }, scale: ONE }],
  [MeasureKind.Length, { dimensions: { m: 1 }, scale: ONE }],
  [MeasureKind.Luminance, { dimensions: { cd: 1, m: -2 }, scale: ONE }],
  [MeasureKind.LuminousIntensity, { dimensions: { cd: 1 }, scale: ONE }],
  [MeasureKind.Mass, { dimensions: { kg: 1 }, scale: parseDecimal("0.001") }],
  [MeasureKind.Power, { dimensions: { kg: 1, m: 2, s: -3 }, scale: ONE }],
  [MeasureKind.Pressure, { dimensions: { kg: 1, m: -1, s: -2 }, scale: ONE }],
  [MeasureKind.Temperature, { dimensions: { K: 1 }, scale: ONE }],
  [MeasureKind.Time, { dimensions: { s: 1 }, scale: ONE }],
  [MeasureKind.Volume, { dimensions: { m: 3 }, scale: ONE }],
]);

interface Listed {
  readonly kind: MeasureKind;
  /** The library's base unit for this kind. */
  readonly base: string;
}

const own = new Map(OWN_UNITS.flatMap((unit) => unit.names.map((name): [string, OwnUnit] => [name, unit])));
const temperatures = new Map(TEMPERATURES.flatMap((one) => one.names.map((name) => [name, one] as const)));
const listed = new Map<string, Listed>();
for (const [kind, { units }] of conversions) {
  const base = units[0]?.names[0] ?? "";
  for (const { names, symbols } of units) {
    for (const name of [...names, ...symbols]) listed.set(name, { kind, base });
  }
}
const inAnyCase = new Map<string, Set<string>>();
for (const name of [...own.keys(), ...temperatures.keys(), ...listed.keys()]) {
  const lower = name.toLowerCase();
  inAnyCase.set(lower, (inAnyCase.get(lower) ?? new Set()).add(name));
}

/**
 * Finds the unit for a name or symbol. A symbol matches in its own letter case (`mW` is not `MW`), and in any other
 * case if only one unit fits (`KM`).
 *
 * @throws CalculatorError `UNIT` for an ambiguous name.
 */
export function findUnit(name: string): Unit | undefined {
  const meanings = AMBIGUOUS_NAMES.get(name);
  if (meanings !== undefined) throw ambiguous(name, meanings);
  return exactly(name) ?? prefixed(name) ?? inOtherCase(name);
}

function exactly(name: string): Unit | undefined {
  const defined = own.get(name);
  if (defined !== undefined) return ownUnit(defined);
  const scale = temperatures.get(name);
  if (scale !== undefined) {
    const offset = scale.offset === "0" ? {} : { offset: parseDecimal(scale.offset) };
    return { ...amountOf(scale.amount), dimensions: { K: 1 }, ...offset };
  }
  const entry = listed.get(name);
  return entry === undefined ? undefined : libraryUnit(name, entry);
}

function ownUnit({ amount, of, note, isMeasured = false }: OwnUnit): Unit {
  const figure = amountOf(amount);
  const numerator = isMeasured ? { ...figure.numerator, precision: DOUBLE } : figure.numerator;
  const unit = of.startsWith("base ")
    ? { ...UNITY, dimensions: { [of.slice("base ".length)]: 1 } }
    : multiplyUnits({ ...UNITY, ...figure, numerator }, parseUnitText(of, findUnit));
  const { note: _inner, ...rest } = unit;
  return note === undefined ? rest : { ...rest, note };
}

function amountOf(text: string): { readonly numerator: Decimal; readonly denominator: Decimal } {
  const [numerator = "1", denominator = "1"] = text.split("/");
  return { numerator: parseDecimal(numerator), denominator: parseDecimal(denominator) };
}

function libraryUnit(name: string, { kind, base }: Listed): Unit | undefined {
  const measure = KINDS.get(kind);
  if (measure === undefined || !isListed(name) || !isListed(base)) return undefined;
  const factor = exactDecimal(convert(1, name).to(base));
  return multiplyUnits(
    { ...UNITY, numerator: factor, dimensions: measure.dimensions },
    { ...UNITY, numerator: measure.scale },
  );
}

function isListed(name: string): name is ConvertUnit {
  return listed.has(name);
}

/**
 * Converts a factor to a decimal. A factor with at most 15 digits is exact; one with more digits was rounded to a
 * double.
 */
function exactDecimal(factor: number): Decimal {
  const decimal = fromDouble(factor);
  const digits = String(decimal.coefficient).replace(/0+$/, "").length;
  return toDecimal(decimal.coefficient, decimal.exponent, digits <= DOUBLE ? EXACT : DOUBLE);
}

function prefixed(name: string): Unit | undefined {
  for (const [prefix, power] of SI_PREFIXES) {
    if (!name.startsWith(prefix)) continue;
    const unit = own.get(name.slice(prefix.length));
    if (unit?.hasPrefixes !== true && !isPrefixedSymbol(name.slice(prefix.length))) continue;
    const base = unit === undefined ? symbolUnit(name.slice(prefix.length)) : ownUnit(unit);
    if (base !== undefined) return multiplyUnits({ ...UNITY, numerator: toDecimal(1n, power, EXACT) }, base);
  }
  return undefined;
}

/**
 * Returns whether a symbol may have a prefix. F and C alone mean degrees; after a prefix they mean farad and coulomb.
 */
function isPrefixedSymbol(symbol: string): boolean {
  return symbol === "F" || symbol === "C" || symbol === "S";
}

function symbolUnit(symbol: string): Unit | undefined {
  return exactly(symbol === "F" ? "farad" : symbol === "C" ? "coulomb" : "siemens");
}

function inOtherCase(name: string): Unit | undefined {
  const names = [...(inAnyCase.get(name.toLowerCase()) ?? [])].filter((one) => !AMBIGUOUS_NAMES.has(one));
  const [first, ...others] = names;
  if (first === undefined) return undefined;
  if (others.length > 0) throw ambiguous(name, names.join(" or "));
  return exactly(first);
}

function ambiguous(name: string, meanings: string): CalculatorError {
  return new CalculatorError(
    "UNIT",
    `${name} can mean several units: write ${meanings}`,
    "call again with the name of the intended unit",
  );
}
