import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { testGuard } from "../../../../egress/test/support/guards.ts";
import { startServer } from "../../../../egress/test/support/servers.ts";
import { createPageFetcher } from "../../../src/web/fetching/page-fetcher.ts";
import { PageError } from "../../../src/web/port.ts";
import { textReader } from "../support/text-reader.ts";

const DISALLOW = "User-agent: yagate\nDisallow: /no";

async function siteWith(robots: RequestListener) {
  let now = 1_000_000;
  const site = await startServer((request, response) =>
    request.url?.startsWith("/robots") ? robots(request, response) : response.end("page"),
  );
  const { fetch } = createPageFetcher({
    egress: testGuard(),
    reader: textReader,
    now: () => now,
    userAgent: "Yagate/1",
  });
  const get = async (path: string, respectRobots = true) => {
    const request = { url: `http://127.0.0.1:${site.port}${path}`, deadline: now + 5_000, respectRobots };
    try {
      await fetch({ ...request, signal: new AbortController().signal });
      return "fetched";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  return {
    get,
    requests: site.requests,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const FETCHED = /^fetched$/;
const DISALLOWED = /^the robots\.txt of 127\.0\.0\.1:\d+ does not allow this page to be fetched$/;
const UNREACHABLE = /^the robots\.txt of 127\.0\.0\.1:\d+ can't be fetched, so no page of the site may be fetched$/;

// RFC 9309 §2.3.1: what an answer for robots.txt means for the pages.
it.each<[string, RequestListener, RegExp]>([
  ["a file that allows", (_q, r) => r.end("User-agent: *\nAllow: /"), FETCHED],
  ["a file that does not", (_q, r) => r.end(DISALLOW), DISALLOWED],
  ["no file", (_q, r) => r.writeHead(404).end(), FETCHED],
  ["a file that nobody may see", (_q, r) => r.writeHead(403).end(), FETCHED],
  ["too many requests", (_q, r) => r.writeHead(429).end(), FETCHED],
  [
    "a file that is gone for good, with the last of the statuses 4xx",
    (_q, r) => r.writeHead(499).end(DISALLOW),
    FETCHED,
  ],
  ["a server with an error, with the first of the statuses 5xx", (_q, r) => r.writeHead(500).end(), UNREACHABLE],
  ["a broken server", (_q, r) => r.writeHead(503).end(DISALLOW), UNREACHABLE],
  ["a broken connection", (_q, r) => r.destroy(), UNREACHABLE],
  [
    "a redirect to the file",
    (q, r) => (q.url === "/robots.txt" ? r.writeHead(301, { location: "/robots2" }).end() : r.end(DISALLOW)),
    DISALLOWED,
  ],
  ["redirects without an end", (q, r) => r.writeHead(301, { location: `${q.url}x` }).end(), FETCHED],
  [
    "a redirect to nowhere",
    (_q, r) => r.writeHead(301, { location: "https://10.0.0.1/robots.txt" }).end(),
    UNREACHABLE,
  ],
  ["rules within the first 500 KiB", (_q, r) => r.end(`${DISALLOW}\n${"#".repeat(600_000)}`), DISALLOWED],
  ["rules past 500 KiB", (_q, r) => r.end(`${"#".repeat(600_000)}\n${DISALLOW}`), FETCHED],
  ["a page of HTML", (_q, r) => r.end("<html><body>Not found</body></html>"), FETCHED],
])("%s", async (_name, robots, outcome) => {
  const { get } = await siteWith(robots);
  expect(await get("/no/page")).toMatch(outcome);
});

it("is not asked by a request that need not obey it", async () => {
  const { get, requests } = await siteWith((_request, response) => response.end(DISALLOW));
  expect(await get("/no", false)).toBe("fetched");
  expect(requests).toEqual(["GET /no 127.0.0.1"]);
});

it("is asked once a day, and once in five minutes where it failed", async () => {
  let status = 503;
  const { get, requests, pass } = await siteWith((_request, response) => response.writeHead(status).end(DISALLOW));
  const asked = () => requests.filter((line) => line.includes("robots.txt")).length;
  expect(await get("/a")).toMatch(UNREACHABLE);
  expect(await get("/a")).toMatch(UNREACHABLE);
  expect(asked()).toBe(1);
  status = 200;
  pass(300_000);
  expect(await get("/a")).toBe("fetched");
  expect(await get("/no")).toMatch(DISALLOWED);
  expect(asked()).toBe(2);
  pass(86_400_000);
  expect(await get("/no")).toMatch(DISALLOWED);
  expect(asked()).toBe(3);
});

it("what one caller may not visit is unknown to that caller alone", async () => {
  const site = await startServer((request, response) =>
    request.url === "/robots.txt"
      ? response.writeHead(302, { location: `http://localhost:${site.port}/robots2` }).end()
      : response.end(request.url === "/robots2" ? "User-agent: *\nAllow: /" : "page"),
  );
  const { fetch } = createPageFetcher({ egress: testGuard(), reader: textReader, now: Date.now });
  const ask = (refusalOf?: (url: URL) => PageError | undefined) =>
    fetch({
      url: `http://127.0.0.1:${site.port}/`,
      deadline: Date.now() + 5_000,
      respectRobots: true,
      signal: new AbortController().signal,
      ...(refusalOf === undefined ? {} : { refusalOf }),
    });
  const elsewhere = ({ hostname }: URL) =>
    hostname === "localhost" ? new PageError("URL_BLOCKED", "not approved") : undefined;
  await expect(ask(elsewhere)).rejects.toMatchObject({ code: "URL_BLOCKED" });
  expect(await ask()).toMatchObject({ status: 200 });
  expect(await ask(elsewhere)).toMatchObject({ status: 200 });
});

it("is asked again of every page that a page redirects to", async () => {
  const other = await startServer((request, response) => response.end(request.url === "/robots.txt" ? DISALLOW : "x"));
  const site = await startServer((request, response) =>
    request.url === "/robots.txt"
      ? response.writeHead(404).end()
      : response.writeHead(302, { location: `http://127.0.0.1:${other.port}/no` }).end(),
  );
  const { fetch } = createPageFetcher({ egress: testGuard(), reader: textReader, now: Date.now, userAgent: "Yagate" });
  const request = { url: `http://127.0.0.1:${site.port}/`, deadline: Date.now() + 5_000, respectRobots: true };
  await expect(fetch({ ...request, signal: new AbortController().signal })).rejects.toMatchObject({
    code: "URL_BLOCKED",
  });
  expect(other.requests).toEqual(["GET /robots.txt 127.0.0.1"]);
});
