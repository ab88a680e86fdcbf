import type { JsonValue } from "@yagate/protocol";
import { withoutHalfAtEnd } from "../text/cut-text.ts";
import { createRedaction } from "./redaction.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** Replaces secrets in a model's output with `***NAME***` before the output is stored. */
export interface SecretMask {
  text(text: string): string;
  json(value: JsonValue): JsonValue;
  /**
   * Masks a value like `json`, and also returns the names of the secrets that it contained, without duplicates. A value
   * without secrets is returned unchanged.
   */
  search(value: JsonValue): { readonly value: JsonValue; readonly names: readonly string[] };
  /** Masks a streamed text. Holds back the end of the text until more text arrives. */
  stream(passOn: (text: string) => void): MaskedStream;
}

/**
 * Prepares the masking of secrets in a model's output, in every encoding that a leak scan finds.
 *
 * @param secrets - values with fewer than 8 characters are ignored.
 */
export function createSecretMask(secrets: readonly NamedSecret[]): SecretMask {
  const secretSearch = createSecretSearch(secrets);
  const names = new Set<string>();
  const { text, json } = createRedaction(secrets, (name) => {
    names.add(name);
    return maskOf(name);
  });

  function settledLength(whole: string): number {
    // The second half of a surrogate pair has not arrived yet.
    const complete = withoutHalfAtEnd(whole);
    const bytes = Buffer.from(complete, "utf8");
    const open = atOnce(secretSearch.beginningAtEnd(bytes, 1));
    if (open === bytes.length) return complete.length;
    // The end of a secret may also be the start of the next one.
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

/** Returns the text that is shown instead of a secret: `***NAME***`. */
export function maskOf(name: string): string {
  return `***${name}***`;
}

/** The functions that a masked stream needs to find secrets. */
interface StreamedSecrets {
  text(text: string): string;
  /**
   * Returns how many characters at the start of a text can be passed on. The rest may be the start of a secret in any
   * encoding.
   */
  settledLength(text: string): number;
}

/** Masks secrets in a streamed text and passes the text on. */
interface MaskedStream {
  write(text: string): void;
  /** Passes on the text that was held back. */
  end(): void;
}

/**
 * Creates a stream that finds secrets even if they are split across several chunks. It holds back only text that may be
 * the start of a secret.
 */
function createMaskedStream(mask: StreamedSecrets, passOn: (text: string) => void): MaskedStream {
  let held = "";

  return {
    write(text) {
      held += text;
      const settled = mask.settledLength(held);
      if (settled === 0) return;
      const passed = mask.text(held.slice(0, settled));
      held = held.slice(settled);
      if (passed !== "") passOn(passed);
    },
    end() {
      if (held !== "") passOn(mask.text(held));
      held = "";
    },
  };
}
