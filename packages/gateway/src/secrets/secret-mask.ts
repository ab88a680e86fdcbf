import type { JsonValue } from "@yagate/protocol";
import { maskOf } from "./credential.ts";
import { createMaskedStream, type MaskedStream } from "./masked-stream.ts";
import { createRedaction } from "./redaction.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** Takes secrets out of what a model wrote, before anything of it is kept: `***NAME***` stands in their place. */
export interface SecretMask {
  text(text: string): string;
  json(value: JsonValue): JsonValue;
  /** The same, with the names of the secrets that the value held, each once. */
  search(value: JsonValue): { readonly value: JsonValue; readonly names: readonly string[] };
  /** The same for a text that comes in pieces; its end is held back until more comes. */
  stream(passOn: (text: string) => void): MaskedStream;
}

/** JSON writes a character with up to 6; percent-encoding, hex and base64 take less. */
const ENCODED_CHARACTERS = 6;

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
  const reachCharacters = ENCODED_CHARACTERS * Math.max(0, ...secrets.map(({ value }) => value.length));

  function cutBefore(whole: string, most: number): number {
    const isInPair = /[\uD800-\uDBFF]/.test(whole.charAt(most - 1));
    const bytes = Buffer.from(whole, "utf8");
    const wanted = Buffer.byteLength(whole.slice(0, isInPair ? most - 1 : most));
    const cut = atOnce(secretSearch.spans(bytes))
      .toSorted((a, b) => b.end - a.end)
      .reduce((at, { start, end }) => (start < at && at < end ? start : at), wanted);
    return bytes.toString("utf8", 0, cut).length;
  }

  return {
    text,
    json,
    search(value) {
      names.clear();
      return { value: json(value), names: [...names] };
    },
    stream: (passOn) => createMaskedStream({ text, reachCharacters, cutBefore }, passOn),
  };
}
