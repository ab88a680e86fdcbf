const TAG = /<[/!a-zA-Z][^<>]{0,500}>/g;
const LINK_TARGET = /\]\([^()\s]{1,1000}(?:\s"[^"]{0,200}")?\)/g;
const SHORTCODE = /\{\{[^{}]{0,300}\}\}/g;
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>"'）」]{0,2000}[^\s<>"'）」.,;:!?。，]/g;

/** The same text, as long as before, with spaces in place of what is no word: tags, targets of links, addresses. */
export function maskMarkup(text: string): string {
  return [TAG, LINK_TARGET, SHORTCODE, ADDRESS].reduce(
    (masked, pattern) => masked.replace(pattern, (found) => " ".repeat(found.length)),
    text,
  );
}
