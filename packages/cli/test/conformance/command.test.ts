import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { allCases } from "../../src/conformance/all-cases.ts";
import { makeFolder } from "../support/folder.ts";
import { startHandwritten } from "../support/handwritten-handler.ts";
import { runCheck } from "../support/run-check.ts";
import { OTHER_SECRET, SECRET } from "../support/signed-request.ts";

const ENV = { YAGATE_SIGNING_SECRET: SECRET };
const TOOL = ["--tool", "ping"];
/** Cases that need no waiting. */
const QUICK = [
  "--only",
  "sig-valid,sig-missing,replay,duplicates-at-once,old-headers-new-call,answer-signed,no-secret",
];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return `${await listenOnLoopback(server)}/tools`;
}

describe("yagate conformance", () => {
  it("reports a handler that conforms with status 0", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] });
    const { status, stdout, stderr } = await runCheck(["conformance", url, ...TOOL, ...QUICK, "--verbose"], {
      env: ENV,
    });
    expect(stdout).toContain("Once: 3 of 3 passed\n  ok          replay: returns the same bytes");
    expect(stdout).toMatch(/It conforms: 7 passed\.\n$/);
    expect(stderr).toMatch(/^Sending 7 cases to 127\.0\.0\.1:\d+: up to 20 MB\. The tool ping really runs/);
    expect(status).toBe(0);
  });

  it("reports what is wrong with status 1, in text, JSON and JUnit", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] }, "nothing remembered");
    const junit = join(await makeFolder(), "report.xml");
    const text = await runCheck(["conformance", url, ...TOOL, ...QUICK, "--junit", junit], { env: ENV });
    expect(text.stdout).toMatch(
      /FAILED {6}replay \(required\): [\s\S]*1 of 1 duplicates got a different response[\s\S]*--explain replay, or docs\/conformance-cases\.md#once/,
    );
    expect(text.stdout).toMatch(/It does not conform: 5 passed, 2 required failed\.\n$/);
    const xml = await readFile(junit, "utf8");
    expect(xml).toMatch(/<testsuites name="[^"]+" tests="7" failures="2" skipped="0"/);
    expect(xml).toMatch(
      /<testcase classname="Once" name="replay: [^"]+" time="[\d.]+"><failure message="1 of 1 duplicates/,
    );
    const json = await runCheck(["conformance", url, ...TOOL, ...QUICK, "--json"], { env: ENV });
    expect(JSON.parse(json.stdout)).toMatchObject({
      conforms: false,
      tool: "ping",
      summary: { passed: 5, requiredFailed: 2 },
      cases: expect.arrayContaining([expect.objectContaining({ id: "replay", outcome: "fail", level: "required" })]),
    });
    expect([text.status, json.status]).toEqual([1, 1]);
  });

  it("says what it can't tell of a tool with one result, and fails for it when it is strict", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET], constantResult: "pong" });
    const lenient = await runCheck(["conformance", url, ...TOOL, ...QUICK], { env: ENV });
    expect(lenient.stdout).toMatch(/not judged {2}replay \(required\)[\s\S]*a second run can't be detected/);
    expect(lenient.stdout).toMatch(
      /No required case failed, but some were not judged: 4 passed, 3 required not judged\./,
    );
    const strict = await runCheck(["conformance", url, ...TOOL, ...QUICK, "--strict"], { env: ENV });
    expect([lenient.status, strict.status]).toEqual([0, 1]);
  });

  it.each([
    ["a number", (runs: number) => String(runs)],
    ["JSON", (runs: number) => JSON.stringify({ runs })],
  ])("counts the runs of such a tool at a URL that answers %s", async (_name, write) => {
    const good = await startHandwritten({ secrets: [SECRET], constantResult: "pong" });
    const bad = await startHandwritten({ secrets: [SECRET], constantResult: "pong" }, "remembered after the run");
    for (const [{ url, runs }, failures] of [
      [good, 0],
      [bad, 1],
    ] as const) {
      const counter = await serve((_request, response) => response.end(write(runs())));
      const args = ["conformance", url, ...TOOL, ...QUICK, "--counter-url", counter, "--json"];
      const { stdout } = await runCheck(args, { env: ENV });
      expect(JSON.parse(stdout)).toMatchObject({ summary: { requiredNotJudged: 0, requiredFailed: failures } });
    }
  });

  it("escapes in JUnit what is no XML, and takes a recommendation for no failure", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] }, "answers not signed");
    const junit = join(await makeFolder(), "report.xml");
    const args = ["conformance", url, ...TOOL, "--only", "answer-signed,call-timestamp-empty", "--junit", junit];
    expect(await runCheck(args, { env: ENV })).toMatchObject({ status: 0 });
    const xml = await readFile(junit, "utf8");
    expect(xml).toContain("timestamp is &quot;&quot;");
    expect(xml).toMatch(
      /failures="0" skipped="1"[\s\S]*<skipped message="recommended, not met: the response has no X-YA-Signature"\/>/,
    );
  });

  it("recommends 422 INVALID_ARGUMENTS for parameters that the tool does not accept", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] });
    const args = ["conformance", url, ...TOOL, "--only", "wrong-parameters", "--wrong-parameters", '{ "text": 1 }'];
    const { status, stdout } = await runCheck([...args, "--json"], { env: ENV });
    expect(JSON.parse(stdout).cases).toMatchObject([{ id: "wrong-parameters", outcome: "fail", level: "recommended" }]);
    expect(status).toBe(0);
  });

  it("ends at its time with status 5, and reports what it has", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] });
    const args = [
      "conformance",
      url,
      ...TOOL,
      "--only",
      "slow-body-cut,http-1.0",
      "--slow-body",
      "1.5",
      "--timeout",
      "1",
    ];
    const { status, stdout } = await runCheck([...args, "--json"], { env: ENV });
    expect(JSON.parse(stdout).cases).toMatchObject([
      { id: "slow-body-cut", outcome: "fail" },
      { id: "http-1.0", outcome: "not-judged" },
    ]);
    expect(status).toBe(5);
  });

  it("lists its cases without a handler or a secret", async () => {
    const { status, stdout } = await runCheck(["conformance", "--list"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(118);
    expect(stdout).toMatch(/^sig-valid +required +accepts: untouched$/m);
    expect(status).toBe(0);
  });
});

it("yagate conformance explains each case by itself, with what to do", async () => {
  for (const { id, level, title, advice } of allCases()) {
    const { status, stdout } = await runCheck(["conformance", "--explain", id]);
    const words = stdout.replaceAll(/\s+/g, " ");
    expect(words).toContain(`${id}: the handler ${title.replaceAll(/\s+/g, " ")} level ${level}: `);
    expect(words).toContain(`what to do ${advice} try it alone`);
    expect(status).toBe(0);
  }
});

describe("yagate conformance can't be run against", () => {
  const answer =
    (status: number, headers: Readonly<Record<string, string>>, body: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(status, headers).end(body);
  const error = (code: string) => JSON.stringify({ error: { code, message: code } });

  it.each<[string, RequestListener, RegExp]>([
    [
      "a page",
      answer(200, { "content-type": "text/html" }, "<h1>hi</h1>"),
      /responds with 200 and an HTML page\nTry: check that this is the handler's URL/,
    ],
    ["another path", answer(404, {}, "nothing here"), /http:.* does not accept POST \(404\)\nTry: check the path/],
    [
      "a redirect",
      answer(308, { location: "https://else.example.com/x?token=1" }, ""),
      /redirects \(308\) to https:\/\/else\.example\.com\/x\nTry: pass the final URL/,
    ],
    [
      "another secret",
      answer(401, {}, error("SIGNATURE_MISMATCH")),
      /rejected a genuine call: SIGNATURE_MISMATCH\nTry: check that the handler uses the same signing secret/,
    ],
    [
      "another clock",
      answer(401, {}, error("TIMESTAMP_TOO_OLD")),
      /TIMESTAMP_TOO_OLD\nTry: compare the handler's clock/,
    ],
    [
      "a parser in front",
      answer(500, {}, error("BODY_ALREADY_PARSED")),
      /mount the tool handler before every body parser/,
    ],
    [
      "another tool",
      answer(404, {}, error("UNKNOWN_TOOL")),
      /the handler has no tool ping\nTry: pass the name of one of its tools/,
    ],
    [
      "other parameters",
      answer(422, {}, error("INVALID_ARGUMENTS")),
      /does not accept these arguments\nTry: pass valid arguments/,
    ],
    [
      "a login",
      answer(403, {}, "forbidden"),
      /responded with 403\nTry: .*nothing in front of it requires authentication/,
    ],
    [
      "an answer of another form",
      answer(200, {}, '{ "ok": true }'),
      /neither result nor error\nTry: a handler responds with 200/,
    ],
    [
      "both at once",
      answer(200, {}, '{ "result": 1, "error": { "code": "A", "message": "" } }'),
      /both result and error/,
    ],
    ["who hangs up", (request) => void request.socket.destroy(), /closed the connection without an HTTP response/],
    ["who is silent", () => {}, /did not respond within \d{3,} ms\nTry: check the host and the port, or wait longer/],
  ])("%s", async (name, listener, message) => {
    const url = await serve(listener);
    const { status, stdout, stderr } = await runCheck(["conformance", url, ...TOOL, "--answer-timeout", "0.3"], {
      env: ENV,
    });
    expect(stderr).toMatch(message);
    const isReached = !["who hangs up", "who is silent"].includes(name);
    expect({ status, stdout }).toEqual({ status: isReached ? 2 : 3, stdout: "" });
  });

  it("a port that nobody listens on", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { status, stderr } = await runCheck(["conformance", url, ...TOOL], { env: ENV });
    expect(stderr).toMatch(/nothing listens at 127\.0\.0\.1:\d+\nTry: start the handler, and check the port/);
    expect(status).toBe(3);
  });

  it("a server that speaks no TLS, by https", async () => {
    const { url } = await startHandwritten({ secrets: [SECRET] });
    const { status, stderr } = await runCheck(["conformance", url.replace("http:", "https:"), ...TOOL], { env: ENV });
    expect(stderr).toMatch(/does not speak TLS\nTry: use an http:\/\/ URL/);
    expect(status).toBe(2);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ["no URL", TOOL, ENV, /expected the handler's URL/],
    ["a URL of another kind", ["ftp://127.0.0.1/", ...TOOL], ENV, /expected an http or https URL/],
    ["a URL with a password", ["http://u:p@127.0.0.1/", ...TOOL], ENV, /without a user name and password/],
    [
      "another machine",
      ["https://orders.example.com/tools", ...TOOL],
      ENV,
      /orders\.example\.com is not this machine\nTry: .*--allow-host orders\.example\.com/,
    ],
    ["a name that begins like this machine", ["http://127.0.0.1.example.com/", ...TOOL], ENV, /is not this machine/],
    [
      "a count of another machine",
      ["http://127.0.0.1:9/", ...TOOL, "--counter-url", "http://198.51.100.1/"],
      ENV,
      /--counter-url: 198\.51\.100\.1 is not this machine/,
    ],
    ["no tool", ["http://127.0.0.1:9/"], ENV, /--tool: expected the name of one of the handler's tools/],
    [
      "parameters that are no object",
      ["http://127.0.0.1:9/", ...TOOL, "--parameters", "[]"],
      ENV,
      /--parameters: expected a JSON object/,
    ],
    [
      "a secret as an argument",
      ["http://127.0.0.1:9/", ...TOOL, "--secret", SECRET],
      ENV,
      /expected no secret as an argument/,
    ],
    ["no secret", ["http://127.0.0.1:9/", ...TOOL], {}, /expected a signing secret\n/],
    [
      "two secrets",
      ["http://127.0.0.1:9/", ...TOOL, "--secret-env", "A", "--secret-env", "B"],
      { A: SECRET, B: OTHER_SECRET },
      /expected one signing secret/,
    ],
    [
      "a secret that is none",
      ["http://127.0.0.1:9/", ...TOOL],
      { YAGATE_SIGNING_SECRET: "hunter2" },
      /does not contain a signing secret/,
    ],
    [
      "a case that there is not",
      ["http://127.0.0.1:9/", ...TOOL, "--only", "nope"],
      ENV,
      /unknown case nope\nTry: --list/,
    ],
    ["a case to explain that there is not", ["--explain", "nope"], ENV, /--explain: unknown case nope\nTry: --list/],
    ["no time", ["http://127.0.0.1:9/", ...TOOL, "--timeout", "0"], ENV, /expected --timeout to be a duration/],
  ])("%s", async (_name, args, env, message) => {
    const { status, stdout, stderr } = await runCheck(["conformance", ...args], { env });
    expect(stderr).toMatch(message);
    for (const secret of [SECRET, "hunter2"]) expect(stderr).not.toContain(secret);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});
