import { isProvidersOwn } from "../provider-urls.ts";

/** The provider whose form of tool search a model takes. */
export type SearchForm = "anthropic" | "openai";

/**
 * The models that take tool search in their provider's form.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 * @see https://developers.openai.com/api/docs/guides/tools-tool-search
 */
const MODELS: Readonly<Record<SearchForm, RegExp>> = {
  // Claude 4.5 and later. In older names, a date follows the version: claude-opus-4-20250514.
  anthropic: /^claude-[a-z]+-(?:4-(?:[5-9]|[1-9]\d)|[5-9](?:-\d{1,2})?|[1-9]\d(?:-\d{1,2})?)(?:-\d{8}|-latest)?$/,
  // GPT-5.4 and later.
  openai: /^gpt-(?:5\.(?:[4-9]|[1-9]\d)|[6-9]|[1-9]\d)(?:[.-].*)?$/,
};

/**
 * Returns the form in which a model takes tool search; undefined if it takes only functions. A server behind another
 * base URL may speak an older version of the provider's API.
 */
export function searchFormOf(provider: string, baseUrl: string, model: string): SearchForm | undefined {
  if (provider !== "anthropic" && provider !== "openai") return undefined;
  return isProvidersOwn(provider, baseUrl) && MODELS[provider].test(model) ? provider : undefined;
}
