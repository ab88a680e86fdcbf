/** Maximum number of open tags. The parser becomes slower with each open tag. */
const MAX_OPEN = 1_000;

/** Elements without an end tag, or with an optional end tag. */
const UNCOUNTED = new Set(
  `area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option optgroup
  colgroup caption rt rp`.split(/\s+/),
);
/** Elements whose content is raw text. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "noembed", "noframes"]);

/** Drops tags that are nested more than a thousand levels deep, and their end tags. */
export function dropDeepTags(html: string): { readonly html: string; readonly isTooDeep: boolean } {
  const kept: string[] = [];
  let from = 0;
  let open = 0;
  let dropped = 0;
  let isTooDeep = false;
  let at = html.indexOf("<");
  while (at !== -1) {
    const next = html.charCodeAt(at + 1);
    if (next === 0x21 && html.startsWith("<!--", at)) {
      at = after(html, "-->", at + 4);
    } else if (next === 0x2f || isLetter(next)) {
      const isEnd = next === 0x2f;
      const name = nameAt(html, at + (isEnd ? 2 : 1));
      const end = after(html, ">", at + 1);
      if (!isEnd && RAW.has(name)) {
        at = endOfRaw(html, name, end);
        at = at === -1 ? -1 : html.indexOf("<", at);
        continue;
      }
      let isDropped = false;
      if (name !== "" && !UNCOUNTED.has(name)) {
        if (isEnd) {
          isDropped = dropped > 0;
          if (isDropped) dropped -= 1;
          else if (open > 0) open -= 1;
        } else if (open >= MAX_OPEN) {
          isDropped = true;
          dropped += 1;
        } else open += 1;
      }
      if (isDropped) {
        isTooDeep = true;
        kept.push(html.slice(from, at), " ");
        from = end === -1 ? html.length : end;
      }
      at = end;
    } else at += 1;
    if (at !== -1) at = html.indexOf("<", at);
  }
  return isTooDeep ? { html: kept.join("") + html.slice(from), isTooDeep } : { html, isTooDeep };
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

/** Returns where the end tag of a raw-text element starts. */
function endOfRaw(html: string, name: string, from: number): number {
  if (from === -1) return -1;
  const end = new RegExp(`</${name}`, "gi");
  end.lastIndex = from;
  const match = end.exec(html);
  return match === null ? -1 : match.index + 2;
}

function nameAt(html: string, from: number): string {
  const name = /^[a-z][a-z0-9-]{0,20}/i.exec(html.slice(from, from + 21));
  return name === null ? "" : name[0].toLowerCase();
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
