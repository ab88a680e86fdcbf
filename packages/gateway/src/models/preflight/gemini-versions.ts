/**
 * Whether a model of Google's takes no tools of the agent beside Google's own: everything but Gemini 3 and later, and
 * names without a version (`gemini-pro-latest`), which follow the newest.
 */
export function isOlderThanGemini3(model: string): boolean {
  return !/gemini-/i.test(model) || /gemini-(?:[12](?:[.-]|$)|pro$|pro-vision)/i.test(model);
}
