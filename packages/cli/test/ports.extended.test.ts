import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort as anyFreePort } from "../../../test/services/free-port.ts";
import { freePort } from "../src/gateway/free-port.ts";
import { KEYS, runCommand, startCommand, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

const HOST = "127.0.0.1";

/** Takes a port for the test; undefined: somebody else has it. */
async function take(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, HOST);
  onTestFinished(() => void server.close());
  try {
    await once(server, "listening");
    return portOf(server);
  } catch {
    return undefined;
  }
}

async function takeAny(): Promise<number> {
  const port = await take(0);
  if (port === undefined) throw new Error("expected a free port");
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  return address.port;
}

describe("the port of yagate dev", () => {
  it("is the next free one when the default is taken, and it says by whom", async () => {
    const isOurs = (await take(4820)) !== undefined;
    const { output, url } = await startListening(["dev"], { cwd: await makeFolder() });
    const [, holder, port] = /^Port 4820 is in use by (.+); using (\d+) instead\.$/m.exec(output()) ?? [];
    expect(url).toBe(`http://${HOST}:${port}`);
    expect(Number(port)).toBeGreaterThan(4820);
    if (isOurs && process.platform === "linux") {
      expect(holder).toMatch(new RegExp(` \\(process ${process.pid}\\)$`));
      expect(holder).not.toMatch(/^MainThread/);
    }
  });

  it.each([
    ["an option of dev", (port: number) => ({ args: ["dev", "--port", String(port)], env: {} })],
    ["a variable of dev", (port: number) => ({ args: ["dev"], env: { YAGATE_PORT: String(port) } })],
    ["a variable of serve", (port: number) => ({ args: ["serve"], env: { ...KEYS, YAGATE_PORT: String(port) } })],
  ])("is not another one than %s asks for", async (_name, ask) => {
    const port = await takeAny();
    const { args, env } = ask(port);
    const command = startCommand(args, { cwd: await makeFolder(), env });
    await expect(command.until(/listens on/)).rejects.toThrow("ended with 2");
    expect(command.output()).toMatch(
      new RegExp(`another process uses port ${port} on ${HOST}\\n.*\\nTry: .*YAGATE_PORT, or --port`),
    );
  });

  it("is named when it can't be listened on at all", async () => {
    const cwd = await makeFolder();
    expect(await runCommand(["dev"], { cwd, env: { YAGATE_HOST: "192.0.2.1" } })).toEqual({
      status: 2,
      output: expect.stringMatching(
        /cannot listen on 192\.0\.2\.1:4820 \(EADDRNOTAVAIL\)\n[\s\S]*Try: check YAGATE_HOST/,
      ),
    });
  });
});

describe("the search for a free port", () => {
  it("takes the first one in silence when it is free", async () => {
    const said: string[] = [];
    const port = await anyFreePort();
    expect(await freePort(HOST, port, (text) => said.push(text))).toBe(port);
    expect(said).toEqual([]);
  });

  it("leaves an address that can't be listened on to the gateway, which says so", async () => {
    expect(await freePort("192.0.2.1", 4820, () => {})).toBe(4820);
  });
});
