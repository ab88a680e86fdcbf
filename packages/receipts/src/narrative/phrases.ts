import { isTokenSubject } from "@yagate/lib/ids/token-subject";
import { type Cost, type TokenUsage, toVisibleLine } from "@yagate/protocol";

/** Maximum length of a string or value in a sentence, in characters. The record contains the complete value. */
const MAX_CHARACTERS = 300;

/** Returns a value as JSON on one line, cut to {@link MAX_CHARACTERS}. */
export function quote(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  const characters = Array.from(json);
  if (characters.length <= MAX_CHARACTERS) return toVisibleLine(json);
  const rest = characters.length - MAX_CHARACTERS;
  return `${toVisibleLine(characters.slice(0, MAX_CHARACTERS).join(""))}… (${rest} more characters)`;
}

/** Describes the key, or the subject of the access token, that called the API. */
export function keyName(keyId: string | null): string {
  if (keyId === null) return "the bootstrap key";
  if (!isTokenSubject(keyId)) return `the API key ${toVisibleLine(keyId)}`;
  // In quotes, because a subject may contain spaces and full stops, and so a sentence of its own.
  return `the subject ${toVisibleLine(JSON.stringify(keyId))}`;
}

/** Returns the origin of a URL only, because its path and query may be private. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "an invalid address";
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function costText({ usd, credits, isPartial = false }: Cost): string {
  const money = `${isPartial ? "at least " : ""}${usd} USD`;
  const priced = isPartial ? `${money} (not all of it has a known price)` : money;
  return credits === 0 ? priced : `${priced} and ${countOf(credits, "credit")}`;
}

/** Returns whether nothing was charged. */
export function isFree({ usd, credits, isPartial = false }: Cost): boolean {
  return usd === 0 && credits === 0 && !isPartial;
}

export function tokensText({ inputTokens, outputTokens }: TokenUsage): string {
  return `${countOf(inputTokens, "input token")} and ${countOf(outputTokens, "output token")}`;
}

export function durationText(durationMs: number | null): string {
  return durationMs === null ? "" : ` after ${Math.round(durationMs)} ms`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Adds a full stop, unless the text already ends a sentence. */
export function sentence(text: string): string {
  return /[.!?…]"?$/.test(text) ? text : `${text}.`;
}
