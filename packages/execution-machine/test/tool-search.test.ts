import { describe, expect, it } from "vitest";
import type { Admission } from "../src/inputs.ts";
import { roomForTools } from "../src/tool-search.ts";
import { ADMITTED, MachineWorld, NETWORK_DOWN, planWith } from "./support/machine-world.ts";

const DEFERRAL = { shown: ["pinned"], deferred: 2_000, deferredTokens: 270_000 };
const plan = (toolSearch = DEFERRAL) =>
  planWith({ tool_search: { executor: "inline" }, lookup: { sideEffect: "read_only" } }, { toolSearch });
const notLoaded: Admission = {
  ...ADMITTED,
  refusal: { ...NETWORK_DOWN, code: "TOOL_NOT_LOADED", message: "its schema", isDenied: false, loads: ["lookup"] },
};

function search(world: MachineWorld, ...found: readonly (readonly string[])[]): void {
  world.model(
    "",
    found.map(() => ({ name: "tool_search" })),
  );
  for (const foundTools of found) {
    const [effect] = world.effects;
    if (effect?.type !== "inline") throw new Error("expected a search");
    const cost = { usd: 0, credits: 0 };
    world.feed({ type: "inline_finished", toolCallId: effect.call.id, outcome: { result: {}, foundTools }, cost });
  }
}

describe("deferred tools", () => {
  it("are decided in the first event", () => {
    const world = new MachineWorld(plan()).start();
    expect(world.events[0]).toMatchObject({ type: "execution.started", toolSearch: DEFERRAL });
    expect(world.state.toolSearch).toEqual(DEFERRAL);
  });

  it("are loaded in order of discovery, each once, and stay loaded after a restart", () => {
    const world = new MachineWorld(plan()).start();
    search(world, ["b", "a"], ["a", "c", "c", "pinned"]);
    search(world, ["a"]);
    const loaded = world.events.filter(({ type }) => type === "tools.loaded");
    expect(loaded).toMatchObject([
      { tools: ["b", "a"], reason: "search" },
      { tools: ["c"], reason: "search" },
    ]);
    world.restart();
    expect(world.state.loadedTools.map(({ name }) => name)).toEqual(["b", "a", "c"]);
  });

  it("are loaded in the commit in which the search ends", () => {
    const world = new MachineWorld(plan()).start();
    search(world, ["b"]);
    const index = world.types.indexOf("tools.loaded");
    expect(world.types.slice(index - 1, index + 2)).toEqual(["tool_call.completed", "tools.loaded", "model.requested"]);
  });

  it("are not run but loaded if the model calls them without having found them", () => {
    const world = new MachineWorld(plan()).start();
    world.model("", [{ name: "lookup", admission: notLoaded }]);
    expect(world.types.slice(-3)).toEqual(["tool_call.failed", "tools.loaded", "model.requested"]);
    expect(world.state.loadedTools).toEqual([{ name: "lookup", reason: "call" }]);
  });

  it("are loaded until a model turn carries 128 tools", () => {
    const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `tool_${from + index}`);
    const world = new MachineWorld(plan()).start();
    search(world, names(0, 100), names(90, 100));
    expect(world.state.loadedTools.map(({ name }) => name)).toEqual(names(0, 126));
    expect(roomForTools(world.state)).toBe(0);
    search(world, ["other"]);
    expect(world.events.filter(({ type }) => type === "tools.loaded")).toHaveLength(2);
  });

  it("are not loaded by a call of an incomplete turn", () => {
    const world = new MachineWorld(plan()).start();
    world.model("", [{ name: "lookup", admission: notLoaded }], "length");
    expect(world.types).not.toContain("tools.loaded");
  });

  it("are none in an execution that started without tool search", () => {
    const world = new MachineWorld(planWith({ tool_search: { executor: "inline" } })).start();
    search(world, ["b"]);
    expect(world.events[0]).not.toHaveProperty("toolSearch");
    expect(world.types).not.toContain("tools.loaded");
  });
});
