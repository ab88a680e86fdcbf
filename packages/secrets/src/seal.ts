import { YagateError } from "@yagate/protocol";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import type { Keyring } from "./keyring.ts";

const ALGORITHM = "dir";
const ENCRYPTION = "A256GCM";
const SEGMENTS = 5;

/** The owner of an encrypted value: its kind, workspace, name and id. */
export type SealContext = readonly string[];

/** Encrypts short texts for storage, and decrypts them. */
export interface Sealer {
  /**
   * Encrypts a text.
   * @returns a JWE in compact serialization (RFC 7516: `dir`, `A256GCM`), whose protected header contains the id of the
   *   key and the context.
   */
  seal(plaintext: string, context: SealContext): Promise<string>;
  /**
   * Decrypts an encrypted text.
   * @throws YagateError `NOT_CONFIGURED` if the keyring lacks the key with which the text was encrypted; `INTERNAL` if the
   *   text was changed, was encrypted with another key of the same id, or belongs to another context.
   */
  open(sealed: string, context: SealContext): Promise<string>;
}

/** Returns the id of the master key with which a text was encrypted; undefined if the text contains none. */
export function kidOf(sealed: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(sealed);
    return kid;
  } catch {
    return undefined;
  }
}

/** Checks that the text is canonical base64url. Without this check, a lenient decoder would accept a changed text. */
function isCanonical(sealed: string): boolean {
  const segments = sealed.split(".");
  return (
    segments.length === SEGMENTS &&
    segments.every((segment) => Buffer.from(segment, "base64url").toString("base64url") === segment)
  );
}

function isSameContext(header: unknown, context: SealContext): boolean {
  return (
    Array.isArray(header) && header.length === context.length && context.every((part, index) => header[index] === part)
  );
}

const notOurs = (cause?: unknown) =>
  new YagateError(
    "INTERNAL",
    "an encrypted value could not be decrypted: it was changed, or it belongs to another record",
    {
      cause,
    },
  );

export function createSealer(keyring: Keyring): Sealer {
  function keyOf(kid: unknown) {
    const found = typeof kid === "string" ? keyring.find(kid) : undefined;
    if (found !== undefined) return found.key;
    throw new YagateError(
      "NOT_CONFIGURED",
      "an encrypted value needs a master key that is not configured: add the key that was active when the value was stored",
    );
  }

  return {
    seal(plaintext, context) {
      const { kid, key } = keyring.active;
      return new CompactEncrypt(new TextEncoder().encode(plaintext))
        .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid, context: [...context] })
        .encrypt(key);
    },
    async open(sealed, context) {
      if (!isCanonical(sealed)) throw notOurs();
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, ({ kid }) => keyOf(kid), {
          keyManagementAlgorithms: [ALGORITHM],
          contentEncryptionAlgorithms: [ENCRYPTION],
        });
        if (!isSameContext(protectedHeader["context"], context)) throw notOurs();
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plaintext);
      } catch (error) {
        throw YagateError.is(error) ? error : notOurs(error);
      }
    },
  };
}
