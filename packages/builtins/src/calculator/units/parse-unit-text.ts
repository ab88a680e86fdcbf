import { cutText } from "@yagate/lib/text/cut-text";
import { CalculatorError } from "../calculator-error.ts";
import { parseDecimal } from "../decimal.ts";
import { multiplyUnits, powerOfUnit, UNITY, type Unit } from "./unit.ts";

/** Returns the unit with this name, or `undefined`. @throws CalculatorError `UNIT` for an ambiguous name. */
export type FindUnit = (name: string) => Unit | undefined;

const MAX_CHARACTERS = 100;
const MAX_POWER = 9;
const MAX_WORDS = 4;
/**
 * Matches a token of a unit expression. Names may contain an apostrophe or a degree sign, and digits only after
 * letters, as in m2.
 */
const PIECE =
  /\s*(?:(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<power>\^\s*[-+]?\d+|\*\*\s*[-+]?\d+|[⁻]?[¹²³⁴-⁹]+)|(?<symbol>[*/()·⋅×])|(?<word>[^\s\d*/()·⋅×^⁻¹²³⁴-⁹]+(?:-?\d+)?))/iy;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

interface Piece {
  readonly kind: "number" | "power" | "symbol" | "word";
  readonly text: string;
}

/**
 * Parses a simple or compound unit: `km/h`, `kg m^2/s^2`, `W/(m2 K)`, `miles per hour`, `L/100km`. Units are read from
 * left to right; a slash applies only to the next unit or parenthesized group.
 *
 * @throws CalculatorError `UNIT` that names the unknown part.
 */
export function parseUnitText(text: string, find: FindUnit): Unit {
  const trimmed = text.trim();
  if (trimmed === "") throw new CalculatorError("UNIT", "expected a unit, such as km/h");
  if (trimmed.length > MAX_CHARACTERS) {
    throw new CalculatorError("UNIT", `a unit must have at most ${MAX_CHARACTERS} characters`);
  }
  const whole = find(trimmed.replace(/\s+/g, " "));
  if (whole !== undefined) return whole;
  const pieces = split(trimmed);
  let index = 0;
  const unit = product();
  if (index < pieces.length) throw malformed(trimmed);
  return unit;

  function product(): Unit {
    let result = factor();
    for (let piece = pieces[index]; piece !== undefined && piece.text !== ")"; piece = pieces[index]) {
      const isDivision = piece.text === "/" || piece.text === "per";
      if (isDivision || "*·⋅×".includes(piece.text)) index += 1;
      // A number after a slash belongs to the next unit: L/100 km.
      const isCounted = isDivision && pieces[index]?.kind === "number" && pieces[index + 1]?.kind === "word";
      const next = isCounted ? multiplyUnits(factor(), factor()) : factor();
      result = multiplyUnits(result, next, isDivision ? -1 : 1);
    }
    return result;
  }

  function factor(): Unit {
    const piece = pieces[index];
    index += 1;
    if (piece?.kind === "number") return { ...UNITY, numerator: parseDecimal(piece.text) };
    if (piece?.text === "(") {
      const inner = product();
      if (pieces[index]?.text !== ")") throw malformed(trimmed);
      index += 1;
      return raised(inner);
    }
    if (piece?.kind !== "word") throw malformed(trimmed);
    return raised(named(piece.text));
  }

  function raised(unit: Unit): Unit {
    const piece = pieces[index];
    if (piece?.kind !== "power") return unit;
    index += 1;
    return powerOfUnit(withoutOffset(unit), powerOf(piece.text));
  }

  /** Reads the longest unit name that starts here: `fl oz`, `square meters`. */
  function named(first: string): Unit {
    const words = [first];
    for (let at = index; words.length < MAX_WORDS && pieces[at]?.kind === "word"; at++) {
      words.push(pieces[at]?.text ?? "");
    }
    for (let count = words.length; count > 0; count--) {
      const unit = find(words.slice(0, count).join(" "));
      if (unit === undefined) continue;
      index += count - 1;
      return withoutOffset(unit);
    }
    const [, base = "", power = ""] = /^(.*?[^\d-])(-?\d+)$/.exec(first) ?? [];
    const unit = base === "" ? undefined : find(base);
    if (unit !== undefined) return powerOfUnit(withoutOffset(unit), powerOf(power));
    throw unknownUnit(first);
  }
}

/** Creates the error for a name that is not a unit. */
export function unknownUnit(name: string): CalculatorError {
  const shown = cutText(name, 32);
  if (/^(?:usd|eur|gbp|jpy|cny|inr|chf|cad|aud|dollars?|euros?|[$€£¥])$/i.test(name)) {
    return new CalculatorError(
      "UNIT",
      `${shown} is not a known unit; exchange rates are not available here`,
      "look up the rate and multiply by it: 250 * 0.92",
    );
  }
  return new CalculatorError("UNIT", `${shown} is not a known unit; write units as in km/h, m/s^2, kWh, lb, °F, GiB`);
}

function split(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    PIECE.lastIndex = at;
    const { number, power, symbol, word } = PIECE.exec(text)?.groups ?? {};
    if (number !== undefined) pieces.push({ kind: "number", text: number });
    else if (power !== undefined) pieces.push({ kind: "power", text: power });
    else if (symbol !== undefined) pieces.push({ kind: "symbol", text: symbol });
    else if (word !== undefined) pieces.push({ kind: word === "per" ? "symbol" : "word", text: word });
    else throw malformed(text);
    at = PIECE.lastIndex;
  }
  return pieces;
}

function powerOf(text: string): number {
  const digits = [...text].map((one) => (SUPERSCRIPTS.includes(one) ? String(SUPERSCRIPTS.indexOf(one)) : one));
  const power = Number(
    digits
      .join("")
      .replace("⁻", "-")
      .replace(/[\^*\s]/g, ""),
  );
  if (Number.isInteger(power) && power !== 0 && Math.abs(power) <= MAX_POWER) return power;
  throw new CalculatorError("UNIT", `a unit's power must be a whole number from -${MAX_POWER} to ${MAX_POWER}`);
}

/** Removes the offset of a temperature scale. In a product, a temperature is a difference: J/(kg °C) is J/(kg K). */
function withoutOffset({ offset: _offset, ...unit }: Unit): Unit {
  return unit;
}

function malformed(text: string): CalculatorError {
  return new CalculatorError(
    "UNIT",
    `${JSON.stringify(text)} can't be read as a unit; write it as in km/h or kg m/s^2`,
  );
}
