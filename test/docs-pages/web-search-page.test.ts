import { once } from "node:events";
import { createServer } from "node:http";
import { SEARCH_PROVIDER_NAMES } from "@yagate/builtins/search/provider-names";
import { webProviders } from "@yagate/builtins/search/providers/web-providers";
import { searchSettingsSchema } from "@yagate/builtins/search/search-settings";
import { createWebSearchTool } from "@yagate/builtins/web-search/web-search-tool";
import { createEgressGuard } from "@yagate/gateway/egress";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { NOW, searchWorld } from "../../packages/builtins/test/search/support/search-world.ts";
import { tableRows } from "./page-tables.ts";
import { toolExamples } from "./tool-examples.ts";

const GUIDE = "docs/web-search.md";
const REFERENCE = "docs/web-search-reference.md";

const NOISE =
  "# Noise of heat pumps\n\nA heat pump may be as loud as 45 dB at night, measured at the window of the neighbours.";
const LEGAL = `\n\n## Measuring\n\n${"The office of the canton measures it once in each of the four winters after a device was installed. ".repeat(3)}`;
const PAGES = {
  "https://canton.example/noise": { text: NOISE + LEGAL, title: "Noise of heat pumps", siteName: "The canton" },
  "https://copies.example/canton/noise": NOISE + LEGAL,
  "https://shop.example/prices": "# Prices\n\nPrices begin at ten thousand.",
};

const results = [
  {
    url: "https://canton.example/noise?utm_source=list",
    title: "Noise of heat pumps",
    content: "What the law says about noise at night.",
    publishedDate: "2026-03-04",
  },
  { url: "https://copies.example/canton/noise", title: "Noise of heat pumps (copy)", content: "What the law says." },
  { url: "https://shop.example/prices", title: "Heat pumps", content: "What they cost." },
  { url: "https://www.canton.example/price", title: "Price list", content: "Every price of the canton." },
];

/** A SearXNG of this test, which answers every query with the same four matches. */
const service = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
});
const egress = createEgressGuard({ allowCidrs: ["127.0.0.1"] });

beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
});
afterAll(async () => {
  await egress.close();
  service.close();
});

function toolOfThePage() {
  const address = service.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  const settings = searchSettingsSchema.parse({ searxng: { url: `http://127.0.0.1:${address.port}` } });
  const { search } = searchWorld(webProviders(settings, { egress, now: () => NOW }), PAGES, { usdPerRequest: () => 0 });
  return createWebSearchTool({ search });
}

describe("the pages about web search", () => {
  it.each(toolExamples(GUIDE))("$place, $section", async ({ parameters, config, outcome }) => {
    const configured = toolOfThePage().configure?.(JSON.parse(JSON.stringify(config ?? {})));
    if (configured === undefined || !("tool" in configured)) throw new Error("expected a configuration that fits");
    const context = builtinContext({ now: () => NOW, deadline: NOW + 20_000 });
    const { cost: _, ...made } = await configured.tool.execute(parameters, context);
    expect(made).toEqual(outcome);
  });

  it("has every parameter", () => {
    const rows = tableRows(REFERENCE, ["parameter", "default", "meaning"]);
    const { parameters } = createWebSearchTool();
    expect(rows.map(({ parameter }) => parameter)).toEqual(Object.keys(Object(parameters["properties"])));
  });

  it("has every field of the configuration, with its default", () => {
    const rows = tableRows(REFERENCE, ["field of `config`", "default", "meaning"]);
    const named = rows.flatMap((row) => (row["field of `config`"] ?? "").split(/[`, ]+/).filter(Boolean));
    const problems = createWebSearchTool().configure?.(
      Object.fromEntries([...named, "nothing"].map((name) => [name, {}])),
    );
    const unknown = problems !== undefined && "problems" in problems ? problems.problems : [];
    expect(unknown.filter(({ code }) => code === "UNRECOGNIZED_KEYS").map(({ path }) => path)).toEqual(["nothing"]);
    expect(new Set(unknown.map(({ path }) => path))).toEqual(new Set([...named, "nothing"]));
  });

  it("has every provider, in the order in which they are asked", () => {
    const rows = tableRows(GUIDE, ["provider", "needs", "searches"]);
    expect(rows.map(({ provider }) => provider)).toEqual([...SEARCH_PROVIDER_NAMES]);
  });
});
