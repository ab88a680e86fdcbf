/** What a masked stream needs to know about the secrets. */
export interface StreamedSecrets {
  text(text: string): string;
  /** How much of a text can be passed on: the rest may be the start of a secret, in any encoding. */
  settledLength(text: string): number;
}

/** Passes on a streamed text without its secrets. */
export interface MaskedStream {
  write(text: string): void;
  /** Passes on the text that was held back. */
  end(): void;
}

/** Holds back only a possible start of a secret, so that secrets split over several chunks are found. */
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
