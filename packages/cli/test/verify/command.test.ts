import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import type { SavedRequest } from "../../src/verify/saved-request.ts";
import { makeFolder } from "../support/folder.ts";
import { runCheck, spawnCheck } from "../support/run-check.ts";
import {
  CALL,
  OTHER_SECRET,
  SECRET,
  signedRequest,
  TIMESTAMP,
  toHttp,
  withHeader,
  withSignature,
} from "../support/signed-request.ts";

const ENV = { YAGATE_SIGNING_SECRET: SECRET };
const RIGHT = ["--at", TIMESTAMP];

let request: SavedRequest;
let signature: string;

beforeAll(async () => {
  request = await signedRequest();
  signature = request.headers.find(([name]) => name === "X-YA-Signature")?.[1] ?? "";
});

async function save(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await makeFolder(), name);
  await writeFile(path, content);
  return path;
}

const toHar = ({ headers, body }: SavedRequest) => ({
  startedDateTime: TIMESTAMP,
  request: {
    method: "POST",
    headers: headers.map(([name, value]) => ({ name, value })),
    postData: { mimeType: "application/json", text: body.toString() },
  },
});

const toAttempt = ({ body }: SavedRequest, changes: object = {}) => ({
  id: "att_01jd3v0c8me9kxt3f6r2p5q7sa",
  toolCallId: CALL.toolCallId,
  executionId: CALL.executionId,
  number: 1,
  method: "POST",
  url: CALL.audience,
  startedAt: TIMESTAMP,
  durationMs: 12,
  timings: null,
  requestBytes: body.length,
  responseBytes: 0,
  response: null,
  request: {
    headers: { "X-YA-Signature": "[redacted]", "webhook-signature": "[redacted]" },
    body: body.toString(),
    bodyBytes: body.length,
    isTruncated: false,
    ...changes,
  },
});

describe("yagate verify accepts a request", () => {
  it.each([
    ["with CRLF in its head", "\r\n"],
    ["whose head an editor has saved", "\n"],
  ])("%s", async (_name, lineEnd) => {
    const file = await save("request.http", toHttp(request, lineEnd));
    const { status, stdout, stderr } = await runCheck(["verify", file, ...RIGHT], { env: ENV });
    expect(stdout).toMatch(/^accepted\n[\s\S]*entry 1 of 1 is correct, with \$YAGATE_SIGNING_SECRET/);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("in chunks", async () => {
    const { body } = request;
    const chunks = [body.subarray(0, 5), body.subarray(5)].map((part) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]),
    );
    const chunked = { ...request, body: Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]) };
    const file = await save("request.http", toHttp(withHeader(chunked, "transfer-encoding", "chunked")));
    expect(await runCheck(["verify", file, ...RIGHT], { env: ENV })).toMatchObject({ status: 0 });
  });

  it("on standard input", async () => {
    expect(await spawnCheck(["verify", "-", ...RIGHT], { env: ENV, input: toHttp(request) })).toMatchObject({
      status: 0,
    });
  });

  it("as headers and a body, its secret in a file", async () => {
    const [body, secret] = [await save("body", request.body), await save("secret", `${SECRET}\n`)];
    const args = ["verify", "-H", `x-ya-signature: ${signature}`, "--body-file", body, "--secret-file", secret];
    const { status, stdout } = await runCheck([...args, ...RIGHT]);
    expect(status).toBe(0);
    expect(stdout).toContain(`with ${secret}`);
  });

  it("in a HAR file, judged at the time that the file says", async () => {
    const other = { request: { method: "GET", headers: [] } };
    const file = await save("a.har", JSON.stringify({ log: { entries: [other, toHar(request)] } }));
    const { status, stdout } = await runCheck(["verify", file], { env: ENV });
    expect(stdout).toContain(`0 s old at ${TIMESTAMP}, 300 s are allowed`);
    expect(status).toBe(0);
  });

  it("recorded by the gateway, with the signature that the handler received", async () => {
    const file = await save("attempt.json", JSON.stringify(toAttempt(request)));
    const args = ["verify", file, "-H", `X-YA-Signature: ${signature}`];
    expect(await runCheck(args, { env: ENV })).toMatchObject({ status: 0 });
  });

  it("of a rotation, and says which secret and which entry is right", async () => {
    const rotated = await signedRequest(CALL, [OTHER_SECRET, SECRET]);
    const file = await save("request.http", toHttp(rotated));
    const env = { OLD: SECRET, UNUSED: `whsec_${Buffer.alloc(32, 1).toString("base64")}` };
    const { status, stdout } = await runCheck(
      ["verify", file, "--secret-env", "UNUSED", "--secret-env", "OLD", ...RIGHT],
      { env },
    );
    expect(stdout).toContain("entry 2 of 2 is correct, with $OLD");
    expect(stdout).toContain("A verifier that compares the complete header rejects it");
    expect(status).toBe(0);
  });

  it("and tells its age without judging it", async () => {
    const file = await save("request.http", toHttp(request));
    const { status, stdout } = await runCheck(["verify", file], { env: ENV });
    expect(stdout).toMatch(/\d+ d(?: \d+ h)? old now; a handler would reject it now with TIMESTAMP_TOO_OLD/);
    expect(status).toBe(0);
  });
});

describe("yagate verify refuses a request", () => {
  it("with the cause, and its JSON has the same", async () => {
    const changed = { ...request, body: Buffer.from(JSON.stringify(CALL, null, 2)) };
    const file = await save("request.http", toHttp(changed));
    const text = await runCheck(["verify", file], { env: ENV });
    expect(text.stdout).toMatch(
      /^rejected: SIGNATURE_MISMATCH[\s\S]*cause {9}the JSON was parsed and serialised again/,
    );
    const json = await runCheck(["verify", file, "--json"], { env: ENV });
    expect(JSON.parse(json.stdout)).toMatchObject({
      accepted: false,
      code: "SIGNATURE_MISMATCH",
      causes: [{ id: "json-rewritten" }],
      isCauseProven: true,
      secret: "$YAGATE_SIGNING_SECRET",
    });
    expect([text.status, json.status]).toEqual([1, 1]);
  });

  it.each<[string, readonly string[], string]>([
    ["of another time", ["--at", "2026-01-15T18:10:00Z"], "TIMESTAMP_TOO_OLD"],
    ["that is old now", ["--at", "now"], "TIMESTAMP_TOO_OLD"],
    ["for another audience", [...RIGHT, "--audience", "https://other.example.com/"], "PAYLOAD_INVALID"],
    ["past a tolerance of its own", ["--at", "2026-01-15T18:02:22Z", "--tolerance", "10"], "TIMESTAMP_TOO_OLD"],
  ])("%s", async (_name, args, code) => {
    const file = await save("request.http", toHttp(request));
    const { status, stdout } = await runCheck(["verify", file, ...args], { env: ENV });
    expect(stdout).toMatch(new RegExp(`^rejected: ${code}`));
    expect(status).toBe(1);
  });

  it("that names no audience, where one is expected", async () => {
    const { audience, ...rest } = CALL;
    const file = await save("request.http", toHttp(await signedRequest(rest)));
    const { status, stdout } = await runCheck(["verify", file, ...RIGHT, "--audience", audience], { env: ENV });
    expect(stdout).toMatch(/^rejected: PAYLOAD_INVALID/);
    expect(status).toBe(1);
  });

  it("that is compared with what the gateway sent", async () => {
    const server = createServer((incoming, response) => {
      const isAsked = incoming.url === "/v1/attempts/att_1" && incoming.headers.authorization === "Bearer yk_test";
      response.writeHead(isAsked ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(toAttempt(request)));
    });
    const origin = await listenOnLoopback(server);
    const env = { ...ENV, YAGATE_BASE_URL: origin, YAGATE_API_KEY: "yk_test" };
    const body = Buffer.from(request.body.toString().replace('"guests":4', '"guests":5'));
    const file = await save("request.http", toHttp({ ...request, body }));
    const changed = await runCheck(["verify", file, "--attempt", "att_1"], { env });
    expect(changed.stdout).toMatch(
      /cause {9}the body was changed in transit: .* sent as 4 \(0x34\) and arrived as 5 \(0x35\)/,
    );
    const recorded = await runCheck(["verify", "--attempt", "att_1", "-H", `X-YA-Signature: ${signature}`], { env });
    expect(recorded).toMatchObject({ status: 0 });
    const unsigned = await runCheck(["verify", "--attempt", "att_1"], { env });
    expect(unsigned).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/record of an attempt has no signature/),
    });
  });

  it("prints neither a secret, nor a signature, nor a value of the parameters", async () => {
    const wrong = withSignature({ ...request, body: Buffer.from(`${request.body} `) }, `sha256=${"5".repeat(64)}`);
    const file = await save("request.http", toHttp(wrong));
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await runCheck(["verify", file, ...args], {
        env: { YAGATE_SIGNING_SECRET: OTHER_SECRET },
      });
      expect(stdout).toContain("SIGNATURE_MISMATCH");
      for (const secret of [OTHER_SECRET, SECRET, "55555555", "Café"]) expect(stdout + stderr).not.toContain(secret);
    }
  });
});

/** Stands for the path of a request that is right. */
const FILE = "{request}";

describe("yagate verify can't judge", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ["nothing", [], ENV, /expected a saved request\nTry: pass a file \(HTTP, HAR/],
    [
      "a file that is not there",
      ["missing.http"],
      ENV,
      /expected a saved request in missing\.http, which can't be read/,
    ],
    [
      "without a secret",
      [FILE],
      {},
      /expected a signing secret\nTry: export YAGATE_SIGNING_SECRET, or use another source/,
    ],
    ["with a variable that is not set", [FILE, "--secret-env", "NOPE"], {}, /in the variable NOPE, which is not set/],
    ["with a variable that is empty", [FILE, "--secret-env", "EMPTY"], { EMPTY: "" }, /in \$EMPTY, which is empty/],
    [
      "with a secret for a variable's name",
      [FILE, "--secret-env", SECRET],
      {},
      /expected the name of a variable, but got a secret\nTry: it is now in the history/,
    ],
    ["a secret in place of a file", [SECRET], ENV, /looks like a signing secret, which is now in the history/],
    [
      "with a secret as an argument",
      [FILE, "--secret", SECRET],
      {},
      /expected no secret as an argument\nTry: it is now in the history/,
    ],
    [
      "with a text that is no secret",
      [FILE, "--secret-env", "KEY"],
      { KEY: "hunter2" },
      /\$KEY does not contain a signing secret; expected whsec_ and the base64 of 24 to 64 bytes\nTry: it is not whsec_ and/,
    ],
    [
      "as JSON with a secret that lacks its prefix",
      [FILE, "--secret-env", "KEY", "--json"],
      { KEY: SECRET.slice(6) },
      /"detail":"\$KEY does not contain a signing secret; expected .*"hint":"the secret lacks the prefix whsec_\\n/,
    ],
    [
      "with one secret and one that is none",
      [FILE, "--secret-env", "YAGATE_SIGNING_SECRET", "--secret-env", "KEY"],
      { ...ENV, KEY: `"${SECRET}"` },
      /\$KEY does not contain a signing secret; expected .*\nTry: there is white space or a quote around the secret; without it the signature is correct/,
    ],
    ["standard input twice", ["-", "--secret-stdin"], {}, /standard input can only be one of these/],
    ["at no time", [FILE, "--at", "yesterday"], ENV, /--at: expected "now" or a time with its zone/],
    ["a header that is none", [FILE, "-H", "nonsense"], ENV, /--header: expected a header as "Name: value"/],
  ])("%s", async (_name, args, env, message) => {
    const file = await save("request.http", toHttp(request));
    const { status, stdout, stderr } = await runCheck(["verify", ...args.map((arg) => (arg === FILE ? file : arg))], {
      env,
    });
    expect(stderr).toMatch(message);
    for (const secret of [SECRET, SECRET.slice(6), "hunter2"]) expect(stderr).not.toContain(secret);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  it.each([
    ["text", "hello", /expected a saved request: HTTP, HAR, or the gateway's record/],
    ["other JSON", '{ "a": 1 }', /expected a HAR file, or an attempt as returned by GET/],
    [
      "a HAR file without a call",
      '{ "log": { "entries": [] } }',
      /expected a request with X-YA-Signature in the HAR file/,
    ],
    [
      "a head without its end",
      "POST / HTTP/1.1\r\na: b\r\n",
      /expected an empty line between the headers and the body/,
    ],
  ])("%s", async (_name, content, message) => {
    const file = await save("request", content);
    expect(await runCheck(["verify", file], { env: ENV })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(message),
    });
  });

  it("which of several calls of a HAR file is meant, until it is told", async () => {
    const file = await save("a.har", JSON.stringify({ log: { entries: [toHar(request), toHar(request)] } }));
    const unclear = await runCheck(["verify", file], { env: ENV });
    expect(unclear).toMatchObject({ status: 2, stderr: expect.stringMatching(/choose one with --entry: 1, 2/) });
    expect(await runCheck(["verify", file, "--entry", "2"], { env: ENV })).toMatchObject({ status: 0 });
  });
});

it("yagate verify exits with status 2 for an option that it does not have, as for every --help with 0", async () => {
  const { status, stderr } = await spawnCheck(["verify", "--nope"]);
  expect(stderr).toBe(
    "✕ INVALID_REQUEST  unknown option '--nope'\nTry: yagate verify --help\ndocs/errors.md#INVALID_REQUEST\n",
  );
  expect(status).toBe(2);
  expect(await spawnCheck(["verify", "--help"])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Exit status:\n {2}0 {2}The request is accepted/),
  });
});

it("yagate verify loads neither the gateway nor what sends requests", async () => {
  const file = await save("request.http", toHttp(request));
  const trace = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => { if (/packages\\/(gateway|client|handler)|undici|express/.test(url)) console.error("LOADED " + url); return next(url, context); } });
  `)}`;
  const { NODE_OPTIONS = "" } = process.env;
  const env = { ...ENV, NODE_OPTIONS: `${NODE_OPTIONS} --import="${trace}"` };
  expect(await spawnCheck(["verify", file, ...RIGHT], { env })).toMatchObject({ status: 0, stderr: "" });
  expect(await spawnCheck(["serve"], { env })).toMatchObject({ stderr: expect.stringMatching(/LOADED/) });
}, 60_000);
