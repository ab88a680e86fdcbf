import { request } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { startApp } from "./support/app.ts";

const app = await startApp();
afterAll(() => app.stop());

/** Sends a request target as it is; `fetch` would normalise it. */
function send(target: string, method = "GET"): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(app.url);
  const headers = { Authorization: `Bearer ${app.key}` };
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path: target, method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on("error", reject).end();
  });
}

describe("a path", () => {
  it.each([
    ["with a slash at the end", "/v1/agents/"],
    ["in upper case", "/V1/AGENTS"],
    ["with an empty query", "/v1/agents?"],
    ["with a query", "/v1/agents?limit=1"],
    ["in an absolute URL", "http://gateway.example/v1/agents?limit=1"],
  ])("%s finds its route", async (_name, target) => {
    expect(await send(target)).toMatchObject({ status: 200 });
  });

  it.each([
    ["two slashes at the end", "/v1/agents//"],
    ["two slashes in it", "/v1//agents"],
    ["a prefix", "/api/v1/agents"],
    ["more segments", "/v1/agents/a/b/c"],
    ["only a host", "http://gateway.example"],
    ["a parameter that cannot be decoded", "/v1/agents/%E0%A4%A"],
  ])("with %s has no route", async (_name, target) => {
    const { status, text } = await send(target);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: "NOT_FOUND", detail: expect.stringContaining("no route GET ") });
  });

  it("decodes its parameters", async () => {
    const { status, text } = await send("/v1/tool-templates/%67ithub");
    expect({ status, id: JSON.parse(text).id }).toEqual({ status: 200, id: "github" });
    expect((await send("/v1/%61gents")).status).toBe(404);
  });

  it("prefers a literal segment to a parameter", async () => {
    expect((await send("/v1/tools/import")).status).toBe(405);
    expect((await send("/v1/tools/tool_0")).status).toBe(404);
  });

  it("may end in a suffix after a parameter", async () => {
    expect((await send("/.well-known/jwks/default.json")).text).not.toContain("no route");
    expect((await send("/.well-known/jwks/default.txt")).text).toContain("no route");
  });

  it("answers HEAD as GET, without a body", async () => {
    expect(await send("/healthz", "HEAD")).toEqual({ status: 200, text: "" });
  });

  it("is * for an OPTIONS request to the whole server, which has no route", async () => {
    expect((await send("*", "OPTIONS")).status).toBe(404);
  });
});
