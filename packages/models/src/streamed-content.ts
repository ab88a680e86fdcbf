import type { LanguageModelV4Content, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { assertNoDownload } from "./generated-file.ts";
import type { Pairing } from "./hosted/paired-results.ts";

/** A text or reasoning that is still arriving. */
interface OpenText {
  readonly type: "text" | "reasoning";
  text: string;
  providerMetadata?: SharedV4ProviderMetadata;
}

/** Assembles the content of a response from the parts of its stream, in the order in which the parts started. */
export class StreamedContent {
  readonly #pair: Pairing;
  readonly #parts: (LanguageModelV4Content | OpenText)[] = [];
  /** The texts that have not ended, by type and the provider's id. */
  readonly #open = new Map<string, OpenText>();

  constructor(pair: Pairing) {
    this.#pair = pair;
  }

  get parts(): readonly LanguageModelV4Content[] {
    return this.#parts;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.#extend("text", part);
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#extend("reasoning", part);
        break;
      case "file":
      case "reasoning-file":
        assertNoDownload(part);
        break;
      case "tool-call":
      case "tool-result":
      case "source":
        this.#parts.push(...this.#pair(part));
        break;
    }
  }

  #extend(
    type: OpenText["type"],
    part: {
      readonly type: string;
      readonly id: string;
      readonly delta?: string;
      readonly providerMetadata?: SharedV4ProviderMetadata;
    },
  ): void {
    const key = `${type}:${part.id}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { type, text: "" };
      this.#open.set(key, open);
      this.#parts.push(open);
    }
    if (part.delta !== undefined) open.text += part.delta;
    // Each part replaces the metadata: signatures arrive with the last one.
    if (part.providerMetadata !== undefined) open.providerMetadata = part.providerMetadata;
    if (part.type.endsWith("-end")) this.#open.delete(key);
  }
}
