import { createHmac } from "node:crypto";
import type { LiveBody } from "./live-body.ts";
import type { Vector } from "./read-vectors.ts";
import type { World } from "./world.ts";

type Key = string | Buffer;
/** The keys with which a vector's signatures were created, by role. */
type Keys = ReadonlyMap<string, Key>;
/** The texts that the signatures cover. */
type Texts = ReadonlyMap<string, Buffer>;

/** Encodings of a digest in a header. Complete encodings come first, because they contain the shortened ones. */
const FORMS: readonly ((key: Key, text: Buffer) => string)[] = [
  hex,
  (key, text) => createHmac("sha512", key).update(text).digest("hex"),
  (key, text) => hex(key, text).toUpperCase(),
  (key, text) => hex(key, text).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (key, text) => lastDigitChanged(hex(key, text)),
  (key, text) => hex(key, text).slice(0, -1),
  (key, text) => createHmac("sha1", key).update(text).digest("hex"),
  (key, text) => createHmac("sha256", key).update(text).digest("base64"),
];

/** Matches anything that could be a digest. */
const UNEXPLAINED = /[0-9a-f\uff10-\uff19]{38}|[A-Za-z0-9+/]{43}=/i;

const NO_SIGNATURE = "0".repeat(64);

/** A header in a vector that cannot be adapted, with the reason. */
export interface NotCarried {
  readonly skipped: string;
}

/**
 * Adapts the value of a header. Every digest in it is identified (key, text and encoding) and computed again; the rest
 * stays unchanged. A digest that no known key produces is assigned to an unknown key.
 */
export function liveHeader(value: string, vector: Vector, body: LiveBody, base: string, world: World): string | NotCarried {
  const keys = keysOf(ownSecretOf(vector), vector.secrets[1], UNUSED_SECRET);
  const texts = textsOf(bytesOf(vector), base, (fragment) => fragment, vector.nowMs);
  const liveKeys = keysOf(world.secret, world.previousSecret, world.foreignSecret);
  const liveTexts = textsOf(body.fragment ?? body.text, body.before, body.around ?? ((fragment) => fragment), world.nowMs);
  let text = value;
  let rest = value;
  for (const { digest, form, keyName, textName } of knownDigests(keys, texts)) {
    if (!UNEXPLAINED.test(rest)) break;
    if (!rest.includes(digest)) continue;
    const key = liveKeys.get(keyName);
    const liveText = liveTexts.get(textName);
    if (key === undefined || liveText === undefined) {
      return { skipped: "it needs a second secret that the handler accepts: --previous-secret-env" };
    }
    text = text.replaceAll(digest, form(key, liveText));
    rest = rest.replaceAll(digest, "");
  }
  const foreign = hex(world.foreignSecret, Buffer.from(body.text, "latin1"));
  for (const [digest] of rest.matchAll(/\b[0-9a-f]{64}\b/g)) {
    if (digest !== NO_SIGNATURE) text = text.replaceAll(digest, foreign);
  }
  return text;
}

/** Yields every digest that a vector's keys produce from its texts, likely ones first. */
function* knownDigests(keys: Keys, texts: Texts) {
  for (const form of FORMS) {
    for (const [keyName, key] of keys) {
      for (const [textName, text] of texts) yield { digest: form(key, text), form, keyName, textName };
    }
  }
}

/**
 * A secret that signs no call. Its bytes are not zero, because HMAC pads short keys with zeros, so a key of zeros would
 * equal the empty key.
 */
const UNUSED_SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/**
 * Returns the handler's secret in a vector. A vector about an invalid secret has none; it tests the key that such a
 * text would produce.
 */
function ownSecretOf({ secrets: [own = ""] }: Vector): string {
  return own.length > "whsec_".length ? own : UNUSED_SECRET;
}

function bytesOf({ body, paddedToBytes = 0 }: Vector): string {
  return body.toString("latin1").padEnd(paddedToBytes, " ");
}

function keysOf(own: string, previous: string | undefined, foreign: string): Keys {
  const keys = new Map<string, Key>([
    ["own", own],
    ["foreign", foreign],
    ["decoded", Buffer.from(own.replace("whsec_", ""), "base64")],
    ["empty", ""],
    ["prefix", "whsec_"],
  ]);
  if (previous !== undefined && previous !== "") keys.set("previous", previous);
  return keys;
}

function textsOf(body: string, before: string, around: (fragment: string) => string, nowMs: number): Texts {
  const whole = around(body);
  const texts = {
    body: whole,
    before,
    rewritten: rewritten(body, around),
    composed: around(Buffer.from(Buffer.from(body, "latin1").toString("utf8").normalize("NFC")).toString("latin1")),
    swapped: around(body.replaceAll("\u00fe", "\u00ff")),
    webhook: `tc_1.${Math.floor(nowMs / 1_000)}.${whole}`,
  };
  return new Map(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, Buffer.from(text, "latin1")]])),
  );
}

function rewritten(body: string, around: (fragment: string) => string): string | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
    return around(Buffer.from(JSON.stringify(value)).toString("latin1"));
  } catch {
    return undefined;
  }
}

function hex(key: Key, text: Buffer): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function lastDigitChanged(digits: string): string {
  const last = Number.parseInt(digits.slice(-1), 16);
  return digits.slice(0, -1) + ((last + 7) % 16).toString(16);
}
