import type { ReadDocument } from "../port.ts";
import { cleanText, invisibleWarnings } from "./clean-text.ts";

/** Reads plain text unchanged, except for invisible characters. */
export function readText(raw: string): ReadDocument {
  const { text, invisible } = cleanText(raw);
  return { format: "text", text, links: [], warnings: invisibleWarnings(invisible) };
}
