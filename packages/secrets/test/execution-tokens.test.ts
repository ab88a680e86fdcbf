import { createHmac, hkdfSync } from "node:crypto";
import { ALL_SCOPES, MAX_EXECUTION_TOKEN_SECONDS } from "@yagate/protocol";
import { CompactEncrypt } from "jose";
import { describe, expect, it } from "vitest";
import { createExecutionTokens } from "../src/execution-tokens.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import type { Principal } from "../src/principal.ts";
import { createSealer } from "../src/seal.ts";
import { masterKeyOf, NOW } from "./support.ts";

const MASTER = masterKeyOf("k1");
const MAKER: Principal = { workspaceId: "ws_a", keyId: "key_a", scopes: new Set(["executions"]) };
const WANTED = { workspaceId: "ws_a", executionId: "exec_a", keyId: "key_a", expiresInSeconds: 900 };
const SECONDS = NOW / 1_000;

function createTokens({ masterKeys = MASTER, now = NOW, keys = [MAKER] } = {}) {
  return createExecutionTokens({
    keyring: parseMasterKeys(masterKeys),
    principalOf: async (workspaceId, keyId) =>
      keys.find((key) => key.workspaceId === workspaceId && key.keyId === keyId),
    now: () => now,
  });
}

const HEADER = { alg: "HS256", typ: "yagate-execution+jwt", kid: "k1" };
const CLAIMS = {
  iss: "yagate",
  aud: "yagate-execution",
  sub: "exec_a",
  ws: "ws_a",
  key: "key_a",
  iat: SECONDS,
  exp: SECONDS + 900,
  jti: "one",
};

/** The key of tokens, made without the code under test. */
function derivedKey(masterKeys = MASTER, info = "yagate execution token v1"): Buffer {
  const master = Buffer.from(masterKeys.split(":")[1] ?? "", "base64");
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), info, 32));
}

interface Forgery {
  readonly header?: unknown;
  readonly claims?: unknown;
  readonly key?: Buffer;
  readonly hash?: string;
}

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token by hand, so that anything can be wrong with it. */
function forge({ header = HEADER, claims = CLAIMS, key = derivedKey(), hash = "sha256" }: Forgery = {}): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `yt_${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
}

const INVALID = { code: "UNAUTHENTICATED", message: "expected a valid execution token" };
const EXPIRED = { code: "UNAUTHENTICATED", message: "the execution token has expired" };

describe("an execution token", () => {
  it("lets its maker in, for one execution", async () => {
    const { token, ...rest } = await createTokens().create(WANTED);
    expect(rest).toEqual({ executionId: "exec_a", expiresAt: "2026-11-21T06:15:00.000Z" });
    expect(await createTokens().authenticate(token)).toEqual({
      ...MAKER,
      execution: { id: "exec_a", expiresAt: NOW + 900_000 },
    });
  });

  it("is a JWT under a key of its own that names what it is for", async () => {
    const { token } = await createTokens().create(WANTED);
    const [header, claims] = token
      .slice(3)
      .split(".", 2)
      .map((text) => JSON.parse(`${Buffer.from(text, "base64url")}`));
    expect(header).toEqual(HEADER);
    expect(claims).toEqual({ ...CLAIMS, jti: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(forge({ header, claims })).toBe(token);
    await expect(createTokens().authenticate(forge())).resolves.toMatchObject(MAKER);
  });

  it("carries the rights that its maker has when it is used", async () => {
    const { token } = await createTokens().create({ ...WANTED, keyId: null });
    const bootstrap: Principal = { workspaceId: "ws_a", keyId: null, scopes: new Set(ALL_SCOPES) };
    expect(await createTokens({ keys: [bootstrap] }).authenticate(token)).toMatchObject({
      keyId: null,
      scopes: new Set(ALL_SCOPES),
    });
  });

  it("opens nothing once the key that made it is gone", async () => {
    const { token } = await createTokens().create(WANTED);
    await expect(createTokens({ keys: [] }).authenticate(token)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: "expected an execution token whose API key still exists",
    });
  });

  it.each<[string, number, object | undefined]>([
    ["at once", NOW, undefined],
    ["in its last moment", NOW + 899_999, undefined],
    ["at its end", NOW + 900_000, EXPIRED],
    ["a year later", NOW + 31_536_000_000, EXPIRED],
    ["on a replica whose clock is behind by a minute", NOW - 60_000, undefined],
    ["on a clock that is behind by more", NOW - 61_000, INVALID],
  ])("is judged by the clock: %s", async (_when, now, refusal) => {
    const { token } = await createTokens().create(WANTED);
    const asked = createTokens({ now }).authenticate(token);
    if (refusal === undefined) await expect(asked).resolves.toMatchObject(MAKER);
    else await expect(asked).rejects.toMatchObject(refusal);
  });

  it("lasts as long as was asked for, and a second more at most", async () => {
    const made = NOW + 1;
    const { token, expiresAt } = await createTokens({ now: made }).create({ ...WANTED, expiresInSeconds: 1 });
    expect(expiresAt).toBe("2026-11-21T06:00:02.000Z");
    await expect(createTokens({ now: made + 1_000 }).authenticate(token)).resolves.toMatchObject(MAKER);
    await expect(createTokens({ now: made + 2_000 }).authenticate(token)).rejects.toMatchObject(EXPIRED);
    const longest = await createTokens({ now: made }).create({
      ...WANTED,
      expiresInSeconds: MAX_EXECUTION_TOKEN_SECONDS,
    });
    await expect(createTokens({ now: made }).authenticate(longest.token)).resolves.toMatchObject(MAKER);
  });

  it("survives a rotation of the master keys for as long as its key is in the list", async () => {
    const { token } = await createTokens().create(WANTED);
    const rotated = createTokens({ masterKeys: `${masterKeyOf("k2")},${MASTER}` });
    await expect(rotated.authenticate(token)).resolves.toMatchObject(MAKER);
    await expect(createTokens({ masterKeys: masterKeyOf("k2") }).authenticate(token)).rejects.toMatchObject(INVALID);
    await expect(createTokens({ masterKeys: masterKeyOf("k1") }).authenticate(token)).rejects.toMatchObject(INVALID);
  });
});

describe("refused, although everything else is right:", () => {
  const without = (name: keyof typeof CLAIMS) =>
    Object.fromEntries(Object.entries(CLAIMS).filter(([claim]) => claim !== name));
  const unsigned = (alg: unknown) => `yt_${part({ ...HEADER, alg })}.${part(CLAIMS)}.`;

  it.each<[string, string]>([
    ["no algorithm", forge({ header: { typ: HEADER.typ, kid: "k1" } })],
    ["alg none, unsigned", unsigned("none")],
    ["alg None, unsigned", unsigned("None")],
    ["alg nOnE, unsigned", unsigned("nOnE")],
    ["alg none with a right signature", forge({ header: { ...HEADER, alg: "none" } })],
    ["alg HS512 under the same key", forge({ header: { ...HEADER, alg: "HS512" }, hash: "sha512" })],
    ["alg HS256 with another hash", forge({ hash: "sha512" })],
    ["alg RS256", forge({ header: { ...HEADER, alg: "RS256" } })],
    ["alg as a list", forge({ header: { ...HEADER, alg: ["HS256"] } })],
    ["no typ", forge({ header: { alg: "HS256", kid: "k1" } })],
    ["typ JWT", forge({ header: { ...HEADER, typ: "JWT" } })],
    ["the typ of a callback's token", forge({ header: { ...HEADER, typ: "yagate-callback+jwt" } })],
    ["the typ as a media type", forge({ header: { ...HEADER, typ: "application/yagate-execution+jwt" } })],
    ["no kid", forge({ header: { alg: "HS256", typ: HEADER.typ } })],
    ["an unknown kid", forge({ header: { ...HEADER, kid: "k2" } })],
    ["a kid that is a path", forge({ header: { ...HEADER, kid: "../../../../dev/null" }, key: Buffer.alloc(0) })],
    ["a kid that is SQL", forge({ header: { ...HEADER, kid: "k1' OR '1'='1" } })],
    ["a kid of the prototype", forge({ header: { ...HEADER, kid: "__proto__" } })],
    ["a kid that is no text", forge({ header: { ...HEADER, kid: { k1: true } } })],
    [
      "an embedded jwk",
      forge({ header: { ...HEADER, jwk: { kty: "oct", k: part("secret") } }, key: Buffer.from("secret") }),
    ],
    ["a jku", forge({ header: { ...HEADER, jku: "https://evil.example/keys" } })],
    ["an x5u", forge({ header: { ...HEADER, x5u: "https://evil.example/cert" } })],
    ["crit with an extension", forge({ header: { ...HEADER, crit: ["exp"] } })],
    ["b64: false", forge({ header: { ...HEADER, b64: false, crit: ["b64"] } })],
    ["zip", forge({ header: { ...HEADER, zip: "DEF" } })],
    ["a header that is a list", forge({ header: [HEADER] })],
    ["a header that is no JSON", forge({ header: "{" })],
    ["claims that are a list", forge({ claims: [CLAIMS] })],
    ["claims that are no JSON", forge({ claims: "exec_a" })],
    ...(Object.keys(CLAIMS) as (keyof typeof CLAIMS)[]).map((name): [string, string] => [
      `no ${name}`,
      forge({ claims: without(name) }),
    ]),
    ["another issuer", forge({ claims: { ...CLAIMS, iss: "yagate.evil.example" } })],
    ["the audience of a callback", forge({ claims: { ...CLAIMS, aud: "yagate-callback" } })],
    ["two audiences", forge({ claims: { ...CLAIMS, aud: ["yagate-execution", "yagate-approval"] } })],
    ["the subject of something else", forge({ claims: { ...CLAIMS, sub: "agt_a" } })],
    ["exp as text", forge({ claims: { ...CLAIMS, exp: String(CLAIMS.exp) } })],
    ["exp of infinity", forge({ claims: JSON.stringify(CLAIMS).replace(`"exp":${CLAIMS.exp}`, '"exp":1e999') })],
    ["exp past the longest life", forge({ claims: { ...CLAIMS, exp: SECONDS + MAX_EXECUTION_TOKEN_SECONDS + 2 } })],
    ["iat in the future", forge({ claims: { ...CLAIMS, iat: SECONDS + 61 } })],
    ["nbf in the future", forge({ claims: { ...CLAIMS, nbf: SECONDS + 61 } })],
    ["an unknown claim", forge({ claims: { ...CLAIMS, scopes: ["admin"] } })],
    ["a claim of four kilobytes", forge({ claims: { ...CLAIMS, jti: "j".repeat(4_096) } })],
    ["a fractional exp", forge({ claims: { ...CLAIMS, exp: SECONDS + 900.5 } })],
    ["the master key itself", forge({ key: Buffer.from(MASTER.split(":")[1] ?? "", "base64") })],
    ["the key of another purpose", forge({ key: derivedKey(MASTER, "yagate callback token v1") })],
    ["the key of another gateway", forge({ key: derivedKey(masterKeyOf("k1")) })],
    ["an empty key", forge({ key: Buffer.alloc(0) })],
  ])("%s", async (_what, token) => {
    await expect(createTokens().authenticate(token)).rejects.toMatchObject(INVALID);
  });

  it.each<[string, unknown]>([
    ["a key of another workspace", { ...CLAIMS, ws: "ws_b" }],
    ["a key that does not exist", { ...CLAIMS, key: "key_b" }],
    ["the bootstrap key, where there is none", { ...CLAIMS, key: null }],
  ])("%s", async (_what, claims) => {
    await expect(createTokens().authenticate(forge({ claims }))).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it.each<[string, (token: string) => string]>([
    ["nothing", () => ""],
    ["the prefix alone", () => "yt_"],
    ["no prefix", (token) => token.slice(3)],
    ["another prefix", (token) => `yk_${token.slice(3)}`],
    ["two prefixes", (token) => `yt_${token}`],
    ["a space behind it", (token) => `${token} `],
    ["a line break in it", (token) => token.replace(".", ".\n")],
    ["padding", (token) => `${token}=`],
    ["a signature in base64", (token) => `${token.slice(0, -2)}+/`],
    ["no signature", (token) => token.slice(0, token.lastIndexOf(".") + 1)],
    ["two segments", (token) => token.slice(0, token.lastIndexOf("."))],
    ["four segments", (token) => `${token}.e30`],
    ["five segments", (token) => `${token}.e30.e30`],
    ["its flattened form", (token) => `yt_${JSON.stringify({ payload: token.split(".")[1] })}`],
    ["a header of a megabyte", (token) => token.replace("yt_", `yt_${"A".repeat(1_048_576)}`)],
    ["a megabyte of dots", () => `yt_${".".repeat(1_048_576)}`],
  ])("its text with %s", async (_what, change) => {
    const { token } = await createTokens().create(WANTED);
    await expect(createTokens().authenticate(change(token))).rejects.toMatchObject(INVALID);
  });

  it("its text with any character changed, also where a decoder would not care", async () => {
    const token = forge();
    for (let index = 3; index < token.length; index += 1) {
      for (const other of ["A", "B", "-", "_", "=", "."]) {
        if (token[index] === other) continue;
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        await expect(createTokens().authenticate(changed), `${other} at ${index}`).rejects.toMatchObject(INVALID);
      }
    }
  });

  it("a value that was sealed under the same master key", async () => {
    const keyring = parseMasterKeys(MASTER);
    const sealed = await createSealer(keyring).seal(JSON.stringify(CLAIMS), ["exec_a"]);
    const encrypted = await new CompactEncrypt(Buffer.from(JSON.stringify(CLAIMS)))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: HEADER.typ, kid: "k1" })
      .encrypt(derivedKey());
    for (const text of [sealed, encrypted]) {
      await expect(createTokens().authenticate(`yt_${text}`)).rejects.toMatchObject(INVALID);
    }
  });
});

it("duplicate members need the key, and the last one counts", async () => {
  const claims = `{"sub":"exec_b",${JSON.stringify(CLAIMS).slice(1)}`;
  await expect(createTokens().authenticate(forge({ claims }))).resolves.toMatchObject({ execution: { id: "exec_a" } });
  const foreign = forge({ claims, key: derivedKey(masterKeyOf("k1")) });
  await expect(createTokens().authenticate(foreign)).rejects.toMatchObject(INVALID);
});

it("no refusal repeats anything of the token", async () => {
  const planted = [forge({ header: { ...HEADER, kid: "planted" } }), forge({ claims: { ...CLAIMS, sub: "planted" } })];
  for (const token of [...planted, `${forge()}planted`]) {
    const error: unknown = await createTokens()
      .authenticate(token)
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject(INVALID);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/planted|eyJ/);
  }
});
