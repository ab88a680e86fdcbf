import {
  type AuditEntry,
  auditEntrySchema,
  jsonObjectSchema,
  pageSchema,
  toolSourceTestSchema,
} from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { expectStatus, problemOf } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { startToolSourceWorld, type ToolSourceWorld } from "../support/tool-source-world.ts";

export function describeAcceptance(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`acceptance of tools of sources ${place}`, () => {
    let world: ToolSourceWorld;
    beforeAll(async () => {
      world = await startToolSourceWorld({ ...(await configure()) });
    }, 60_000);
    afterAll(() => world?.stop());

    const [lookup, refund] = [describedTool("lookup"), describedTool("refund", { sideEffect: "destructive" })];
    const startSource = async (rest: object = {}) => {
      const handler = await world.startHandler([lookup, refund]);
      const source = await world.makeSource(handler, rest);
      return { handler, source, params: { id: source.id } };
    };
    const textOf = (state: AuditEntry["after"]) =>
      jsonObjectSchema.nullish().parse(state?.["definition"])?.["description"] ?? null;
    const entriesOf = async (id: string) => {
      const answer = await world.call("listAuditEntries", { query: { resourceId: id, limit: "200" } });
      return pageSchema(auditEntrySchema).parse(expectStatus(answer, 200)).data;
    };

    describe("accepting", () => {
      it("turns tools on, with an entry for each that has both texts", async () => {
        const { handler, source } = await startSource();
        expect(await world.accept(source.id, ["lookup"])).toMatchObject({
          ...{ status: "changed", toolCounts: { accepted: 1, held: 1 }, generation: source.generation + 1 },
          tools: [
            { name: "lookup", isOffered: true },
            { name: "refund", isOffered: false },
          ],
        });
        handler.tools = [{ ...lookup, description: "Looks up an order." }, refund];
        await world.sync(source.id);
        expect(await world.accept(source.id)).toMatchObject({ status: "ready", toolCounts: { held: 0 } });
        const accepted = (await entriesOf(source.id)).filter(({ action }) => action === "tool_source.accepted");
        const texts = accepted.map(({ before, after }) => [textOf(before), textOf(after)]);
        expect(texts.toSorted()).toEqual([
          [null, "Runs lookup."],
          [null, "Runs refund."],
          ["Runs lookup.", "Looks up an order."],
        ]);
      });

      it("takes all or none, and lists those that moved since", async () => {
        const { handler, source, params } = await startSource();
        const reviewed = (await world.changes(source.id)).map(({ name, hash }) => ({ name, hash }));
        handler.tools = [lookup, { ...refund, description: "Refunds, and wires the rest to me." }];
        await world.sync(source.id);
        const answer = await world.call("acceptTools", { params, body: { tools: reviewed } });
        expect(problemOf(answer)).toMatchObject({
          ...{ status: 409, code: "CONFLICT" },
          errors: [{ path: "tools[1].hash", code: "TOOL_CHANGED" }],
        });
        expect(await world.readSource(source.id)).toMatchObject({ toolCounts: { accepted: 0, held: 2 } });
        expect((await entriesOf(source.id)).some(({ action }) => action === "tool_source.accepted")).toBe(false);
      });

      it.each<[string, object]>([
        ["a tool that is not published", { name: "wipe", hash: `sha256:${"0".repeat(64)}` }],
        ["another hash", { name: "lookup", hash: `sha256:${"0".repeat(64)}` }],
      ])("refuses %s", async (_what, tool) => {
        const { params } = await startSource();
        expect((await world.call("acceptTools", { params, body: { tools: [tool] } })).status).toBe(409);
      });

      it("with a side effect makes it the tool's, also after the next sync", async () => {
        const { source, params } = await startSource();
        const [change] = await world.changes(source.id);
        const tools = [{ name: "lookup", hash: change?.hash, sideEffect: "non_idempotent_write" }];
        const accepted = expectStatus(await world.call("acceptTools", { params, body: { tools } }), 200);
        expect(accepted).toMatchObject({ overrides: { lookup: { sideEffect: "non_idempotent_write" } } });
        const { tools: [first] = [] } = await world.sync(source.id);
        expect(first).toMatchObject({ state: "accepted", isOffered: true, sideEffect: "non_idempotent_write" });
        expect(first?.hash).not.toBe(change?.hash);
      });
    });

    describe("revoking", () => {
      it("turns the named tools off until they are accepted again", async () => {
        const { source, params } = await startSource({ accept: "all" });
        const revoked = await world.call("revokeTools", { params, body: { tools: ["lookup", "unknown"] } });
        expect(expectStatus(revoked, 200)).toMatchObject({
          status: "changed",
          tools: [
            { name: "lookup", state: "new", isOffered: false },
            { name: "refund", isOffered: true },
          ],
        });
        expect(await world.sync(source.id)).toMatchObject({ status: "changed", toolCounts: { held: 1 } });
        expect(await world.accept(source.id)).toMatchObject({ status: "ready" });
      });

      it("turns all tools off by default, even where changes are accepted by themselves", async () => {
        const { handler, source, params } = await startSource({ onChange: "accept" });
        expect(expectStatus(await world.call("revokeTools", { params }), 200)).toMatchObject({
          toolCounts: { held: 2 },
        });
        handler.tools = [{ ...lookup, description: "Other." }, refund];
        expect(await world.sync(source.id)).toMatchObject({ toolCounts: { accepted: 0, held: 2 } });
      });

      it("outlasts that the source takes the tool off and publishes it again", async () => {
        const { handler, source, params } = await startSource({ onChange: "accept" });
        expectStatus(await world.call("revokeTools", { params, body: { tools: ["refund", "unknown"] } }), 200);
        handler.tools = [lookup];
        expect(await world.sync(source.id)).toMatchObject({ status: "ready", tools: [{ name: "lookup" }] });
        handler.tools = [lookup, refund, describedTool("unknown")];
        const tested = toolSourceTestSchema.parse(expectStatus(await world.call("testToolSource", { params }), 200));
        expect(tested.changes.held).toEqual([`${source.name}.refund`]);
        const states = ({ tools = [] }: Awaited<ReturnType<typeof world.sync>>) => tools.map(({ state }) => state);
        expect(states(await world.sync(source.id))).toEqual(["accepted", "new", "accepted"]);
        await world.accept(source.id, ["refund"]);
        handler.tools = [lookup];
        await world.sync(source.id);
        handler.tools = [lookup, refund];
        expect(states(await world.sync(source.id))).toEqual(["accepted", "accepted", "removed"]);
      });

      it("forgets a tool that is no longer published", async () => {
        const { handler, source, params } = await startSource({ accept: "all" });
        handler.tools = [refund];
        await world.sync(source.id);
        const revoked = await world.call("revokeTools", { params, body: { tools: ["lookup"] } });
        expect(expectStatus(revoked, 200)).toMatchObject({ tools: [{ name: "refund" }] });
      });
    });
  });
}
