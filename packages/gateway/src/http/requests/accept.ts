interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangesOf(accept = ""): readonly Range[] {
  return accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
}

/** Returns the quality of a media type, as set by the most specific matching range (RFC 9110 §12.5.1). */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const wildcard = `${type.split("/", 1)[0]}/*`;
  for (const candidate of [type, wildcard, "*/*"]) {
    const range = ranges.find((one) => one.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** Checks whether an `Accept` header lists a media type, whatever its quality. */
export function namesType(accept: string | undefined, type: string): boolean {
  return rangesOf(accept).some((range) => range.type === type);
}

/** Checks whether an `Accept` header prefers plain text to JSON. JSON is the default. */
export function prefersText(accept: string | undefined): boolean {
  const ranges = rangesOf(accept);
  return qualityOf("text/plain", ranges) > qualityOf("application/json", ranges);
}
