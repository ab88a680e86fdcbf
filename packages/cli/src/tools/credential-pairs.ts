import { YagateError } from "@yagate/protocol";

/**
 * Parses a value of `--credential-for`: the name of a security scheme, `=` and the name of a secret.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function toCredentialPair(text: string): readonly [string, string] {
  const at = text.lastIndexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  const hint = "write --credential-for api_key=SHOP_KEY";
  throw new YagateError("INVALID_REQUEST", "--credential-for: expected the name of a scheme, = and a secret's name", {
    hint,
  });
}
