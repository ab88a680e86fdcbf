// These patterns make the same distinctions as `@ai-sdk/google` (`google-model-catalog.ts`), which decides what is sent.
// Names without a version, such as `gemini-pro-latest`, count as the newest.
const GEMINI = /(?:^|[/.])gemini-/i;
const BEFORE_2 = /(?:^|[/.])gemini-(?:1(?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5(?:[.-]|$))/i;
const GEMINI_2 = /(?:^|[/.])gemini-2(?:[.-]|$)/i;

/** Checks whether a Google model supports Google's search as a tool. */
export function takesGoogleSearch(model: string): boolean {
  return (GEMINI.test(model) && !BEFORE_2.test(model)) || /nano-banana/i.test(model);
}

/** Checks whether a Google model supports the agent's tools in the same request as Google's own: Gemini 3 and later. */
export function takesMixedTools(model: string): boolean {
  return GEMINI.test(model) && !BEFORE_2.test(model) && !GEMINI_2.test(model);
}
