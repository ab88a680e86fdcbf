import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/index.ts";
import { OTHER_SECRET, SECRET, toBytes, validCall } from "../support/calls.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { toolThat } from "../support/tools.ts";

const TEXT = JSON.stringify(validCall({ parameters: { city: "Zürich" } }));
const DECODED = Buffer.from(SECRET.slice("whsec_".length), "base64");

function hmac(key: string | Buffer, text: string): string {
  return `sha256=${createHmac("sha256", key).update(text).digest("hex")}`;
}

interface Arrived {
  readonly signature: string;
  readonly body: string | Uint8Array;
}

async function logOf({ signature, body }: Arrived, isDevelopment: boolean, describe = true) {
  const logger = createRecordingLogger();
  const tools = [toolThat(() => null)];
  const handler = createHandler({ secrets: [OTHER_SECRET, SECRET], tools, logger, isDevelopment, describe });
  const bytes = typeof body === "string" ? toBytes(body) : body;
  const headers = { "x-ya-signature": signature };
  const readBody = async () => bytes;
  const answer = await handler.answerCall({ method: "POST", headers, arrivedAtMs: performance.now(), readBody });
  return { answer, lines: logger.lines };
}

describe("in development the log names the likely cause of a mismatch", () => {
  it.each<[string, Arrived, RegExp]>([
    [
      "JSON written again",
      { signature: hmac(SECRET, TEXT), body: JSON.stringify(JSON.parse(TEXT), null, 4) },
      /serialised again/,
    ],
    [
      "JSON indented by the signer",
      { signature: hmac(SECRET, JSON.stringify(JSON.parse(TEXT), null, 2)), body: TEXT },
      /serialised again/,
    ],
    ["escapes resolved", { signature: hmac(SECRET, TEXT), body: TEXT.replace("ü", "\\u00fc") }, /serialised again/],
    ["a newline trimmed", { signature: hmac(SECRET, `${TEXT}\n`), body: TEXT }, /white space/],
    ["a carriage return and newline trimmed", { signature: hmac(SECRET, `{}x\r\n`), body: "{}x" }, /white space/],
    ["a newline added to what is no JSON", { signature: hmac(SECRET, "{}x"), body: "{}x\n" }, /white space/],
    ["a byte order mark added", { signature: hmac(SECRET, TEXT), body: `\uFEFF${TEXT}` }, /white space/],
    ["line ends changed", { signature: hmac(SECRET, "{\r\n}x"), body: "{\n}x" }, /line endings/],
    ["Unicode normalised", { signature: hmac(SECRET, TEXT), body: TEXT.normalize("NFD") }, /normal form/],
    ["UTF-8 read as Latin-1", { signature: hmac(SECRET, TEXT), body: Buffer.from(TEXT).toString("latin1") }, /Latin-1/],
    ["a line end added to JSON", { signature: hmac(SECRET, TEXT), body: `${TEXT}\n` }, /white space/],
    ["JSON serialised twice", { signature: hmac(SECRET, TEXT), body: JSON.stringify(TEXT) }, /serialised twice/],
    [
      "a Uint8Array written as JSON",
      { signature: hmac(SECRET, TEXT), body: JSON.stringify(new Uint8Array(Buffer.from(TEXT))) },
      /sent as a Buffer/,
    ],
    [
      "a Buffer written as JSON",
      { signature: hmac(SECRET, TEXT), body: JSON.stringify(Buffer.from(TEXT)) },
      /sent as a Buffer/,
    ],
    [
      "bytes written as a list",
      { signature: hmac(SECRET, TEXT), body: JSON.stringify([...Buffer.from(TEXT)]) },
      /sent as a Buffer/,
    ],
    [
      "base64 in an event of a function",
      { signature: hmac(SECRET, TEXT), body: JSON.stringify({ body: Buffer.from(TEXT).toString("base64") }) },
      /sent as a Buffer/,
    ],
    ["the decoded secret as key", { signature: hmac(DECODED, TEXT), body: TEXT }, /decoded bytes/],
    ["the secret without its prefix as key", { signature: hmac(SECRET.slice(6), TEXT), body: TEXT }, /without whsec_/],
    [
      "the secret and a newline as key",
      { signature: hmac(`${SECRET}\n`, TEXT), body: TEXT },
      /white space, as the key/,
    ],
    ["nothing left of the body", { signature: hmac(SECRET, TEXT), body: "" }, /body is empty/],
    ["another secret", { signature: hmac("whsec_other", TEXT), body: TEXT }, /a different secret/],
    [
      "bytes that are no text",
      { signature: hmac("whsec_other", TEXT), body: Uint8Array.of(0xff) },
      /a different secret/,
    ],
  ])("%s", async (_name, arrived, cause) => {
    const { answer, lines } = await logOf(arrived, true);
    expect(lines[0]).toMatchObject({ level: "warn", fields: { likelyCause: expect.stringMatching(cause) } });
    expect(JSON.parse(answer.body)).toEqual({ error: { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH" } });
  });

  it("without the secret, the signature or the body", async () => {
    const arrived = { signature: hmac(DECODED, TEXT), body: TEXT };
    const log = JSON.stringify((await logOf(arrived, true)).lines);
    for (const part of [SECRET, SECRET.slice(6), arrived.signature.slice(7), "Zürich"]) expect(log).not.toContain(part);
  });

  it.each([
    ["a handler that describes nothing", TEXT, false],
    ["a body past 8 KiB", TEXT.replace("Zürich", "x".repeat(8_192)), true],
  ])("a describe request: %s", async (_name, body, isDescribed) => {
    const { lines } = await logOf({ signature: hmac(SECRET, `describe.${body}`), body }, true, isDescribed);
    expect(lines).toMatchObject([{ fields: { likelyCause: expect.stringMatching(/^this is a describe request/) } }]);
  });
});

it("outside development the log has no cause", async () => {
  const { lines } = await logOf({ signature: hmac(DECODED, TEXT), body: TEXT }, false);
  expect(lines).toMatchObject([{ level: "warn", message: "call rejected", fields: { code: "SIGNATURE_MISMATCH" } }]);
  expect(lines[0]?.fields).not.toHaveProperty("likelyCause");
});

it("a signature that matches is not explained", async () => {
  const { lines } = await logOf({ signature: hmac(SECRET, TEXT), body: TEXT }, true);
  expect(lines).toMatchObject([{ level: "warn", message: "call rejected", fields: { code: "TIMESTAMP_IN_FUTURE" } }]);
  expect(lines[0]?.fields).not.toHaveProperty("likelyCause");
});
