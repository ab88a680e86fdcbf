import { describe, expect, it } from "vitest";
import { graphOf } from "./graph-of.ts";
import { findImportCycle } from "./rules/import-cycle.ts";
import { MODULE_RULES, machineViolations, moduleViolations } from "./rules/module-directions.ts";
import { readSourceGraph } from "./source-graph.ts";

const inModule = (path: string) =>
  path.replace(/^(?:(store|execution-machine)\/)?/, (_start, name = "gateway") => `packages/${name}/src/`);

// Reading every source takes longer on a busy machine.
it("the gateway's modules import each other in one direction", { timeout: 60_000 }, () => {
  expect(moduleViolations(readSourceGraph())).toEqual([]);
});

it("the state machine imports only itself and the protocol", () => {
  const graph = readSourceGraph();
  expect([...graph.keys()].filter((file) => file.startsWith(inModule("execution-machine/")))).not.toEqual([]);
  expect(machineViolations(graph)).toEqual([]);
});

describe("the rules for modules", () => {
  it("name no two modules that may import each other", () => {
    const allowed = Object.entries(MODULE_RULES).map(([name, { imports, typesOf = [] }]) => [
      name,
      [...imports, ...typesOf],
    ]);
    expect(findImportCycle(graphOf(Object.fromEntries(allowed)))).toBeUndefined();
  });

  it.each([
    ["a tool that starts executions", "tools/registry.ts", "executions/runner.ts"],
    ["a module that imports what it may only name", "mcp-access/verify.ts", "secrets/keyring.ts"],
    ["a runner that skips the tools", "executions/runner.ts", "mcp-calls/send.ts"],
    ["the scheduler opening a store", "scheduler/lease.ts", "store/sqlite.ts"],
    ["a module importing the wiring", "http/server.ts", "gateway.ts"],
    ["the entry reaching past the wiring", "index.ts", "store/sqlite.ts"],
  ])("refuse %s", (_name, from, to) => {
    expect(moduleViolations(graphOf({ [inModule(from)]: [inModule(to)] }))).toEqual([
      `${inModule(from)} imports ${inModule(to)}`,
    ]);
  });

  it("refuse a module that they do not name", () => {
    expect(moduleViolations(graphOf({ [inModule("drawer/a.ts")]: [] }))).toHaveLength(1);
  });

  it.each([
    ["the wiring importing a module", "gateway.ts", inModule("store/sqlite.ts")],
    ["the scheduler knowing the store's types", "scheduler/lease.ts", `type ${inModule("store/port.ts")}`],
    ["files of one module", "http/server.ts", inModule("http/problem.ts")],
    ["a library", "tools/a.ts", "ajv"],
    ["the protocol", "scheduler/lease.ts", "packages/protocol/src/index.ts"],
  ])("allow %s", (_name, from, to) => {
    expect(moduleViolations(graphOf({ [inModule(from)]: [to] }))).toEqual([]);
  });

  it.each([
    ["the runner", inModule("executions/runner.ts")],
    ["the types of the store", `type ${inModule("store/port.ts")}`],
    ["the clock of Node", "node:timers"],
    ["a library", "zod"],
  ])("refuse a state machine that imports %s", (_name, to) => {
    const file = inModule("execution-machine/fold.ts");
    expect(machineViolations(graphOf({ [file]: [to] }))).toEqual([`${file} imports ${to.replace(/^type /, "")}`]);
  });
});
