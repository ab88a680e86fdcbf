import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createCallbackTokens, MAX_CALLBACK_EXPIRY_MS } from "../src/callback-tokens.ts";
import { createExecutionTokens } from "../src/execution-tokens.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import { DAY_MS, masterKeyOf, NOW } from "./support.ts";

const MASTER = masterKeyOf("k1");
const SUBJECT = { workspaceId: "ws_a", executionId: "exec_a", toolCallId: "tc_a", moves: 0 };
const TIMES = { issuedAt: NOW, expiresAt: NOW + DAY_MS };
const SECONDS = NOW / 1_000;
const REFUSED = { code: "UNAUTHENTICATED", message: "expected the token that came with this call" };

function createTokens({ masterKeys = MASTER, now = NOW } = {}) {
  return createCallbackTokens({ keyring: parseMasterKeys(masterKeys), now: () => now });
}

const HEADER = { alg: "HS256", typ: "yagate-callback+jwt", kid: "k1" };
const CLAIMS = {
  iss: "yagate",
  aud: "yagate-callback",
  sub: "exec_a",
  ws: "ws_a",
  jti: "tc_a",
  iat: SECONDS,
  exp: SECONDS + DAY_MS / 1_000,
};

/** The key of tokens, made without the code under test. */
function derivedKey(info = "yagate callback token v1"): Buffer {
  const master = Buffer.from(MASTER.split(":")[1] ?? "", "base64");
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), info, 32));
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function forge({
  header = HEADER,
  claims = CLAIMS,
  key = derivedKey(),
}: Partial<Record<"header" | "claims", unknown>> & { key?: Buffer } = {}): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `yc_${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

describe("a callback's token", () => {
  it("names its one call", async () => {
    const token = await createTokens().create(SUBJECT, TIMES);
    expect(token).toMatch(/^yc_/);
    expect(await createTokens().read(token)).toEqual(SUBJECT);
  });

  it("is the same for every attempt of a call, whenever it is made, and another for another call", async () => {
    const token = await createTokens().create(SUBJECT, TIMES);
    expect(await createTokens({ now: NOW + 60_000 }).create(SUBJECT, TIMES)).toBe(token);
    for (const other of [{ toolCallId: "tc_b" }, { executionId: "exec_b" }, { workspaceId: "ws_b" }]) {
      expect(await createTokens().create({ ...SUBJECT, ...other }, TIMES)).not.toBe(token);
    }
  });

  it("is a JWT under a key of its own that names what it is for", async () => {
    const token = await createTokens().create(SUBJECT, TIMES);
    const [header, claims] = token
      .slice(3)
      .split(".", 2)
      .map((text) => JSON.parse(`${Buffer.from(text, "base64url")}`));
    expect({ header, claims }).toEqual({ header: HEADER, claims: CLAIMS });
    expect(forge({ header, claims })).toBe(token);
  });

  it("is another one for each capability to which the call moves", async () => {
    const tokens = createTokens();
    const moved = { ...SUBJECT, moves: 2 };
    const token = await tokens.create(moved, TIMES);
    expect(token).not.toBe(await tokens.create(SUBJECT, TIMES));
    expect(await tokens.read(token)).toEqual(moved);
    await expect(tokens.read(forge({ claims: { ...CLAIMS, mv: 0 } }))).rejects.toMatchObject(REFUSED);
  });

  it.each<[string, number]>([
    ["in its last moment", NOW + DAY_MS - 1],
    ["at its end", NOW + DAY_MS],
    ["a year later", NOW + 365 * DAY_MS],
  ])("still says which call it is for %s: what may be done then is the log's to say", async (_when, now) => {
    const token = await createTokens().create(SUBJECT, TIMES);
    expect(await createTokens({ now }).read(token)).toEqual(SUBJECT);
  });

  it("survives a rotation of the master keys for as long as its key is in the list", async () => {
    const token = await createTokens().create(SUBJECT, TIMES);
    expect(await createTokens({ masterKeys: `${masterKeyOf("k2")},${MASTER}` }).read(token)).toEqual(SUBJECT);
    await expect(createTokens({ masterKeys: masterKeyOf("k1") }).read(token)).rejects.toMatchObject(REFUSED);
  });
});

describe("refused, although everything else is right:", () => {
  const without = (name: keyof typeof CLAIMS) =>
    Object.fromEntries(Object.entries(CLAIMS).filter(([claim]) => claim !== name));

  it.each<[string, string]>([
    ["alg none", forge({ header: { ...HEADER, alg: "none" } })],
    ["alg HS512", forge({ header: { ...HEADER, alg: "HS512" } })],
    ["typ JWT", forge({ header: { ...HEADER, typ: "JWT" } })],
    ["the typ of an execution's token", forge({ header: { ...HEADER, typ: "yagate-execution+jwt" } })],
    ["an unknown kid", forge({ header: { ...HEADER, kid: "k2" } })],
    ["an embedded jwk", forge({ header: { ...HEADER, jwk: { kty: "oct" } } })],
    ["crit", forge({ header: { ...HEADER, crit: ["exp"] } })],
    ...(Object.keys(CLAIMS) as (keyof typeof CLAIMS)[]).map((name): [string, string] => [
      `no ${name}`,
      forge({ claims: without(name) }),
    ]),
    ["another issuer", forge({ claims: { ...CLAIMS, iss: "somebody" } })],
    ["the audience of an execution's token", forge({ claims: { ...CLAIMS, aud: "yagate-execution" } })],
    ["an agent as its subject", forge({ claims: { ...CLAIMS, sub: "agt_a" } })],
    ["an attempt as its call", forge({ claims: { ...CLAIMS, jti: "att_a" } })],
    ["an unknown claim", forge({ claims: { ...CLAIMS, key: null } })],
    ["a life past the longest", forge({ claims: { ...CLAIMS, exp: SECONDS + MAX_CALLBACK_EXPIRY_MS / 1_000 + 2 } })],
    ["iat in the future", forge({ claims: { ...CLAIMS, iat: SECONDS + 61 } })],
    ["the key of another purpose", forge({ key: derivedKey("yagate execution token v1") })],
    ["the master key itself", forge({ key: Buffer.from(MASTER.split(":")[1] ?? "", "base64") })],
    ["an empty key", forge({ key: Buffer.alloc(0) })],
  ])("%s", async (_what, token) => {
    await expect(createTokens().read(token)).rejects.toMatchObject(REFUSED);
  });

  it.each<[string, (token: string) => string]>([
    ["nothing", () => ""],
    ["another prefix", (token) => `yt_${token.slice(3)}`],
    ["a space behind it", (token) => `${token} `],
    ["padding", (token) => `${token}=`],
    ["no signature", (token) => token.slice(0, token.lastIndexOf(".") + 1)],
    ["a megabyte of dots", () => `yc_${".".repeat(1_048_576)}`],
  ])("its text with %s", async (_what, change) => {
    const token = await createTokens().create(SUBJECT, TIMES);
    await expect(createTokens().read(change(token))).rejects.toMatchObject(REFUSED);
  });

  it("the token of its execution, whatever it begins with", async () => {
    const tokens = createExecutionTokens({
      keyring: parseMasterKeys(MASTER),
      principalOf: async () => undefined,
      now: () => NOW,
    });
    const { token } = await tokens.create({ ...SUBJECT, keyId: null, expiresInSeconds: 900 });
    for (const text of [token, `yc_${token.slice(3)}`]) {
      await expect(createTokens().read(text)).rejects.toMatchObject(REFUSED);
    }
  });
});
