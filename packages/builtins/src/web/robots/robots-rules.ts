/** What a robots.txt says to one robot. */
export interface RobotsRules {
  /** @param path - of a URL, with its query: what stands after the host. */
  allows(path: string): boolean;
  /** Of what is kept. */
  readonly characters: number;
}

interface Rule {
  /** Literal pieces between the asterisks, at least one. */
  readonly pieces: readonly string[];
  /** Nothing may follow the last piece. */
  readonly isAnchored: boolean;
  readonly isAllowed: boolean;
  /** Of the pattern: the longest one that matches decides. */
  readonly length: number;
}

/** Lines and rules past these are not read: whoever writes more does not write for robots. */
const MAX_LINES = 30_000;
const MAX_RULES = 10_000;
/** Characters of patterns times those of the path that one question may compare. */
const MAX_WORK = 10_000_000;

/**
 * Reads a robots.txt by RFC 9309. Of patterns, `*` and `$` at the end are special; percent-encodings are compared as
 * the characters that they stand for where those are unreserved.
 *
 * @param product - the robot's product token, as `Yagate`; the group of `*` counts where none names it.
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

/** Of a site that has no rules. */
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

/** RFC 9309 §2.2.1: letters, `_` and `-`; what follows, such as a version, does not count. */
function tokenOf(value: string): string {
  const trimmed = value.trim();
  return trimmed === "*" ? trimmed : (/^[A-Za-z_-]+/.exec(trimmed)?.[0] ?? "").toLowerCase();
}

/** An empty pattern matches nothing. */
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

/** The pieces one after the other, each as early as can be: no other way would match where this one does not. */
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

/** One form for all ways to write a path: unreserved characters as they are, all others that need it in upper-case hex. */
function canonical(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters.toWellFormed()));
}
