/** The functions that a masked stream needs to find secrets. */
export interface StreamedSecrets {
  text(text: string): string;
  /**
   * Returns how many characters at the start of a text can be passed on. The rest may be the start of a secret in any
   * encoding.
   */
  settledLength(text: string): number;
}

/** Masks secrets in a streamed text and passes the text on. */
export interface MaskedStream {
  write(text: string): void;
  /** Passes on the text that was held back. */
  end(): void;
}

/**
 * Creates a stream that finds secrets even if they are split across several chunks. It holds back only text that may be
 * the start of a secret.
 */
export function createMaskedStream(mask: StreamedSecrets, passOn: (text: string) => void): MaskedStream {
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
