import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import { ALL_SCOPES } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/http-api.md";

const operationSchema = z.object({ "x-yagate-scopes": z.array(z.string()).default([]) });
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

describe(PAGE, () => {
  let dataDir: string;
  let gateway: ReturnType<typeof createGateway>;
  let routes: readonly { readonly route: string; readonly scopes: string }[];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "yagate-docs-"));
    gateway = createGateway({ port: 0, dataDir, logLevel: "silent" });
    const { url } = await gateway.start();
    const { paths } = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
    routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        scopes: operation["x-yagate-scopes"].join(", "),
      })),
    );
  });

  afterAll(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true });
  });

  it("has every route of a running gateway, and the scopes that let a key in", () => {
    const rows = tableRows(PAGE, ["route", "scopes", "purpose"]).map(({ route, scopes }) => ({ route, scopes }));
    const byRoute = (left: { route?: string | undefined }, right: { route?: string | undefined }) =>
      String(left.route).localeCompare(String(right.route));
    expect(rows.toSorted(byRoute)).toEqual(routes.toSorted(byRoute));
  });

  it("has a route for every scope", () => {
    const used = new Set(routes.flatMap(({ scopes }) => scopes.split(", ")));
    expect(ALL_SCOPES.filter((scope) => !used.has(scope))).toEqual([]);
  });
});
