import { createHmac } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { signAnswer, signCallback, signDescribe } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { explain } from "../../src/verify/explain.ts";
import { type Judgement, judge } from "../../src/verify/judge.ts";
import { headerOf, type SavedRequest } from "../../src/verify/saved-request.ts";
import {
  CALL,
  OTHER_SECRET,
  SECRET,
  signedRequest,
  TIMESTAMP,
  withHeader,
  withSignature,
} from "../support/signed-request.ts";

const ONE = [{ name: "$ONE", value: SECRET }];

async function diagnose(request: SavedRequest, judgement: Partial<Judgement> = {}, sent?: SavedRequest) {
  const complete = { secrets: ONE, toleranceSeconds: 300, ...judgement };
  const verdict = await judge(request, complete);
  if (verdict.code === undefined) return { code: "accepted" };
  const { causes, isProven } = await explain(verdict, request, complete, sent);
  return { code: verdict.code, causes: causes.map(({ id }) => id), isProven };
}

const hex = (key: string | Buffer, text: string | Buffer) => createHmac("sha256", key).update(text).digest("hex");
const python = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `"${key}": ${python(member)}`)
    .join(", ")}}`;
};
const ascii = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([key, member]) => [key, sorted(member)]),
      )
    : value;

describe("the cause of a wrong signature is found when the body was", () => {
  const text = JSON.stringify(CALL);

  it.each<[string, string, (body: Buffer) => Buffer | string]>([
    ["pretty-printed", "json-rewritten", () => JSON.stringify(CALL, null, 2)],
    ["pretty-printed and saved with a line end", "json-rewritten", () => `${JSON.stringify(CALL, null, "\t")}\n`],
    ["written by Python's json.dumps", "json-rewritten", () => python(CALL)],
    ["written by Python's json.dumps in ASCII", "json-rewritten", () => ascii(python(CALL))],
    [
      "written with the call's fields in another order",
      "json-members-reordered",
      () => {
        const { name, timestamp, ...others } = CALL;
        return JSON.stringify({ timestamp, name, ...others });
      },
    ],
    ["written with escapes for what is not ASCII", "json-escapes", () => ascii(text)],
    ["written as PHP does", "json-escapes", () => ascii(text).replaceAll("/", "\\/")],
    ["written as Go does", "json-escapes", () => text.replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
    ["written into JSON as a text", "json-in-json", () => JSON.stringify(text)],
    ["written into JSON as a Buffer", "json-in-json", (body) => JSON.stringify(body)],
    ["written into JSON as a Uint8Array", "json-in-json", (body) => JSON.stringify(new Uint8Array(body))],
    [
      "kept in the event of a function",
      "json-in-json",
      (body) => JSON.stringify({ isBase64Encoded: true, body: body.toString("base64") }),
    ],
    ["given a line end", "white-space", () => `${text}\n`],
    ["given a byte order mark", "byte-order-mark", () => `\uFEFF${text}`],
    ["brought into decomposed form", "unicode-form", () => text.normalize("NFD")],
    ["read as Latin-1 and written as UTF-8", "encoding", (body) => Buffer.from(body.toString("latin1"))],
    ["written as Latin-1", "encoding", () => Buffer.from(text, "latin1")],
    ["written as UTF-16", "encoding", () => Buffer.from(text, "utf16le")],
    ["compressed by gzip", "compressed", (body) => gzipSync(body)],
    ["compressed by brotli", "compressed", (body) => brotliCompressSync(body)],
    [
      "saved with the sizes of its chunks",
      "framing",
      (body) => Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]),
    ],
    ["written in base64", "text-encoded", (body) => body.toString("base64")],
    ["written in hex", "text-encoded", (body) => body.toString("hex")],
    ["written in hex of capital letters", "text-encoded", (body) => body.toString("hex").toUpperCase()],
    ["percent-encoded", "text-encoded", () => encodeURIComponent(text)],
    ["taken for a form", "text-encoded", () => `${encodeURIComponent(text).replaceAll("%20", "+")}=`],
  ])("%s", async (_name, cause, change) => {
    const request = await signedRequest();
    const changed = { ...request, body: Buffer.from(change(request.body)) };
    expect(await diagnose(changed)).toEqual({ code: "SIGNATURE_MISMATCH", causes: [cause], isProven: true });
  });

  it.each<[string, (body: Buffer) => Buffer | string]>([
    ["read as Windows-1252 and written as UTF-8", (body) => new TextDecoder("windows-1252").decode(body)],
    // In Windows-1252 the euro sign is the byte 80.
    ["written as Windows-1252", (body) => Buffer.from(body.toString().replace("€", "\u0080"), "latin1")],
  ])("%s, with a character that Latin-1 lacks", async (_name, change) => {
    const request = await signedRequest({ ...CALL, parameters: { at: "Café", price: "30 €" } });
    const changed = { ...request, body: Buffer.from(change(request.body)) };
    expect(await diagnose(changed)).toEqual({ code: "SIGNATURE_MISMATCH", causes: ["encoding"], isProven: true });
  });

  it.each<[string, string, string, string]>([
    [
      "sorted and then read by a program that escapes",
      "json-escapes",
      JSON.stringify(sorted(CALL)),
      ascii(JSON.stringify(sorted(CALL))),
    ],
    [
      "left unsorted and unescaped",
      "json-members-reordered",
      ascii(JSON.stringify(sorted(CALL))),
      JSON.stringify(CALL, null, 2),
    ],
    ["compacted", "json-rewritten", JSON.stringify(CALL, null, 2), text],
    ["stripped of its escapes", "json-escapes", ascii(JSON.stringify(CALL, null, 3)), JSON.stringify(CALL, null, 3)],
    ["given CRLF", "line-ends", JSON.stringify(CALL, null, 3), JSON.stringify(CALL, null, 3).replaceAll("\n", "\r\n")],
    ["given LF", "line-ends", JSON.stringify(CALL, null, 3).replaceAll("\n", "\r\n"), JSON.stringify(CALL, null, 3)],
    ["trimmed of its line end", "white-space", `${text}\n`, text],
    ["trimmed of its byte order mark", "byte-order-mark", `\uFEFF${text}`, text],
  ])("%s", async (_name, cause, signed, received) => {
    const request = { ...(await signedRequest(signed)), body: Buffer.from(received) };
    expect(await diagnose(request)).toMatchObject({ causes: [cause], isProven: true });
  });
});

describe("the cause of a wrong signature is found when the key was", () => {
  it.each<[string, string, string | Buffer]>([
    ["the decoded bytes of the secret", "key-decoded", Buffer.alloc(32, 7)],
    ["the secret without its prefix", "key-without-prefix", SECRET.slice(6)],
    ["the secret with a line end", "key-with-white-space", `${SECRET}\n`],
    ["the secret in quotes", "key-with-white-space", `"${SECRET}"`],
    ["empty", "key-of-nothing", ""],
    ["the text undefined", "key-of-nothing", "undefined"],
  ])("%s", async (_name, cause, key) => {
    const request = await signedRequest();
    const forged = withSignature(request, `sha256=${hex(key, request.body)}`);
    expect(await diagnose(forged)).toEqual({ code: "SIGNATURE_MISMATCH", causes: [cause], isProven: true });
  });

  it("wrong, and the body too", async () => {
    const { headers, ...request } = await signedRequest();
    const signature = `sha256=${hex(Buffer.alloc(32, 7), JSON.stringify(CALL, null, 2))}`;
    expect(await diagnose(withSignature({ headers, ...request }, signature))).toMatchObject({
      causes: ["json-rewritten", "key-decoded"],
      isProven: true,
    });
  });
});

describe("the cause of an unreadable signature is found when it", () => {
  it.each<[string, (digest: string, body: Buffer) => string, readonly string[]]>([
    ["is upper-case", (digest) => `sha256=${digest.toUpperCase()}`, ["header-form"]],
    ["has no label", (digest) => digest, ["header-form"]],
    ["is in base64", (digest) => `sha256=${Buffer.from(digest, "hex").toString("base64")}`, ["header-form"]],
    ["is behind a semicolon", (digest) => `sha256=${"0".repeat(64)};sha256=${digest}`, ["header-form"]],
    ["is in quotes", (digest) => `"sha256=${digest}"`, ["header-form"]],
    ["is one of eleven", (digest) => Array(11).fill(`sha256=${digest}`).join(), ["too-many-entries"]],
    [
      "is upper-case, and of a body that was parsed",
      (_digest, body) => `sha256=${hex(SECRET, JSON.stringify(JSON.parse(body.toString()), null, 2)).toUpperCase()}`,
      ["header-form", "json-rewritten"],
    ],
  ])("%s", async (_name, form, causes) => {
    const request = await signedRequest();
    const value = form(hex(SECRET, request.body), request.body);
    expect(await diagnose(withSignature(request, value))).toEqual({
      code: "SIGNATURE_MALFORMED",
      causes,
      isProven: true,
    });
  });

  it.each<[string, string | undefined, string]>([
    ["is missing", undefined, "SIGNATURE_MISSING"],
    ["was replaced", `sha256=${"0".repeat(64)}`, "SIGNATURE_MISMATCH"],
  ])("%s beside a right webhook-signature", async (_name, value, code) => {
    const request = withSignature(await signedRequest(), value);
    const found = { code, causes: ["only-standard-webhooks"], isProven: true };
    expect(await diagnose(request)).toEqual(found);
    const ofSeveral = `v1,${"A".repeat(43)}= ${headerOf(request, "webhook-signature")}`;
    expect(await diagnose(withHeader(request, "webhook-signature", ofSeveral))).toEqual(found);
  });

  it("covers another text", async () => {
    const request = await signedRequest();
    const { toolCallId } = CALL;
    const seconds = headerOf(request, "webhook-timestamp");
    const texts = [
      [await signAnswer({ toolCallId, status: 200, body: request.body }, [SECRET]), "answer-or-callback"],
      [await signCallback({ toolCallId, body: request.body }, [SECRET]), "answer-or-callback"],
      [await signDescribe(request.body, [SECRET]), "describe-request"],
      [`sha256=${hex(SECRET, `${toolCallId}.${seconds}.${request.body}`)}`, "standard-webhooks-text"],
      [`sha256=${hex(SECRET, `${seconds}.${request.body}`)}`, "standard-webhooks-text"],
    ] as const;
    for (const [value, cause] of texts) {
      expect(await diagnose(withSignature(request, value))).toMatchObject({ causes: [cause], isProven: true });
    }
  });
});

describe("a guess is marked as one when", () => {
  const bare = async (change: Partial<SavedRequest>, signature?: string) => {
    const request = { ...(await signedRequest()), ...change };
    const stripped = withHeader(withHeader(request, "webhook-signature", undefined), "content-length", undefined);
    return signature === undefined ? stripped : withSignature(stripped, signature);
  };

  it.each<[string, string, Partial<SavedRequest>, string?]>([
    ["the body is empty", "body-empty", { body: Buffer.alloc(0) }],
    ["the body is an object's name", "body-object", { body: Buffer.from("[object Object]") }],
    ["the body ends early", "body-cut-off", { body: Buffer.from(JSON.stringify(CALL).slice(0, 100)) }],
    [
      "bytes were replaced",
      "replacement-characters",
      { body: Buffer.from(JSON.stringify(CALL).replace("é", "\uFFFD")) },
    ],
    ["the signature was redacted", "header-redacted", {}, "[redacted]"],
    ["nothing else is known", "another-secret-or-body", {}, `sha256=${"1".repeat(64)}`],
  ])("%s", async (_name, cause, change, signature) => {
    expect(await diagnose(await bare(change, signature))).toMatchObject({ causes: [cause], isProven: false });
  });

  it("the body is shorter than Content-Length", async () => {
    const request = await bare({ body: Buffer.from("x") });
    expect(await diagnose(withHeader(request, "content-length", "500"))).toMatchObject({ causes: ["body-cut-off"] });
  });

  it("Content-Encoding names a compression that is gone", async () => {
    const request = await bare({ body: Buffer.from('{"a":1}') });
    expect(await diagnose(withHeader(request, "content-encoding", "gzip"))).toMatchObject({ causes: ["decompressed"] });
  });
});

describe("a secret that is none", () => {
  it.each<[string, string, string, boolean]>([
    ["has a line end", `${SECRET}\n`, "secret-with-white-space", true],
    ["is in quotes", `"${SECRET}"`, "secret-with-white-space", true],
    ["has a blank, and is another one", ` ${OTHER_SECRET}`, "secret-with-white-space", false],
    ["lacks its prefix", SECRET.slice(6), "secret-without-prefix", false],
    ["is cut off", SECRET.slice(0, 20), "secret-malformed", false],
  ])("%s", async (_name, value, cause, isProven) => {
    const diagnosis = await diagnose(await signedRequest(), { secrets: [{ name: "$ONE", value }] });
    expect(diagnosis).toEqual({ code: "SECRET_INVALID", causes: [cause], isProven });
  });
});

describe("a signed call is refused for", () => {
  const at = (seconds: number) => Date.parse(TIMESTAMP) + seconds * 1000;
  const arrived = async (seconds: number) => ({ ...(await signedRequest()), receivedAtMs: at(seconds) });

  it.each([
    ["its age", 301, "TIMESTAMP_TOO_OLD", "replay-or-clock"],
    ["a clock that is ahead", -301, "TIMESTAMP_IN_FUTURE", "clock"],
    ["a time zone", 3 * 3600, "TIMESTAMP_TOO_OLD", "time-zone"],
    ["a time zone of half an hour", -5.5 * 3600, "TIMESTAMP_IN_FUTURE", "time-zone"],
  ])("%s", async (_name, seconds, code, cause) => {
    expect(await diagnose(await arrived(seconds), { atMs: at(seconds) })).toMatchObject({ code, causes: [cause] });
  });

  it.each([300, -300])("an age of %s s it is not", async (seconds) => {
    expect(await diagnose(await arrived(seconds), { atMs: at(seconds) })).toEqual({ code: "accepted" });
  });

  it.each<[string, object | string, string]>([
    ["a timestamp in seconds", { ...CALL, timestamp: 1_768_500_131 }, "timestamp-unit"],
    ["a timestamp in milliseconds as text", { ...CALL, timestamp: "1768500131482" }, "timestamp-unit"],
    ["a field that is missing", { ...CALL, agentId: undefined }, "fields"],
    ["a list", [], "fields"],
    ["what is no JSON", "{", "not-json"],
    ["a byte order mark that was signed", `\uFEFF${JSON.stringify(CALL)}`, "not-json"],
  ])("%s", async (_name, call, cause) => {
    expect(await diagnose(await signedRequest(call))).toMatchObject({ code: "PAYLOAD_INVALID", causes: [cause] });
  });

  it.each<[unknown, string]>([
    [1_768_500_131, "seconds"],
    ["1768500131", "seconds"],
    [1_768_500_131_482, "milliseconds"],
    ["1768500131482", "milliseconds"],
  ])("the timestamp %j, a number of %s", async (timestamp, unit) => {
    const request = await signedRequest({ ...CALL, timestamp });
    const judgement = { secrets: ONE, toleranceSeconds: 300 };
    const { causes } = await explain(await judge(request, judgement), request, judgement, undefined);
    expect(causes.map(({ cause }) => cause)).toEqual([`timestamp is a number of ${unit}`]);
  });

  it.each(["https://orders.example.com/tools/book-table/", "https://other.example.com/"])(
    "the audience %s",
    async (audience) => {
      expect(await diagnose(await signedRequest(), { audience })).toMatchObject({
        code: "PAYLOAD_INVALID",
        causes: ["audience"],
      });
    },
  );

  it("its size", async () => {
    const request = await signedRequest();
    const body = Buffer.alloc(1_048_577, " ");
    expect(await diagnose({ ...request, body })).toMatchObject({ code: "BODY_TOO_LARGE" });
  });
});

describe("with what the gateway sent, a change is named", () => {
  it.each<[string, (body: Buffer) => Buffer]>([
    ["a byte", (body) => Buffer.from(body.map((byte, index) => (index === 20 ? byte ^ 1 : byte)))],
    ["the end that is missing", (body) => body.subarray(0, -5)],
    ["what was added", (body) => Buffer.concat([body, Buffer.from("xyz")])],
  ])("%s", async (_name, change) => {
    const sent = await signedRequest();
    const received = { ...sent, body: change(sent.body) };
    expect(await diagnose(received, {}, sent)).toEqual({
      code: "SIGNATURE_MISMATCH",
      causes: ["changed-on-the-way"],
      isProven: true,
    });
  });

  it("a secret that is another one is not taken for a change", async () => {
    const sent = await signedRequest();
    expect(await diagnose(sent, { secrets: [{ name: "$TWO", value: OTHER_SECRET }] }, sent)).toMatchObject({
      causes: ["another-secret-or-body"],
      isProven: false,
    });
  });
});
