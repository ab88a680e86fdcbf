import type { SecretAuth } from "@yagate/protocol";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { injectCredential, maskCredential } from "../src/credential.ts";
import { NOW } from "./support.ts";

const NAME = "SHOP_KEY";
const VALUE = "sk live/+&=#?%41";
const URL_TEXT = "https://api.shop.example/v1/items";
const now = () => NOW;

interface Given {
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

const requestOf = ({ url = URL_TEXT, headers = {} }: Given) => ({
  method: "POST" as const,
  url,
  headers,
  body: { a: 1 },
});

it.each<[string, SecretAuth | null, Given, Given]>([
  ["a bearer token", { type: "bearer" }, {}, { headers: { authorization: `Bearer ${VALUE}` } }],
  ["a secret that nothing was said about", null, {}, { headers: { authorization: `Bearer ${VALUE}` } }],
  [
    "a bearer token in place of an existing one",
    { type: "bearer" },
    { headers: { authorization: "Bearer guess", Authorization: "Basic guess", "x-a": "1" } },
    { headers: { "x-a": "1", authorization: `Bearer ${VALUE}` } },
  ],
  ["a user name and a password", { type: "basic" }, {}, { headers: { authorization: `Basic ${VALUE}` } }],
  ["a header", { type: "header", name: "X-Api-Key" }, {}, { headers: { "x-api-key": VALUE } }],
  [
    "a header in place of an existing one",
    { type: "header", name: "X-Api-Key" },
    { headers: { "x-api-key": "guess", "X-API-KEY": "guess", authorization: "Bearer other" } },
    { headers: { authorization: "Bearer other", "x-api-key": VALUE } },
  ],
  [
    "a parameter",
    { type: "query_param", name: "api_key" },
    {},
    { url: `${URL_TEXT}?api_key=sk%20live%2F%2B%26%3D%23%3F%2541` },
  ],
  [
    "a parameter beside others, which stay as they are written",
    { type: "query_param", name: "key" },
    { url: `${URL_TEXT}?q=a+b%20c&keys=1&d%7e&flag` },
    { url: `${URL_TEXT}?q=a+b%20c&keys=1&d%7e&flag&key=sk%20live%2F%2B%26%3D%23%3F%2541` },
  ],
  [
    "a parameter in place of existing ones",
    { type: "query_param", name: "api key" },
    { url: `${URL_TEXT}?api+key=guess&a=1&%61pi%20key=guess&api%20key#end` },
    { url: `${URL_TEXT}?a=1&api%20key=sk%20live%2F%2B%26%3D%23%3F%2541#end` },
  ],
])("%s is put at its place", async (_what, auth, given, expected) => {
  const request = requestOf(given);
  const before = structuredClone(request);
  const injected = await injectCredential(request, { name: NAME, auth, value: VALUE }, now);
  expect(injected).toEqual({ request: { ...request, ...expected }, sent: VALUE, sentParts: [] });
  expect(request).toEqual(before);

  const shown = maskCredential(request, { name: NAME, auth });
  const masked = JSON.stringify(injected.request)
    .replace(JSON.stringify(VALUE).slice(1, -1), `***${NAME}***`)
    .replace(encodeURIComponent(VALUE), `***${NAME}***`);
  expect(shown).toEqual(JSON.parse(masked));
  expect(JSON.stringify(shown)).toContain(`***${NAME}***`);
});

it("the value can be read where the service looks for it", async () => {
  const auth: SecretAuth = { type: "query_param", name: "schlüssel" };
  const { request } = await injectCredential(requestOf({}), { name: NAME, auth, value: VALUE }, now);
  expect(new URL(request.url).searchParams.get("schlüssel")).toBe(VALUE);
});

it("a signed token is signed by the value, short-lived, and another one each time", async () => {
  const auth: SecretAuth = {
    type: "signed_token",
    issuer: "shop",
    subject: "agent",
    audience: "https://api.shop.example",
    expiresInSeconds: 90,
  };
  const credential = { name: NAME, auth, value: VALUE };
  const request = requestOf({ headers: { authorization: "Bearer guess" } });
  const { request: sent, sent: token } = await injectCredential(request, credential, now);
  expect(sent.headers).toEqual({ authorization: `Bearer ${token}` });
  expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
  const { payload } = await jwtVerify(token, new TextEncoder().encode(VALUE), {
    algorithms: ["HS256"],
    issuer: "shop",
    audience: "https://api.shop.example",
    currentDate: new Date(NOW),
  });
  const iat = Math.floor(NOW / 1_000);
  expect(payload).toEqual({
    iat,
    exp: iat + 90,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iss: "shop",
    sub: "agent",
    aud: "https://api.shop.example",
  });
  const again = await injectCredential(request, credential, now);
  expect(again.sent).not.toBe(token);
  expect(maskCredential(request, credential).headers).toEqual({ authorization: `Bearer ***${NAME}***` });
});

it("a signed token says no more than the secret does", async () => {
  const auth: SecretAuth = { type: "signed_token", expiresInSeconds: 60 };
  const { sent } = await injectCredential(requestOf({}), { name: NAME, auth, value: VALUE }, now);
  const [, claims = ""] = sent.split(".");
  expect(Object.keys(JSON.parse(Buffer.from(claims, "base64url").toString()))).toEqual(["iat", "exp", "jti"]);
});
