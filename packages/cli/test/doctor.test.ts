import { chmod, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { createGateway } from "@yagate/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { listenOnLoopback } from "../../../test/services/listen-on-loopback.ts";
import { makeFolder } from "./support/folder.ts";
import { startGateway } from "./support/gateway.ts";
import { runCheck } from "./support/run-check.ts";

const MASTER = `k1:${Buffer.from("w9#kQz!7rT2$mB5^xL8&vN1*cF4@hJ6%").toString("base64")}`;

async function settings() {
  return {
    ...{ YAGATE_API_KEY: "yk_8Zq2rW5tY7uI9oP1aS3dF6gH0jK4lXcV", YAGATE_MASTER_KEYS: MASTER },
    ...{ YAGATE_DATA_DIR: await makeFolder(), YAGATE_PORT: `${await freePort()}`, YAGATE_HOST: "127.0.0.1" },
  };
}

/** A model provider whose clock and status a test chooses. */
async function startProvider(status: number, date = new Date()) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.writeHead(status, { date: date.toUTCString(), "content-type": "application/json" }).end("{}");
  });
  onTestFinished(() => void server.close());
  return { url: `${await listenOnLoopback(server)}/v1`, keys };
}

async function diagnose(env: Readonly<Record<string, string>>, ...options: string[]) {
  const { status, stdout } = await runCheck(["doctor", "--json", ...options], { env });
  const { isFine, checks } = JSON.parse(stdout);
  const found: Record<string, string> = Object.fromEntries(
    checks.map((one: { check: string; status: string; message: string }) => [
      one.check,
      `${one.status}: ${one.message}`,
    ]),
  );
  return { status, isFine, found, text: stdout };
}

describe("yagate doctor", () => {
  it("finds nothing wrong with an environment in which serve starts, and prints no secret", async () => {
    const provider = await startProvider(200);
    const env = { ...(await settings()), OPENAI_API_KEY: "sk-planted-0123456789", OPENAI_BASE_URL: provider.url };
    const { status, isFine, found, text } = await diagnose(env);
    expect({ status, isFine }).toEqual({ status: 0, isFine: true });
    expect(found).toMatchObject({
      configuration: "ok: all variables are valid",
      port: expect.stringMatching(/^ok: 127\.0\.0\.1:\d+ is free/),
      "provider openai": expect.stringMatching(/^ok: 127\.0\.0\.1:\d+ accepts the key$/),
      clock: expect.stringMatching(/^ok: /),
    });
    expect(provider.keys).toEqual(["Bearer sk-planted-0123456789"]);
    for (const planted of ["planted", MASTER, env.YAGATE_API_KEY]) expect(text).not.toContain(planted);
  });

  it("says what is wrong with the configuration before it looks further", async () => {
    const { status, found } = await diagnose({ YAGATE_PORTS: "1" });
    expect(status).toBe(1);
    expect(Object.keys(found)).toEqual(["configuration"]);
    expect(found["configuration"]).toMatch(/YAGATE_API_KEY: it is missing[\s\S]*YAGATE_PORTS: not a variable/);
  });

  it("finds a data directory that others can read", async () => {
    const env = await settings();
    await chmod(env.YAGATE_DATA_DIR, 0o755);
    const { status, found } = await diagnose(env, "--offline");
    expect({ status, data: found["data directory"] }).toEqual({
      status: 1,
      data: expect.stringContaining("chmod 700"),
    });
    expect(found["providers"]).toBe("skipped: --offline");
  });

  it("finds master keys with which the stored data cannot be read, while a gateway uses it", async () => {
    const env = await settings();
    const { YAGATE_DATA_DIR: dataDir, YAGATE_API_KEY: apiKey } = env;
    const keysFound = async (changes = {}) =>
      (await diagnose({ ...env, ...changes }, "--offline")).found["master keys"];
    expect(await keysFound()).toBe("ok: nothing is encrypted yet");
    const gateway = createGateway({ port: 0, dataDir, apiKey, masterKeys: MASTER, logLevel: "silent" });
    await gateway.start();
    onTestFinished(() => gateway.stop());
    expect(await keysFound()).toBe(`ok: ${dataDir} was encrypted with them`);
    for (const id of ["k1", "k2"]) {
      const other = `${id}:${Buffer.from("x9#kQz!7rT2$mB5^xL8&vN1*cF4@hJ6%").toString("base64")}`;
      expect(await keysFound({ YAGATE_MASTER_KEYS: other })).toMatch(/^failed: .*encrypted with other master keys/);
    }
    await gateway.stop();
    const files = await readdir(dataDir);
    expect(await keysFound()).toBe(`ok: ${dataDir} was encrypted with them`);
    expect(await readdir(dataDir)).toEqual(files);
  });

  it("finds a database that does not respond, without its password", async () => {
    const DATABASE_URL = `postgres://yagate:planted@127.0.0.1:${await freePort()}/yagate`;
    const { status, found, text } = await diagnose({ ...(await settings()), DATABASE_URL }, "--offline");
    expect(status).toBe(1);
    expect(found["database"]).toMatch(/^failed: no connection to PostgreSQL at 127\.0\.0\.1/);
    expect(text).not.toContain("planted");
  });

  it("finds a port that another program uses, and a gateway that is ready", async () => {
    const other = createServer((_request, response) => response.end("hello"));
    const { port } = new URL(await listenOnLoopback(other));
    onTestFinished(() => void other.close());
    const taken = await diagnose({ ...(await settings()), YAGATE_PORT: port }, "--offline");
    expect(taken).toMatchObject({
      status: 1,
      found: { port: expect.stringMatching(/^failed: port \d+ is in use by /) },
    });
    const gateway = await startGateway();
    const ready = await diagnose({ ...(await settings()), YAGATE_PORT: new URL(gateway.url).port }, "--offline");
    expect(ready.found["port"]).toMatch(/^ok: a ready gateway listens on/);
  });

  it.each<[string, number, Date | undefined, string, RegExp]>([
    ["a key that the provider rejects", 401, undefined, "provider openai", /^failed: .* rejects the key \(HTTP 401\)$/],
    [
      "a clock that is ten minutes ahead",
      200,
      new Date(Date.now() - 600_000),
      "clock",
      /^failed: it is 6\d\d s ahead of/,
    ],
    ["a provider with a failure", 503, undefined, "provider openai", /^warning: .* responds with HTTP 503$/],
  ])("finds %s", async (_what, code, date, check, expected) => {
    const { url } = await startProvider(code, date);
    const env = { ...(await settings()), OPENAI_API_KEY: "sk-planted-0123456789", OPENAI_BASE_URL: url };
    const { status, found } = await diagnose(env);
    expect(found[check]).toMatch(expected);
    expect(status).toBe(`${expected}`.includes("warning") ? 0 : 1);
  });

  it("with --live prints nothing while the gateway responds, and exits with 1 otherwise", async () => {
    const { url } = await startGateway();
    const at = (port: string) => runCheck(["doctor", "--live"], { env: { YAGATE_PORT: port, YAGATE_HOST: "0.0.0.0" } });
    expect(await at(new URL(url).port)).toEqual({ status: 0, stdout: "", stderr: "" });
    const down = await at(`${await freePort()}`);
    expect(down).toMatchObject({
      ...{ status: 1, stdout: "" },
      stderr: expect.stringMatching(/^✕ http:\S+\/healthz refused the connection\nTry: check [^\\]+\n$/),
    });
  });
});

it("rejects the keys that serve rejects", async () => {
  const YAGATE_API_KEY = `yk_${"a".repeat(40)}`;
  const { status, found } = await diagnose({ ...(await settings()), YAGATE_API_KEY }, "--offline");
  expect({ status, text: found["configuration"] }).toEqual({
    ...{ status: 1, text: expect.stringMatching(/YAGATE_API_KEY: expected .*different/) },
  });
});
