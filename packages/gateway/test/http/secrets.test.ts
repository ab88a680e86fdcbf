import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pageSchema, type Secret, secretSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const VALUE = "sk-planted-0123456789";

async function put(name: string, body: object, key = world.key): Promise<Secret> {
  return secretSchema.parse(expectStatus(await world.call("putSecret", { params: { name }, body, key }), 200));
}

const list = async (key: string, query: Record<string, string> = {}) =>
  pageSchema(secretSchema).parse((await world.call("listSecrets", { key, query })).body);

describe("a workspace secret", () => {
  it("is set and listed with its metadata, and its value is in no answer", async () => {
    const { key } = await world.makeWorkspace("metadata");
    const auth = { type: "header", name: "X-Api-Key" };
    const made = await put("SHOP_KEY", { value: VALUE, auth, hosts: ["api.shop.example", "*.shop.example"] }, key);
    expect(made).toEqual({
      name: "SHOP_KEY",
      auth,
      hosts: ["api.shop.example", "*.shop.example"],
      createdAt: made.updatedAt,
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { data } = await list(key);
    expect(data).toEqual([made]);
    expect(JSON.stringify([made, data])).not.toContain("planted");
  });

  it("takes a new value and keeps what is not said again", async () => {
    const { key } = await world.makeWorkspace("rotating");
    const made = await put("KEY", { value: VALUE, auth: { type: "bearer" }, hosts: ["api.shop.example"] }, key);
    const rotated = await put("KEY", { value: `${VALUE}-2` }, key);
    expect(rotated).toEqual({ ...made, updatedAt: rotated.updatedAt });
    const cleared = await put("KEY", { value: VALUE, auth: null, hosts: [] }, key);
    expect(cleared).toMatchObject({ auth: null, hosts: [], createdAt: made.createdAt });
    expect((await list(key)).data).toHaveLength(1);
  });

  it("may be bound to names, a single label and addresses", async () => {
    const hosts = ["api.shop.example", "*.shop.example", "localhost", "127.0.0.1", "::1", "2001:db8::a"];
    expect((await put("HOSTS", { value: VALUE, hosts })).hosts).toEqual(hosts);
  });

  it("keeps its hosts as URLs have them", async () => {
    const hosts = ["API.Shop.example.", "*.Bücher.example", "[0:0::1]", "127.1"];
    const kept = ["api.shop.example", "*.xn--bcher-kva.example", "::1", "127.0.0.1"];
    expect((await put("WRITTEN", { value: VALUE, hosts })).hosts).toEqual(kept);
  });

  it("fills in what its kind of use leaves open", async () => {
    expect((await put("QUERY_KEY", { value: VALUE, auth: { type: "query_param" } })).auth).toEqual({
      type: "query_param",
      name: "api_key",
    });
    expect((await put("TOKEN_KEY", { value: VALUE, auth: { type: "signed_token", issuer: "shop" } })).auth).toEqual({
      type: "signed_token",
      issuer: "shop",
      expiresInSeconds: 60,
    });
  });

  it("is gone once it is deleted, and can be deleted once", async () => {
    const { key } = await world.makeWorkspace("deleting");
    await put("KEY", { value: VALUE }, key);
    const remove = () => world.call("deleteSecret", { params: { name: "KEY" }, key });
    expect((await remove()).status).toBe(204);
    expect((await list(key)).data).toEqual([]);
    expect(problemOf(await remove())).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("is listed in the order of names, in pages", async () => {
    const { key } = await world.makeWorkspace("pages");
    for (const name of ["C", "A", "B_2", "B"]) await put(name, { value: VALUE }, key);
    const first = await list(key, { limit: "3" });
    const second = await list(key, { limit: "3", cursor: first.nextCursor ?? "" });
    expect([first, second].map(({ data }) => data.map(({ name }) => name))).toEqual([["A", "B", "B_2"], ["C"]]);
    expect(second.nextCursor).toBeNull();
  });

  it("is its own in each workspace", async () => {
    const [one, other] = [await world.makeWorkspace("one"), await world.makeWorkspace("other")];
    const made = await put("KEY", { value: VALUE, hosts: ["api.one.example"] }, one.key);
    await put("KEY", { value: VALUE, hosts: ["api.other.example"] }, other.key);
    expect((await list(one.key)).data).toEqual([made]);
    expect((await world.call("deleteSecret", { params: { name: "KEY" }, key: other.key })).status).toBe(204);
    expect((await list(one.key)).data).toEqual([made]);
  });

  it.each<[string, string, object, readonly string[]]>([
    ["no value", "KEY", {}, ["value: expected string or object, but it is missing"]],
    ["a short value", "KEY", { value: "1234567" }, ["value: expected string to have at least 8 characters"]],
    ["a long value", "KEY", { value: "x".repeat(8_193) }, ["value: expected string to have at most 8192 characters"]],
    [
      "a value with a line break",
      "KEY",
      { value: `${VALUE}\nX: y` },
      ["value: expected one line of printable ASCII, without leading or trailing spaces or line breaks"],
    ],
    [
      "a value that ends in a space",
      "KEY",
      { value: `${VALUE} ` },
      ["value: expected one line of printable ASCII, without leading or trailing spaces or line breaks"],
    ],
    [
      "a value beyond ASCII",
      "KEY",
      { value: "pässword-1" },
      ["value: expected one line of printable ASCII, without leading or trailing spaces or line breaks"],
    ],
    ["a field that it does not have", "KEY", { value: VALUE, scope: "all" }, ["scope: unknown field"]],
    [
      "an unknown kind of use",
      "KEY",
      { value: VALUE, auth: { type: "digest" } },
      ["auth.type: expected an object whose type is bearer, basic, header, query_param or signed_token"],
    ],
    [
      "a header without a name",
      "KEY",
      { value: VALUE, auth: { type: "header" } },
      ["auth.name: expected string, but it is missing"],
    ],
    [
      "a header that is none",
      "KEY",
      { value: VALUE, auth: { type: "header", name: "X Key" } },
      ["auth.name: expected the name of a header"],
    ],
    ...["Host", "content-length", "Proxy-Authorization"].map((name): [string, string, object, readonly string[]] => [
      `the header ${name}`,
      "KEY",
      { value: VALUE, auth: { type: "header", name } },
      ["auth.name: expected the name of a header that a request may set"],
    ]),
    [
      "a host with a scheme",
      "KEY",
      { value: VALUE, hosts: ["https://a.example"] },
      [expect.stringMatching(/^hosts\[0\]: expected a host/)],
    ],
    [
      "a host with a wildcard inside",
      "KEY",
      { value: VALUE, hosts: ["a.example", "a.*.example"] },
      [expect.stringMatching(/^hosts\[1\]: /)],
    ],
    ...["*.com", "*.127.0.0.1", "1.2.3.256", "::g", "a.example:443", "a%2eexample"].map(
      (host): [string, string, object, readonly string[]] => [
        `the host ${host}`,
        "KEY",
        { value: VALUE, hosts: [host] },
        [expect.stringMatching(/^hosts\[0\]: expected (?:a host|at least two labels)/)],
      ],
    ),
    ["every host there is", "KEY", { value: VALUE, hosts: ["*"] }, [expect.stringMatching(/^hosts\[0\]: /)]],
    ["a name in lower case", "key", { value: VALUE }, [expect.stringMatching(/^name: expected 1 to 64 upper-case/)]],
    ["a name that begins with a digit", "1KEY", { value: VALUE }, [expect.stringMatching(/^name: /)]],
    ["a name with a hyphen", "MY-KEY", { value: VALUE }, [expect.stringMatching(/^name: /)]],
    ["a long name", "K".repeat(65), { value: VALUE }, [expect.stringMatching(/^name: /)]],
  ])("refuses %s without repeating the value", async (_what, name, body, fields) => {
    const answer = await world.call("putSecret", { params: { name }, body });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual(fields);
    expect(JSON.stringify(answer.body)).not.toMatch(/planted|pässword|1234567/);
  });

  it("can't be read by any route", () => {
    const withName = world.operations.filter(({ path }) => path.startsWith("/v1/secrets"));
    expect(withName.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "delete /v1/secrets/{name}",
      "get /v1/secrets",
      "put /v1/secrets/{name}",
    ]);
  });
});

it("no file of the data directory holds a value", async () => {
  await put("AT_REST", { value: VALUE, hosts: ["a-host-at-rest.example"] });
  const files = await readdir(world.dataDir);
  const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(join(world.dataDir, file)))));
  // What may be read there shows that the search looks at the right bytes.
  expect(bytes.includes("a-host-at-rest.example")).toBe(true);
  expect(bytes.includes(VALUE)).toBe(false);
  for (const shift of [0, 1, 2]) {
    const encoded = Buffer.from(" ".repeat(shift) + VALUE).toString("base64");
    expect(bytes.includes(encoded.slice(4, -4))).toBe(false);
  }
});
