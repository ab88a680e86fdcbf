import { type ExecutionEvent, executionEventSchema, type JsonObject, receiptSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseMetrics } from "../../../../telemetry/test/support/parse-metrics.ts";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent } from "../support/agents.ts";
import { type DescribingHandler, describedTool } from "../support/describing-handler.ts";
import { EventReader } from "../support/event-reader.ts";
import { startToolSourceWorld, type ToolSourceWorld } from "../support/tool-source-world.ts";

type ScriptedCall = readonly [name: string, parameters: JsonObject];

const OBJECTS = ["invoice", "parcel", "refund", "voucher", "contract"];
/** 200 tools: the n-th does something with its object, and only one of them can archive a contract. */
const TOOLS = Array.from({ length: 200 }, (_, index) =>
  describedTool(`step_${index}_${OBJECTS[index % OBJECTS.length]}`, {
    description: index === 44 ? "Archives a contract for ever." : `Does step ${index} of a process.`,
  }),
);

/** An execution in which each model turn makes these calls. */
const script = (...turns: readonly (readonly ScriptedCall[])[]) => ({
  input: "hello",
  script: {
    turns: [
      ...turns.map((calls) => ({ toolCalls: calls.map(([name, parameters]) => ({ name, parameters })) })),
      { text: "done" },
    ],
  },
});

export function describeToolSearch(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`tool search ${place}`, () => {
    let world: ToolSourceWorld;
    let handler: DescribingHandler;
    let source: string;
    beforeAll(async () => {
      world = await startToolSourceWorld({ ...(await configure()), logLevel: "silent" });
      handler = await world.startHandler(TOOLS);
      source = (await world.makeSource(handler, { accept: "all" })).name;
    }, 120_000);
    afterAll(() => world?.stop());

    const agentWith = (toolSearch?: object, rest: object = {}) =>
      makeAgent(world, { tools: [{ source }], ...(toolSearch === undefined ? {} : { toolSearch }), ...rest });
    const eventsOf = async (id: string): Promise<readonly ExecutionEvent[]> => {
      const reader = new EventReader(await world.open("followExecution", { params: { id } }));
      return (await reader.all()).flatMap(({ data }) => executionEventSchema.safeParse(data).data ?? []);
    };
    const run = async (agentId: string, ...turns: readonly (readonly ScriptedCall[])[]) => {
      const execution = await execute(world, agentId, script(...turns));
      return { execution, events: await eventsOf(execution.id) };
    };
    const loadedIn = (events: readonly ExecutionEvent[]) =>
      events.flatMap((event) => (event.type === "tools.loaded" ? event.tools : []));
    const endsIn = (events: readonly ExecutionEvent[]) =>
      events.flatMap((event) => {
        if (event.type === "tool_call.completed") return ["completed"];
        return event.type === "tool_call.failed" || event.type === "tool_call.denied" ? [event.error.code] : [];
      });
    const full = (name: string) => `${source}.${name}`;

    it("lets an agent find one of 200 tools and call it in the next turn", async () => {
      const agent = await agentWith({});
      expect(agent.toolSearch).toEqual({ mode: "auto", maxTools: 40, maxTokens: 8_000, limit: 5, pinned: [] });
      const name = full("step_44_contract");
      const { execution, events } = await run(
        agent.id,
        [["tool_search", { query: "archive a contract" }]],
        [[name, { orderId: "A1" }]],
      );
      expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
      expect(events[0]).toMatchObject({
        type: "execution.started",
        toolSearch: { shown: ["read_artifact"], deferred: 200 },
      });
      expect(loadedIn(events)[0]).toBe(name);
      expect(loadedIn(events)).toHaveLength(5);
      expect(endsIn(events)).toEqual(["completed", "completed"]);
      expect(handler.calls.at(-1)).toMatchObject({ name: "step_44_contract", parameters: { orderId: "A1" } });
    });

    it("counts executions that defer tools, and the tools that they load", async () => {
      const counts = async () => {
        const families = parseMetrics(String((await world.call("getMetrics")).body));
        const countOf = (name: string, reason?: string) =>
          families.get(name)?.samples.find(({ labels }) => labels["reason"] === reason)?.value ?? Number.NaN;
        return [
          countOf("yagate_executions_with_tool_search_total"),
          countOf("yagate_tools_loaded_total", "search"),
          countOf("yagate_tools_loaded_total", "call"),
        ];
      };
      const before = await counts();
      const agent = await agentWith({});
      await run(agent.id, [["tool_search", { query: "archive a contract" }]], [[full("step_9_contract"), {}]]);
      await run((await agentWith({}, { tools: [] })).id);
      const grown = (await counts()).map((value, index) => value - (before[index] ?? Number.NaN));
      expect(grown).toEqual([1, 5, 1]);
    });

    it("describes what was loaded in the receipt", async () => {
      const agent = await agentWith({ limit: 1 });
      const { execution } = await run(agent.id, [["tool_search", { query: "step_3_voucher" }]]);
      const answer = await world.call("getReceipt", { params: { id: execution.id } });
      const text = JSON.stringify(receiptSchema.parse(expectStatus(answer, 200)));
      expect(text).toContain("It deferred 200 tools, which its model had to find with tool_search.");
      expect(text).toContain(`tool_search loaded 1 tool: ${full("step_3_voucher")}.`);
    });

    it("loads all exact names beyond the limit, in order, and each tool once", async () => {
      const agent = await agentWith({ limit: 2 });
      const names = [7, 3, 5].map((index) => full(`step_${index}_${OBJECTS[index % 5]}`));
      const { events } = await run(
        agent.id,
        [["tool_search", { query: names.join(" ") }]],
        [["tool_search", { query: [...names, full("step_0_invoice")].join(" ") }]],
      );
      expect(loadedIn(events)).toEqual([...names, full("step_0_invoice")]);
    });

    it("compares the words of a tool by their stems in its language", async () => {
      const german = { description: "Bearbeitet Kündigungen." };
      const own = await world.startHandler([
        describedTool("eins", { ...german, language: "de" }),
        describedTool("zwei", german),
        describedTool("three", { description: "Ships parcels." }),
      ]);
      const made = await world.makeSource(own, { accept: "all" });
      const agent = await makeAgent(world, { tools: [{ source: made.name }], toolSearch: { mode: "always" } });
      const { events } = await run(agent.id, [["tool_search", { query: "Kündigung" }]]);
      expect(loadedIn(events)).toEqual([`${made.name}.eins`]);
    });

    it("loads a deferred tool that the model calls blind, answers with its schema, and does not run it", async () => {
      const agent = await agentWith({});
      const name = full("step_9_contract");
      const before = handler.calls.length;
      const { events } = await run(agent.id, [[name, {}]], [[name, {}]]);
      expect(endsIn(events)).toEqual(["TOOL_NOT_LOADED", "completed"]);
      const failed = events.find((event) => event.type === "tool_call.failed");
      expect(failed).toMatchObject({ error: { message: expect.stringContaining('"orderId"') } });
      expect(events.find(({ type }) => type === "tools.loaded")).toMatchObject({ tools: [name], reason: "call" });
      expect(handler.calls.length - before).toBe(1);
    });

    it("understands a name as providers write it, and names no deferred tool that does not exist", async () => {
      const agent = await agentWith({});
      const { events } = await run(agent.id, [[`${source}_step_9_contract`, {}]], [["step_999", {}]]);
      expect(loadedIn(events)).toEqual([full("step_9_contract")]);
      const unknown = events.findLast((event) => event.type === "tool_call.failed");
      expect(unknown).toMatchObject({
        error: {
          code: "UNKNOWN_TOOL",
          message: `there is no tool "step_999"; the tools are read_artifact, tool_search, ${full("step_9_contract")}; find others with tool_search`,
        },
      });
    });

    it("finds nothing that the policy denies", async () => {
      const agent = await agentWith({}, { policy: { toolKinds: ["compute"] } });
      const { events } = await run(agent.id, [["tool_search", { query: "archive a contract" }]]);
      expect(events[0]).not.toHaveProperty("toolSearch");
      expect(endsIn(events)).toEqual(["UNKNOWN_TOOL"]);
    });

    it("finds the tools that the policy allows, and answers a call of another one with the denial", async () => {
      const agent = await makeAgent(world, {
        ...{
          tools: [{ source, tools: ["step_0_invoice"] }, { builtin: "calculator" }],
          policy: { toolKinds: ["handler"] },
        },
        toolSearch: { mode: "always" },
      });
      const { events } = await run(
        agent.id,
        [["tool_search", { query: "calculator step invoice" }]],
        [["calculator", { expression: "1 + 1" }]],
      );
      expect(events[0]).toMatchObject({ toolSearch: { shown: [], deferred: 1 } });
      expect(loadedIn(events)).toEqual([full("step_0_invoice")]);
      expect(endsIn(events)).toEqual(["completed", "POLICY_DENIED"]);
    });

    it("loads tools until a model turn carries 128, and says so", async () => {
      const agent = await agentWith({});
      const names = TOOLS.map(({ name }) => full(name));
      const naming = (from: number, to: number): ScriptedCall => [
        "tool_search",
        { query: names.slice(from, to).join(" "), limit: 1 },
      ];
      const { events } = await run(
        agent.id,
        [naming(0, 35), naming(35, 70)],
        [naming(70, 105)],
        [naming(100, 130)],
        [[names[140] ?? "", {}]],
        [naming(150, 151)],
        [[names[125] ?? "", {}]],
      );
      // With `read_artifact` and `tool_search`, that makes 128.
      expect(loadedIn(events)).toEqual(names.slice(0, 126));
      const results = events.flatMap((event) => (event.type === "tool_call.completed" ? [event.result] : []));
      expect(z.object({ tools: z.array(z.unknown()), note: z.string() }).parse(results[3])).toMatchObject({
        tools: { length: 26 },
        note: expect.stringContaining("4 more matched, but no more tools can be loaded"),
      });
      const completed = Array.from({ length: 4 }, () => "completed");
      expect(endsIn(events)).toEqual([...completed, "BUDGET_EXCEEDED", "BUDGET_EXCEEDED", "completed"]);
    });

    it("warns of pins without a tool, and of deferred tools that say little about themselves", async () => {
      const { warnings } = await agentWith({ pinned: [`${source}.step_1`, "nothing.*", `${source}.step_2_*`] });
      expect(warnings).toEqual([
        {
          ...{ severity: "warning", code: "PIN_UNUSED", path: "toolSearch.pinned[0]" },
          message: `expected the name of a tool of the agent, or a pattern that some name matches; ${source}.step_1 matches none`,
        },
        {
          ...{ severity: "warning", code: "PIN_UNUSED", path: "toolSearch.pinned[1]" },
          message: expect.stringContaining("nothing.* matches none"),
        },
        {
          ...{ severity: "warning", code: "DESCRIPTION_SHORT", path: "tools" },
          message: expect.stringMatching(/^199 of the 199 deferred tools have .*step_0_invoice.* and 194 more;/),
        },
      ]);
    });

    it("does not warn of tools that describe when to use them, or of tools that are not deferred", async () => {
      const description = "Looks up an order with its lines, prices, taxes, discounts and deliveries. ".repeat(2);
      const parameters = { type: "object", properties: { id: { type: "string", description: "The order's number" } } };
      const own = await world.startHandler([
        describedTool("long", { description }),
        describedTool("typed", { parameters }),
        describedTool("short"),
      ]);
      const tools = [{ source: (await world.makeSource(own, { accept: "all" })).name }];
      const told = async (toolSearch: object) => (await makeAgent(world, { tools, toolSearch })).warnings;
      expect(await told({})).toEqual([]);
      expect(await told({ mode: "always", pinned: ["*.short"] })).toEqual([]);
      expect(await told({ mode: "always" })).toMatchObject([{ code: "DESCRIPTION_SHORT" }]);
    });

    it("leaves the reserved name to an agent that has a tool of that name, with a warning", async () => {
      const tool = {
        ...{ name: "tool_search", description: "Searches the shed.", parameters: { type: "object" } },
        ...{ handler: handler.url, sideEffect: "read_only" },
      };
      const own = { name: "shed", model: "scripted/turns", tools: [tool], toolSearch: { mode: "always" } };
      const agent = await makeAgent(world, own);
      expect(agent.warnings).toMatchObject([{ code: "TOOL_SEARCH_UNAVAILABLE", severity: "warning", path: "tools" }]);
      const { events } = await run(agent.id, [["tool_search", {}]]);
      expect(events[0]).not.toHaveProperty("toolSearch");
      expect(endsIn(events)).toEqual(["completed"]);
      expect(handler.calls.at(-1)).toMatchObject({ name: "tool_search" });
      // Nothing is deferred, so every turn would carry all tools of the source.
      expect(await world.call("createAgent", { body: { ...own, tools: [tool, { source }] } })).toMatchObject({
        status: 422,
        body: { errors: [{ path: "tools", code: "TOO_MANY_TOOLS" }] },
      });
    });

    it("carries pinned tools in every turn", async () => {
      const agent = await agentWith({ pinned: [`${source}.step_1*_invoice`] });
      const { events } = await run(agent.id, [[full("step_10_invoice"), {}]]);
      expect(events[0]).toMatchObject({ toolSearch: { deferred: 178 } });
      expect(endsIn(events)).toEqual(["completed"]);
    });

    it("stays within the agent's namespace if the model names one", async () => {
      const agent = await agentWith({});
      const { events } = await run(agent.id, [["tool_search", { query: "contract", namespace: "nowhere" }]]);
      expect(loadedIn(events)).toEqual([]);
      const result = events.flatMap((event) => (event.type === "tool_call.completed" ? [event.result] : []))[0];
      expect(z.object({ note: z.string() }).parse(result).note).toContain(`the namespaces are ${source}`);
    });

    it("defers nothing within the bounds, and always does with the mode `always`", async () => {
      const tools = [{ source, tools: ["step_0_invoice", "step_1_parcel"] }];
      const few = await agentWith({}, { tools });
      expect((await run(few.id)).events[0]).not.toHaveProperty("toolSearch");
      const always = await agentWith({ mode: "always" }, { tools });
      expect((await run(always.id)).events[0]).toMatchObject({ toolSearch: { deferred: 2 } });
      const small = await agentWith({ maxTokens: 100 }, { tools: [{ source, tools: ["step_0_invoice"] }] });
      expect((await run(small.id)).events[0]).not.toHaveProperty("toolSearch");
    });

    it("is off in an agent without settings, which cannot have as many tools", async () => {
      const body = { name: "all", model: "scripted/turns", tools: [{ source }] };
      expect(await world.call("createAgent", { body })).toMatchObject({
        status: 422,
        body: { errors: [{ path: "tools", code: "TOO_MANY_TOOLS" }] },
      });
      const off = { ...body, toolSearch: { mode: "off" } };
      expect(await world.call("createAgent", { body: off })).toMatchObject({ status: 422 });
      const pinned = { ...body, toolSearch: { pinned: ["*"] } };
      expect(await world.call("createAgent", { body: pinned })).toMatchObject({ status: 422 });
    });

    it("keeps the settings that a change does not name, and cannot be turned off with too many tools", async () => {
      const agent = await agentWith({ limit: 3 });
      const params = { id: agent.id };
      const changed = await world.call("updateAgent", { params, body: { toolSearch: { maxTools: 10 } } });
      expect(changed).toMatchObject({ status: 200, body: { toolSearch: { mode: "auto", limit: 3, maxTools: 10 } } });
      const refused = await world.call("updateAgent", { params, body: { toolSearch: { mode: "off" } } });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: "TOO_MANY_TOOLS" }] } });
    });

    it("finds no tool whose definition was revoked after the execution started", async () => {
      const own = await world.startHandler([describedTool("alpha"), describedTool("beta")]);
      const made = await world.makeSource(own, { accept: "all" });
      const agent = await makeAgent(world, { tools: [{ source: made.name }], toolSearch: { mode: "always" } });
      own.beforeCall = async () => {
        own.beforeCall = undefined;
        expectStatus(await world.call("revokeTools", { params: { id: made.id }, body: { tools: ["beta"] } }), 200);
      };
      const { events } = await run(
        agent.id,
        [["tool_search", { query: "alpha" }]],
        [[`${made.name}.alpha`, {}]],
        [["tool_search", { query: "beta" }]],
      );
      expect(loadedIn(events)).toEqual([`${made.name}.alpha`]);
    });
  });
}
