import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

/** What Readability makes of a page by itself, on the DOM of linkedom: its text, empty where it finds none. */
export function readabilityAlone(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document).parse()?.textContent ?? "";
}
