/** A decoded text, and the name of its encoding in the Encoding Standard. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** Number of bytes at the start of a page that are searched for an encoding declaration, as in browsers. */
const PRESCAN_BYTES = 1_024;
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const XML_ENCODING = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/i;

/**
 * Decodes a text as the HTML Standard does: by the byte order mark, the header, or the declaration in the document, in
 * this order; otherwise as UTF-8 if that is valid, or else as windows-1252. Invalid bytes become U+FFFD.
 *
 * @param mediaType - may contain `charset`; the type selects which kind of declaration is read.
 */
export function decodeText(bytes: Uint8Array, mediaType: string | undefined, isMarkup: boolean): DecodedText {
  const declared =
    encodingOfMark(bytes) ?? encodingOfHeader(mediaType) ?? (isMarkup ? encodingOfMarkup(bytes) : undefined);
  if (declared !== undefined) return decoded(bytes, declared);
  const guessed = encodingOfZeros(bytes);
  if (guessed !== undefined) return decoded(bytes, guessed);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return decoded(bytes, mostlyUtf8(bytes) ? "utf-8" : "windows-1252");
  }
}

/** Returns the Encoding Standard's name for a label, or `undefined` for an unknown label. */
export function encodingOfLabel(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label.trim().toLowerCase());
    return encoding;
  } catch {
    return undefined;
  }
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return undefined;
}

function encodingOfHeader(mediaType: string | undefined): string | undefined {
  const label = mediaType?.match(/;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i);
  return label == null ? undefined : encodingOfLabel(label[1] ?? label[2] ?? "");
}

function encodingOfMarkup(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN_BYTES)).replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  const label = (XML_ENCODING.exec(head.trimStart()) ?? META_CHARSET.exec(head))?.[1];
  const encoding = label === undefined ? undefined : encodingOfLabel(label);
  // The declaration could be read as ASCII, so the text is not UTF-16.
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/** Detects UTF-16 without a byte order mark: in Latin text, every other byte is zero. */
export function encodingOfZeros(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, 256);
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  if (head.length < 8) return undefined;
  if (odd > head.length * 0.3 && even === 0) return "utf-16le";
  return even > head.length * 0.3 && odd === 0 ? "utf-16be" : undefined;
}

/** Returns whether bytes are probably UTF-8, allowing for a few invalid bytes or a truncated sequence. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes.subarray(0, 65_536));
  const wrong = text.split("\uFFFD").length - 1;
  const other = text.replace(/[\0-\x7f\uFFFD]/g, "").length;
  return other > 4 * wrong;
}

function decoded(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(label);
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}
