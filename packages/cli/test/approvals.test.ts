import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Approval, type JsonObject, Yagate } from "@yagate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEYS, startCommand } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

type Environment = Readonly<Record<string, string>>;

const approvals = (args: readonly string[], env: Environment, input?: string) =>
  runWithInput(["approvals", ...args], env, input);

const NOBODY = "apr_01jd3v0c8me9kxt3f6r2p5q7sa";

/** What arrived at the tool. */
const arrived: JsonObject[] = [];
const service = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  arrived.push(JSON.parse(Buffer.concat(chunks).toString()).parameters);
  response.setHeader("content-type", "application/json").end(JSON.stringify({ result: "refunded" }));
});
beforeAll(() => new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve)));
afterAll(() => service.close());

/** A gateway with an agent that asks, the environment of whoever approves, and that of whoever starts. */
async function openDesk() {
  const { url } = await startGateway({ allowCidrs: ["127.0.0.0/8"] });
  const app = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const { key } = await app.apiKeys.create({ name: "lead", scopes: ["approvals"] });
  const parameters = { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] } as const;
  const handler = `http://127.0.0.1:${(service.address() as AddressInfo).port}/refund`;
  const agent = await app.agents.create({
    name: "Order desk",
    model: "scripted/turns",
    tools: [{ name: "refund", description: "Refunds.", parameters, handler, sideEffect: "destructive" }],
  });
  const env = (YAGATE_API_KEY: string) => ({ YAGATE_BASE_URL: url, YAGATE_API_KEY });
  return {
    app,
    agentId: agent.id,
    lead: env(key),
    starter: env(KEYS.YAGATE_API_KEY),
    /** Starts an execution whose one call asks. */
    async ask(orderId: string): Promise<Approval> {
      const turns = [{ toolCalls: [{ name: "refund", parameters: { orderId } }] }, { text: "Done." }];
      for await (const event of app.agents.stream(agent.id, { input: `Refund ${orderId}.`, script: { turns } })) {
        if (event.type === "approval.requested") return app.approvals.get(event.approvalId);
      }
      throw new Error("expected that somebody is asked");
    },
    outcome: async ({ executionId }: Approval) => (await app.executions.events(executionId).result()).toolCalls[0],
  };
}

it("yagate approvals watch prints what waits, and then each new one with the commands that decide", async () => {
  const { lead, ask } = await openDesk();
  const first = await ask("ORD-1");
  const watching = approvals(["watch", "--limit", "2"], lead);
  // Requested while it watches, or just before: it is printed once either way.
  const second = await ask("ORD-2");
  const { status, output } = await watching;
  expect(status).toBe(0);
  expect(output.split("\n").filter((line) => line.startsWith("apr_"))).toEqual([
    expect.stringMatching(new RegExp(`^${first.id}, refund \\(destructive\\), Order desk, until `)),
    expect.stringMatching(new RegExp(`^${second.id}, refund `)),
  ]);
  expect(output).toContain('  {"orderId":"ORD-2"}\n');
  expect(output).toMatch(new RegExp(` approvals approve ${second.id}\n.* approvals deny ${second.id}\n`));
  expect(await approvals(["watch", "--limit", "0"], lead)).toMatchObject({ status: 2 });
});

it("yagate exec says what it waits for where nobody watches it", async () => {
  const { agentId, lead, starter } = await openDesk();
  const command = startCommand(["exec", agentId, "Refund it.", "--script", await refundScript()], { env: starter });
  const [, id = ""] = await command.until(/approvals deny (apr_\w+)\n/);
  await approvals(["deny", id], lead);
  expect(await command.ended).toBe(0);
  const output = command.output();
  expect(output.split(id)).toHaveLength(4);
  expect(output.match(/is waiting for/g)).toHaveLength(1);
  expect(output).toContain(`  yagate approvals show ${id}\n`);
});

it("yagate exec says what it waits for with the commands that answer, under the limits that it was given", async () => {
  const { app, agentId, starter } = await openDesk();
  const args = ["exec", agentId, "Refund it.", "--script", await refundScript()];
  const limits = ["--max-cost", "0.5", "--max-tokens", "5"];
  const command = startCommand([...args, ...limits], { env: starter });
  const [text, executionId = "", id] = await command.until(
    /(exec_\w+) is waiting for an approval[\s\S]*approvals deny (apr_\w+)\n/,
  );
  const until = (await app.approvals.get(id ?? "")).expiresAt;
  expect(text.split("\n").slice(0, -1)).toEqual([
    `${executionId} is waiting for an approval, until ${until} at the latest`,
    '  refund {"orderId":"ORD-1"}',
    ...["show", "approve", "deny"].map((verb) => `  yagate approvals ${verb} ${id}`),
  ]);
  for await (const event of app.executions.events(executionId)) {
    if (event.type !== "execution.started") continue;
    expect(event.limits).toMatchObject({ maxCostUsd: 0.5, maxTotalTokens: 5 });
    break;
  }
});

it("yagate exec waits no longer than it may, and leaves the execution as it is", async () => {
  const { app, agentId, starter } = await openDesk();
  const args = ["exec", agentId, "Refund it.", "--script", await refundScript()];
  const { status, output } = await runWithInput([...args, "--timeout", "1s"], starter);
  expect(output).toContain("did not end within 1000 ms");
  expect(status).toBe(5);
  const executions = await app.executions.list().toArray();
  for (const { finishedAt } of executions) expect(finishedAt).toBeNull();

  for (const wrong of [
    ["--timeout", "soon"],
    ["--max-cost", ""],
    ["--max-tokens", "0"],
  ]) {
    expect(await runWithInput([...args, ...wrong], starter)).toMatchObject({ status: 2 });
  }
  expect(await app.executions.list().toArray()).toHaveLength(executions.length);
});

async function refundScript(): Promise<string> {
  const script = join(await makeFolder(), "script.json");
  const turns = [{ toolCalls: [{ name: "refund", parameters: { orderId: "ORD-1" } }] }, { text: "Done." }];
  await writeFile(script, JSON.stringify({ turns }));
  return script;
}

describe("yagate approvals", () => {
  it("lists what waits, shows exactly what would be sent, and approves or denies it", async () => {
    const { app, lead, ask, outcome } = await openDesk();
    expect(await approvals(["list"], lead)).toEqual({ status: 0, output: "No tool call is waiting for approval.\n" });
    const [first, second, third] = [await ask("ORD-1"), await ask("ORD-2"), await ask("ORD-3")];

    const { output: listed } = await approvals(["list"], lead);
    const rows = listed.trim().split("\n");
    expect(rows.map((line) => line.split(/ {2,}/))).toEqual([
      ["ID", "STATUS", "REQUESTED", "EXPIRES", "TOOL", "AGENT", "ARGUMENTS"],
      ...[third, second, first].map(({ id, requestedAt, expiresAt, parameters }) => [
        id,
        "pending",
        requestedAt,
        expiresAt,
        "refund",
        "Order desk",
        JSON.stringify(parameters),
      ]),
    ]);
    const { output: one } = await approvals(["list", "--limit", "1", "--json"], lead);
    const { output: shown } = await approvals(["show", first.id], lead);
    const { output: json } = await approvals(["show", first.id, "--json"], lead);
    expect(one).toContain("There are more approvals: use --limit and --status.");
    expect(JSON.parse(one.split("There are more")[0] ?? "")).toEqual([third]);
    for (const [name, value] of Object.entries(first.request?.headers ?? {})) {
      expect(shown.split("\n")).toContain(`${name}: ${value}`);
    }
    expect(shown).toContain(`\n\nPOST ${first.request?.url}\n`);
    expect(shown.trimEnd().split("\n").at(-1)).toBe(first.request?.body);
    expect(shown).toMatch(/tool +refund \(destructive\): Refunds\.\n/);
    expect(JSON.parse(json)).toEqual(first);

    const comment = ["--comment", "as agreed"];
    expect(await approvals(["approve", first.id, ...comment], lead)).toEqual({
      status: 0,
      output: `${first.id} was approved: refund.\n`,
    });
    expect(await outcome(first)).toMatchObject({ status: "completed", result: "refunded" });
    expect(await approvals(["approve", second.id, "--parameters", "-"], lead, '{ "orderId": "ORD-9" }')).toEqual({
      status: 0,
      output: `${second.id} was approved: refund.\n`,
    });
    expect(await outcome(second)).toMatchObject({ status: "completed", parameters: { orderId: "ORD-9" } });
    expect(await approvals(["deny", third.id, "--reason", "sent already"], lead)).toEqual({
      status: 0,
      output: `${third.id} was denied: refund.\n`,
    });
    expect(await outcome(third)).toMatchObject({
      status: "denied",
      error: { message: expect.stringContaining("sent already") },
    });
    expect(arrived).toEqual([{ orderId: "ORD-1" }, { orderId: "ORD-9" }]);

    const { output: answered } = await approvals(["show", second.id], lead);
    const { output: denied } = await approvals(["list", "--status", "denied"], lead);
    const { output: all } = await approvals(["list", "--status", "all"], lead);
    expect(answered).toMatch(/\nstatus +approved\n/);
    expect(answered).toMatch(/\nanswered +\S+Z by key_\w+\nchanged to +\{"orderId":"ORD-9"\}\n/);
    const { requestHash, resolution } = await app.approvals.get(second.id);
    expect(answered).toMatch(/\nasked with +\{"orderId":"ORD-2"\}\n/);
    expect(answered).toMatch(new RegExp(`\nrequested hash +${requestHash}\nhash +${resolution?.requestHash}\n`));
    expect(answered).toContain(
      "\n\nThis is the original request. It was not sent, because the arguments were changed.\n\nPOST ",
    );
    expect(shown).toMatch(new RegExp(`\narguments +\\{"orderId":"ORD-1"\\}\nhash +${first.requestHash}\n`));
    expect(shown).not.toContain("original request");
    expect(denied).toContain(third.id);
    expect(all.trim().split("\n")).toHaveLength(4);
  });

  it("prints nothing that moves the cursor, turns the text or looks like another line", async () => {
    const { lead, ask } = await openDesk();
    const { id } = await ask("ORD-7\u001b[2K\r\u202e\nstatus   approved\u009b\u200b");
    for (const args of [["list"], ["list", "--json"], ["show", id], ["show", id, "--json"]]) {
      const { status, output } = await approvals(args, lead);
      expect(status).toBe(0);
      expect(output.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(output).not.toMatch(/^status +approved/m);
      if (args.join() === `show,${id}`) expect(output).toContain("\\u001b[2K");
    }
  });

  it("lists long arguments as a whole where there is no terminal", async () => {
    const { lead, ask } = await openDesk();
    await ask("📦".repeat(100));
    const { output } = await approvals(["list"], lead);
    expect(output.split("\n")[1]).toMatch(/ {2}\{"orderId":"(📦){100}"\}$/u);
  });

  it("says what can be corrected: one's own call, arguments that don't fit, an earlier answer", async () => {
    const { lead, starter, ask } = await openDesk();
    const { id } = await ask("ORD-1");
    const refused = async (args: readonly string[], env: Environment, message: RegExp, status = 2) =>
      expect(await approvals(args, env)).toEqual({ status, output: expect.stringMatching(message) });
    await refused(["approve", id], starter, /^✕ \w+ {2}.*expected a key other than the one that started the exec/, 4);
    await refused(["approve", id, "--parameters", '{ "orderId": 7 }'], lead, /^✕ \w+ {2}.*orderId/);
    await refused(["show", NOBODY], lead, /^✕ \w+ {2}.*no approval with this id/);
    expect(await approvals(["deny", id], lead)).toMatchObject({ status: 0 });
    await refused(["approve", id], lead, /^✕ \w+ {2}.*cannot be decided: it is denied/);
    await refused(["deny", id], lead, /^✕ \w+ {2}.*cannot be decided: it is denied/);
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a status that there is not", ["list", "--status", "open"], /expected --status to be one of pending, .*, all/],
    ["a number of none", ["list", "--limit", "0"], /expected --limit to be a whole number from 1 to 200/],
    ["arguments that are no JSON", ["approve", NOBODY, "--parameters", "{"], /expected --parameters to be a JSON obj/],
    ["arguments that are a list", ["approve", NOBODY, "--parameters", "[1]"], /expected --parameters to be a JSON obj/],
    ["an id of something else", ["show", "exec_1"], /expected/],
  ])("refuses %s before it asks anybody", async (_what, args, message) => {
    // Nobody listens there.
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
    expect(await approvals(args, env)).toEqual({ status: 2, output: expect.stringMatching(message) });
  });
});
