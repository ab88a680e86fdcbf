const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Returns a country's English name in lower case, such as `switzerland`; `undefined` for an unknown code. */
export function countryName(code: string): string | undefined {
  return /^[A-Za-z]{2}$/.test(code) ? NAMES.of(code.toUpperCase())?.toLowerCase() : undefined;
}
