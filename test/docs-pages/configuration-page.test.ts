import { PROVIDER_VARIABLES } from "@yagate/models/provider-settings";
import { describe, expect, it } from "vitest";
import { ENVIRONMENT } from "../../packages/gateway/src/config/environment.ts";
import { gatewayConfigSchema } from "../../packages/gateway/src/config/gateway-config.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/configuration.md";
const rows = tableRows(PAGE, ["variable", "setting", "default", "meaning"]);

/** A default as the page writes it. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0) return "none";
  return value === undefined ? "" : String(value);
}

describe(PAGE, () => {
  it("has every variable and the setting behind it", () => {
    const expected = Object.entries(ENVIRONMENT).map(([variable, { setting }]) => ({ variable, setting }));
    expect(rows.map(({ variable, setting }) => ({ variable, setting }))).toEqual(expected);
  });

  it("has the defaults of the configuration's schema", () => {
    const defaults = gatewayConfigSchema.parse({});
    const expected = Object.values(ENVIRONMENT).map(({ setting }) => [setting, written(defaults[setting])]);
    expect(rows.map((row) => [row["setting"], row["default"]])).toEqual(expected);
  });

  it("names every setting that has no variable", () => {
    const withVariable = new Set<string>(Object.values(ENVIRONMENT).map(({ setting }) => setting));
    const others = Object.keys(gatewayConfigSchema.shape).filter((setting) => !withVariable.has(setting));
    expect(others.toSorted()).toEqual(["ca", "development", "lookup", "onEvent", "tracerProvider"]);
  });

  it("has every model provider and its variables", () => {
    const expected = Object.entries(PROVIDER_VARIABLES).map(([provider, { apiKey, baseUrl }]) => ({
      provider,
      key: apiKey,
      "base URL": baseUrl,
    }));
    expect(tableRows(PAGE, ["provider", "key", "base URL"])).toEqual(expected);
  });
});
