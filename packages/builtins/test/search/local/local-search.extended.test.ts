import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeDocuments } from "../../../../bench/search/made-documents.ts";
import { loadRelevanceSet } from "../../../../bench/search/relevance-set.ts";
import { createLogger } from "../../../../telemetry/src/logger.ts";
import { createLocalSearch, type LocalSearchOptions } from "../../../src/search/local/local-search.ts";
import type { SearchContext } from "../../../src/search/port.ts";
import { createDocumentReader } from "../../../src/web/reading/document-reader.ts";
import { figuresOf, makeFolder, queryFor, type TestFolder } from "./local-folder.ts";

async function open(folder: TestFolder, options: Partial<LocalSearchOptions> = {}) {
  const { folder: place, indexFile } = folder;
  const search = await createLocalSearch({ folder: place, indexFile, now: Date.now, refreshEveryMs: 0, ...options });
  onTestFinished(() => search.close());
  return search;
}

const contextOf = (context: Partial<SearchContext> = {}): SearchContext => ({
  workspaceId: "ws_a",
  deadline: Date.now() + 10_000,
  signal: new AbortController().signal,
  ...context,
});

describe("the search in a folder", () => {
  it("finds documents right after the start, from the thread of its own", async () => {
    const search = await open(makeFolder({ "a.md": "# Refunds\n\nWithin 14 days.", "b.md": "# Shipping\n\nSoon." }));
    expect(search).toMatchObject({ name: "local", corpus: "local" });
    expect(await search.search(queryFor("refund"), contextOf())).toEqual({
      hits: [
        {
          title: "Refunds",
          url: "local:///a.md",
          snippet: "# Refunds Within 14 days.",
          content: "# Refunds\n\nWithin 14 days.",
          language: "en",
        },
      ],
      leftOut: { byDomain: 0, byDate: 0, byTerm: 0 },
    });
  });

  it("reads HTML, PDF, JSON and CSV through the reader of documents", async () => {
    const reader = createDocumentReader();
    onTestFinished(() => reader.close());
    const page = (title: string, text: string) =>
      `<!doctype html><html lang="en"><head><title>${title}</title><link rel="canonical" href="https://example.com/fees"></head>` +
      `<body><article><h1>${title}</h1><p>${text}</p></article></body></html>`;
    const folder = makeFolder({
      "fees.html": page("Fees", "Withdrawals are free of charge for students. ".repeat(10)),
      "prices.csv": "item,price\nteapot,20\nlamp,35\n",
      "hours.json": '{"monday":"closed","tuesday":"nine to five"}',
      "broken.pdf": "%PDF-1.7 and nothing more",
    });
    const search = await open(folder, { reader });
    expect(figuresOf(await search.refresh())).toMatchObject({ documents: 3, unreadable: 1 });
    const first = async (text: string) => (await search.search(queryFor(text), contextOf())).hits[0];
    expect(await first("students withdrawals")).toMatchObject({ title: "Fees", url: "https://example.com/fees" });
    expect(await first("teapot")).toMatchObject({ url: "local:///prices.csv" });
    expect(await first("tuesday")).toMatchObject({ url: "local:///hours.json" });
  });

  it("says nothing of where the folder is", async () => {
    const folder = makeFolder({ "a.md": "text", "b.txt": "text", "c/d.md": "text" });
    const search = await open(folder);
    const answer = await search.search({ ...queryFor("text"), maxResults: 50 }, contextOf());
    expect(answer.hits).toHaveLength(3);
    expect(JSON.stringify(answer)).not.toContain(folder.base);
    await search.close();
    const failure = search.search(queryFor("text"), contextOf());
    await expect(failure).rejects.toMatchObject({ name: "SearchFailure", reason: "unavailable" });
    await expect(failure).rejects.not.toThrow(folder.base);
  });

  it("looks into the folder at once when an answer is to be fresh, and tells each change of the index", async () => {
    const folder = makeFolder({ "a.md": "teapots are blue" });
    const search = await open(folder);
    await search.refresh();
    const textOf = async (isFresh: boolean) =>
      (await search.search(queryFor("teapots"), contextOf({ isFresh }))).hits[0]?.content;
    const before = await search.revision();
    expect([await textOf(false), await search.revision()]).toEqual(["teapots are blue", before]);
    writeFileSync(join(folder.folder, "a.md"), "teapots are green");
    expect(await textOf(false)).toBe("teapots are blue");
    expect(await textOf(true)).toBe("teapots are green");
    expect(await search.revision()).not.toBe(before);
  });

  it("waits 2 seconds for a look into the folder, then answers from the index as it is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const reading = Promise.withResolvers<void>();
    const reader = {
      read() {
        reading.resolve();
        return new Promise<never>(() => {});
      },
    };
    const folder = makeFolder({ "a.md": "teapots are blue" });
    const search = await open(folder, { reader });
    await search.refresh();
    folder.write("endless.html", "<p>teapots are green</p>");
    const texts: unknown[] = [];
    void search.search(queryFor("teapots"), contextOf({ isFresh: true })).then(
      ({ hits }) => texts.push(...hits.map(({ content }) => content)),
      (error: unknown) => texts.push(error),
    );
    await reading.promise;
    // The thread answers in order: after a revision, an earlier search has its results.
    await vi.advanceTimersByTimeAsync(1_999);
    await search.revision();
    expect(texts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await search.revision();
    expect(texts).toEqual(["teapots are blue"]);
  });

  it("looks into the folder from time to time", async () => {
    const folder = makeFolder({ "a.md": "alpha" });
    const lines: string[] = [];
    let more = Promise.withResolvers<void>();
    const logger = createLogger("info", {
      write(line: string) {
        lines.push(JSON.parse(line).msg);
        if (lines.at(-1) === "the folder of documents is indexed") more.resolve();
      },
    });
    const search = await open(folder, { refreshEveryMs: 50, logger });
    await more.promise;
    more = Promise.withResolvers<void>();
    writeFileSync(join(folder.folder, "b.md"), "beta");
    await more.promise;
    expect((await search.search(queryFor("beta"), contextOf())).hits).toHaveLength(1);
    expect(lines[0]).toBe("the document index is being created");
  });

  it("ends when nobody waits any more, and when it is late", async () => {
    const search = await open(makeFolder({ "a.md": "alpha" }));
    const abort = new AbortController();
    const running = search.search(queryFor("alpha"), contextOf({ signal: abort.signal }));
    abort.abort();
    await expect(running).rejects.toMatchObject({ reason: "aborted" });
    const again = search.search(queryFor("alpha"), contextOf({ signal: abort.signal }));
    await expect(again).rejects.toMatchObject({ reason: "aborted" });
    const late = search.search(queryFor("alpha"), contextOf({ deadline: Date.now() - 1 }));
    await expect(late).rejects.toMatchObject({ reason: "unavailable" });
    expect((await search.search(queryFor("alpha"), contextOf())).hits).toHaveLength(1);
  });

  it.each([
    ["a folder that is not there", (folder: TestFolder) => ({ folder: join(folder.base, "nowhere") })],
    ["a file in the place of the folder", (folder: TestFolder) => ({ folder: folder.path("a.md") })],
    ["an index below a file", (folder: TestFolder) => ({ indexFile: join(folder.path("a.md"), "search.db") })],
  ])("does not start with %s", async (_name, options) => {
    const folder = makeFolder({ "a.md": "alpha" });
    await expect(open(folder, options(folder))).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
  });
});

it("indexes 1 000 documents while others go on, and answers quickly", async () => {
  const folder = makeFolder();
  const { queries } = await makeDocuments(folder.folder, 1_000, 100, await loadRelevanceSet());
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const search = await open(folder);
  const pass = search.refresh();
  let meanwhile = 0;
  for (const query of queries.slice(0, 10)) {
    const { hits } = await search.search(queryFor(query), contextOf({ deadline: Date.now() + 60_000 }));
    meanwhile += hits.length;
  }
  const report = await pass;
  delay.disable();
  expect(report).toMatchObject({ documents: 1_000, indexed: 1_000 });
  expect(meanwhile).toBeGreaterThan(0);
  // A pass takes seconds of work; this process is held up by none of it. Generous: other tests run beside this one.
  expect(delay.max / 1e6).toBeLessThan(1_000);

  const took: number[] = [];
  for (const query of queries) {
    const before = performance.now();
    const { hits } = await search.search(queryFor(query), contextOf());
    took.push(performance.now() - before);
    expect(hits.length).toBeGreaterThan(0);
  }
  took.sort((left, right) => left - right);
  expect(took[50]).toBeLessThan(100);
}, 60_000);
