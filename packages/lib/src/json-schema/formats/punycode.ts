const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;

/** Decodes punycode (RFC 3492) without its prefix `xn--`. Returns `undefined` if it is invalid. */
export function decodePunycode(text: string): string | undefined {
  const dash = text.lastIndexOf("-");
  const codes = [...text.slice(0, Math.max(dash, 0))].map((character) => character.charCodeAt(0));
  let code = INITIAL_CODE;
  let bias = INITIAL_BIAS;
  let index = 0;
  for (let at = dash + 1; at < text.length; ) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      if (index > 0x7fffffff) return undefined;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = codes.length + 1;
    bias = adapt(index - before, count, before === 0);
    code += Math.floor(index / count);
    if (code > 0x10ffff) return undefined;
    index %= count;
    codes.splice(index++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

function digitOf(unit: number): number | undefined {
  const digit = Number.parseInt(String.fromCharCode(unit), BASE);
  if (Number.isNaN(digit)) return undefined;
  // The digits of punycode start with the letters: a is 0 and z is 25; the digit 0 is 26.
  return digit < 10 ? digit + 26 : digit - 10;
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
