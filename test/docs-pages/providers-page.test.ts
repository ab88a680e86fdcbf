import { parseModelName } from "@yagate/models/model-name";
import { PROVIDER_NAMES } from "@yagate/models/provider-names";
import { PROVIDER_VARIABLES } from "@yagate/models/provider-settings";
import { describe, expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/providers.md";

const spansIn = (cell = "") => cell.split(/, | or /).map((part) => part.replaceAll("`", ""));

/** The known providers: the row after them stands for all others. */
const rows = tableRows(PAGE, ["name", "provider", "prefixes of bare names", "API key", "base URL"])
  .filter(({ name }) => name !== "<name>/…")
  .map((row) => {
    const names = spansIn(row["name"]).map((name) => name.replace("/…", ""));
    return {
      provider: names[0] ?? "",
      names,
      prefixes: spansIn(row["prefixes of bare names"]),
      keys: spansIn(row["API key"]),
      baseUrl: row["base URL"],
    };
  });

describe(PAGE, () => {
  it("has every known provider", () => {
    expect(rows.map(({ provider }) => provider)).toEqual([...PROVIDER_NAMES]);
  });

  it.each(rows)("finds $provider by each of its names and prefixes", ({ provider, names, prefixes }) => {
    for (const name of names) expect(parseModelName(`${name}/m`), name).toEqual({ provider, model: "m" });
    for (const prefix of prefixes) {
      expect(parseModelName(`${prefix}9`), prefix).toEqual({ provider, model: `${prefix}9` });
      expect(parseModelName(`x${prefix}9`), prefix).toBeUndefined();
      expect(parseModelName(`${prefix.slice(0, -1)}~9`), prefix).toBeUndefined();
    }
  });

  it.each(rows)("has the variables of $provider", ({ provider, keys, baseUrl }) => {
    const name = PROVIDER_NAMES.find((known) => known === provider) ?? expect.fail(provider);
    expect({ apiKey: keys[0], baseUrl }).toMatchObject(PROVIDER_VARIABLES[name]);
  });
});
