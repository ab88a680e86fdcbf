import { RE2JS } from "re2js";

const MAX_KNOWN_PATTERNS = 500;
const known = new Map<string, RE2JS | null>();

/**
 * Whether a whole text matches a tenant's pattern, in linear time. `undefined`: the engine cannot say, as with
 * lookahead; the gateway's own validation then decides.
 */
export function matchesPattern(source: string, text: string): boolean | undefined {
  let pattern = known.get(source);
  if (pattern === undefined) {
    if (known.size >= MAX_KNOWN_PATTERNS) known.clear();
    pattern = compile(source);
    known.set(source, pattern);
  }
  return pattern?.matcher(text).find();
}

function compile(source: string): RE2JS | null {
  if (source.length > 1_000) return null;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return null;
  }
}
