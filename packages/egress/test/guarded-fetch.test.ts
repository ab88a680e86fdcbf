import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { failureOf, testGuard } from "./support/guards.ts";
import { startServer, startTcpServer } from "./support/servers.ts";

describe("the guard's fetch", () => {
  it("sends method, headers and body, and gives a Response", async () => {
    const server = await startServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      response.writeHead(201, { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] });
      response.end(
        JSON.stringify({ type: request.headers["content-type"], key: request.headers["x-key"], body: `${body}` }),
      );
    });
    const url = `http://allowed.test:${server.port}/v1/chat?x=1`;
    const response = await testGuard().fetch(url, { method: "POST", headers: { "X-Key": "k" }, body: "{}" });
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 201, ok: true, statusText: "Created", url, redirected: false });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toEqual({ type: "text/plain;charset=UTF-8", key: "k", body: "{}" });
    expect(server.requests).toEqual(["POST /v1/chat?x=1 allowed.test"]);
  });

  it("takes a URL, a Request and a form", async () => {
    const server = await startServer(async (request, response) => {
      response.end(Buffer.concat(await request.toArray()));
    });
    const { fetch } = testGuard();
    const url = `http://allowed.test:${server.port}/`;
    const form = new FormData();
    form.set("field", "value");
    expect(await (await fetch(new URL(url))).text()).toBe("");
    expect(await (await fetch(new Request(url, { method: "PUT", body: "a" }))).text()).toBe("a");
    expect(await (await fetch(url, { method: "POST", body: new URLSearchParams({ a: "b" }) })).text()).toBe("a=b");
    expect(await (await fetch(url, { method: "POST", body: form })).text()).toContain('name="field"');
  });

  it("has no body for 204 and 304", async () => {
    const server = await startServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end());
    const { fetch } = testGuard();
    for (const status of [204, 304]) {
      const response = await fetch(`http://allowed.test:${server.port}/${status}`);
      expect(response).toMatchObject({ status, body: null });
    }
  });

  it("gives the body piece by piece, as it arrives", async () => {
    let sendRest = () => {};
    const server = await startServer((_request, response) => {
      response.write("first");
      sendRest = () => response.end("second");
    });
    const response = await testGuard().fetch(`http://allowed.test:${server.port}/`);
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) {
      pieces.push(new TextDecoder().decode(piece));
      sendRest();
    }
    expect(pieces).toEqual(["first", "second"]);
  });

  it("reads no faster than its reader", async () => {
    let sent = 0;
    const piece = Buffer.alloc(1024 * 1024);
    const server = await startServer((_request, response) => {
      const send = () => {
        while (sent < 64) {
          sent += 1;
          if (!response.write(piece)) {
            response.once("drain", send);
            return;
          }
        }
        response.end();
      };
      send();
    });
    const response = await testGuard().fetch(`http://allowed.test:${server.port}/`);
    const reader = response.body?.getReader();
    await reader?.read();
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise(setImmediate);
    }
    // Far from all of it: what the sockets hold, and a little more.
    expect(sent).toBeLessThan(32);
    await reader?.cancel();
  });

  it("gives up on an answer that nobody reads", async () => {
    const server = await startServer((_request, response) => {
      response.write(Buffer.alloc(4 * 1024 * 1024));
    });
    const response = await testGuard({ limits: { fetchIdleMs: 50 } }).fetch(`http://allowed.test:${server.port}/`);
    await new Promise((resolve) => server.connections[0]?.once("close", resolve));
    expect(await failureOf(response.arrayBuffer())).toMatchObject({ code: "TIMEOUT" });
  });

  it("returns a redirect instead of following it", async () => {
    const server = await startServer((_request, response) => response.writeHead(307, { location: "/b" }).end());
    const { fetch } = testGuard();
    const url = `http://allowed.test:${server.port}/a`;
    for (const redirect of ["follow", "manual"] as const) {
      const response = await fetch(url, { redirect });
      expect(response.status).toBe(307);
      expect(response.headers.get("location")).toBe("/b");
    }
    expect(server.requests).toHaveLength(2);
  });

  it("drops the headers that frame the message, and asks for no encoding", async () => {
    const server = await startServer((request, response) => response.end(JSON.stringify(request.headers)));
    const response = await testGuard().fetch(`http://allowed.test:${server.port}/`, {
      headers: {
        host: "evil.test",
        "content-length": "5",
        "accept-encoding": "gzip",
        "proxy-authorization": "x",
        a: "b",
      },
    });
    expect(await response.json()).toEqual({
      a: "b",
      "accept-encoding": "identity",
      connection: "keep-alive",
      host: `allowed.test:${server.port}`,
    });
  });

  it("refuses an encoded answer", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}"));
    });
    expect(await failureOf(testGuard().fetch(`http://allowed.test:${server.port}/`))).toMatchObject({
      code: "INVALID_RESPONSE",
    });
  });

  it("ends an answer that is too long", async () => {
    const server = await startServer((_request, response) => response.end(Buffer.alloc(100_001)));
    const response = await testGuard({ limits: { fetchResponseBytes: 100_000 } }).fetch(
      `http://allowed.test:${server.port}/`,
    );
    expect(await failureOf(response.arrayBuffer())).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  });

  it.each<[string, string, string]>([
    ["another scheme", "ftp://allowed.test/", "URL_BLOCKED"],
    ["a private literal", "https://10.0.0.1/", "DNS_BLOCKED"],
    ["a password, which no message repeats", "https://me:secret@allowed.test/", "URL_BLOCKED"],
    ["no URL", "/v1/chat", "URL_BLOCKED"],
  ])("refuses %s", async (_name, url, code) => {
    const failure = await failureOf(testGuard().fetch(url));
    expect(failure).toMatchObject({ code });
    expect(`${failure.message} ${failure.reason}`).not.toContain("secret");
  });

  it("rejects with the code of what failed", async () => {
    const { fetch } = testGuard();
    const port = await freePort();
    expect(await failureOf(fetch(`http://allowed.test:${port}/`))).toMatchObject({ code: "NETWORK_ERROR" });
    const silent = await startTcpServer((socket) => socket.once("data", () => socket.end()));
    expect(await failureOf(fetch(`http://allowed.test:${silent.port}/`))).toMatchObject({
      code: "NETWORK_ERROR",
      bytesMayHaveLeft: true,
    });
  });

  it("fails the body when the connection is lost", async () => {
    const server = await startServer((_request, response) => {
      response.write("half", () => response.destroy());
    });
    const response = await testGuard().fetch(`http://allowed.test:${server.port}/`);
    expect(await failureOf(response.text())).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each(["before it began", "before the answer", "within the body"])("can be aborted %s", async (moment) => {
    const controller = new AbortController();
    const server = await startServer((_request, response) => {
      if (moment === "within the body") {
        response.write("half");
      } else {
        controller.abort();
      }
    });
    if (moment === "before it began") {
      controller.abort();
    }
    const run = async () => {
      const response = await testGuard().fetch(`http://allowed.test:${server.port}/`, { signal: controller.signal });
      const text = response.text();
      controller.abort();
      await text;
    };
    await expect(run()).rejects.toMatchObject({ name: "AbortError" });
    expect(server.connections).toHaveLength(moment === "before it began" ? 0 : 1);
  });

  it("can be aborted with a reason of the caller's", async () => {
    const server = await startServer(() => {});
    const reason = new Error("enough");
    const controller = new AbortController();
    const response = testGuard().fetch(`http://allowed.test:${server.port}/`, { signal: controller.signal });
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
  });
});
