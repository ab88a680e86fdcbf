import type { KeyChange } from "./cause.ts";

const PREFIX = "whsec_";

/** Keys that signers use instead of the text of the secret. */
export const KEY_CHANGES: readonly KeyChange[] = [
  {
    id: "key-decoded",
    cause: "the key was the decoded bytes of the secret",
    advice:
      "the key of X-YA-Signature is the text of the secret in UTF-8, including whsec_; only webhook-signature decodes it",
    *keys(secret) {
      const encoded = secret.replace(PREFIX, "");
      yield Buffer.from(encoded, "base64");
      yield Buffer.from(secret, "base64");
    },
  },
  {
    id: "key-without-prefix",
    cause: "the key was the secret without whsec_",
    advice: "the key is the complete text of the secret, including whsec_",
    *keys(secret) {
      yield Buffer.from(secret.replace(PREFIX, ""));
      yield Buffer.from(`${PREFIX}${secret}`);
    },
  },
  {
    id: "key-with-white-space",
    cause: "the key had white space or quotes around the secret",
    advice: "the key is only the text of the secret: look for a line break in its file, or quotes in an .env file",
    *keys(secret) {
      const bare = bareSecret(secret);
      if (bare !== secret) yield Buffer.from(bare);
      for (const end of ["\n", "\r\n", "\r", " "]) yield Buffer.from(bare + end);
      for (const quote of ['"', "'"]) yield Buffer.from(quote + bare + quote);
      yield Buffer.from(` ${bare}`);
    },
  },
  {
    id: "key-of-nothing",
    cause: 'the key was not a secret: an empty text, "undefined" or "null"',
    advice: "the signer's variable is not set: fail if a secret is missing, instead of signing without one",
    *keys() {
      for (const text of ["", "undefined", "null", "None", PREFIX]) yield Buffer.from(text);
    },
  },
];

/** Returns a secret without accidental surrounding characters. */
export function bareSecret(secret: string): string {
  return secret
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .trim();
}
