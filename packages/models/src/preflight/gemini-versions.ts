// These patterns make the same distinctions as `@ai-sdk/google` (`google-model-catalog.ts`), which decides what is sent.
// Names without a version, such as `gemini-pro-latest`, count as the newest.
const GEMINI = /(?:^|[/.])gemini-/i;
const BEFORE_2 = /(?:^|[/.])gemini-(?:1(?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5(?:[.-]|$))/i;
const GEMINI_2_0 = /(?:^|[/.])gemini-2\.0(?:-|$)/i;
/** Models that generate images or speech, or that operate a computer. */
const SPECIAL = /-(?:image|tts|audio|computer-use|native-audio|live)(?:-|$)/i;
const GEMINI_2 = /(?:^|[/.])gemini-2(?:[.-]|$)/i;

/** Checks whether a Google model supports Google's search as a tool. */
export function takesGoogleSearch(model: string): boolean {
  return (GEMINI.test(model) && !BEFORE_2.test(model)) || /nano-banana/i.test(model);
}

/** Checks whether a Google model supports the agent's tools in the same request as Google's own: Gemini 3 and later. */
export function takesMixedTools(model: string): boolean {
  return GEMINI.test(model) && !BEFORE_2.test(model) && !GEMINI_2.test(model);
}

/**
 * Checks whether a Google model reads pages itself: Gemini 2.5 and later.
 *
 * @see https://ai.google.dev/gemini-api/docs/url-context
 */
export function readsPages(model: string): boolean {
  return runsCode(model) && !GEMINI_2_0.test(model);
}

/**
 * Checks whether a Google model runs code itself: Gemini 2 and later.
 *
 * @see https://ai.google.dev/gemini-api/docs/code-execution
 */
export function runsCode(model: string): boolean {
  return GEMINI.test(model) && !BEFORE_2.test(model) && !SPECIAL.test(model) && !/nano-banana/i.test(model);
}
