/**
 * Splits a stream of UTF-8 into lines. Unlike `node:readline`, it does not split at U+2028 and U+2029, which JSON may
 * contain unescaped.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest !== "") yield rest;
}
