import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

/** Returns the text that Readability alone extracts from a page, on the DOM of linkedom; empty if it finds none. */
export function readabilityAlone(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document).parse()?.textContent ?? "";
}
