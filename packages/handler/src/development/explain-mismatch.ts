type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>;

/** One thing that often goes wrong between a signer and a verifier. */
interface Hypothesis {
  /** What went wrong and what to do. */
  readonly cause: string;
  /** Keys that the signer may have used instead of the secret's text. */
  keys?(secret: string): readonly Bytes[];
  /** Texts that the signer may have signed instead of the bytes that arrived. */
  texts?(body: string): readonly string[];
}

const HYPOTHESES: readonly Hypothesis[] = [
  {
    cause: "the JSON was parsed and written again after signing: verify the bytes as they came, before any body parser",
    texts: (body) => [JSON.stringify(JSON.parse(body)), JSON.stringify(JSON.parse(body), null, 2)],
  },
  {
    cause: "white space at the start or the end was added or trimmed after signing: pass the body on unchanged",
    texts: (body) => [
      body.trim(),
      body.trimEnd(),
      `${body}\n`,
      `${body}\r\n`,
      `\uFEFF${body}`,
      body.replace(/^\uFEFF/, ""),
    ],
  },
  {
    cause: "line ends were changed after signing: something treats the body as text",
    texts: (body) => [body.replaceAll("\r\n", "\n"), body.replaceAll("\n", "\r\n")],
  },
  {
    cause: "the text was brought into another Unicode normal form after signing: pass the body on unchanged",
    texts: (body) => [body.normalize("NFC"), body.normalize("NFD")],
  },
  {
    cause: "UTF-8 was read as Latin-1 after signing: a proxy or a framework changes the encoding",
    texts: (body) => [decodeUtf8(Uint8Array.from(body, (character) => character.charCodeAt(0)))],
  },
  {
    cause:
      "the signer's key was the decoded bytes of the secret: X-YA-Signature is keyed with its text, prefix included",
    keys: (secret) => [Uint8Array.from(atob(secret.slice("whsec_".length)), (character) => character.charCodeAt(0))],
  },
  {
    cause: "the signer's key was the secret without whsec_, or with white space: the key is its text as shown, exactly",
    keys: (secret) => [secret.slice("whsec_".length), `${secret}\n`, `${secret}\r\n`, ` ${secret}`].map(encodeUtf8),
  },
];

/**
 * Finds out why a signature does not match, by trying what usually goes wrong. For the log of a developer only: it
 * costs many times a verification, and an answer that said so would help a forger.
 *
 * @returns a sentence for a person, without any part of the secret, the signature or the body.
 */
export async function explainMismatch(header: string, body: Uint8Array, secrets: readonly string[]): Promise<string> {
  if (body.byteLength === 0) return "the body is empty: something has read it before the handler did";
  for (const hypothesis of HYPOTHESES) {
    for (const secret of secrets) {
      if (await explains(hypothesis, header, body, secret)) return hypothesis.cause;
    }
  }
  return "the call was signed with another secret, or the body was changed in a way that is not known here";
}

async function explains(hypothesis: Hypothesis, header: string, body: Uint8Array, secret: string): Promise<boolean> {
  try {
    const keys = hypothesis.keys?.(secret) ?? [encodeUtf8(secret)];
    const texts = hypothesis.texts?.(decodeUtf8(body)).map(encodeUtf8) ?? [new Uint8Array(body)];
    for (const key of keys) {
      for (const text of texts) {
        if (header.includes(await hmacHex(key, text))) return true;
      }
    }
  } catch {
    // This body cannot have gone wrong in this way: it is no JSON, or no UTF-8.
  }
  return false;
}

async function hmacHex(key: Bytes, text: Bytes): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", imported, text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
