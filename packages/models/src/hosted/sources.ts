import type { LanguageModelV4Source } from "@ai-sdk/provider";
import { defined } from "@yagate/lib/objects/defined";
import { beginningOf } from "@yagate/lib/text/cut-text";
import type { Source } from "@yagate/protocol";

const MAX_SOURCES = 100;
const MAX_URL_CHARACTERS = 2_048;
const MAX_TITLE_CHARACTERS = 300;

/** Returns the distinct sources that a provider cites: the first 100, in order. */
export function toSources(parts: readonly LanguageModelV4Source[]): readonly Source[] {
  if (parts.length === 0) return [];
  const sources = new Map<string, Source>();
  for (const part of parts) {
    if (sources.size === MAX_SOURCES) break;
    const source = toSource(part);
    const key = source.url ?? source.title;
    if (key !== undefined && !sources.has(key)) sources.set(key, source);
  }
  return [...sources.values()];
}

function toSource(part: LanguageModelV4Source): Source {
  const title = part.title === undefined ? undefined : beginningOf(part.title, MAX_TITLE_CHARACTERS).toWellFormed();
  const url = part.sourceType === "url" && isWebAddress(part.url) ? part.url : undefined;
  return { ...defined({ url }), ...(title === undefined || title === "" ? {} : { title }) };
}

// User interfaces link to the URL, so it must not be a script.
function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARACTERS && /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}
