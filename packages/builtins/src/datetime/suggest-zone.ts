const MAX_LISTED = 3;

/** The current names of zones that the runtime lists under older names. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
]);

/** Time zone abbreviations and their possible zones. Abbreviations that are IANA names are read as zones instead. */
const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ...zonesOf(["America/Los_Angeles"], "PST PDT PT Pacific"),
  ...zonesOf(["America/Denver"], "MDT MT Mountain"),
  ...zonesOf(["America/Chicago"], "CDT Central"),
  ...zonesOf(["America/Chicago", "Asia/Shanghai"], "CST"),
  ...zonesOf(["America/New_York"], "EDT ET Eastern"),
  ...zonesOf(["America/Halifax"], "ADT"),
  ...zonesOf(["America/Anchorage"], "AKST AKDT"),
  ...zonesOf(["Europe/London", "Asia/Dhaka"], "BST"),
  ...zonesOf(["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"], "IST"),
  ...zonesOf(["Europe/Paris", "Europe/Berlin"], "CEST MESZ MEZ"),
  ...zonesOf(["Europe/Athens"], "EEST"),
  ...zonesOf(["Europe/Lisbon"], "WEST"),
  ...zonesOf(["Europe/Moscow"], "MSK"),
  ...zonesOf(["Asia/Dubai"], "GST"),
  ...zonesOf(["Asia/Karachi"], "PKT"),
  ...zonesOf(["Asia/Singapore"], "SGT"),
  ...zonesOf(["Asia/Hong_Kong"], "HKT"),
  ...zonesOf(["Asia/Tokyo"], "JST"),
  ...zonesOf(["Asia/Seoul"], "KST"),
  ...zonesOf(["Australia/Perth"], "AWST"),
  ...zonesOf(["Australia/Adelaide"], "ACST ACDT"),
  ...zonesOf(["Australia/Sydney"], "AEST AEDT"),
  ...zonesOf(["Pacific/Auckland"], "NZST NZDT"),
  ...zonesOf(["Africa/Johannesburg"], "SAST"),
  ...zonesOf(["America/Sao_Paulo"], "BRT"),
]);

/** Suggests zones for a text that is not a time zone, phrased as the end of a sentence; empty if no zone is similar. */
export function suggestZone(text: string): string {
  const abbreviated = ABBREVIATIONS.get(text.toLowerCase());
  if (abbreviated !== undefined) return `; did you mean ${abbreviated.join(" or ")}?`;
  const country = zonesOfCountry(text);
  const [only, ...others] = country;
  if (only !== undefined && others.length === 0) return `; did you mean ${only}?`;
  if (only !== undefined && country.length <= MAX_LISTED) return `; did you mean ${country.join(" or ")}?`;
  if (only !== undefined) return `; ${text} has several zones: use the zone of one of its cities`;
  const named = zonesNamed(text);
  return named.length === 0 ? "" : `; did you mean ${named.join(" or ")}?`;
}

/** Returns the zones whose city or region occurs in the text as complete words. */
function zonesNamed(text: string): readonly string[] {
  const wanted = text.toLowerCase().replace(/[^a-z]+/g, "_");
  if (wanted.length < 3 || wanted.length > 40) return [];
  const zones = [...new Set([...Intl.supportedValuesOf("timeZone").map(current), ...RENAMED.values()])];
  const endsWith = zones.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  const contains = zones.filter((zone) => `_${zone.toLowerCase().replaceAll("/", "_")}_`.includes(`_${wanted}_`));
  return [...new Set([...endsWith, ...contains])].slice(0, MAX_LISTED);
}

function zonesOfCountry(text: string): readonly string[] {
  const region = regionNamed(text);
  if (region === undefined) return [];
  const locale = new Intl.Locale(`und-${region}`);
  const zones: unknown = "getTimeZones" in locale && typeof locale.getTimeZones === "function" && locale.getTimeZones();
  return Array.isArray(zones) ? zones.map((zone) => current(String(zone))) : [];
}

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["us", "US"],
  ["usa", "US"],
  ["uk", "GB"],
  ["england", "GB"],
]);

/** Returns the ISO 3166 code of the country with this English name. */
function regionNamed(text: string): string | undefined {
  const wanted = text.toLowerCase();
  if (SHORT_NAMES.has(wanted)) return SHORT_NAMES.get(wanted);
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .find((region) => names.of(region)?.toLowerCase() === wanted);
}

function current(zone: string): string {
  return RENAMED.get(zone) ?? zone;
}

function zonesOf(zones: readonly string[], names: string): readonly (readonly [string, readonly string[]])[] {
  return names.split(" ").map((name) => [name.toLowerCase(), zones] as const);
}
