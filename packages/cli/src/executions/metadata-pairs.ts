import { YagateError } from "@yagate/protocol";

/**
 * Parses the values of `--metadata name=value`.
 *
 * @throws YagateError `INVALID_REQUEST` for any other format, and for a name that occurs twice.
 */
export function metadataOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw refusal("expected --metadata name=value, such as orderId=ORD-7");
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const metadata = Object.fromEntries(pairs);
  if (Object.keys(metadata).length < pairs.length) throw refusal("expected each name in --metadata only once");
  return metadata;
}

function refusal(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message);
}
