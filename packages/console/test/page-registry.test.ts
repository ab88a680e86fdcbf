import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PAGES } from "./browser/page-registry.ts";

it("every page of the router has its states tested", () => {
  const source = readFileSync(new URL("../src/router.tsx", import.meta.url), "utf8");
  const routes = [...source.matchAll(/\bpath: "(\/[^"]*)"/g)].map(([, path]) => path);
  expect(routes.length).toBeGreaterThan(3);
  // The gallery shows components, and reads nothing.
  expect([...new Set(PAGES.map(({ route }) => route))].sort()).toEqual(
    routes.filter((path) => path !== "/gallery").sort(),
  );
});
