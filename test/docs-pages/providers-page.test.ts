import { parseModelName } from "@yagate/models/model-name";
import { PROVIDER_NAMES } from "@yagate/models/provider-names";
import { PROVIDER_VARIABLES } from "@yagate/models/provider-settings";
import { describe, expect, it } from "vitest";
import { keyDestinationProblem } from "../../packages/models/src/key-destination.ts";
import { toBaseUrl } from "../../packages/models/src/provider-urls.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/providers-reference.md";

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

  /** Whether a key without hosts is sent to a host that a workspace has set. */
  const isSentTo = (provider: string, host: string) =>
    keyDestinationProblem({
      ...{ provider, secretName: "KEY", hosts: [], url: `https://${host}/v1`, isWorkspaceUrl: true },
    }) === undefined;

  const hosts = tableRows(PAGE, ["provider", "own hosts"]).map((row) => ({
    provider: spansIn(row["provider"])[0] ?? "",
    own: spansIn(row["own hosts"]),
  }));

  it("has the own hosts of every known provider", () => {
    expect(hosts.map(({ provider }) => provider)).toEqual([...PROVIDER_NAMES]);
  });

  it.each(hosts)("$provider gets a key without hosts at $own, and nowhere else", ({ provider, own }) => {
    expect(own).toContain(new URL(toBaseUrl(provider, undefined)).hostname);
    for (const host of own) {
      const plain = host.replace("*.", "");
      expect(isSentTo(provider, host.replace("*.", "eu.")), host).toBe(true);
      expect(isSentTo(provider, plain), plain).toBe(own.includes(plain));
      expect(isSentTo(provider, `eu.${plain}`), `eu.${plain}`).toBe(own.includes(`*.${plain}`));
      expect(isSentTo(provider, `x${plain}`), `x${plain}`).toBe(false);
    }
  });
});
