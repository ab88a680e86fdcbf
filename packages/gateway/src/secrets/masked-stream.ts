/** What a stream must know of the secrets that it takes out. */
export interface StreamedSecrets {
  text(text: string): string;
  /** Longest piece of a text that holds a whole secret, in characters, but for what is encoded more than once. */
  readonly reachCharacters: number;
  /** The last place up to `most` where a text may be cut without cutting a secret, in characters; 0 where there is none. */
  cutBefore(text: string, most: number): number;
}

/** Passes on a text that comes in pieces, without its secrets. */
export interface MaskedStream {
  write(text: string): void;
  /** Passes on what was held back. */
  end(): void;
}

/** So much more than what is held back must be there before it is searched again. */
const MIN_STEP_CHARACTERS = 64;

/**
 * Holds back the end of what came, as long as the longest secret may be, so that one that came in pieces is found as well.
 * Each character is searched a few times, however small the pieces are.
 */
export function createMaskedStream(mask: StreamedSecrets, passOn: (text: string) => void): MaskedStream {
  const reach = mask.reachCharacters;
  const enough = reach + Math.max(MIN_STEP_CHARACTERS, Math.ceil(reach / 4));
  let held = "";
  let searchedAt = enough;

  return {
    write(text) {
      held += text;
      if (held.length < searchedAt) return;
      const cut = mask.cutBefore(held, held.length - reach);
      // Secrets without an end: it is not searched again with each piece.
      searchedAt = cut === 0 ? 2 * held.length : enough;
      if (cut === 0) return;
      passOn(mask.text(held.slice(0, cut)));
      held = held.slice(cut);
    },
    end() {
      if (held !== "") passOn(mask.text(held));
      held = "";
    },
  };
}
