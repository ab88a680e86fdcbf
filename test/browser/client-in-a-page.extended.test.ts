import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCuttingProxy } from "../e2e/support/cutting-proxy.ts";
import { calls, startRawService, toolAt } from "../e2e/support/services.ts";
import { openWorld } from "../e2e/support/world.ts";
import { findChromium } from "../services/chromium.ts";
import { type ServedConversation, startApplication } from "./support/application.ts";
import { bundlePage } from "./support/bundle-page.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { visit } from "./support/visit.ts";

const executablePath = findChromium();
const PAGE = fileURLToPath(new URL("page/conversation.ts", import.meta.url));
const ANSWER = "Nobody knows where your order is, and I am sorry for that.";
const FALLBACK = { name: "lookup_order", via: "fallback", result: { status: "unknown", source: "the page" } };

/** The numbers of the events that a page shows, which must be all of them, each once. */
const numbersOf = (events: readonly string[]) => events.map((line) => Number.parseInt(line, 10));
const fromOne = (length: number) => Array.from({ length }, (_, index) => index + 1);

describe.skipIf(executablePath === undefined)("the client in a page of another origin", () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    [browser, script] = await Promise.all([launchChromium(executablePath), bundlePage(PAGE)]);
  });
  afterAll(() => browser?.close());

  /** A gateway that lets the application's page in, and a tool that fails once the test says so. */
  async function open(letIn?: string) {
    const application = await startApplication(script);
    const world = await openWorld({ corsOrigins: [letIn ?? application.origin] });
    const { promise: failing, resolve: letToolFail } = Promise.withResolvers<void>();
    const tool = await startRawService(async (response) => {
      await failing;
      response.status(500).json({ error: { code: "BROKEN", message: "the tool broke" } });
    });
    const agent = await world.createAgent([toolAt(tool.url)]);
    const started: string[] = [];
    const start = async () => {
      const request = {
        input: "go",
        script: { turns: [calls("lookup_order"), { text: ANSWER }] },
        fallbackWaitMs: 60_000,
      };
      const { id } = await world.client.agents.start(agent.id, request);
      started.push(id);
      return id;
    };
    const serve = (change: Partial<ServedConversation> = {}) =>
      application.serve({ client: world.client, gatewayUrl: world.url, start, ...change });
    return { application, world, letToolFail, started, start, serve };
  }

  it("shows an execution while it happens, and answers for a tool that failed", async () => {
    const { application, world, letToolFail, started, serve } = await open();
    serve();
    const { lines, text, page, consoleErrors, requests } = await visit(browser, application.origin);

    // The tool has not answered yet, and the page knows that it was asked.
    expect(await lines("events", 5)).toEqual([
      "1 execution.started",
      "2 model.requested",
      "3 model.responded",
      "4 tool_call.requested",
      "5 attempt.started",
    ]);
    expect(await page.locator("#result").textContent()).toBe("");
    letToolFail();

    expect(JSON.parse(await text("result"))).toEqual({
      status: "completed",
      text: ANSWER,
      calls: [{ ...FALLBACK, status: "completed" }],
      fallbackErrors: 0,
    });
    const pieces = await lines("pieces");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(ANSWER);
    expect(await lines("questions")).toEqual(['lookup_order BROKEN {"orderId":"ORD-1"}']);
    const events = await lines("events");
    expect(numbersOf(events)).toEqual(fromOne(events.length));
    expect(events.at(-1)).toContain("execution.completed");
    expect(consoleErrors).toEqual([]);

    // What the gateway has is what the page showed.
    const { toolCalls } = await world.client.executions.events(started[0] ?? "").result();
    expect(toolCalls).toMatchObject([FALLBACK]);

    // The key is nowhere in the page, and the token only in the headers of requests to the gateway.
    const [token = ""] = application.tokens;
    expect(application.tokens).toHaveLength(1);
    const kept = await page.evaluate(
      "JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state])",
    );
    const content = await page.content();
    for (const secret of [world.apiKey, world.secret, token]) {
      expect(kept).not.toContain(secret);
      expect(content).not.toContain(secret);
      for (const { url } of requests) expect(url).not.toContain(secret);
    }
    for (const { url, headers } of requests) {
      expect(JSON.stringify(headers)).not.toContain(world.apiKey);
      expect(JSON.stringify(headers).includes(token)).toBe(url.startsWith(world.url));
      expect(headers["cookie"]).toBeUndefined();
    }
  });

  it("goes on where it was when its connection breaks, and asks for the tool once", async () => {
    const { application, world, letToolFail, serve } = await open();
    const proxy = await startCuttingProxy(world.url);
    serve({ gatewayUrl: proxy.url });
    const { lines, text, page, requests } = await visit(browser, application.origin);
    await lines("events", 5);
    const resumed = page.waitForRequest((request) => request.headers()["last-event-id"] === "5");
    proxy.cut();
    await resumed;
    for (const type of ["tool_call.failed", "fallback.received"]) proxy.cutAfter(`event: ${type}\n`);
    letToolFail();

    expect(JSON.parse(await text("result"))).toMatchObject({ text: ANSWER, calls: [FALLBACK], fallbackErrors: 0 });
    expect(await lines("questions")).toHaveLength(1);
    const events = await lines("events");
    expect(numbersOf(events)).toEqual(fromOne(events.length));
    expect(requests.filter(({ url }) => url.endsWith("/events")).length).toBeGreaterThanOrEqual(3);
  });

  it("asks its server for another token when its own is over, and goes on", async () => {
    const { application, letToolFail, serve } = await open();
    serve({ firstTokenSeconds: 1, onRenewed: letToolFail });
    const { lines, text, requests, consoleErrors } = await visit(browser, `${application.origin}/show/renewing`);

    expect(JSON.parse(await text("result"))).toMatchObject({ text: ANSWER, calls: [FALLBACK], fallbackErrors: 0 });
    expect(application.tokens).toHaveLength(2);
    const events = await lines("events");
    expect(numbersOf(events)).toEqual(fromOne(events.length));
    const streams = requests
      .filter(({ url }) => url.endsWith("/events"))
      .map(({ headers }) => headers["authorization"]);
    expect(streams).toEqual(application.tokens.map((token) => `Bearer ${token}`));
    expect(consoleErrors).toEqual([expect.stringContaining("status of 401")]);
  });

  it("is shown the door when its token is over and nobody renews it", async () => {
    const { application, world, started, serve } = await open();
    serve({ firstTokenSeconds: 1 });
    const { lines, text } = await visit(browser, application.origin);

    expect(await text("failure")).toBe("401 UNAUTHENTICATED");
    expect((await lines("events")).at(-1)).toBe("5 attempt.started");
    expect(await world.client.executions.get(started[0] ?? "")).toMatchObject({ status: "running" });
  });

  it("can do nothing but what its token is for", async () => {
    const { application, world, started, start, serve } = await open();
    const other = await start();
    serve({ other });
    const { lines, text } = await visit(browser, `${application.origin}/trespass`);

    await text("result");
    expect(await lines("attempts")).toEqual([
      "executions.get: let in",
      "executions.get of another: 404 NOT_FOUND",
      "executions.events of another: 404 NOT_FOUND",
      "executions.toolCalls of another: 404 NOT_FOUND",
      "executions.list: 403 FORBIDDEN",
      "executions.cancel: 403 FORBIDDEN",
      "executions.createToken: 403 FORBIDDEN",
      "agents.list: 403 FORBIDDEN",
      "agents.start: 403 FORBIDDEN",
      "agents.create: 403 FORBIDDEN",
      "apiKeys.list: 403 FORBIDDEN",
      "apiKeys.create: 403 FORBIDDEN",
      "signingSecrets.rotate: 403 FORBIDDEN",
      "workspaces.list: 403 FORBIDDEN",
    ]);
    expect(await world.client.agents.list().toArray()).toHaveLength(1);
    expect(await world.client.executions.list().toArray()).toHaveLength(2);
    for (const id of started) expect(await world.client.executions.get(id)).toMatchObject({ status: "running" });
  });

  it("reads nothing in a page of an origin that was not named", async () => {
    const { application, serve } = await open("https://app.example");
    serve();
    const { page, text, consoleErrors } = await visit(browser, application.origin);

    expect(await text("failure")).toMatch(/^CONNECTION_FAILED: no response from .*YAGATE_CORS_ORIGINS/);
    expect(await page.locator("#events li").count()).toBe(0);
    expect(consoleErrors.filter((line) => line.includes("blocked by CORS policy: Response to preflight"))).not.toEqual(
      [],
    );
  });
});
