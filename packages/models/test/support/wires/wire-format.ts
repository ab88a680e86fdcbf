import type { ProvidersSettings } from "../../../src/provider-settings.ts";

/** What a provider is to say. */
export interface WireContent {
  readonly reasoning?: string;
  readonly text?: string;
  /** `arguments` is sent as it is, valid JSON or not. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly end: "complete" | "length" | "refused";
}

/** Something that went wrong at a provider. */
export interface WireFault {
  readonly status: number;
  readonly message: string;
  /** In the provider's own words; by default what it says of an overload. */
  readonly code?: string;
}

/** A provider's wire format, written by hand. */
export interface WireFormat {
  readonly name: string;
  readonly model: string;
  readonly settings: (url: string) => ProvidersSettings;
  /** Absent where the gateway asks for streams only. */
  readonly whole?: (content: WireContent) => object;
  /** The `data:` of each server-sent event. */
  readonly stream: (content: WireContent) => readonly string[];
  /** Its variable for the key. */
  readonly keyVariable: string;
  /** The body of a refusal. */
  readonly refusal: (fault: WireFault) => object;
  /** What it puts into a stream that it can't finish. */
  readonly streamedFault: (fault: WireFault) => object;
  /** How many of its last events say that it is complete. */
  readonly endingEvents: number;
  /** What it has no words for. */
  readonly lacks?: readonly ("broken arguments" | "empty arguments" | "refusals" | "an order of text and calls")[];
}

export const encode = (events: readonly object[]) => events.map((event) => JSON.stringify(event));
export const fragments = (text: string) => text.match(/.{1,6}/gs) ?? [];
