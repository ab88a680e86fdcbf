import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

/** A tool that answers, or fails from then on. */
let isFailing = false;
const service = createServer(async (request, response) => {
  request.resume();
  await once(request, "end");
  response.statusCode = isFailing ? 503 : 200;
  response.setHeader("content-type", "application/json").end(isFailing ? "" : JSON.stringify({ result: "on its way" }));
});
beforeAll(() => new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve)));
afterAll(() => service.close());

async function openShell() {
  const { env } = await startGateway({ allowCidrs: ["127.0.0.0/8"] });
  return (args: readonly string[], input?: string) => runWithInput(args, env, input);
}

const definition = () => ({
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
  handler: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`,
  sideEffect: "read_only",
});

describe("yagate tools, agents and exec", () => {
  it("make a tool, test it, give it to an agent by its name, and execute that", async () => {
    isFailing = false;
    const yagate = await openShell();
    expect(await yagate(["tools", "list"])).toEqual({
      status: 0,
      output: "No tool in this workspace matches.\n",
    });
    const created = await yagate(["tools", "create", "-"], JSON.stringify(definition()));
    expect(created).toEqual({
      status: 0,
      output: expect.stringMatching(/^lookup_order was created: tool_\w+, version 1, created\.\n$/),
    });
    const parameters = ["--parameters", '{ "orderId": "ORD-7" }'];
    const preview = await yagate(["tools", "preview", "lookup_order", ...parameters]);
    expect(preview.output).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/\n/);
    expect(preview.output).toContain('"orderId": "ORD-7"');
    const unconfirmed = await yagate(["tools", "test", "lookup_order", ...parameters]);
    expect(unconfirmed).toMatchObject({
      status: 2,
      output: expect.stringMatching(/^✕ \w+ {2}--confirm: expected true/),
    });
    const tested = await yagate(["tools", "test", "lookup_order", "--confirm", ...parameters]);
    expect(tested).toEqual({
      status: 0,
      output: expect.stringMatching(
        /^The test of lookup_order succeeded: HTTP 200, \d+ ms\. It is created\.\n"on its way"\n$/,
      ),
    });
    const updated = await yagate(["tools", "update", "lookup_order", "-"], JSON.stringify({ slots: 2 }));
    expect(updated.output).toMatch(/^lookup_order was changed: tool_\w+, version 2, created\.\n$/);

    const agent = { name: "Order desk", model: "scripted/turns", tools: [{ tool: "lookup_order" }] };
    const made = await yagate(["agents", "create", "-"], JSON.stringify(agent));
    expect(made).toEqual({
      status: 0,
      output: expect.stringMatching(/^Order desk was created: agt_\w+, version 1\.\n$/),
    });
    expect((await yagate(["agents", "list"])).output).toMatch(/agt_\w+ +1 +scripted\/turns +1 +Order desk\n$/);
    const script = JSON.stringify({
      turns: [
        { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-7" } }] },
        { text: "It is on its way." },
      ],
    });
    const exec = ["exec", "Order desk", "Where", "is", "ORD-7?", "--script", "-"];
    const executed = await yagate(exec, script);
    expect(executed).toMatchObject({ status: 0, output: expect.stringContaining("It is on its way.\n") });
    expect(executed.output).toMatch(/^exec_\w+\n/);
    expect(executed.output).toContain('lookup_order {"orderId":"ORD-7"}: completed\n');
    const followed = await yagate([...exec, "--follow"], script);
    expect(followed).toMatchObject({ status: 0, output: expect.stringContaining("It is on its way.\n") });
    expect(followed.output).toMatch(/^exec_\w+\n/);
    expect(followed.output).toContain('lookup_order {"orderId":"ORD-7"}: completed\n');
    const json = await yagate([...exec, "--json"], script);
    expect(JSON.parse(json.output)).toMatchObject({ status: "completed", input: "Where is ORD-7?", toolCalls: [{}] });
  });

  it("end with a status of their own when a call fails, and when they are refused", async () => {
    const yagate = await openShell();
    await yagate(["tools", "create", "-"], JSON.stringify({ definition: definition() }));
    isFailing = true;
    const parameters = ["--parameters", '{ "orderId": "ORD-7" }'];
    const failed = await yagate(["tools", "test", "lookup_order", "--confirm", ...parameters]);
    expect(failed).toMatchObject({
      status: 1,
      output: expect.stringMatching(/^The test of lookup_order failed: HTTP 503/),
    });
    const [message, developerMessage] = [
      "the tool's service responded with HTTP 503",
      /"developerMessage": "HTTP 503 /,
    ];
    expect(failed.output).toMatch(developerMessage);
    const agent = { name: "Desk", model: "scripted/turns", tools: [{ tool: "lookup_order" }] };
    await yagate(["agents", "create", "-"], JSON.stringify(agent));
    const byName = await yagate(["tools", "preview", "lookup_order", "--agent", "Desk", ...parameters]);
    expect(byName.output).toMatch(/^POST http:/);
    const call = { name: "lookup_order", parameters: { orderId: "ORD-7" } };
    const script = JSON.stringify({ turns: [{ toolCalls: [call] }, { text: "It failed." }] });
    for (const mode of [[], ["--follow"]]) {
      const { status, output } = await yagate(["exec", "Desk", "Where?", "--script", "-", ...mode], script);
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("It failed.\n") });
      expect(output).toContain(`lookup_order {"orderId":"ORD-7"}: failed HANDLER_ERROR: ${message}`);
    }
    await yagate(["agents", "update", "Desk", "-"], JSON.stringify({ policy: { toolKinds: ["compute"] } }));
    for (const mode of [[], ["--follow"]]) {
      const { output } = await yagate(["exec", "Desk", "Where?", "--script", "-", ...mode], script);
      expect(output).toContain('lookup_order {"orderId":"ORD-7"}: denied POLICY_DENIED: ');
    }
    const refusals: readonly (readonly [readonly string[], string, RegExp])[] = [
      [["tools", "create", "-"], '{ "definition": { "rest": {} } }', /^✕ \w+ {2}definition\.rest\.name: /],
      [["tools", "create", "-"], "none", /^✕ \w+ {2}expected standard input to be a JSON object/],
      [["tools", "create", "missing.json"], "", /^✕ \w+ {2}expected a readable file: missing\.json/],
      [["tools", "show", "nobody"], "", /^✕ \w+ {2}no tool is named nobody/],
      [["tools", "list", "--status", "done"], "", /^✕ \w+ {2}expected --status to be one of draft, /],
      [["agents", "show", "Nobody"], "", /^✕ \w+ {2}no agent is named Nobody/],
    ];
    for (const [args, input, message] of refusals) {
      expect(await yagate(args, input)).toEqual({ status: 2, output: expect.stringMatching(message) });
    }
  });
});
