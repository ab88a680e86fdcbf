import { isObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { BodyChange } from "./cause.ts";
import { decodeText } from "./decode-text.ts";
import { compactJson, inCallOrder, prettyJson, pythonJson, sortedMembers } from "./json-writers.ts";

const MOUNT = "verify the bytes as received: mount the handler before any body parser";

/** Changes by programs that parse JSON and write it again. */
export const JSON_CHANGES: readonly BodyChange[] = [
  {
    id: "json-escapes",
    cause: "characters were written as JSON escapes, or escapes as characters, after the JSON was signed",
    advice: `${MOUNT}; many JSON writers escape é, <, > and / by default`,
    *forms(body) {
      const text = decodeText(body);
      if (text === undefined) return;
      for (const form of escapeForms(text)) yield Buffer.from(form);
    },
  },
  {
    id: "json-rewritten",
    cause: "the JSON was parsed and serialised again after it was signed",
    advice: MOUNT,
    *forms(body) {
      const value = parse(body);
      if (value === undefined) return;
      yield Buffer.from(compactJson(value));
      for (const indent of ["  ", "    ", "\t"]) yield Buffer.from(prettyJson(value, indent));
      yield Buffer.from(pythonJson(value, { isAscii: false }));
      yield Buffer.from(pythonJson(value, { isAscii: true }));
    },
  },
  {
    id: "json-members-reordered",
    cause: "the JSON was parsed and serialised again after it was signed, with its members in another order",
    advice: MOUNT,
    *forms(body) {
      const value = parse(body);
      if (value === undefined) return;
      const sorted = sortedMembers(value);
      const forms = [
        compactJson(inCallOrder(value)),
        compactJson(sorted),
        pythonJson(sorted, { isAscii: false }),
        pythonJson(sorted, { isAscii: true }),
      ];
      for (const form of forms) {
        yield Buffer.from(form);
        // Programs that sort members often escape characters as well, such as those written in Go and PHP.
        for (const escaped of escapeForms(form)) yield Buffer.from(escaped);
      }
    },
  },
  {
    id: "json-in-json",
    cause: "the body became a JSON string inside JSON after it was signed: it was serialised twice, or as a Buffer",
    advice: "pass on the bytes, not the output of JSON.stringify",
    *forms(body) {
      const value = parse(body);
      if (typeof value === "string") {
        yield Buffer.from(value);
        yield Buffer.from(value, "base64");
      }
      const bytes = Array.isArray(value) ? value : bytesOf(value);
      if (bytes?.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) yield Buffer.from(bytes);
      const inner = isObject(value) && "body" in value ? value.body : undefined;
      if (typeof inner === "string") {
        yield Buffer.from(inner);
        yield Buffer.from(inner, "base64");
      }
    },
  },
];

function parse(body: Buffer): unknown {
  return parseJsonOrUndefined((decodeText(body) ?? "").replace(/^\uFEFF/, ""));
}

/**
 * Returns the bytes in `{"type":"Buffer","data":[…]}` and `{"0":123,"1":34,…}`, the JSON of a Buffer and a Uint8Array
 * in Node.
 */
function bytesOf(value: unknown): readonly number[] | undefined {
  const members = Object.entries(Object(value));
  if (members.length > 0 && members.every(([key], index) => key === String(index))) {
    return members.map(([, byte]) => (typeof byte === "number" ? byte : Number.NaN));
  }
  const data = isObject(value) && "data" in value ? value.data : undefined;
  return Array.isArray(data) ? data : undefined;
}

/** Yields variants of a JSON text with more or fewer escaped characters. */
function* escapeForms(text: string): Iterable<string> {
  const plain = text.replace(/\\u(?!00[01])([0-9a-fA-F]{4})/g, (written, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return character === '"' || character === "\\" ? written : character;
  });
  const escaped = text.replace(/[\u0080-\uffff]/g, escapeOf);
  yield plain;
  yield plain.replaceAll("\\/", "/");
  yield text.replaceAll("\\/", "/");
  yield text.replaceAll("/", "\\/");
  yield escaped;
  yield escaped.replaceAll("/", "\\/");
  yield text.replace(/[<>&\u2028\u2029]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
