import { YagateError } from "@yagate/protocol";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import type { Keyring } from "./keyring.ts";

const ALGORITHM = "dir";
const ENCRYPTION = "A256GCM";
const SEGMENTS = 5;

/** The owner of a sealed value: its kind, workspace, name and id. */
export type SealContext = readonly string[];

/** Seals small texts for storage. */
export interface Sealer {
  /** @returns a JWE in compact form (RFC 7516: `dir`, `A256GCM`), whose protected header names the key and the context. */
  seal(plaintext: string, context: SealContext): Promise<string>;
  /**
   * @throws YagateError `NOT_CONFIGURED` if the keyring lacks the key that sealed it; `INTERNAL` if it was changed,
   * was sealed by another key with the same id, or belongs to another context.
   */
  open(sealed: string, context: SealContext): Promise<string>;
}

/** The id of the master key that sealed a text; undefined if the text names none. */
export function kidOf(sealed: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(sealed);
    return kid;
  } catch {
    return undefined;
  }
}

/** Accepts one text per value: a decoder that is lenient with base64url would open a changed text. */
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
  new YagateError("INTERNAL", "a sealed value could not be opened: it was changed, or belongs to another record", {
    cause,
  });

export function createSealer(keyring: Keyring): Sealer {
  function keyOf(kid: unknown) {
    const found = typeof kid === "string" ? keyring.find(kid) : undefined;
    if (found !== undefined) return found.key;
    throw new YagateError(
      "NOT_CONFIGURED",
      "a sealed value needs a master key that is not configured: add the key that was active when it was stored",
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
