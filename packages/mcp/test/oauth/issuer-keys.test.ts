import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { sendJson, startAuthorizationServer } from "../../../../test/services/authorization-server.ts";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { readIssuerKeys } from "../../src/oauth/issuer-keys.ts";
import { openTargets } from "./support/target-of.ts";

const KEY = { kty: "EC", crv: "P-256", kid: "k1" };
const targetOf = openTargets();

const read = (issuer: string, requestMs?: number) => readIssuerKeys(targetOf(issuer, issuer), requestMs);

/** Starts a server in the network that nothing may reach, and counts its requests. */
async function startInternal() {
  let requests = 0;
  const url = await listenOnLoopback(
    createServer((_request, response) => {
      requests += 1;
      sendJson(response, 200, { keys: [KEY] });
    }),
  );
  return { url, requests: () => requests };
}

it("reads the keys that the metadata name", async () => {
  const { issuer } = await startAuthorizationServer({ keys: (response) => sendJson(response, 200, { keys: [KEY] }) });
  expect(await read(issuer)).toEqual({ keys: [KEY] });
});

it.each([
  ["without a path", "", "/.well-known/openid-configuration"],
  ["with a path", "/tenant", "/tenant/.well-known/openid-configuration"],
])("finds the metadata of OpenID Connect for an issuer %s", async (_what, path, place) => {
  const origin: string = await listenOnLoopback(
    createServer(({ url }, response) => {
      if (url === "/keys") return sendJson(response, 200, { keys: [KEY] });
      if (url !== place) return sendJson(response, 404, {});
      return sendJson(response, 200, { issuer: `${origin}${path}`, jwks_uri: `${origin}/keys` });
    }),
  );
  expect(await read(`${origin}${path}`)).toEqual({ keys: [KEY] });
});

const endless = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"keys":[');
  const piece = " ".repeat(65_536);
  const timer = setInterval(() => response.write(piece), 1);
  response.once("close", () => clearInterval(timer));
};
const silent = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" }).write("{");
};

it.each<[string, (response: ServerResponse) => void, RegExp]>([
  ["an endless response", endless, /exceeds 262144 bytes/],
  ["a response that does not end", silent, /no response in time/],
  ["no JSON", (response) => response.end("<html>"), /does not follow/],
  ["no keys", (response) => sendJson(response, 200, {}), /does not follow/],
  [
    "too many keys",
    (response) => sendJson(response, 200, { keys: Array.from({ length: 101 }, () => KEY) }),
    /does not follow/,
  ],
  ["an error", (response) => sendJson(response, 503, {}), /HTTP 503/],
])("rejects %s", async (_what, keys, message) => {
  const { issuer } = await startAuthorizationServer({ keys });
  await expect(read(issuer, 300)).rejects.toMatchObject({ message: expect.stringMatching(message) });
});

it("follows no redirect into the network", async () => {
  const internal = await startInternal();
  const keys = (response: ServerResponse) => {
    response.writeHead(302, { location: internal.url }).end();
  };
  const { issuer } = await startAuthorizationServer({ keys });
  await expect(read(issuer)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(internal.requests()).toBe(0);
});

it("sends no request to another place in an allowlisted network that the metadata name", async () => {
  const internal = await startInternal();
  const { issuer } = await startAuthorizationServer({
    metadata: (metadata) => ({ ...metadata, jwks_uri: `${internal.url}/keys` }),
  });
  await expect(read(issuer)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(internal.requests()).toBe(0);
});

it("rejects the metadata of another issuer", async () => {
  const { issuer } = await startAuthorizationServer({
    keys: (response) => sendJson(response, 200, { keys: [KEY] }),
    metadata: (metadata) => ({ ...metadata, issuer: `${metadata["issuer"]}/` }),
  });
  await expect(read(issuer)).rejects.toMatchObject({ message: "the metadata names another issuer" });
});
