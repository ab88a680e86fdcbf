/** The rules of a robots.txt for one robot. */
export interface RobotsRules {
  /** Checks whether a path may be fetched. @param path - path and query of the URL. */
  allows(path: string): boolean;
  /** Number of characters that the rules take up in the cache. */
  readonly characters: number;
}

interface Rule {
  /** The literal parts between the asterisks, at least one. */
  readonly pieces: readonly string[];
  /** Whether the path must end after the last part. */
  readonly isAnchored: boolean;
  readonly isAllowed: boolean;
  /** Length of the pattern. The longest matching pattern decides. */
  readonly length: number;
}

/** Maximum number of lines. Longer files are not meant for robots. */
const MAX_LINES = 30_000;
const MAX_RULES = 10_000;
/** Maximum product of pattern length and path length, summed over one check. */
const MAX_WORK = 10_000_000;

/**
 * Parses a robots.txt file according to RFC 9309. In patterns, `*` and a final `$` are special, and percent-encoded unreserved
 * characters match their decoded form.
 *
 * @param product - the robot's product token, such as `Yagate`. If no group names it, the group for `*` applies.
 */
export function parseRobots(text: string, product: string): RobotsRules {
  const rules = rulesFor(text, product.toLowerCase());
  return {
    characters: rules.reduce((sum, { length }) => sum + length, 0),
    allows(path) {
      const wanted = canonical(path);
      return wanted === "/robots.txt" || decide(rules, wanted);
    },
  };
}

/** The rules of a site without a robots.txt. */
export const ALL_ALLOWED: RobotsRules = { characters: 0, allows: () => true };

function rulesFor(text: string, product: string): readonly Rule[] {
  const own: Rule[] = [];
  const general: Rule[] = [];
  let isOwn = false;
  let isGeneral = false;
  let isNamed = false;
  let hasRules = true;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, MAX_LINES)) {
    const [, key = "", value = ""] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    const name = key.toLowerCase();
    if (name === "user-agent") {
      if (hasRules) {
        isOwn = false;
        isGeneral = false;
      }
      hasRules = false;
      const agent = tokenOf(value);
      isOwn ||= agent === product;
      isGeneral ||= agent === "*";
      isNamed ||= isOwn;
    } else if (name === "allow" || name === "disallow") {
      hasRules = true;
      const isRead = (isOwn && own.length < MAX_RULES) || (isGeneral && general.length < MAX_RULES);
      const rule = isRead ? toRule(value.trim(), name === "allow") : undefined;
      if (rule === undefined) continue;
      if (isOwn && own.length < MAX_RULES) own.push(rule);
      if (isGeneral && general.length < MAX_RULES) general.push(rule);
    }
  }
  return isNamed ? own : general;
}

/** Reads a product token by RFC 9309 §2.2.1: letters, `_` and `-`. Anything after it, such as a version, is ignored. */
function tokenOf(value: string): string {
  const trimmed = value.trim();
  return trimmed === "*" ? trimmed : (/^[A-Za-z_-]+/.exec(trimmed)?.[0] ?? "").toLowerCase();
}

/** Creates a rule. An empty pattern matches nothing, so it results in no rule. */
function toRule(pattern: string, isAllowed: boolean): Rule | undefined {
  if (pattern === "") return undefined;
  const isAnchored = pattern.endsWith("$");
  const pieces = canonical(isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  return { pieces, isAnchored, isAllowed, length: pattern.length };
}

function decide(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  let work = 0;
  for (const rule of rules) {
    const isLonger = best === undefined || rule.length > best.length;
    const isMilder = best !== undefined && rule.length === best.length && rule.isAllowed;
    if (!isLonger && !isMilder) continue;
    if (rule.pieces.length > 1) work += rule.length * path.length;
    if (work > MAX_WORK) return false;
    if (matches(rule, path)) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** Matches the parts in order, each as early as possible. If that fails, the pattern does not match. */
function matches({ pieces, isAnchored }: Rule, path: string): boolean {
  const [first = "", ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1;
}

/**
 * Normalises a path: unreserved characters are decoded; all others that need encoding are percent-encoded in upper-case
 * hex.
 */
function canonical(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters.toWellFormed()));
}
