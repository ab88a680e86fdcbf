import type { RestToolDefinition, StoredWorkspaceTool } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { SourceToolRow, Store, ToolSourceChange } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";
import { toolSourceOf } from "./tool-sources.ts";
import { toolOf } from "./tools.ts";

const version = (text: string) => ({ hash: `sha256:${text}`, content: JSON.stringify({ text }) });
const operation = (published: string | null, accepted: string | null): SourceToolRow => ({
  name: "get_order",
  published: published === null ? null : version(published),
  accepted: accepted === null ? null : version(accepted),
});
const definitionOf = (url: string): RestToolDefinition => ({
  rest: { name: "get_order", description: "Reads an order.", method: "GET", url, parameters: [] },
});

export function describeRuledVersions(store: () => Store): void {
  const sources = () => store().toolSources;
  const change = (tools: readonly SourceToolRow[], rest: Partial<ToolSourceChange> = {}, sourceId = "src_shop") =>
    sources().change("ws_a", sourceId, () => ({ at: NOW + 1, tools, ...rest }), 99);
  const standings = ({ id: tool }: StoredWorkspaceTool, versions: readonly number[]) =>
    Promise.all(versions.map((each) => sources().standingOfVersion({ tool, version: each })));
  const adopt = ({ id: toolId, version: at }: StoredWorkspaceTool, accepted: string, sourceId = "src_shop") =>
    change([operation(accepted, accepted)], { adopted: [{ toolId, name: "get_order", version: at }] }, sourceId);
  const accept = ({ id: toolId }: StoredWorkspaceTool, text: string) =>
    change([operation(text, text)], { adoptedDefinitions: [{ toolId, definition: definitionOf(text) }] });

  /** Stores a source and two versions of a finalized tool; returns the second one. */
  const start = async () => {
    await sources().create(toolSourceOf("src_shop"), 9);
    const first = toolOf("get_order", { status: "created" });
    const second = { ...first, version: 2, definition: definitionOf("1") };
    await store().tools.create("ws_a", [first]);
    await store().tools.update("ws_a", second, 1);
    return second;
  };

  describe("versions of workspace tools", () => {
    it("are ruled by nothing unless the tool follows a source", async () => {
      const tool = await start();
      expect(await standings(tool, [1, 2, 3])).toEqual([undefined, undefined, undefined]);
      const other = toolOf("list_orders", { status: "created" });
      await store().tools.create("ws_a", [other]);
      await adopt(tool, "1");
      expect(await standings(tool, [1, 2, 3])).toEqual(["current", "current", undefined]);
      expect(await standings(other, [1])).toEqual([undefined]);
    });

    it("may run while the definition that was accepted for them may", async () => {
      const tool = await start();
      await adopt(tool, "1");
      await change([operation("2", "1")]);
      expect(await standings(tool, [2])).toEqual(["current"]);
      await accept(tool, "2");
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({ tool: { version: 3 } });
      expect(await standings(tool, [2, 3])).toEqual(["current", "current"]);
      await change([operation(null, "2")]);
      expect(await standings(tool, [2, 3])).toEqual(["removed", "removed"]);
      await change([operation("2", null)], { withdrawn: ["get_order"] });
      expect(await standings(tool, [1, 2, 3])).toEqual(["withdrawn", "withdrawn", "withdrawn"]);
      await accept(tool, "2");
      expect(await standings(tool, [1, 2, 3])).toEqual(["withdrawn", "withdrawn", "current"]);
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({ tool: { version: 3 } });
    });

    it("are ruled by the latest of the definitions that were accepted with the same content", async () => {
      const tool = await start();
      await adopt(tool, "1");
      const same = { toolId: tool.id, definition: definitionOf("1") };
      await change([operation("other", "other")], { adoptedDefinitions: [same] });
      expect(await store().tools.find("ws_a", tool.id)).toMatchObject({ tool: { version: 2 } });
      await change([operation("other", null)], { withdrawn: ["get_order"] });
      await change([operation("other", "other")]);
      expect(await standings(tool, [1, 2])).toEqual(["withdrawn", "current"]);
    });

    it("stay ruled with their definition, but not with another one, once the tool follows no source", async () => {
      const tool = await start();
      await adopt(tool, "1");
      await store().tools.update("ws_a", { ...tool, version: 3, capabilityKey: "orders" }, 2);
      expect(await standings(tool, [3])).toEqual(["current"]);
      await sources().delete("ws_a", "src_shop", { at: NOW, isForced: false });
      await store().tools.update("ws_a", { ...tool, version: 4 }, 3);
      await store().tools.update("ws_a", { ...tool, version: 5, definition: definitionOf("own") }, 4);
      await store().tools.update("ws_a", { ...tool, version: 6, definition: definitionOf("own") }, 5);
      expect(await standings(tool, [2, 3, 4, 5, 6])).toEqual([
        ...["withdrawn", "withdrawn", "withdrawn"],
        ...[undefined, undefined],
      ]);
    });

    it("are ruled by the source that the tool follows next", async () => {
      const tool = await start();
      await adopt(tool, "1");
      await sources().delete("ws_a", "src_shop", { at: NOW, isForced: false });
      await sources().create(toolSourceOf("src_again"), 9);
      await adopt(tool, "1", "src_again");
      expect(await standings(tool, [1, 2])).toEqual(["current", "current"]);
    });

    it("stay ruled after the tool is archived", async () => {
      const tool = await start();
      await adopt(tool, "1");
      await store().tools.archive("ws_a", tool.id, NOW);
      await change([operation("1", null)], { withdrawn: ["get_order"] });
      expect(await standings(tool, [2])).toEqual(["withdrawn"]);
    });

    it("keep the definitions that rule them, as long as the source exists", async () => {
      const tool = await start();
      await adopt(tool, "1");
      await accept(tool, "2");
      expect(await sources().deleteSuperseded(NOW + 600_000, 9)).toBe(0);
      expect(await standings(tool, [2, 3])).toEqual(["current", "current"]);
      await sources().delete("ws_a", "src_shop", { at: NOW, isForced: false });
      expect(await sources().deleteSuperseded(NOW + 600_000, 9)).toBe(2);
      expect(await standings(tool, [2, 3])).toEqual(["withdrawn", "withdrawn"]);
    });
  });
}
