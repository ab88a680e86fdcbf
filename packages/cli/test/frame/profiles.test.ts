import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problem, startAnswering, startServer } from "../support/answering-server.ts";
import { makeFolder } from "../support/folder.ts";
import { type Checked, runCheck, spawnCheck } from "../support/run-check.ts";

const USAGE = { workspaceId: "ws_01jd3v0c8me9kxt3f6r2p5q7sa", plan: "standard", quotas: {} };
const KEY = "yk_0123456789abcdef0123456789abcdef";
const LIST = ["agents", "list", "--json"];

/** A gateway that remembers which keys came. */
async function startGateway() {
  const keys: (string | undefined)[] = [];
  const url = await startServer((request, response) => {
    keys.push(request.headers.authorization?.replace("Bearer ", ""));
    const isUsage = request.url?.startsWith("/v1/usage") === true;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isUsage ? USAGE : { data: [], nextCursor: null }));
  });
  return { url, keys };
}

async function saveProfiles(profiles: object, mode = 0o600, place?: string): Promise<string> {
  const home = place ?? (await makeFolder());
  await mkdir(join(home, "yagate"), { mode: 0o700, recursive: true });
  const file = join(home, "yagate", "profiles.json");
  await writeFile(file, JSON.stringify({ profiles }));
  await chmod(file, mode);
  return home;
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("YAGATE_API_KEY_FILE", () => {
  it("names the file with the key, and is refused beside YAGATE_API_KEY", async () => {
    const { url, keys } = await startGateway();
    const file = join(await makeFolder(), "key.txt");
    await writeFile(file, `${KEY}\n`);
    const env = { YAGATE_BASE_URL: url, YAGATE_API_KEY_FILE: file };
    expect(await runCheck(LIST, { env })).toMatchObject({ status: 0, stdout: "[]\n" });
    expect(keys).toEqual([KEY]);
    const both = await runCheck(LIST, { env: { ...env, YAGATE_API_KEY: KEY } });
    expect(both).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("but both are set") });
    const none = await runCheck(LIST, { env: { ...env, YAGATE_API_KEY_FILE: `${file}.none` } });
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be read") });
    expect(both.stderr + none.stderr).not.toContain(KEY);
  });
});

describe("yagate login", () => {
  it("saves a gateway and a key for their owner alone, and other commands use them", async () => {
    const { url, keys } = await startGateway();
    const XDG_CONFIG_HOME = await makeFolder();
    const env = { XDG_CONFIG_HOME };
    const saved = await spawnCheck(["login", "--url", url], { env, input: `${KEY}\n` });
    const file = join(XDG_CONFIG_HOME, "yagate", "profiles.json");
    expect(saved).toEqual({ status: 0, stdout: `The profile default for ${url} was saved in ${file}.\n`, stderr: "" });
    if (process.platform !== "win32") {
      expect([await modeOf(file), await modeOf(join(XDG_CONFIG_HOME, "yagate"))]).toEqual(["600", "700"]);
    }
    const keyFile = join(XDG_CONFIG_HOME, "key.txt");
    await writeFile(keyFile, `${KEY}2\n`);
    const other = ["login", "--profile", "other", "--url", url, "--api-key-file", keyFile, "--json"];
    const json = await spawnCheck(other, { env });
    expect(JSON.parse(json.stdout)).toEqual({ profile: "other", url, file });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      profiles: { default: { url, apiKey: KEY }, other: { url, apiKey: `${KEY}2` } },
    });
    keys.length = 0;
    for (const args of [LIST, [...LIST, "--profile", "other"]]) {
      expect(await spawnCheck(args, { env })).toMatchObject({ status: 0, stdout: "[]\n" });
    }
    expect(keys).toEqual([KEY, `${KEY}2`]);
    expect(saved.stdout + json.stdout).not.toContain(KEY);
  });

  it.each<[string, () => Promise<string>, number]>([
    ["refuses the key", () => startAnswering(401, problem(401, "UNAUTHENTICATED")), 4],
    ["can't be reached", async () => "http://127.0.0.1:1", 3],
  ])("saves nothing when the gateway %s", async (_why, start, status) => {
    const XDG_CONFIG_HOME = await makeFolder();
    const url = await start();
    expect(await spawnCheck(["login", "--url", url], { env: { XDG_CONFIG_HOME }, input: KEY })).toMatchObject({
      status,
    });
    await expect(stat(join(XDG_CONFIG_HOME, "yagate"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("takes a key that lacks the scopes to read the usage", async () => {
    const XDG_CONFIG_HOME = await makeFolder();
    const url = await startAnswering(403, problem(403, "FORBIDDEN"));
    expect(await spawnCheck(["login", "--url", url], { env: { XDG_CONFIG_HOME }, input: KEY })).toMatchObject({
      status: 0,
    });
  });
});

describe("the gateway and the key", () => {
  const check = async (home: string, args: readonly string[], env = {}): Promise<Checked> =>
    runCheck([...LIST, ...args], { env: { XDG_CONFIG_HOME: home, ...env } });

  it("come from an option before the environment, and from there before the profile", async () => {
    const [first, second, third] = [await startGateway(), await startGateway(), await startGateway()];
    const home = await saveProfiles({
      default: { url: third.url, apiKey: "yk_default" },
      named: { url: first.url, apiKey: "yk_named" },
    });
    const env = { YAGATE_BASE_URL: second.url, YAGATE_API_KEY: "yk_environment" };
    const keyFile = join(home, "key.txt");
    await writeFile(keyFile, "yk_option\n");
    await check(home, []);
    await check(home, [], env);
    await check(home, [], { YAGATE_API_KEY: "yk_environment" });
    await check(home, ["--profile", "named"], env);
    await check(home, ["--url", third.url, "--api-key-file", keyFile], env);
    await check(home, [], { YAGATE_PROFILE: "named" });
    expect([first.keys, second.keys, third.keys]).toEqual([
      ["yk_named", "yk_named"],
      ["yk_environment"],
      ["yk_default", "yk_environment", "yk_option"],
    ]);
  });

  it.each(["", "relative/folder"])("are in ~/.config when XDG_CONFIG_HOME is %j", async (XDG_CONFIG_HOME) => {
    const { url, keys } = await startGateway();
    const home = await makeFolder();
    await saveProfiles({ default: { url, apiKey: KEY } }, 0o600, join(home, ".config"));
    expect(await runCheck(LIST, { env: { XDG_CONFIG_HOME, HOME: home } })).toMatchObject({ status: 0 });
    expect(keys).toEqual([KEY]);
  });

  it("of a profile go to no other gateway", async () => {
    const { url, keys } = await startGateway();
    const home = await saveProfiles({ default: { url: "https://agents.example.com", apiKey: KEY } });
    for (const [args, env] of [
      [["--url", url], {}],
      [["--profile", "default", "--url", url], {}],
      [[], { YAGATE_BASE_URL: url }],
    ] as const) {
      const { status, stderr } = await check(home, args, env);
      expect([status, JSON.parse(stderr)]).toEqual([2, expect.objectContaining({ detail: "expected an API key" })]);
    }
    expect(keys).toEqual([]);
  });

  it.each([
    [0o644, "0644"],
    [0o640, "0640"],
    [0o602, "0602"],
  ])("are not read from a file of the mode %s", async (mode, shown) => {
    const home = await saveProfiles({ default: { url: "http://127.0.0.1:1", apiKey: KEY } }, mode);
    const { status, stderr } = await check(home, []);
    expect([status, JSON.parse(stderr)]).toEqual([
      2,
      expect.objectContaining({ code: "NOT_CONFIGURED", detail: expect.stringContaining(`(mode ${shown})`) }),
    ]);
    expect(stderr).not.toContain(KEY);
  });

  it("are missing where a profile is named that is not there, or the file holds something else", async () => {
    const home = await saveProfiles({ default: { url: 1 } });
    expect((await check(home, [])).stderr).toContain("expected profiles in");
    const other = await saveProfiles({});
    expect((await check(other, ["--profile", "toString"])).stderr).toContain("profile toString does not exist");
  });
});
