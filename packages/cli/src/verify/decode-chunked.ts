const SIZE_LINE = /^([0-9a-fA-F]{1,8})(?:;[^\r\n]*)?\r\n/;

/** Decodes a body in chunked transfer coding and drops trailers. Returns `undefined` for any other body. */
export function decodeChunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const [line, hexSize = ""] = SIZE_LINE.exec(bytes.subarray(at, at + 256).toString("latin1")) ?? [];
    if (line === undefined) return undefined;
    const start = at + line.length;
    const size = Number.parseInt(hexSize, 16);
    if (size === 0) return Buffer.concat(chunks);
    if (start + size > bytes.length) return undefined;
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + "\r\n".length;
  }
}
