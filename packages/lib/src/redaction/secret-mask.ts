import type { JsonValue } from "@yagate/protocol";
import { withoutHalfAtEnd } from "../text/cut-text.ts";
import { maskOf } from "./mask-of.ts";
import { createMaskedStream, type MaskedStream } from "./masked-stream.ts";
import { createRedaction } from "./redaction.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** Takes secrets out of what a model wrote, before anything of it is kept: `***NAME***` stands in their place. */
export interface SecretMask {
  text(text: string): string;
  json(value: JsonValue): JsonValue;
  /** The same, with the names of the secrets that the value held, each once; the value itself if it held none. */
  search(value: JsonValue): { readonly value: JsonValue; readonly names: readonly string[] };
  /** The same for a text that comes in pieces; its end is held back until more comes. */
  stream(passOn: (text: string) => void): MaskedStream;
}

/**
 * Prepares the search for some secrets in what a model writes, in every encoding that a leak scan finds.
 *
 * @param secrets - values of less than 8 characters are not looked for.
 */
export function createSecretMask(secrets: readonly NamedSecret[]): SecretMask {
  const secretSearch = createSecretSearch(secrets);
  const names = new Set<string>();
  const { text, json } = createRedaction(secrets, (name) => {
    names.add(name);
    return maskOf(name);
  });

  function settledLength(whole: string): number {
    // The other half of a character that is written as two is on its way.
    const complete = withoutHalfAtEnd(whole);
    const bytes = Buffer.from(complete, "utf8");
    const open = atOnce(secretSearch.beginningAtEnd(bytes, 1));
    if (open === bytes.length) return complete.length;
    // A secret may end in what would be the beginning of the next one.
    const cut = atOnce(secretSearch.spans(bytes))
      .toSorted((a, b) => b.end - a.end)
      .reduce((at, { start, end }) => (start < at && at < end ? start : at), open);
    return bytes.toString("utf8", 0, cut).length;
  }

  return {
    text,
    json,
    search(value) {
      names.clear();
      const masked = json(value);
      return { value: names.size === 0 ? value : masked, names: [...names] };
    },
    stream: (passOn) => createMaskedStream({ text, settledLength }, passOn),
  };
}
