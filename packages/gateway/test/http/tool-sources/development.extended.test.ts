import { agentSchema } from "@yagate/protocol";
import { afterAll, describe, type ExpectStatic, it } from "vitest";
import type { ToolSourceReport } from "../../../src/config/development-config.ts";
import { expectStatus } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { startToolSourceWorld } from "../support/tool-source-world.ts";

const reports: ToolSourceReport[] = [];
const world = await startToolSourceWorld({ development: { onToolSource: (report) => reports.push(report) } });
afterAll(() => world.stop());

/** The reports of a source, without their times. */
const reportsOf = (id: string) => reports.flatMap(({ at: _at, source, ...rest }) => (source.id === id ? [rest] : []));
/** Waits until a source has this many reports. */
const waitFor = (expect: ExpectStatic, id: string, count: number) =>
  expect.poll(() => reportsOf(id), { timeout: 15_000 }).toHaveLength(count);
const unchanged = { added: [], changed: [], removed: [], held: [], changedFields: {} };

describe.concurrent("a gateway for development", () => {
  it("accepts what a handler publishes, also in the place of a tool that an agent already has", async ({ expect }) => {
    const handler = await world.startHandler([describedTool("lookup", { sideEffect: "destructive" })]);
    const made = await world.makeSource(handler);
    const { id, name } = made;
    expect(made).toMatchObject({ onChange: "accept", status: "ready", toolCounts: { published: 1, accepted: 1 } });
    const agent = { name: "All", model: "scripted/turns", tools: [{ source: name }] };
    agentSchema.parse(expectStatus(await world.call("createAgent", { body: agent }), 201));
    handler.tools = [describedTool("lookup"), describedTool("refund")];
    await waitFor(expect, id, 2);
    handler.tools = [describedTool("refund")];
    await waitFor(expect, id, 3);
    expect(reportsOf(id)).toEqual([
      { type: "changed", ...unchanged, added: [`${name}.lookup`] },
      {
        ...{ type: "changed", ...unchanged, added: [`${name}.refund`], changed: [`${name}.lookup`] },
        changedFields: { [`${name}.lookup`]: ["sideEffect"] },
      },
      { type: "changed", ...unchanged, removed: [`${name}.lookup`] },
    ]);
    expect(await world.readSource(id)).toMatchObject({ status: "ready", toolCounts: { published: 1, accepted: 1 } });
  });

  it("holds the changes of a source that asks for it", async ({ expect }) => {
    const handler = await world.startHandler([describedTool("lookup")]);
    const { id, name } = await world.makeSource(handler, { onChange: "hold", accept: "all" });
    handler.tools = [describedTool("lookup", { description: "Something else." })];
    await waitFor(expect, id, 2);
    const tool = `${name}.lookup`;
    const held = { type: "changed", ...unchanged, changed: [tool], held: [tool] };
    expect(reportsOf(id)[1]).toEqual({ ...held, changedFields: { [tool]: ["description"] } });
    // The fields are those that changed since the definition was accepted, not since the previous sync.
    const parameters = { type: "object", properties: { id: { type: "string" } } };
    handler.tools = [describedTool("lookup", { description: "Something else.", parameters })];
    await waitFor(expect, id, 3);
    expect(reportsOf(id)[2]).toEqual({ ...held, changedFields: { [tool]: ["description", "parameters"] } });
    expect(await world.readSource(id)).toMatchObject({ status: "changed", tools: [{ isOffered: false }] });
  });

  it("stores nothing while a handler publishes the same, and follows it after a restart", async ({ expect }) => {
    const handler = await world.startHandler([describedTool("lookup")]);
    const { id } = await world.makeSource(handler);
    const describesSoFar = () => handler.describes.length;
    // The first look compares with nothing, so it syncs once.
    await expect.poll(describesSoFar, { timeout: 15_000 }).toBeGreaterThanOrEqual(4);
    const before = await world.readSource(id);
    const count = describesSoFar();
    await expect.poll(describesSoFar, { timeout: 15_000 }).toBeGreaterThan(count + 1);
    expect(await world.readSource(id)).toEqual(before);

    handler.other = { status: 500, body: "{}" };
    await waitFor(expect, id, 2);
    expect(reportsOf(id)[1]).toMatchObject({ type: "failed", code: "SOURCE_UNREACHABLE" });
    handler.other = undefined;
    handler.tools = [describedTool("lookup"), describedTool("later")];
    await waitFor(expect, id, 3);
    expect(await world.readSource(id)).toMatchObject({ status: "ready", toolCounts: { accepted: 2 } });
  });

  it("reports definitions that cannot be used once", async ({ expect }) => {
    const handler = await world.startHandler([describedTool("lookup")]);
    const { id } = await world.makeSource(handler);
    await waitFor(expect, id, 1);
    handler.tools = [describedTool("lookup", { description: "Invisible\u202e." })];
    await waitFor(expect, id, 2);
    expect(reportsOf(id)[1]).toMatchObject({ type: "failed", code: "MANIFEST_INVALID" });
    const count = handler.describes.length;
    await expect.poll(() => handler.describes.length, { timeout: 15_000 }).toBeGreaterThan(count + 2);
    expect(reportsOf(id)).toHaveLength(2);
  });
});
