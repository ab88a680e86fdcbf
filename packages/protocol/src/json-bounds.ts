const encoder = /* @__PURE__ */ new TextEncoder();

/** Returns the length of a text in bytes of UTF-8. */
export function byteLengthOf(text: string): number {
  return encoder.encode(text).byteLength;
}

/**
 * Returns why an untrusted JSON value is not acceptable: it has too many levels, or a member `__proto__`, which some
 * programs mistake for the object's prototype. The check descends no further than the limit.
 */
export function findDeepFault(value: unknown, maxDepth: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (maxDepth === 0) return "expected fewer levels of nesting";
  if (Object.hasOwn(value, "__proto__")) return "expected no member __proto__";
  for (const member of Object.values(value)) {
    const fault = findDeepFault(member, maxDepth - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
