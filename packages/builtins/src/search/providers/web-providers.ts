import type { EgressGuard } from "@yagate/egress";
import type { SearchProvider } from "../port.ts";
import type { SearchSettings } from "../search-settings.ts";
import { BRAVE_URL, braveFormat } from "./brave.ts";
import { EXA_URL, exaFormat } from "./exa.ts";
import { GOOGLE_URL, googleFormat } from "./google.ts";
import { searxngFormat } from "./searxng.ts";
import { SERPER_URL, serperFormat } from "./serper.ts";
import { TAVILY_URL, tavilyFormat } from "./tavily.ts";
import { createWebProvider } from "./web-provider.ts";
import type { WireFormat } from "./wire-format.ts";

/** Creates the providers for the services that are fully configured. */
export function webProviders(
  { brave, tavily, exa, serper, google, searxng }: SearchSettings,
  options: { readonly egress: EgressGuard; readonly now: () => number },
): readonly SearchProvider[] {
  const { now } = options;
  const formats: readonly (WireFormat | undefined)[] = [
    searxng && searxngFormat({ baseUrl: searxng.url, now }),
    brave && braveFormat({ apiKey: brave.apiKey, baseUrl: brave.baseUrl ?? BRAVE_URL, now }),
    tavily && tavilyFormat({ apiKey: tavily.apiKey, baseUrl: tavily.baseUrl ?? TAVILY_URL, now }),
    exa && exaFormat({ apiKey: exa.apiKey, baseUrl: exa.baseUrl ?? EXA_URL, now }),
    serper && serperFormat({ apiKey: serper.apiKey, baseUrl: serper.baseUrl ?? SERPER_URL, now }),
    google &&
      googleFormat({
        apiKey: google.apiKey,
        engineId: google.engineId,
        baseUrl: google.baseUrl ?? GOOGLE_URL,
        now,
      }),
  ];
  return formats.flatMap((format) => (format === undefined ? [] : [createWebProvider(format, options)]));
}
