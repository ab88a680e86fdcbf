import type { CallToolResult } from "@modelcontextprotocol/client";
import { executionSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { connectHost, type Era } from "./support/mcp-host.ts";
import { type Key, startWorld, type World } from "./support/world.ts";

const PLAIN = { name: "Order desk", model: "scripted/keyword", exposed: true };

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : block.type)).join("");
}

function metaOf({ _meta }: CallToolResult, name: string): string {
  return String(_meta?.[`yagate/${name}`]);
}

/** The tests of the MCP server on one store. */
export function describeMcpServer(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`the MCP server ${place}`, () => {
    let world: World;
    let approver: Key;
    beforeAll(async () => {
      world = await startWorld(await configure());
      approver = await world.makeKey(["approvals"]);
    }, 60_000);
    afterAll(() => world?.stop());

    let made = 0;
    function newWorkspace() {
      made += 1;
      return world.makeWorkspace(`mcp-${made}`);
    }
    async function endOf(id: string) {
      const reader = new EventReader(await world.open("followExecution", { params: { id } }));
      await reader.all();
      return executionSchema.parse(expectStatus(await world.call("getExecution", { params: { id } }), 200));
    }

    describe.each<Era>(["modern", "legacy"])("a host of the %s era", (era) => {
      it("lists the exposed agents of its workspace", async () => {
        const { key } = await newWorkspace();
        await makeAgent(world, { ...PLAIN, description: "Answers questions about orders." }, { key });
        await makeAgent(world, { ...PLAIN, name: "Bestellungen für Ältere" }, { key });
        await makeAgent(world, { ...PLAIN, name: "Hidden", exposed: false }, { key });
        const { tools } = await (await connectHost(era, { url: world.url, key })).listTools();
        expect(tools).toMatchObject([
          {
            name: "bestellungen_fur_altere",
            description: 'Gives a question or a task to the agent "Bestellungen für Ältere".',
          },
          {
            name: "order_desk",
            title: "Order desk",
            description: "Answers questions about orders.",
            inputSchema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
          },
          { name: "execution_result" },
        ]);
      });

      it("lists more than a page of agents", async () => {
        const { key } = await newWorkspace();
        for (let number = 100; number < 201; number += 1)
          await makeAgent(world, { ...PLAIN, name: `a${number}` }, { key });
        const { tools } = await (await connectHost(era, { url: world.url, key })).listTools();
        expect(tools.map(({ name }) => name)).toEqual([
          ...Array.from({ length: 101 }, (_, index) => `a${100 + index}`),
          "execution_result",
        ]);
      });

      it("executes an agent, with the key's rights and within its workspace", async () => {
        const { key } = await newWorkspace();
        const agent = await makeAgent(world, PLAIN, { key });
        const host = await connectHost(era, { url: world.url, key });
        const result = await host.callTool({ name: "order_desk", arguments: { input: "hello" } });
        expect(textOf(result)).toContain("I am scripted/keyword");
        const params = { id: metaOf(result, "executionId") };
        const execution = executionSchema.parse(expectStatus(await world.call("getExecution", { params, key }), 200));
        expect(execution).toMatchObject({ agentId: agent.id, status: "completed", input: "hello" });
        expectStatus(await world.call("getExecution", { params }), 404);
      });

      it.each([
        ["no tool with the name", "nothing"],
        ["an agent that is not exposed", "hidden"],
        ["an exposed agent of another workspace", "elsewhere"],
      ])("refuses to call %s", async (_what, name) => {
        const { key } = await newWorkspace();
        const { key: other } = await newWorkspace();
        await makeAgent(world, { ...PLAIN, name: "Hidden", exposed: false }, { key });
        await makeAgent(world, { ...PLAIN, name: "Elsewhere" }, { key: other });
        const host = await connectHost(era, { url: world.url, key });
        await expect(host.callTool({ name, arguments: { input: "hello" } })).rejects.toMatchObject({ code: -32602 });
      });

      it.each<[string, object, object, RegExp]>([
        ["arguments that the agent does not take", {}, { question: "hello" }, /^INVALID_REQUEST: .*\ninput: /s],
        ["an agent that needs a script", { model: "scripted/turns" }, { input: "hello" }, /expected a script/],
      ])("gets a result that its model can correct: %s", async (_what, definition, args, expected) => {
        const { key } = await newWorkspace();
        await makeAgent(world, { ...PLAIN, ...definition }, { key });
        const host = await connectHost(era, { url: world.url, key });
        const result = await host.callTool({ name: "order_desk", arguments: { ...args } });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toMatch(expected);
      });

      it("gets progress while a tool works", async () => {
        const handler = await startHandler();
        const { key } = await newWorkspace();
        await makeAgent(world, { ...PLAIN, tools: [workTool(handler.url)] }, { key });
        const host = await connectHost(era, { url: world.url, key });
        const messages: (string | undefined)[] = [];
        const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
        await host.callTool({ name: "order_desk", arguments: { input: "Do the work" } }, { onprogress });
        expect(messages).toEqual([
          "a model turn has started",
          "a tool call has been sent",
          "a tool call has completed",
          "a model turn has started",
        ]);
      });

      it("leaves the execution running when it disconnects", async () => {
        const handler = await startHandler({ isHeld: true });
        await makeAgent(world, { ...PLAIN, tools: [workTool(handler.url)], name: `Held ${era}` });
        const host = await connectHost(era, world);
        const leave = new AbortController();
        const call = host.callTool(
          { name: `held_${era}`, arguments: { input: "Do the work" } },
          { signal: leave.signal },
        );
        await handler.called(1);
        leave.abort();
        await expect(call).rejects.toThrow();
        handler.release();
        const { executionId } = handler.requests[0]?.body ?? {};
        expect(await endOf(String(executionId))).toMatchObject({ status: "completed" });
      });

      it("gets the id of an approval that it cannot decide", async () => {
        const handler = await startHandler();
        const refund = workTool(handler.url, { sideEffect: "destructive" });
        await makeAgent(world, { ...PLAIN, name: `Refunds ${era}`, tools: [refund] });
        const host = await connectHost(era, world);
        const asked = await host.callTool({ name: `refunds_${era}`, arguments: { input: "Do the work" } });
        const [approvalId] = [asked._meta?.["yagate/approvalIds"]].flat();
        expect(asked.isError).not.toBe(true);
        expect(textOf(asked)).toContain(`waits until an approver decides: ${approvalId} (the call of work)`);
        expect(handler.calls).toEqual([]);
        const { tools } = await host.listTools();
        expect(tools.filter(({ name }) => /approv/.test(name))).toEqual([]);
        const params = { id: String(approvalId) };
        expectStatus(await world.call("approve", { params, body: {}, key: approver.text }), 200);
        const executionId = metaOf(asked, "executionId");
        const result = await host.callTool({ name: "execution_result", arguments: { executionId } });
        expect(metaOf(result, "executionStatus")).toBe("completed");
        expect(handler.calls).toHaveLength(1);
      });
    });

    describe("exposing an agent", () => {
      it("is off unless the author asks for it", async () => {
        const agent = await makeAgent(world, { name: "Private" });
        expect([agent.exposed, agent.description]).toEqual([false, ""]);
      });

      it("refuses a tool name that another exposed agent has, and accepts it once that agent has gone", async () => {
        const first = await makeAgent(world, { ...PLAIN, name: "Same desk" });
        const body = { ...PLAIN, name: "same-desk!" };
        const refused = await world.call("createAgent", { body });
        expect(fieldsOf(refused)).toEqual([
          `name: expected another name: the exposed agent ${first.id} already has the tool name same_desk`,
        ]);
        const hidden = await makeAgent(world, { ...body, exposed: false });
        const params = { id: hidden.id };
        expectStatus(await world.call("updateAgent", { params, body: { exposed: true } }), 422);
        expectStatus(await world.call("archiveAgent", { params: { id: first.id } }), 204);
        expectStatus(await world.call("updateAgent", { params, body: { exposed: true } }), 200);
      });

      it("follows changes of the agent's name", async () => {
        const { key } = await newWorkspace();
        const agent = await makeAgent(world, PLAIN, { key });
        expectStatus(
          await world.call("updateAgent", { params: { id: agent.id }, body: { name: "Returns" }, key }),
          200,
        );
        const host = await connectHost("modern", { url: world.url, key });
        expect((await host.listTools()).tools.map(({ name }) => name)).toEqual(["returns", "execution_result"]);
        await expect(host.callTool({ name: "order_desk", arguments: { input: "hi" } })).rejects.toThrow();
        expectStatus(await world.call("updateAgent", { params: { id: agent.id }, body: { exposed: false }, key }), 200);
        expect((await host.listTools()).tools.map(({ name }) => name)).toEqual(["execution_result"]);
      });
    });
  });
}
