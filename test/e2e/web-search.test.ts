import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import { startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const KEY = "brave-key-7d21e9";

/** A search service on this machine: Brave's wire format under `/res/v1`, SearXNG's under `/search`. */
async function startSearchService(braveStatus = 200) {
  const requests: { readonly url: string; readonly key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    requests.push({ url, key: headers["x-subscription-token"]?.toString() });
    const results = [
      {
        title: "Teapots",
        url: "https://teapots.example/blue",
        description: "Blue teapots hold a litre.",
        content: "Blue teapots hold a litre.",
      },
    ];
    const isBrave = url.startsWith("/res/v1/");
    response.writeHead(isBrave ? braveStatus : 200, { "content-type": "application/json", "retry-after": "60" });
    response.end(JSON.stringify(isBrave ? { web: { results }, error: { code: `bad ${KEY}` } } : { results }));
  });
  const origin = await listenOnLoopback(server);
  return { baseUrl: origin, requests };
}

const search = (query: string, rest = {}) => ({ name: "web_search", parameters: { query, ...rest } });

describe("web_search in a gateway", () => {
  it("asks the configured services in turn, costs what they cost, and tells nobody a key", async () => {
    const service = await startSearchService(429);
    const world = await openWorld({
      allowCidrs: [],
      search: {
        brave: { apiKey: KEY, baseUrl: service.baseUrl },
        searxng: { url: service.baseUrl },
        providers: ["brave", "searxng"],
        prices: { searxng: 0.002 },
      },
    });
    const execution = await world.play(
      [{ builtin: "web_search", config: { fetchPages: 0, maxResults: 3 } }],
      [{ toolCalls: [search("blue teapots")] }, { toolCalls: [search("blue teapots")] }, { text: "A litre [1]." }],
    );
    const [first, second] = execution.toolCalls;
    expect(first).toMatchObject({
      status: "completed",
      cost: { usd: 0.002 },
      result: {
        provider: "searxng",
        source_untrusted: true,
        results: [{ id: 1, url: "https://teapots.example/blue", basis: "excerpt" }],
        cache: { hit: false },
      },
    });
    expect(second).toMatchObject({ cost: { usd: 0 }, result: { cache: { hit: true } } });
    expect(service.requests.map(({ url, key }) => [url.split("?")[0], key])).toEqual([
      ["/res/v1/web/search", KEY],
      ["/search", undefined],
    ]);
    const told = JSON.stringify([execution, await world.client.executions.toolCalls(execution.id)]);
    expect(told).toContain("brave received too many requests (status 429)");
    expect(told).not.toContain(KEY);
  });

  it.each(["maxToolCostUsd", "maxCostUsd"])("ends an execution that may cost less: %s", async (limit) => {
    const service = await startSearchService();
    const world = await openWorld({
      search: { brave: { apiKey: KEY, baseUrl: service.baseUrl }, prices: { brave: 0.01 } },
    });
    const execution = await world.play(
      [{ builtin: "web_search", config: { fetchPages: 0 } }],
      [
        { toolCalls: [search("one")] },
        { toolCalls: [search("two")] },
        { toolCalls: [search("three")] },
        { text: "done" },
      ],
      { limits: { [limit]: 0.015 } },
    );
    expect(execution.stopReason).toBe(limit);
    expect(service.requests).toHaveLength(2);
  });

  it("finds documents of a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "yagate-documents-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "guides"));
    await writeFile(join(folder, "guides", "teapots.md"), "# Teapots\n\nBlue teapots hold one litre and a half.\n");
    await writeFile(join(folder, "guides", "kettles.md"), "# Kettles\n\nKettles whistle.\n");
    const world = await openWorld({ search: { local: { folder } } });
    const execution = await world.play(
      [{ builtin: "web_search" }],
      [{ toolCalls: [search("how much do blue teapots hold")] }, { text: "done" }],
    );
    expect(execution.toolCalls[0]?.result).toMatchObject({
      provider: "local",
      results: [
        {
          url: "local:///guides/teapots.md",
          sourceType: "local_document",
          basis: "page",
          claims: [{ text: "Blue teapots hold one litre and a half.", headings: ["Teapots"] }],
        },
      ],
    });
    expect(await readFile(join(world.dataDir, "search-index.sqlite"))).toBeDefined();

    // Documents that the author trusts make no write ask; strangers' would. A changed one is found as it is now.
    await writeFile(join(folder, "guides", "kettles.md"), "# Kettles\n\nKettles sing.\n");
    const own = await startRawService((response) => void response.json({ result: "noted" }));
    const write = toolAt(own.url, { name: "note_order", sideEffect: "idempotent_write" });
    const { toolCalls } = await world.play(
      [{ builtin: "web_search", config: { trusted: true } }, write],
      [
        { toolCalls: [search("kettles", { fresh: true })] },
        { toolCalls: [{ name: "note_order", parameters: { orderId: "ORD-1" } }] },
        { text: "done" },
      ],
    );
    expect(toolCalls.map(({ name, status }) => [name, status])).toEqual([
      ["web_search", "completed"],
      ["note_order", "completed"],
    ]);
    expect(toolCalls[0]).not.toHaveProperty("isUntrusted");
    expect(toolCalls[0]?.result).toMatchObject({ results: [{ claims: [{ text: "Kettles sing." }] }] });
  });

  it("does not start on a folder that is none", async () => {
    await expect(openWorld({ search: { local: { folder: "/does/not/exist" } } })).rejects.toMatchObject({
      code: "NOT_CONFIGURED",
    });
  });
});
