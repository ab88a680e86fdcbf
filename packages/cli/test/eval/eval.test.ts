import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Yagate } from "@yagate/client";
import { evalReportSchema } from "@yagate/evals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { KEYS } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";
import { startGateway } from "../support/gateway.ts";
import { runCheck } from "../support/run-check.ts";

const AGENT = {
  name: "Desk",
  model: "scripted/turns",
  tools: [
    { builtin: "calculator" },
    {
      name: "refund",
      description: "Refunds an order.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: "https://shop.example.com/tools",
      sideEffect: "non_idempotent_write",
      approval: "always",
    },
  ],
  webhookUrls: ["https://shop.example.com/tools"],
};

const CASES = `
defaults:
  agent: desk.json
  tags: [sums]
cases:
  - case_id: adds
    input: What is 2 + 3?
    expected_calls:
      - { name: calculator, arguments: { expression: 2 + 3 } }
    assert:
      - { type: contains, value: "5" }
    script:
      turns:
        - toolCalls: [{ name: calculator, parameters: { expression: 2 + 3 } }]
        - text: It is 5.
  - case_id: subtracts
    tags: [minus]
    input: What is 2 - 3?
    repeat: 2
    expected_calls:
      - { name: calculator, arguments: { expression: 2 - 3 } }
    script:
      turns:
        - toolCalls: [{ name: calculator, parameters: { expression: 2 + 3 } }]
        - text: It is 5.
`;

/** A folder with an agent and cases, and a gateway. */
async function openFolder(cases = CASES) {
  const folder = await makeFolder();
  const { url, env } = await startGateway({ allowCidrs: ["127.0.0.0/8"] });
  await write(join(folder, "desk.json"), JSON.stringify(AGENT));
  await write(join(folder, "sums.yaml"), cases);
  const app = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const run = (...args: readonly string[]) => runCheck(["eval", join(folder, "*.yaml"), ...args], { env });
  return { folder, run, app, env };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The schema of the report, as the package publishes it. */
async function reportValidator() {
  const file = join(import.meta.dirname, "..", "..", "schemas", "output.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(JSON.parse(await readFile(file, "utf8")), "output");
  const validate = ajv.compile<unknown>({ $ref: "output#/$defs/EvalReport" });
  return { validate, errors: () => validate.errors ?? [] };
}

describe("yagate eval", () => {
  it("runs cases, prints why some did not pass, and ends with 1", async () => {
    const { run, app, folder } = await openFolder();
    const { status, stdout, stderr } = await run();
    expect(stdout).toMatch(/^CASE +RESULT +RUNS +COST +TIME\nadds +passed +1 +0 /);
    expect(stdout).toMatch(/subtracts +FAILED +2 /);
    expect(stdout).toContain(`✕ subtracts ${folder}/sums.yaml:16 exec_`);
    expect(stdout).toContain(
      "  expected_calls: no call of calculator has the expected arguments: expression is not the expected value",
    );
    expect(stdout).toMatch(/SCORE +ALL +minus +sums\npassed +1\/2 +0\/1 +1\/2\n/);
    expect(stdout).toMatch(/arguments +0\.50 +0\.00 +0\.50/);
    expect(stdout).toMatch(/\n1 of 2 cases passed, 1 failed in .*, 0 USD\n$/);
    expect(stderr).toMatch(/^[12] of 2: \w+ \w+\n[12] of 2: \w+ \w+\n$/);
    expect(status).toBe(1);
    // The agent of the file was archived.
    expect((await app.agents.list().page()).data).toEqual([]);
  });

  it("ends with 0 if all chosen cases passed", async () => {
    const { run, app, folder } = await openFolder();
    expect(await run("--case", "adds", "--quiet")).toMatchObject({ status: 0, stderr: "" });
    expect(await run("--tag", "minus")).toMatchObject({ status: 1, stdout: expect.not.stringContaining("adds") });
    const file = join(folder, "sums.yaml");
    await write(file, CASES.replace("desk.json", "Dsk"));
    await app.agents.create({ name: "Desk", model: "scripted/turns" });
    expect((await run("--case", "adds")).stdout).toContain(
      "no agent is named Dsk in this workspace: did you mean Desk?",
    );
    await write(file, CASES);
    expect(await run("--case", "other")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no case has the id"),
    });
    expect(await run("--tag", "other")).toMatchObject({ status: 2 });
  });

  it("reports an unknown agent once, and an intent that the agent does not have", async () => {
    const { run, app, folder } = await openFolder(CASES.replace("desk.json", "Dsk"));
    await app.agents.create({ name: "Desk", model: "scripted/keyword", tools: [{ intent: "web.search" }] });
    const { stdout } = await run();
    expect(stdout.match(/no agent is named Dsk/g)).toHaveLength(1);
    expect(stdout).toMatch(/✕ adds .*sums\.yaml:6, also subtracts\n {2}NOT_FOUND: no agent is named Dsk/);
    const expecting = (intent: string) => `case_id: a\nagent: Desk\ninput: hi\nexpected_intents: [${intent}]\n`;
    await write(join(folder, "sums.yaml"), expecting("web.serach"));
    const unknown = await run();
    expect(unknown).toMatchObject({
      ...{ status: 1, stdout: expect.stringContaining("the agent Desk has no intent web.serach: did you mean") },
    });
    // Nothing ran for it.
    expect((await app.executions.list().page()).data).toEqual([]);
    await write(join(folder, "sums.yaml"), expecting("code.exec"));
    expect((await run()).stdout).toContain("the agent Desk has no intent code.exec: its intents are web.search");
  });

  it("prints JSON that its published schema allows", async () => {
    const { run, folder } = await openFolder();
    const { validate, errors } = await reportValidator();
    const accepted = JSON.parse((await run("--json")).stdout);
    expect([validate(accepted), errors()]).toEqual([true, []]);
    await write(join(folder, "sums.yaml"), CASES.replace("desk.json", "Dsk"));
    expect(validate(JSON.parse((await run("--json")).stdout))).toBe(true);
    expect(validate({ ...accepted, cases: [{ caseId: 7 }] })).toBe(false);
  });

  it("writes reports, and compares with an earlier one", async () => {
    const { run, folder } = await openFolder();
    const file = (name: string) => join(folder, name);
    const first = await run(
      "--json",
      "--output",
      file("base.json"),
      "--junit",
      file("a.xml"),
      "--markdown",
      file("a.md"),
    );
    const report = evalReportSchema.parse(JSON.parse(first.stdout));
    expect(report.cases.map(({ caseId, outcome, runs }) => [caseId, outcome, runs.length])).toEqual([
      ["adds", "passed", 1],
      ["subtracts", "failed", 2],
    ]);
    expect(JSON.parse(await readFile(file("base.json"), "utf8"))).toEqual(report);
    expect(await readFile(file("a.xml"), "utf8")).toContain('tests="2" failures="1"');
    expect(await readFile(file("a.md"), "utf8")).toContain("1 of 2 cases passed");

    const same = await run("--baseline", file("base.json"));
    expect(same).toMatchObject({ status: 0, stdout: expect.stringContaining("No regression against the baseline.") });
    await write(file("sums.yaml"), CASES.replace('value: "5"', 'value: "6"'));
    const worse = await run("--baseline", file("base.json"));
    expect(worse).toMatchObject({ status: 1, stdout: expect.stringContaining("Regression: passed 0.500 → 0.000") });
    expect(worse.stdout).toContain("Passed before, not now: adds");
    expect((await run("--baseline", file("base.json"), "--threshold", "0.5")).status).toBe(0);
    expect(await run("--baseline", file("desk.json"))).toMatchObject({ status: 2 });
  });

  it("cancels an execution that waits for a person", async () => {
    const { run, app } = await openFolder(`
case_id: asks-first
agent: desk.json
input: Refund ORD-1.
expected_status: cancelled
expected_calls: [{ name: refund, arguments: { orderId: ORD-1 } }]
script:
  turns:
    - toolCalls: [{ name: refund, parameters: { orderId: ORD-1 } }]
    - text: done
`);
    expect(await run()).toMatchObject({ status: 0 });
    expect((await app.executions.list().page()).data).toMatchObject([{ status: "cancelled" }]);
  });

  it("cancels its executions at the time limit, and ends with 5", async () => {
    const { run, app, folder } = await openFolder(`
case_id: slow
agent: slow.json
input: Wait.
script:
  turns:
    - toolCalls: [{ name: refund, parameters: { orderId: ORD-1 } }]
`);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close().closeAllConnections());
    const handler = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const tool = { ...AGENT.tools[1], handler, approval: "never", timeout: 8_000 };
    await write(join(folder, "slow.json"), JSON.stringify({ ...AGENT, tools: [tool], webhookUrls: [handler] }));
    const { status, stderr } = await run("--timeout", "2s");
    expect([status, stderr]).toEqual([5, expect.stringContaining("NOT_FINISHED")]);
    await expect.poll(async () => (await app.executions.list().page()).data[0]?.status).toBe("cancelled");
  });

  it("runs a case from its cassette, for an agent whose provider has no key", async () => {
    const { folder, run, app } = await openFolder(
      "case_id: hello\nagent: desk.agent.yaml\ninput: Hello\nassert: [{ type: equals, value: Hi! }]\n",
    );
    await write(join(folder, "desk.agent.yaml"), "name: Desk\nmodel: anthropic/claude-sonnet-4\n");
    const missing = await run("--replay");
    expect(missing).toMatchObject({ status: 1, stdout: expect.stringContaining("expected a cassette: ") });
    const cassette = {
      version: 1,
      caseId: "hello",
      recordedAt: "2026-11-29T12:00:00Z",
      recording: { modelTurns: [{ text: "Hi!" }] },
    };
    await write(join(folder, "cassettes/hello.json"), JSON.stringify(cassette));
    expect(await run("--replay")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/hello +passed +1 recorded/),
    });
    expect((await run()).status).toBe(0);
    expect((await app.executions.list({ mode: "recorded" }).page()).data).toHaveLength(2);
    const broken = { ...cassette, recording: { modelTurns: [{ toolCalls: [{ name: "x", parameters: {} }] }] } };
    await write(join(folder, "cassettes/hello.json"), JSON.stringify(broken));
    expect((await run()).stdout).toContain("REPLAY_DIVERGED");
    await write(join(folder, "cassettes/hello.json"), JSON.stringify({ ...cassette, caseId: "other" }));
    expect((await run()).stdout).toContain("expected a cassette of hello, but it is one of other");
  });

  it("records cassettes without secrets, and replays them until the case or the agent changes", async () => {
    const { folder, run, app } = await openFolder();
    await app.secrets.set("SHOP", { value: "s3cr3t-value-of-a-test" });
    const withSecret = CASES.replace("text: It is 5.", "text: It is 5, says s3cr3t-value-of-a-test.");
    await write(join(folder, "sums.yaml"), withSecret);
    expect((await run("--record", "--case", "adds")).status).toBe(0);
    const file = join(folder, "cassettes/adds.json");
    const text = await readFile(file, "utf8");
    expect(text).toContain("It is 5, says ***SHOP***.");
    expect(text).not.toContain("s3cr3t-value");
    expect(text).not.toContain("What is");
    expect(await run("--replay", "--case", "adds")).toMatchObject({
      ...{ status: 0, stdout: expect.stringMatching(/adds +passed +1 recorded/) },
    });

    await write(join(folder, "sums.yaml"), withSecret.replace("What is 2 + 3?", "What is 3 + 2?"));
    const changedInput = await run("--case", "adds");
    expect(changedInput.stdout).toContain("the input of the case has changed since it was recorded");
    await write(join(folder, "sums.yaml"), withSecret.replace("text: It is 5", "text: It is 6"));
    const changedScript = await run("--replay", "--case", "adds");
    expect([changedScript.status, changedScript.stdout]).toEqual([
      1,
      expect.stringContaining("the script of the case has changed since it was recorded"),
    ]);
    await write(join(folder, "sums.yaml"), withSecret);
    await write(join(folder, "desk.json"), JSON.stringify({ ...AGENT, systemPrompt: "Be brief." }));
    const changedAgent = await run("--case", "adds");
    expect(changedAgent).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(
        "CONFLICT: the model, the system prompt or the tools of the agent have changed: record again: --record\n",
      ),
    });

    expect((await run("--record", "--with-input", "--case", "adds")).status).toBe(0);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ input: "What is 2 + 3?", metadata: {} });
  });

  it("writes no cassette with what looks like a secret", async () => {
    const { folder, run } = await openFolder(
      CASES.replace("text: It is 5.", "text: It is 5, sk-0123456789abcdef0123."),
    );
    const { status, stdout } = await run("--record", "--case", "adds");
    expect(status).toBe(1);
    expect(stdout).toContain("SECRET_IN_CASSETTE: recording.modelTurns[1].text looks like a secret");
    await expect(readFile(join(folder, "cassettes/adds.json"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("from makes a case of an execution, which passes from its cassette", async () => {
    const { folder, app, env } = await openFolder();
    const agent = await app.agents.create({
      name: "Adder",
      model: "scripted/turns",
      tools: [{ builtin: "calculator" }],
    });
    const turns = [{ toolCalls: [{ name: "calculator", parameters: { expression: "2 + 3" } }] }, { text: "It is 5." }];
    const { id } = await app.agents.execute(agent.id, { input: "What is 2 + 3?", script: { turns } });
    const from = (...args: readonly string[]) => runCheck(["eval", "from", id, "--folder", folder, ...args], { env });
    expect(await from("--case", "sum")).toMatchObject({
      status: 0,
      stdout: `Wrote ${folder}/sum.yaml and its cassette.\n`,
    });
    const made = await readFile(join(folder, "sum.yaml"), "utf8");
    expect(made).toBe(
      "case_id: sum\nagent: Adder\ninput: (the input is not part of the recording)\nexpected_calls:\n" +
        "  - name: calculator\n    arguments:\n      expression: 2 + 3\norder: strict\n" +
        "script:\n  turns:\n    - toolCalls:\n        - name: calculator\n          parameters:\n" +
        "            expression: 2 + 3\n    - text: It is 5.\n",
    );
    expect((await runCheck(["eval", join(folder, "sum.yaml"), "--replay"], { env })).status).toBe(0);
    expect((await runCheck(["eval", join(folder, "sum.yaml"), "--record"], { env })).status).toBe(0);
    expect(await from("--case", "sum")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("sum.yaml exists"),
    });
    const files = JSON.parse((await from("--with-input", "--json")).stdout);
    expect(files).toEqual({ case: `${folder}/${id}.yaml`, cassette: `${folder}/cassettes/${id}.json` });
    expect(await readFile(files.case, "utf8")).toContain("input: What is 2 + 3?\n");
    expect((await runCheck(["eval", "from", id.replace(/.$/, "0"), "--folder", folder], { env })).status).toBe(2);
  });

  describe("is refused", () => {
    const openCases = async (text = CASES) => {
      const folder = await makeFolder();
      await write(join(folder, "sums.yaml"), text);
      return folder;
    };

    it.each<[string, readonly string[], string]>([
      ["no file", ["none-*.yaml"], "no file matches "],
      [
        "a wrong number",
        ["sums.yaml", "--concurrency", "0"],
        "expected --concurrency to be a whole number from 1 to 64",
      ],
      ["a wrong cost", ["sums.yaml", "--max-cost", "much"], "expected --max-cost to be a number such as 0.5"],
      ["a wrong threshold", ["sums.yaml", "--threshold", "2"], "expected --threshold to be a number from 0 to 1"],
      ["two modes", ["sums.yaml", "--replay", "--live"], "expected only one of --replay and --live"],
      ["an input that is not recorded", ["sums.yaml", "--with-input"], "expected --record with --with-input"],
    ])("with %s", async (_name, [file = "", ...rest], message) => {
      const { status, stderr } = await runCheck(["eval", join(await openCases(), file), ...rest]);
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    });

    it("for a misspelt field, with its line", async () => {
      const folder = await openCases("case_id: a\ninput: x\nexpected_call: []\n");
      const { status, stderr } = await runCheck(["eval", join(folder, "sums.yaml")]);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining("sums.yaml:3: expected_call: unknown field: did you mean expected_calls?"),
      ]);
    });

    it("if the gateway can't be reached, or rejects the key", async () => {
      const folder = await openCases();
      await write(join(folder, "desk.json"), JSON.stringify(AGENT));
      const env = { YAGATE_BASE_URL: `http://127.0.0.1:${await freePort()}`, YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
      const away = await runCheck(["eval", join(folder, "sums.yaml")], { env });
      expect([away.status, away.stderr]).toEqual([3, expect.stringContaining("CONNECTION_FAILED")]);
      const gateway = await startGateway();
      const wrongKey = { ...gateway.env, YAGATE_API_KEY: "yk_00000000000000000000000000000000" };
      const refused = await runCheck(["eval", join(folder, "sums.yaml")], { env: wrongKey });
      expect(refused.status).toBe(4);
    });
  });
});
