/** What a stream must know of the secrets that it takes out. */
export interface StreamedSecrets {
  text(text: string): string;
  /** How much of a text can be passed on: what follows may be the beginning of a secret, in whatever encoding. */
  settledLength(text: string): number;
}

/** Passes on a text that comes in pieces, without its secrets. */
export interface MaskedStream {
  write(text: string): void;
  /** Passes on what was held back. */
  end(): void;
}

/** Holds back only what may be the beginning of a secret, so that one that comes in pieces is found as well. */
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
