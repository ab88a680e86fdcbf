import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { fieldsOf, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const withBody = world.operations
  .filter(({ requestSchema }) => requestSchema !== undefined)
  .map(({ name }) => name)
  // It reads its body as an answer is read, and only for a token.
  .filter((name) => name !== "receiveCallback");
/** More than all routes take, except those that take OpenAPI documents. */
const OVERSIZED_BYTES = 4 * 1_048_576 + 1;
const WITH_DOCUMENT = ["importTools", "listImportOperations", "createToolSource", "updateToolSource"];
const oversizedBytesOf = (name: string) => (WITH_DOCUMENT.includes(name) ? 12 * 1_048_576 + 1 : OVERSIZED_BYTES);

const json = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Bodies whose other fields depend on one of them. */
const DISCRIMINATORS: Readonly<Record<string, object>> = { createToolSource: { kind: "handler" } };

describe.each(withBody)("%s", (name) => {
  it.each<[string, string | Uint8Array]>([
    ["cut off", '{ "name": "a"'],
    ["with a trailing comma", '{ "name": "a", }'],
    ["of two values", "{} {}"],
    ["without a value", "  "],
    ["that is not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])("refuses a body %s", async (_what, body) => {
    const answer = await world.call(name, { body });
    expect(problemOf(answer)).toMatchObject({ status: 400, code: "MALFORMED_JSON", title: "Malformed JSON" });
  });

  it.each<[string, string, readonly string[]]>([
    ["__proto__", '{ "__proto__": { "isAdmin": true } }', ["__proto__"]],
    [
      "__proto__ inside, twice",
      '{ "a": [1, { "b": { "__proto__": {} } }], "__proto__": 1 }',
      ["a[1].b.__proto__", "__proto__"],
    ],
    ["__proto__ in escapes", '{ "\\u005f_proto__": {} }', ["__proto__"]],
    ["constructor.prototype", '{ "constructor": { "prototype": {} } }', ["constructor"]],
  ])("refuses a body with %s, and says where", async (_what, body, paths) => {
    const { status, code, errors } = problemOf(await world.call(name, { body }));
    expect({ status, code }).toEqual({ status: 400, code: "MALFORMED_JSON" });
    expect(errors).toEqual(paths.map((path) => ({ path, code: "FORBIDDEN_KEY", message: expect.any(String) })));
  });

  it.each<[string, Uint8Array, string]>([
    ["half of a surrogate pair", json('{ "name": "\\ud83d" }'), "name: expected valid Unicode text"],
    [
      "a number that no double holds",
      json('{ "a": [1, 1e999] }'),
      "a[1]: expected a number in the range of a 64-bit float",
    ],
    ["257 levels", json(nested(257)), ": expected at most 256 levels of nesting"],
    ["100 000 levels", json(nested(100_000)), ": expected at most 256 levels of nesting"],
  ])("refuses %s", async (_what, body, field) => {
    const answer = await world.call(name, { body });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it("does not repeat a long name with each of its errors", async () => {
    const long = "k".repeat(10_000);
    const answer = await world.call(name, { body: json(`{ "${long}": [${Array(100).fill("1e999").join()}] }`) });
    expect(fieldsOf(answer)).toHaveLength(100);
    expect(JSON.stringify(problemOf(answer)).length).toBeLessThan(100_000);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "",
  ])("refuses the content type %j", async (type) => {
    const answer = await world.call(name, { body: "{}", headers: { "content-type": type } });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual(["Content-Type: expected application/json"]);
  });

  it("refuses a compressed body", async () => {
    const answer = await world.call(name, { body: gzipSync("{}"), headers: { "content-encoding": "gzip" } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(["Content-Encoding: expected an uncompressed body"]);
  });

  it.each(["[]", '"text"', "1", "null", "true"])("refuses %s in place of an object", async (body) => {
    const answer = await world.call(name, { body });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
  });

  it("names fields that it does not know", async () => {
    const answer = await world.call(name, { body: { ...DISCRIMINATORS[name], tpyo: 1, constructor: 2 } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(["tpyo: unknown field", "constructor: unknown field"]));
  });

  it("refuses a body over the limit that says its length, and the answer arrives", async () => {
    const answer = await world.call(name, { body: new Uint8Array(oversizedBytesOf(name)) });
    expect(problemOf(answer)).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
  });

  it("refuses a body over the limit that comes in pieces, and the answer arrives", async () => {
    expect(await sendChunked(name, oversizedBytesOf(name))).toEqual({ status: 413, code: "BODY_TOO_LARGE" });
  });
});

it("needs a body, except where everything in it has a default", async () => {
  const answers = await Promise.all(withBody.map(async (name) => [name, await world.call(name)] as const));
  const refused = answers.filter(([, answer]) => answer.status === 422);
  expect(refused.map(([, answer]) => problemOf(answer).detail)).toEqual(refused.map(() => "expected a JSON body"));
  const taken = answers.filter(([, { status }]) => status !== 422).map(([name]) => name);
  expect(taken.sort()).toEqual([
    ...[
      "approve",
      "createExecutionToken",
      "deny",
      "finalizeTool",
      "installToolTemplate",
      "replayExecution",
      "revokeTools",
      "rotateApiKey",
      "rotateSigningSecret",
    ],
    ...["testTool", "validateTool"],
  ]);
});

it.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.acme+json"])(
  "takes the content type %s",
  async (type) => {
    const answer = await world.call("rotateSigningSecret", {
      body: { name: "typed" },
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(201);
  },
);

it("answers the next request on a connection after every refusal but of a body that is too large", async () => {
  const statuses = [];
  for (const body of ["{", "[]", '{ "a": 1 }']) statuses.push((await world.call("createAgent", { body })).status);
  expect(statuses).toEqual([400, 422, 422]);
  const tooLarge = await world.call("createAgent", { body: new Uint8Array(OVERSIZED_BYTES) });
  expect(tooLarge.headers.get("connection")).toBe("close");
  expect((await world.call("listAgents")).status).toBe(200);
});

it.each<[string, number]>([
  ["createWorkspace", 1_048_576],
  ["executeAgent", 4 * 1_048_576],
])("reads a body of %s up to the last byte that it may have", async (name, bytes) => {
  expect((await world.call(name, { body: " ".repeat(bytes) })).status).toBe(400);
  expect((await world.call(name, { body: " ".repeat(bytes + 1) })).status).toBe(413);
});

it("refuses a body that says it is endless before it has come", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sent = request(`${world.url}/v1/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.key}`, "content-length": String(1e12) },
  });
  sent.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
  sent.write("{");
  expect(await promise).toBe(413);
  sent.destroy();
});

/** The client of these tests always says a length; `node:http` leaves it to us. */
function sendChunked(name: string, bytes: number): Promise<{ status: number | undefined; code: unknown }> {
  const { method, path } = world.operation(name);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${world.url}${path.replace("{id}", "none")}`,
      {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { code } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        resolve({ status: response.statusCode, code });
      },
    );
    sent.on("error", reject);
    const piece = Buffer.alloc(65_536, " ");
    for (let left = bytes; left > 0; left -= piece.length) sent.write(piece.subarray(0, Math.min(left, piece.length)));
    sent.end();
  });
}
