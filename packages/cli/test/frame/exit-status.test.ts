import { describe, expect, it } from "vitest";
import { STATUS_MEANINGS } from "../../src/frame/exit-status.ts";
import { problem, startAnswering, startServer, unusedUrl } from "../support/answering-server.ts";
import { KEYS, startCommand } from "../support/command.ts";
import { runCheck, spawnCheck } from "../support/run-check.ts";

const { YAGATE_API_KEY } = KEYS;
const environment = (YAGATE_BASE_URL: string) => ({ YAGATE_BASE_URL, YAGATE_API_KEY });
const NOBODY = "http://127.0.0.1:1";
const EMPTY = { data: [], nextCursor: null };

/** Makes a command meet a defect: what it prints with throws. */
const DEFECT = `data:text/javascript,${encodeURIComponent(
  'console.log = () => { throw new RangeError("planted"); };',
)}`;

describe("the exit status", () => {
  it("has a meaning for each of these, and no others", () => {
    expect(Object.keys(STATUS_MEANINGS)).toEqual(["0", "1", "2", "3", "4", "5", "70", "130", "143"]);
  });

  it("is 0 when it is done", async () => {
    const env = environment(await startAnswering(200, EMPTY));
    expect(await spawnCheck(["agents", "list", "--json"], { env })).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
  });

  it("is 1 when the answer is no", async () => {
    const { status, stdout } = await spawnCheck(["egress", "check", "https://10.0.0.1/"]);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^blocked: DNS_BLOCKED\n/)]);
  });

  it("is 1 when the gateway itself fails", async () => {
    const env = environment(await startAnswering(500, problem(500, "INTERNAL")));
    const { status, stderr } = await spawnCheck(["approvals", "approve", `apr_${"1".repeat(26)}`], { env });
    expect(stderr).toMatch(/^✕ INTERNAL {2}so it is\n {2}request: req_1\nTry: /);
    expect(status).toBe(1);
  });

  it.each([
    ["an unknown option", ["agents", "list", "--nope"], {}],
    ["no gateway", ["agents", "list"], {}],
    ["a request that is refused before it is sent", ["executions", "list", "--status", "done"], environment(NOBODY)],
    ["a file that is not there", ["agents", "create", "missing.json"], environment(NOBODY)],
    ["a duration that is none", ["agents", "list", "--timeout", "soon"], environment(NOBODY)],
  ])("is 2 for %s", async (_what, args, env) => {
    expect(await runCheck(args, { env })).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^✕ \w+ {2}.+\n(?:.*\n)*Try: .+\n(?:.*\n)*docs\/errors\.md#\w+\n$/),
    });
  });

  it("is 3 when the gateway can't be reached", async () => {
    const env = environment(await unusedUrl());
    expect(await spawnCheck(["agents", "list"], { env })).toEqual({
      status: 3,
      stdout: "",
      stderr: expect.stringMatching(
        /^✕ CONNECTION_FAILED {2}.*\n {2}cause: connect ECONNREFUSED 127\.0\.0\.1:\d+\nTry: /,
      ),
    });
  });

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "FORBIDDEN"],
  ])("is 4 when the gateway answers %s", async (httpStatus, code) => {
    const env = environment(await startAnswering(httpStatus, problem(httpStatus, code)));
    const { status, stderr } = await runCheck(["agents", "list"], { env });
    expect([status, stderr]).toEqual([4, expect.stringMatching(`^✕ ${code}  so it is\n`)]);
  });

  it("is 5 when the time is over", async () => {
    const env = environment(await startServer(() => {}));
    const { status, stderr } = await spawnCheck(["agents", "list", "--timeout", "100ms"], { env });
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/^✕ NOT_FINISHED {2}the command did not finish within/),
    ]);
  });

  it("is 70 when the command has a bug, with the stack", async () => {
    const { NODE_OPTIONS = "" } = process.env;
    const env = { NODE_OPTIONS: `${NODE_OPTIONS} --import="${DEFECT}"` };
    const { status, stderr } = await spawnCheck(["version"], { env });
    expect(stderr).toMatch(
      /^✕ INTERNAL {2}the command has a bug: planted\nTry: .*--debug.*\n.*\nRangeError: planted\n +at /,
    );
    expect(status).toBe(70);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("says %s", async (signal, expected) => {
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const env = environment(await startServer(() => isAsked()));
    const command = startCommand(["agents", "list"], { env });
    await asked;
    expect(await command.stop(signal)).toBe(expected);
  });
});
