import { expect, it } from "vitest";
import { workspacePackages } from "../../scripts/workspace-packages.ts";

it("every package comes after those that it needs", () => {
  const names = workspacePackages().map(({ name }) => name);
  const early = workspacePackages().flatMap(({ name, needs }) =>
    needs.filter((need) => names.indexOf(need) > names.indexOf(name)),
  );
  expect(early).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["@yagate/protocol", "@yagate/handler", "@yagate/client"]));
});

it("says which can be required", () => {
  const required = workspacePackages().filter(({ hasCommonJs }) => hasCommonJs);
  expect(required.map(({ name }) => name).toSorted()).toEqual([
    "@yagate/client",
    "@yagate/evals",
    "@yagate/handler",
    "@yagate/protocol",
  ]);
});
