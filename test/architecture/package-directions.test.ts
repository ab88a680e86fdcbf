import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { graphOf } from "./graph-of.ts";
import { packageViolations, undirectedDependencies, unportableBlocks } from "./rules/package-directions.ts";
import { readSourceGraph } from "./source-graph.ts";

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

// Reading every source takes longer on a busy machine.
it("the packages import each other in one direction", { timeout: 60_000 }, () => {
  expect(packageViolations(readSourceGraph())).toEqual([]);
});

it.each(globSync("packages/*/package.json", { cwd: repositoryRoot }))("%s depends in that direction", (path) => {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, path), "utf8")));
  expect(undirectedDependencies(basename(dirname(path)), Object.keys(manifest.dependencies))).toEqual([]);
});

it.each(["handler", "client"])("what the %s bundles of lib runs in every runtime", (name) => {
  expect(unportableBlocks(readSourceGraph(), name)).toEqual([]);
});

it("a block that needs Node is found, also behind another one", () => {
  const block = "packages/lib/src/http/a.ts";
  const graph = graphOf({
    "packages/client/src/a.ts": [block],
    [block]: ["packages/lib/src/b.ts"],
    "packages/lib/src/b.ts": ["node:fs"],
  });
  expect(unportableBlocks(graph, "client")).toEqual(["packages/lib/src/b.ts imports node:fs"]);
});

it("the sources are read: they import each other by package name, by path and by alias", () => {
  const graph = readSourceGraph();
  const imported = new Set([...graph.values()].flat().map(({ to }) => to));
  expect(imported).toContain("packages/protocol/src/index.ts");
  expect(imported).toContain("packages/protocol/src/signing/hmac.node.ts");
  expect([...imported].filter((to) => to.endsWith(".ts") && !graph.has(to))).toEqual([]);
});

describe("the rules for packages", () => {
  it.each([
    ["protocol importing the handler", "packages/protocol/src/a.ts", "packages/handler/src/index.ts"],
    ["protocol importing another library than zod", "packages/protocol/src/a.ts", "jose"],
    ["protocol using Node outside its Node build", "packages/protocol/src/a.ts", "node:crypto"],
    ["handler importing the client", "packages/handler/src/a.ts", "packages/client/src/index.ts"],
    ["handler importing the gateway", "packages/handler/src/a.ts", "packages/gateway/src/index.ts"],
    ["handler running Express", "packages/handler/src/express.ts", "express"],
    ["handler's core using Node", "packages/handler/src/create-handler.ts", "node:http"],
    ["client importing the handler", "packages/client/src/a.ts", "packages/handler/src/index.ts"],
    ["client importing the types of the gateway", "packages/client/src/a.ts", "type packages/gateway/src/index.ts"],
    ["client naming a subpath that no package has", "packages/client/src/a.ts", "@yagate/protocol/private"],
    ["lib importing the guard", "packages/lib/src/a.ts", "packages/egress/src/index.ts"],
    ["the guard importing the models", "packages/egress/src/a.ts", "packages/models/src/port.ts"],
    ["the store importing the gateway", "packages/store/src/a.ts", "packages/gateway/src/index.ts"],
    ["secrets opening a store", "packages/secrets/src/a.ts", "packages/store/src/sqlite.ts"],
    ["the built-ins importing the models", "packages/builtins/src/a.ts", "type packages/models/src/port.ts"],
    ["gateway importing the command line", "packages/gateway/src/a.ts", "packages/cli/src/main.ts"],
    ["gateway importing the client", "packages/gateway/src/a.ts", "packages/client/src/index.ts"],
    ["cli importing the store", "packages/cli/src/a.ts", "packages/store/src/port.ts"],
  ])("refuse %s", (_name, file, to) => {
    expect(packageViolations(graphOf({ [file]: [to] }))).toEqual([`${file} imports ${to.replace(/^type /, "")}`]);
  });

  it("refuse a package that they do not name", () => {
    expect(packageViolations(graphOf({ "packages/extra/src/a.ts": [] }))).toHaveLength(1);
  });

  it.each([
    ["the types of Express in an adapter", "packages/handler/src/express.ts", "type express"],
    ["the types of the store in secrets", "packages/secrets/src/a.ts", "type packages/store/src/port.ts"],
    ["Node in an adapter", "packages/handler/src/node/body.ts", "type node:http"],
    ["Node in protocol's Node build", "packages/protocol/src/signing/hmac.node.ts", "node:crypto"],
    ["a subpath of zod", "packages/client/src/a.ts", "zod/v4/core"],
    ["the gateway under the command line", "packages/cli/src/a.ts", "packages/gateway/src/index.ts"],
  ])("allow %s", (_name, file, to) => {
    expect(packageViolations(graphOf({ [file]: [to] }))).toEqual([]);
  });

  it.each([
    ["protocol", ["zod", "@yagate/client"], ["@yagate/client"]],
    ["handler", ["@yagate/protocol", "zod", "express"], ["express"]],
    ["client", ["@yagate/handler"], ["@yagate/handler"]],
    ["gateway", ["@yagate/protocol", "@yagate/client", "express"], ["@yagate/client"]],
  ])("refuse what the manifest of %s may not depend on", (name, dependencies, refused) => {
    expect(undirectedDependencies(name, dependencies)).toEqual(refused);
  });
});
