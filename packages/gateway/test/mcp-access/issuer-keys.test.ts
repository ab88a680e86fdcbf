import { expect, it } from "vitest";
import { sendJson } from "../../../../test/services/authorization-server.ts";
import { AUDIENCE, openAccess } from "./support.ts";
import { startTokenIssuer } from "./token-issuer.ts";

const MINUTE_MS = 60_000;

it("reads the keys once for all tokens", async () => {
  const issuer = await startTokenIssuer();
  const { authenticate } = openAccess(issuer);
  const token = await issuer.sign(AUDIENCE);
  const found = await Promise.all(Array.from({ length: 10 }, () => authenticate(token)));
  expect(found).not.toContain(undefined);
  expect(issuer.keyRequests()).toBe(1);
});

it("accepts a new key at once, but reads keys because of unknown ones at most once a minute", async () => {
  const issuer = await startTokenIssuer();
  const { authenticate, clock } = openAccess(issuer);
  const old = await issuer.sign(AUDIENCE);
  expect(await authenticate(old)).toBeDefined();
  clock.at += MINUTE_MS;
  await issuer.rotate(true);
  expect(await authenticate(await issuer.sign(AUDIENCE))).toBeDefined();
  expect(await authenticate(old)).toBeDefined();
  expect(issuer.keyRequests()).toBe(2);

  for (let sent = 0; sent < 5; sent += 1) {
    clock.at += MINUTE_MS / 6;
    expect(await authenticate(await issuer.sign(AUDIENCE, { header: { kid: `foreign-${sent}` } }))).toBeUndefined();
  }
  expect(issuer.keyRequests()).toBe(2);
  clock.at += MINUTE_MS / 6;
  await authenticate(await issuer.sign(AUDIENCE, { header: { kid: "foreign" } }));
  expect(issuer.keyRequests()).toBe(3);
});

it("rejects a key that the issuer has removed after five minutes", async () => {
  const issuer = await startTokenIssuer();
  const { authenticate, clock, reasons } = openAccess(issuer);
  const exp = Math.floor(clock.at / 1_000) + 3_600;
  const revoked = await issuer.sign(AUDIENCE, { claims: { exp } });
  expect(await authenticate(revoked)).toBeDefined();
  await issuer.rotate(false);
  clock.at += 5 * MINUTE_MS;
  expect(await authenticate(revoked)).toBeUndefined();
  expect(reasons).toEqual(["ERR_JWKS_NO_MATCHING_KEY"]);
});

it("says that an issuer without keys is unavailable, and tries again", async () => {
  let isDown = true;
  let answered = 0;
  const issuer = await startTokenIssuer({
    metadata: (metadata) => {
      answered += 1;
      return isDown ? {} : metadata;
    },
  });
  const { authenticate, clock, failures } = openAccess(issuer);
  const token = await issuer.sign(AUDIENCE);
  await expect(authenticate(token)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(authenticate(token)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect([answered, failures.length]).toEqual([1, 1]);
  isDown = false;
  clock.at += 5_000;
  expect(await authenticate(token)).toBeDefined();
});

it("keeps known keys while an unknown one cannot be looked up", async () => {
  let isDown = false;
  const issuer = await startTokenIssuer({ metadata: (metadata) => (isDown ? {} : metadata) });
  const { authenticate, clock } = openAccess(issuer);
  const token = await issuer.sign(AUDIENCE);
  expect(await authenticate(token)).toBeDefined();
  isDown = true;
  clock.at += MINUTE_MS;
  const foreign = await issuer.sign(AUDIENCE, { header: { kid: "foreign" } });
  await expect(authenticate(foreign)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await authenticate(token)).toBeDefined();
});

it("ignores keys that are not public", async () => {
  const issuer = await startTokenIssuer({
    keys: (response) => sendJson(response, 200, { keys: [{ kty: "oct", kid: "shared", k: "c2VjcmV0" }] }),
  });
  const { authenticate, reasons } = openAccess(issuer);
  expect(await authenticate(await issuer.sign(AUDIENCE, { header: { kid: "shared" } }))).toBeUndefined();
  expect(reasons).toEqual(["ERR_JWKS_NO_MATCHING_KEY"]);
});
