import { describe, expect, it } from "vitest";
import { graphOf } from "./graph-of.ts";
import { findImportCycle } from "./rules/import-cycle.ts";
import { machineViolations, ROOM_RULES, roomViolations } from "./rules/room-directions.ts";
import { readSourceGraph } from "./source-graph.ts";

const room = (path: string) =>
  path.startsWith("store/") ? `packages/store/src/${path.slice(6)}` : `packages/gateway/src/${path}`;

it("the gateway's rooms import each other in one direction", () => {
  expect(roomViolations(readSourceGraph())).toEqual([]);
});

it("the state machine imports only itself and the protocol", () => {
  const graph = readSourceGraph();
  expect([...graph.keys()].filter((file) => file.startsWith(room("executions/machine")))).not.toEqual([]);
  expect(machineViolations(graph)).toEqual([]);
});

describe("the rules for rooms", () => {
  it("name no two rooms that may import each other", () => {
    const allowed = Object.entries(ROOM_RULES).map(([name, { imports, typesOf = [] }]) => [
      name,
      [...imports, ...typesOf],
    ]);
    expect(findImportCycle(graphOf(Object.fromEntries(allowed)))).toBeUndefined();
  });

  it.each([
    ["a tool that starts executions", "tools/registry.ts", "executions/runner.ts"],
    ["a runner that skips the tools", "executions/runner.ts", "webhooks/send.ts"],
    ["dispatch writing the store", "webhooks/send.ts", "store/sqlite.ts"],
    ["a room importing the wiring", "http/server.ts", "gateway.ts"],
    ["the entry reaching past the wiring", "index.ts", "store/sqlite.ts"],
  ])("refuse %s", (_name, from, to) => {
    expect(roomViolations(graphOf({ [room(from)]: [room(to)] }))).toEqual([`${room(from)} imports ${room(to)}`]);
  });

  it("refuse a room that they do not name", () => {
    expect(roomViolations(graphOf({ [room("drawer/a.ts")]: [] }))).toHaveLength(1);
  });

  it.each([
    ["the wiring importing a room", "gateway.ts", room("store/sqlite.ts")],
    ["dispatch knowing the store's types", "webhooks/send.ts", `type ${room("store/port.ts")}`],
    ["files of one room", "http/server.ts", room("http/problem.ts")],
    ["a library", "tools/a.ts", "ajv"],
    ["the protocol", "webhooks/send.ts", "packages/protocol/src/index.ts"],
  ])("allow %s", (_name, from, to) => {
    expect(roomViolations(graphOf({ [room(from)]: [to] }))).toEqual([]);
  });

  it.each([
    ["the runner", room("executions/runner.ts")],
    ["the types of the store", `type ${room("store/port.ts")}`],
    ["the clock of Node", "node:timers"],
    ["a library", "zod"],
  ])("refuse a state machine that imports %s", (_name, to) => {
    const file = room("executions/machine/fold.ts");
    expect(machineViolations(graphOf({ [file]: [to] }))).toEqual([`${file} imports ${to.replace(/^type /, "")}`]);
  });
});
