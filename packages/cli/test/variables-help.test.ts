import { PROVIDER_VARIABLES } from "@yagate/models/provider-settings";
import { expect, it } from "vitest";
import { ENVIRONMENT } from "../../gateway/src/config/environment.ts";
import { runCommand } from "./support/command.ts";

const NAMES = [...Object.keys(ENVIRONMENT), ...Object.values(PROVIDER_VARIABLES).map(({ apiKey }) => apiKey)];

it.each([
  ["help environment", ["help", "environment"]],
  ["help environment --json", ["help", "environment", "--json"]],
])("yagate %s names every variable that the gateway reads", async (_name, args) => {
  const { status, output } = await runCommand(args);
  const named = new Set(output.match(/\b[A-Z][A-Z_]+[A-Z]\b/g));
  expect(NAMES.filter((name) => !named.has(name))).toEqual([]);
  expect(named).toContain("YAGATE_CORS_ORIGINS");
  expect(status).toBe(0);
});
