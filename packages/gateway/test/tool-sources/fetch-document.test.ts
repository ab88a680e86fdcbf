import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgressGuard } from "@yagate/egress";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createFetchDocument } from "../../src/tool-sources/openapi/fetch-document.ts";

const MIB = 1_048_576;
const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8"] });
afterAll(() => guard.close());
const secret = (hosts: readonly string[]) => ({
  auth: null,
  hosts,
  value: "docs-key-value",
  texts: ["docs-key-value"],
  isUnbound: false,
});
const secrets = { LOCAL_KEY: secret(["127.0.0.1"]), OTHER_KEY: secret(["other.example"]) };
const fetchDocument = createFetchDocument({
  egressOf: () => guard,
  secrets: { open: async (_workspaceId, name) => new Map(Object.entries(secrets)).get(name) },
  now: Date.now,
});

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.headers.authorization));
    listener(request, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`, requests };
}

const read = (url: string, credential?: string, signal = new AbortController().signal) =>
  fetchDocument("ws_a", { url, auth: credential === undefined ? null : { credential } }, signal);

describe("fetching a document", () => {
  it("returns its bytes, and sends the credential", async () => {
    const { url, requests } = await serve((_request, response) => void response.end("openapi: 3.1.0"));
    const { bytes } = await read(url, "LOCAL_KEY");
    expect(Buffer.from(bytes).toString()).toBe("openapi: 3.1.0");
    expect(requests).toEqual(["Bearer docs-key-value"]);
  });

  it.each<[string, RequestListener, string]>([
    ["a failure of the server", (_request, response) => void response.writeHead(500).end(), "SOURCE_UNREACHABLE"],
    ["no document", (_request, response) => void response.writeHead(404).end(), "SOURCE_UNREACHABLE"],
    ["a server that refuses", (_request, response) => void response.writeHead(401).end(), "SOURCE_UNAUTHORIZED"],
    ["a server that forbids", (_request, response) => void response.writeHead(403).end(), "SOURCE_UNAUTHORIZED"],
    ["more than 12 MiB", (_request, response) => void response.end(Buffer.alloc(12 * MIB + 1)), "MANIFEST_INVALID"],
    [
      "a redirect into an allowlisted network",
      (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      "SOURCE_UNREACHABLE",
    ],
    [
      "a redirect to a private address",
      (_request, response) => void response.writeHead(302, { location: "https://10.0.0.1/" }).end(),
      "SOURCE_UNREACHABLE",
    ],
    ["a connection that ends", (request) => void request.socket.destroy(), "SOURCE_UNREACHABLE"],
  ])("fails because of %s", async (_what, listener, code) => {
    const { url } = await serve(listener);
    await expect(read(url)).rejects.toMatchObject({ code });
  });

  it("follows no redirect with a credential", async () => {
    const elsewhere = await serve((_request, response) => void response.end("{}"));
    const { url } = await serve(
      (_request, response) => void response.writeHead(302, { location: elsewhere.url }).end(),
    );
    await expect(read(url, "LOCAL_KEY")).rejects.toMatchObject({
      ...{ code: "SOURCE_UNREACHABLE", hint: expect.stringContaining("no redirect") },
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each([
    ["for another host", "OTHER_KEY"],
    ["that does not exist", "NO_KEY"],
  ])("sends nothing with a secret %s", async (_what, name) => {
    const { url, requests } = await serve((_request, response) => void response.end("{}"));
    await expect(read(url, name)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
    expect(requests).toEqual([]);
  });

  it("fails when the sync ends before a slow server has sent everything", async () => {
    const ended = new AbortController();
    const { url } = await serve((_request, response) => {
      response.write("openapi: ");
      ended.abort();
    });
    await expect(read(url, undefined, ended.signal)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  });
});
