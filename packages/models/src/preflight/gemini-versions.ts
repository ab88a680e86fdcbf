// As `@ai-sdk/google` tells them apart (`google-model-catalog.ts`), since it decides what is sent: names without a
// version, such as `gemini-pro-latest`, follow the newest.
const GEMINI = /(?:^|[/.])gemini-/i;
const BEFORE_2 = /(?:^|[/.])gemini-(?:1(?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5(?:[.-]|$))/i;
const GEMINI_2 = /(?:^|[/.])gemini-2(?:[.-]|$)/i;

/** Whether a model of Google's may be given Google's search as a tool. */
export function takesGoogleSearch(model: string): boolean {
  return (GEMINI.test(model) && !BEFORE_2.test(model)) || /nano-banana/i.test(model);
}

/** Whether a model of Google's takes tools of the agent beside Google's own: Gemini 3 and later. */
export function takesMixedTools(model: string): boolean {
  return GEMINI.test(model) && !BEFORE_2.test(model) && !GEMINI_2.test(model);
}
