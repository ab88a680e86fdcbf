import { add, divide, multiply, negate, subtract } from "../arithmetic.ts";
import { CalculatorError } from "../calculator-error.ts";
import { type Decimal, fromInteger, signOf } from "../decimal.ts";
import { toAnswer } from "../format-decimal.ts";
import { joinNotes, type Value } from "../value.ts";
import { findUnit } from "./find-unit.ts";
import { parseUnitText } from "./parse-unit-text.ts";
import { type Dimensions, isSameDimension, toBase, type Unit } from "./unit.ts";

/** Matches ratio units such as km/h and mpg. Their reciprocals are also used as units. */
const IS_RATIO = /\/|\bper\b|mpg|mph|kph|kmh|knots?\b/i;

/**
 * Converts a value to another unit. Temperature scales use their offsets. Between reciprocal units (mpg and L/100km,
 * min/km and km/h), the reciprocal of the value is converted. One revolution per second equals one hertz.
 *
 * @throws CalculatorError `UNIT` if the units measure different quantities.
 */
export function convertUnit(value: Decimal, from: string, to: string): Value {
  const [source, target] = [parseUnitText(from, findUnit), parseUnitText(to, findUnit)];
  checkTemperature(value, from, source);
  const note = joinNotes(source.note, target.note);
  const traits = { unit: to.trim(), ...(note === "" ? {} : { note }) };
  return { kind: "number", number: convertBetween(value, { from, source, to, target }), ...traits };
}

/** Checks that a temperature is not below 0 K. @throws CalculatorError. */
function checkTemperature(value: Decimal, from: string, source: Unit): void {
  if (!isSameDimension(source.dimensions, { K: 1 }) || signOf(toBase(value, source)) >= 0) return;
  const zero = source.offset === undefined ? fromInteger(0n) : negate(source.offset);
  throw new CalculatorError(
    "DOMAIN",
    `${toAnswer(value)} ${from.trim()} is below absolute zero, ${toAnswer(zero)} ${from.trim()}`,
  );
}

interface Conversion {
  readonly from: string;
  readonly source: Unit;
  readonly to: string;
  readonly target: Unit;
}

function convertBetween(value: Decimal, { from, source, to, target }: Conversion): Decimal {
  if (isSameDimension(source.dimensions, target.dimensions)) return inUnit(value, source, target);
  if (isSameDimension(negated(source.dimensions), target.dimensions) && IS_RATIO.test(from) && IS_RATIO.test(to)) {
    if (signOf(value) === 0)
      throw new CalculatorError("DIVISION_BY_ZERO", `0 ${from.trim()} has no value in ${to.trim()}`);
    return divide(fromInteger(1n), multiply(toBase(value, source), divide(target.numerator, target.denominator)));
  }
  const { turn: sourceTurns = 0, ...sourceRest } = source.dimensions;
  const { turn: targetTurns = 0, ...targetRest } = target.dimensions;
  const isFrequency = isSameDimension(sourceRest, { s: -1 }) && isSameDimension(targetRest, { s: -1 });
  if (isFrequency && sourceTurns + targetTurns === 1) return inUnit(value, source, target);
  throw new CalculatorError(
    "UNIT",
    `${from.trim()} can't be converted to ${to.trim()}: they measure different quantities`,
  );
}

function inUnit(value: Decimal, source: Unit, target: Unit): Decimal {
  const shifted = source.offset === undefined ? value : add(value, source.offset);
  // All multiplications come before the only division, so 12 in is 1 ft, not 0.999….
  const top = multiply(multiply(shifted, source.numerator), target.denominator);
  const result = divide(top, multiply(source.denominator, target.numerator));
  return target.offset === undefined ? result : subtract(result, target.offset);
}

function negated(dimensions: Dimensions): Dimensions {
  return Object.fromEntries(Object.entries(dimensions).map(([name, power]) => [name, -power]));
}
