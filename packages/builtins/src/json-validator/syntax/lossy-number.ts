/** Number of significant digits that every double keeps. */
const SAFE_DIGITS = 15;

/** Returns whether a JSON number changes when it is parsed as a double, which is how most programs parse it. */
export function isLossy(token: string): boolean {
  const digits = token
    .replace(/^-/, "")
    .replace(/[eE].*$/, "")
    .replace(".", "");
  if (digits.length <= SAFE_DIGITS && !/[eE]/.test(token)) return false;
  const read = Number(token);
  if (!Number.isFinite(read)) return true;
  if (read === 0) return /[1-9]/.test(digits);
  return decimalOf(token) !== decimalOf(String(read));
}

/** Returns the digits and the exponent in canonical form. */
function decimalOf(token: string): string {
  const [mantissa = "", power = "0"] = token.toLowerCase().replace(/^-/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${significant}e${BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
