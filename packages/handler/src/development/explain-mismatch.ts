import type { HeaderSource } from "../read-header.ts";
import { type SignatureScheme, signatureOf, webhookHeadersOf } from "../signature-scheme.ts";

type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>;

const PREFIX = "whsec_";

/** A common mistake in signing or verifying. */
interface Hypothesis {
  /** The mistake, and how to correct it. */
  readonly cause: string;
  /** The only scheme in which this mistake can occur; absent if it can occur in both schemes. */
  readonly scheme?: SignatureScheme;
  /** Keys that the signer may have used by mistake. */
  keys?(secret: string): readonly Bytes[];
  /** Texts that the signer may have signed instead of the received bytes. */
  texts?(body: string): readonly (string | Bytes)[];
}

/** A received request, and what its signature covers. */
interface Arrived {
  readonly scheme: SignatureScheme;
  readonly signature: string;
  /** The part of the signed text that comes before the body. */
  readonly prefix: string;
  readonly body: Uint8Array;
}

// Simpler explanations come first: reserialised JSON would also explain an extra line break.
const HYPOTHESES: readonly Hypothesis[] = [
  {
    cause: "white space at the start or the end was added or removed after signing: pass the body on unchanged",
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
    cause: "line endings were changed after signing: some code treats the body as text",
    texts: (body) => [body.replaceAll("\r\n", "\n"), body.replaceAll("\n", "\r\n")],
  },
  {
    cause: "the text was converted to another Unicode normal form after signing: pass the body on unchanged",
    texts: (body) => [body.normalize("NFC"), body.normalize("NFD")],
  },
  {
    cause: "UTF-8 was read as Latin-1 after signing: a proxy or a framework changes the encoding",
    texts: (body) => [decodeUtf8(Uint8Array.from(body, (character) => character.charCodeAt(0)))],
  },
  {
    cause:
      "the JSON was parsed and serialised again after signing: verify the bytes as received, before any body parser",
    texts: (body) => [JSON.stringify(JSON.parse(body)), JSON.stringify(JSON.parse(body), null, 2)],
  },
  {
    cause:
      "the body was serialised twice, or sent as a Buffer, so it is a JSON string inside JSON: pass on the bytes themselves, without JSON.stringify",
    texts: (body) => textsInside(JSON.parse(body)),
  },
  {
    cause: "this is a describe request, which the handler rejects because of its size or `describe: false`",
    scheme: "yagate",
    texts: (body) => [`describe.${body}`],
  },
  {
    cause:
      "the signer used the decoded bytes of the secret as the key: the key for X-YA-Signature is the secret's text, including its prefix",
    scheme: "yagate",
    keys: (secret) => [decodedKey(secret)],
  },
  {
    cause:
      "the signer used the secret's text as the key: the key for webhook-signature is the decoded base64 after whsec_",
    scheme: "standard-webhooks",
    keys: (secret) => [encodeUtf8(secret), encodeUtf8(secret.slice(PREFIX.length))],
  },
  {
    cause:
      "the signer used the secret without whsec_, or with white space, as the key: the key is the complete text of the secret",
    scheme: "yagate",
    keys: (secret) => [secret.slice(PREFIX.length), `${secret}\n`, `${secret}\r\n`, ` ${secret}`].map(encodeUtf8),
  },
];

/**
 * Finds the likely cause of a signature mismatch by trying common mistakes. Use it only for a developer's log: it takes
 * many times as long as a verification, and in a response, the cause would help a forger.
 *
 * @returns a sentence that contains no part of the secret, the signature or the body.
 */
export async function explainMismatch(
  headers: HeaderSource,
  body: Uint8Array,
  secrets: readonly string[],
  scheme: SignatureScheme,
): Promise<string> {
  if (body.byteLength === 0) return "the body is empty: other code read it before the handler did";
  const { id, timestamp } = webhookHeadersOf(headers);
  const prefix = scheme === "yagate" ? "" : `${id}.${timestamp}.`;
  const arrived = { scheme, signature: signatureOf(headers, scheme) ?? "", prefix, body };
  for (const hypothesis of HYPOTHESES) {
    if ((hypothesis.scheme ?? scheme) !== scheme) continue;
    for (const secret of secrets) {
      if (await explains(hypothesis, arrived, secret)) return hypothesis.cause;
    }
  }
  return "the call was signed with a different secret, or the body was changed in an unknown way";
}

async function explains(hypothesis: Hypothesis, arrived: Arrived, secret: string): Promise<boolean> {
  const { scheme, signature, prefix, body } = arrived;
  try {
    const ownKey = scheme === "yagate" ? encodeUtf8(secret) : decodedKey(secret);
    const keys = hypothesis.keys?.(secret) ?? [ownKey];
    const texts = hypothesis.texts?.(decodeUtf8(body)) ?? [new Uint8Array(body)];
    for (const key of keys) {
      for (const text of texts) {
        const digest = await hmac(key, prefix, typeof text === "string" ? encodeUtf8(text) : text);
        if (signature.includes(scheme === "yagate" ? toHex(digest) : btoa(String.fromCharCode(...digest)))) return true;
      }
    }
  } catch {
    // This mistake is impossible if the body is not JSON, or not UTF-8.
  }
  return false;
}

/**
 * Returns the bodies that may be contained in a value that a parser created: a string, base64, a list of bytes,
 * `{"type":"Buffer","data":[…]}`, or an object with one of these as `body`.
 */
function textsInside(value: unknown): readonly (string | Bytes)[] {
  if (typeof value === "string") return [value, ...fromBase64(value)];
  if (Array.isArray(value)) return value.every(isByte) ? [Uint8Array.from(value)] : [];
  const { data, body } = Object(value);
  // JSON.stringify converts a Uint8Array to {"0":123,"1":34,…}.
  const members = Object.entries(Object(value));
  if (members.length > 0 && members.every(([key, byte], index) => key === String(index) && isByte(byte))) {
    return [Uint8Array.from(members, ([, byte]) => Number(byte))];
  }
  return [data, body].flatMap((inner) => (inner === undefined ? [] : textsInside(inner)));
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

function fromBase64(text: string): readonly Bytes[] {
  return /^[A-Za-z0-9+/]+=*$/.test(text) ? [bytesOf(atob(text))] : [];
}

function decodedKey(secret: string): Bytes {
  return bytesOf(atob(secret.slice(PREFIX.length)));
}

function bytesOf(binary: string): Bytes {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function hmac(key: Bytes, prefix: string, text: Bytes): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const start = encodeUtf8(prefix);
  const signed = new Uint8Array(start.byteLength + text.byteLength);
  signed.set(start);
  signed.set(text, start.byteLength);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed));
}

function toHex(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
