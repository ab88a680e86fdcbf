import { connect } from "node:net";
import { problemSchema, YagateError } from "@yagate/protocol";
import request from "supertest";
import { afterAll, describe, expect, it } from "vitest";
import { createHostCheck } from "../../src/http/requests/host-check.ts";
import { startWorld } from "./support/world.ts";

function isAccepted(listenHost: string, host: string | undefined, publicUrl?: string): boolean {
  try {
    createHostCheck(listenHost, publicUrl)(host);
    return true;
  } catch (error) {
    if (YagateError.is(error) && error.code === "FORBIDDEN") return false;
    throw error;
  }
}

describe("on a loopback address", () => {
  it.each(["127.0.0.1", "127.0.0.2", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "localhost", "LOCALHOST"])(
    "%s answers to its own names only",
    (listenHost) => {
      for (const host of ["localhost", "localhost:4820", "LocalHost:4820", "127.0.0.1:4820", "[::1]", "[::1]:4820"]) {
        expect({ host, isAccepted: isAccepted(listenHost, host) }).toEqual({ host, isAccepted: true });
      }
      const foreign = ["evil.example", "evil.example:4820", "localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1"];
      const malformed = [
        "",
        "::1",
        "[::1",
        "localhost@evil.example",
        "localhost:4820:1",
        "localhost.",
        "localhost/",
        ":4820",
      ];
      for (const host of [...foreign, ...malformed, undefined]) {
        expect({ host, isAccepted: isAccepted(listenHost, host) }).toEqual({ host, isAccepted: false });
      }
    },
  );

  it.each<[string, string | undefined, string, boolean]>([
    ["127.0.0.2", undefined, "127.0.0.2:4820", true],
    ["127.0.0.2", undefined, "127.0.0.3:4820", false],
    ["127.0.0.1", "https://gateway.example", "gateway.example", true],
    ["127.0.0.1", "https://gateway.example", "GATEWAY.example:443", true],
    ["127.0.0.1", "https://gateway.example:8443/yagate", "gateway.example", true],
    ["127.0.0.1", "https://gateway.example", "other.gateway.example", false],
    ["127.0.0.1", "https://gateway.example", "gateway.example.evil.example", false],
    ["::1", "http://[fd00::1]:8080", "[fd00::1]:8080", true],
    ["::1", "http://[fd00::1]:8080", "[fd00::2]:8080", false],
    ["127.0.0.1", "https://b\u00fccher.example", "xn--bcher-kva.example", true],
  ])("%s with the public URL %s: %s is accepted: %s", (listenHost, publicUrl, host, expected) => {
    expect(isAccepted(listenHost, host, publicUrl)).toBe(expected);
  });
});

it.each(["0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "gateway.internal"])(
  "%s, which others reach, answers to any name",
  (listenHost) => {
    expect(isAccepted(listenHost, "anything.example")).toBe(true);
  },
);

describe("over HTTP", async () => {
  const world = await startWorld({ publicUrl: "https://gateway.example/base" });
  afterAll(() => world.stop());

  async function statusFor(host: string, path: string) {
    const { status, body } = await request(world.url).get(path).set("Host", host).auth(world.key, { type: "bearer" });
    return { status, code: body.code };
  }

  it("refuses a rebound name on every path, open ones and unknown ones too", async () => {
    const paths = ["/v1/agents", "/v1/executions", "/healthz", "/readyz", "/openapi.json", "/nowhere"];
    for (const path of paths) {
      expect(await statusFor("rebound.evil.example", path)).toEqual({ status: 403, code: "FORBIDDEN" });
    }
  });

  it("answers to localhost and to the host of its public URL", async () => {
    for (const host of ["localhost", "gateway.example", "gateway.example:443"]) {
      expect(await statusFor(host, "/v1/agents")).toEqual({ status: 200, code: undefined });
    }
  });

  /** What the gateway answers to these bytes; `request` of Node folds headers of one name. */
  async function answerTo(lines: readonly string[]): Promise<{ readonly head: string; readonly body: string }> {
    const { hostname, port } = new URL(world.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    const [head = "", body = ""] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n");
    return { head, body };
  }

  it.each<[string, readonly string[]]>([
    ["two hosts", ["Host: localhost", "Host: rebound.evil.example"]],
    ["one host twice", ["Host: localhost", "host: localhost"]],
    ["two hosts in one header", ["Host: localhost, rebound.evil.example"]],
  ])("refuses %s as a malformed request, on open, closed and unknown paths", async (_name, hosts) => {
    for (const path of ["/healthz", "/v1/agents", "/nowhere"]) {
      const { head, body } = await answerTo([`GET ${path} HTTP/1.1`, ...hosts, `Authorization: Bearer ${world.key}`]);
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(head).toContain("application/problem+json");
      expect(problemSchema.parse(JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1)))).toMatchObject({
        status: 400,
        code: "MALFORMED_HEADERS",
      });
    }
  });

  it("refuses a request of HTTP/1.1 without a host, and one of HTTP/1.0 as one that names no host", async () => {
    expect((await answerTo(["GET /healthz HTTP/1.1"])).head).toMatch(/^HTTP\/1\.1 400 /);
    expect((await answerTo(["GET /healthz HTTP/1.0"])).head).toMatch(/^HTTP\/1\.1 403 /);
  });
});
