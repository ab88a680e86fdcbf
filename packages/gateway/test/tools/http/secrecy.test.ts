import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { expectStatus, startAsking } from "../../http/support/agents.ts";
import { okay, startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
const url = service.url("/orders");
/** Planted, and never written by anything that a test sends to the gateway's agents. */
const ECHOED = "echo-planted-9f8e7d6c5b4a";
const LEAKED = "leak-planted-0a1b2c3d4e5f";
await world.secret("ECHOED", ECHOED, { hosts: ["api.shop.test", "small.shop.test"] });
await world.secret("SIGNING", "sign-planted-1a2b3c4d5e6f", { auth: { type: "signed_token" } });
await world.secret("LEAKED", LEAKED);
/** As much of an answer as the integration `small` takes. */
const SMALL_BYTES = 1_024;
const smallIntegration = { name: "small", allowedDomains: ["small.shop.test"], ports: [service.port] };
const limited = { ...smallIntegration, limits: { standard: { responseBytes: SMALL_BYTES } } };
expectStatus(await world.call("createIntegration", { body: limited }), 201);
const agent = await world.agent({ credentials: ["ECHOED", "SIGNING", "LEAKED"] });

beforeEach(() => {
  service.requests.length = 0;
  service.respond = okay;
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const percent = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("a secret in a request that a model composed", () => {
  it.each<[string, JsonObject]>([
    ["in the path", { url: `${url}/${LEAKED}` }],
    ["in the query", { url, query_params: { q: `x${LEAKED}` } }],
    ["percent-encoded", { url: `${url}?q=${percent(LEAKED)}` }],
    ["in a header", { url, headers: { "X-Note": LEAKED } }],
    ["in the header for credentials", { url, headers: { Authorization: `Bearer ${LEAKED}` } }],
    ["in the name of a header", { url, headers: { [LEAKED]: "1" } }],
    ["in a body", { url, body: { note: { deep: [`a ${LEAKED} b`] } } }],
    ["in a name of a body", { url, body: { [LEAKED]: 1 } }],
    ["as base64", { url, body: base64(LEAKED) }],
    ["as base64 at another place", { url, body: base64(`x${LEAKED}`) }],
    ["as base64 for URLs", { url, query_params: { t: Buffer.from(`xy${LEAKED}`).toString("base64url") } }],
    ["as hex", { url, body: Buffer.from(LEAKED).toString("hex").toUpperCase() }],
    ["escaped in JSON", { url, body: JSON.stringify({ a: LEAKED }).replace("l", "\\u006c") }],
  ])("%s keeps it from leaving", async (_name, parameters) => {
    const call = await world.one(agent, "http_post", parameters);
    expect(call).toMatchObject({
      status: "failed",
      blocked: true,
      blockReason: "credential_leak",
      error: { code: "CREDENTIAL_LEAK", outcome: "none", message: expect.stringContaining("LEAKED") },
      cost: { credits: 0 },
    });
    expect(service.requests).toEqual([]);
    // Of the request there is no record: what the model wrote is in the arguments alone.
    expect(await world.attemptOf(call)).toMatchObject({ request: { body: "", headers: {} }, response: null });
    expect(JSON.stringify(call.error)).not.toContain(LEAKED);
  });
});

describe("a secret that a service echoes", () => {
  it.each<[string, (value: string) => string]>([
    ["as it is", (value) => value],
    ["as base64", base64],
    ["percent-encoded", percent],
    ["escaped", (value) => value.replaceAll("e", "\\u0065")],
  ])("%s is taken out of the answer, its headers and the records", async (_name, encode) => {
    service.respond = ({ headers }, response) => {
      const sent = encode(String(headers.authorization).replace("Bearer ", ""));
      response.writeHead(200, { "content-type": "application/json", "x-echo": sent });
      response.end(`{"you":"${sent}"}`);
    };
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    // What base64 adds at its end stays.
    expect(call.result).toMatchObject({ body: { you: expect.stringMatching(/^\[redacted:ECHOED\](?:Q==)?$/) } });
    const attempt = await world.attemptOf(call);
    expect(attempt.request?.headers).toMatchObject({ authorization: "Bearer ***ECHOED***" });
    expect(attempt.response?.body).toMatch(/^\{"you":"\[redacted:ECHOED\](?:Q==)?"\}$/);
    expect(attempt.response?.headers["x-echo"]).toContain("[redacted:ECHOED]");
  });

  it("in an error or a redirect is taken out of those too", async () => {
    service.respond = ({ headers }, response) => response.writeHead(401).end(`no: ${headers.authorization}`);
    const failed = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    expect(failed.error?.details).toMatchObject({ body: "no: Bearer [redacted:ECHOED]" });
    service.respond = (_request, response) => response.writeHead(302, { location: `/?k=${ECHOED}` }).end();
    const redirected = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    expect(redirected.error?.details).toMatchObject({ location: "/?k=[redacted:ECHOED]" });
  });

  it.each<[string, number]>([
    ["an answer", 200],
    ["an error", 500],
  ])("where %s is cut shows no part of it, nor does the record", async (_what, status) => {
    const filling = "x".repeat(SMALL_BYTES - ECHOED.length + 1);
    service.respond = ({ headers }, response) => {
      response.writeHead(status, { "content-type": "text/plain" });
      response.end(`${filling}${String(headers.authorization).replace("Bearer ", "")} and more`);
    };
    const small = { method: "GET", url: service.url("/", "small.shop.test"), credential: "ECHOED" };
    const call = await world.one(
      await world.agent({ integrations: ["small"], credentials: ["ECHOED"] }),
      "api_call",
      small,
    );
    expect(status === 200 ? call.result : call.error?.details).toMatchObject({ body: filling, truncated: true });
    expect((await world.attemptOf(call)).response?.body).toBe(filling);
  });

  it("as the token that it signed is taken out as well", async () => {
    service.respond = ({ headers }, response) => response.end(String(headers.authorization));
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "SIGNING" });
    expect(call.result).toMatchObject({ body: "Bearer [redacted:SIGNING]" });
  });

  it("as the parts of that token is taken out, but for the header that all tokens have", async () => {
    service.respond = ({ headers }, response) => {
      const [header = "", claims = "", signature = ""] = String(headers.authorization)
        .replace("Bearer ", "")
        .split(".");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ header, claims, signature }));
    };
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "SIGNING" });
    expect(call.result).toMatchObject({
      body: {
        header: base64('{"alg":"HS256","typ":"JWT"}'),
        claims: "[redacted:SIGNING]",
        signature: "[redacted:SIGNING]",
      },
    });
  });

  it.each<[string, string | undefined, BufferEncoding]>([
    ["text that is not declared", "text/plain", "utf16le"],
    ["JSON that is not declared", "application/json", "utf16le"],
    ["text of no type", undefined, "utf16le"],
    ["text that is declared in a way that nobody reads", "text/plain; charset='utf-16'", "utf16le"],
    ["Latin text", "text/plain; charset=iso-8859-1", "utf16le"],
  ])("in UTF-16 as %s is left out as what is not text", async (_what, contentType, encoding) => {
    service.respond = ({ headers }, response) => {
      response.writeHead(200, contentType === undefined ? {} : { "content-type": contentType });
      response.end(Buffer.from(JSON.stringify({ you: headers.authorization }), encoding));
    };
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    expect(call.result).toMatchObject({ body: { note: "the body is not text and was left out" } });
    expect((await world.attemptOf(call)).response?.body).toMatch(/^\[\d+ bytes that are not text\]$/);
  });

  it.each([
    ["utf-16", "\uFEFF", false],
    ["utf-16", "\uFEFF", true],
    ["UTF-16LE", "", false],
    ["utf-16be", "", true],
  ])("in declared %s (%j in front, big-endian: %s) is taken out", async (charset, mark, isBigEndian) => {
    service.respond = ({ headers }, response) => {
      const bytes = Buffer.from(mark + JSON.stringify({ you: headers.authorization }), "utf16le");
      response.writeHead(200, { "content-type": `application/json; charset=${charset}` });
      response.end(isBigEndian ? bytes.swap16() : bytes);
    };
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    expect(call.result).toMatchObject({ body: { you: "Bearer [redacted:ECHOED]" } });
  });

  it("in the keys and the nested JSON of an answer is taken out of those", async () => {
    service.respond = ({ headers }, response) => {
      const sent = String(headers.authorization).replace("Bearer ", "");
      const escaped = sent.replaceAll("e", "\\u0065");
      const nested = JSON.stringify(`{"${escaped}":1}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ [sent]: { [base64(sent)]: 1 }, nested }));
    };
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "ECHOED" });
    const [key, ...others] = Object.keys(Object(call.result).body);
    expect([key, others]).toEqual(["[redacted:ECHOED]", ["nested"]]);
    expect(JSON.stringify(call.result)).not.toContain(base64(ECHOED).slice(0, 12));
    expect(JSON.stringify(call.result)).not.toContain("planted");
    expect(Object(call.result).body.nested).toContain("[redacted:ECHOED]");
  });

  it("is in nothing that the gateway has written", async () => {
    const files = await readdir(world.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      for (const secret of [ECHOED, base64(ECHOED), "sign-planted-1a2b3c4d5e6f"]) {
        expect(content.includes(secret), `${file.name} holds a secret`).toBe(false);
      }
    }
  });
});

describe("a question to a person", () => {
  it("shows the request with its credential by name, and what is approved is what leaves", async () => {
    const careful = await world.agent({
      credentials: ["ECHOED"],
      tools: [{ builtin: "api_call", config: { approval: "always" } }],
    });
    const approver = await world.makeKey(["approvals"]);
    const parameters = { method: "POST", url, credential: "ECHOED", body: { amount: 1 } };
    const script = { turns: [{ toolCalls: [{ name: "api_call", parameters }] }, { text: "done" }] };
    const id = await startAsking(world, careful.id, { input: "go", script });
    expect(service.requests).toEqual([]);
    const listed = await world.call("listApprovals", { key: approver.text, query: { status: "pending" } });
    const [approval] = JSON.parse(JSON.stringify(listed.body)).data;
    expect(approval.request).toEqual({
      method: "POST",
      url,
      headers: {
        accept: "*/*",
        "user-agent": "yagate",
        "content-type": "application/json",
        authorization: "Bearer ***ECHOED***",
      },
      body: '{"amount":1}',
      credential: "ECHOED",
    });
    const edited = { parameters: { ...parameters, body: { amount: 2 } } };
    const approved = await world.call("approve", { key: approver.text, params: { id: approval.id }, body: edited });
    expect(approved.status).toBe(200);
    const events = await world.open("followExecution", { params: { id } });
    await events.text();
    expect(service.requests).toMatchObject([{ method: "POST", body: '{"amount":2}' }]);
    expect(JSON.stringify([listed.body, approved.body])).not.toContain(ECHOED);
  });
});
