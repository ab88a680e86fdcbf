import { createHmac } from "node:crypto";
import type { LiveBody } from "./live-body.ts";
import type { Vector } from "./read-vectors.ts";
import type { World } from "./world.ts";

/** The keys that signatures of vectors are made with, by their part. */
type Keys = Readonly<Record<"own" | "previous" | "foreign" | "decoded" | "empty" | "prefix", string | Buffer | undefined>>;
/** The texts that they cover, in Latin-1. */
type Texts = Readonly<Record<string, string | undefined>>;

/** How a digest is written in a header. The order matters: the longer ones contain the shorter. */
const FORMS: readonly ((key: string | Buffer, text: Buffer) => string)[] = [
  (key, text) => createHmac("sha512", key).update(text).digest("hex"),
  hex,
  (key, text) => hex(key, text).toUpperCase(),
  (key, text) => hex(key, text).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (key, text) => lastDigitChanged(hex(key, text)),
  (key, text) => hex(key, text).slice(0, -1),
  (key, text) => createHmac("sha1", key).update(text).digest("hex"),
  (key, text) => createHmac("sha256", key).update(text).digest("base64"),
];

const NO_SIGNATURE = "0".repeat(64);

/** Which header of a vector can't be carried over, and why. */
export interface NotCarried {
  readonly skipped: string;
}

/**
 * Carries the value of a header over: every digest in it is found out (which key, which text, which form) and made
 * anew in the other world; all else stays. A digest that no known key gives is a stranger's.
 */
export function liveHeader(value: string, vector: Vector, body: LiveBody, base: string, world: World): string | NotCarried {
  const vectorKeys = keysOf(ownSecretOf(vector), vector.secrets[1], UNUSED_SECRET);
  const liveKeys = keysOf(world.secret, world.previousSecret, world.foreignSecret);
  const vectorTexts = textsOf(bytesOf(vector), base, (fragment) => fragment, vector.nowMs);
  const liveTexts = textsOf(body.fragment ?? body.text, body.before, body.around ?? ((fragment) => fragment), world.nowMs);
  let text = value;
  let rest = value;
  for (const form of FORMS) {
    for (const [keyName, key] of Object.entries(vectorKeys)) {
      for (const [textName, signed] of Object.entries(vectorTexts)) {
        if (key === undefined || signed === undefined) continue;
        const found = form(key, Buffer.from(signed, "latin1"));
        if (!rest.includes(found)) continue;
        const liveKey = Object.entries(liveKeys).find(([name]) => name === keyName)?.[1];
        const liveText = liveTexts[textName];
        if (liveKey === undefined || liveText === undefined) return { skipped: "it needs a second secret that the handler accepts: --previous-secret-env" };
        text = text.replaceAll(found, form(liveKey, Buffer.from(liveText, "latin1")));
        rest = rest.replaceAll(found, "");
      }
    }
  }
  const foreign = hex(world.foreignSecret, Buffer.from(body.text, "latin1"));
  for (const [digest] of rest.matchAll(/\b[0-9a-f]{64}\b/g)) {
    if (digest !== NO_SIGNATURE) text = text.replaceAll(digest, foreign);
  }
  return text;
}

/** Signs nothing. Its bytes are not zero: HMAC fills a short key up with zeros, so that this would be the empty key. */
const UNUSED_SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** Of a vector about a secret that is none, no secret: it is about the key that such a text would give. */
function ownSecretOf({ secrets: [own = ""] }: Vector): string {
  return own.length > "whsec_".length ? own : UNUSED_SECRET;
}

function bytesOf({ body, paddedToBytes = 0 }: Vector): string {
  return body.toString("latin1").padEnd(paddedToBytes, " ");
}

function keysOf(own: string, previous: string | undefined, foreign: string): Keys {
  return {
    own,
    previous: previous === "" ? undefined : previous,
    foreign,
    decoded: Buffer.from(own.replace("whsec_", ""), "base64"),
    empty: "",
    prefix: "whsec_",
  };
}

function textsOf(body: string, before: string, around: (fragment: string) => string, nowMs: number): Texts {
  const whole = around(body);
  return {
    body: whole,
    before,
    rewritten: rewritten(body, around),
    composed: around(Buffer.from(Buffer.from(body, "latin1").toString("utf8").normalize("NFC")).toString("latin1")),
    swapped: around(body.replaceAll("\u00fe", "\u00ff")),
    webhook: `tc_1.${Math.floor(nowMs / 1_000)}.${whole}`,
  };
}

function rewritten(body: string, around: (fragment: string) => string): string | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
    return around(Buffer.from(JSON.stringify(value)).toString("latin1"));
  } catch {
    return undefined;
  }
}

function hex(key: string | Buffer, text: Buffer): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function lastDigitChanged(digits: string): string {
  const last = Number.parseInt(digits.slice(-1), 16);
  return digits.slice(0, -1) + ((last + 7) % 16).toString(16);
}
