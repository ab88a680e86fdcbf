interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(part: string): Range {
  const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** How much a reader wants a media type: the most specific range that fits it decides (RFC 9110 §12.5.1). */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const wildcard = `${type.split("/", 1)[0]}/*`;
  for (const candidate of [type, wildcard, "*/*"]) {
    const range = ranges.find((one) => one.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** Whether a reader wants plain text more than JSON; without a word on it, JSON is what it gets. */
export function prefersText(accept: string | undefined): boolean {
  const ranges = (accept ?? "").split(",").map(parseRange);
  return qualityOf("text/plain", ranges) > qualityOf("application/json", ranges);
}
