import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../scripts/command.ts";
import { installOnce } from "../../scripts/install-once.ts";
import { startGateway } from "../api-document/started-gateway.ts";

const FOLDER = import.meta.dirname;
const INSPECTOR = join(FOLDER, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  await installOnce(FOLDER);
  gateway = await startGateway();
  const yagate = new Yagate({ baseUrl: gateway.url, apiKey: gateway.key });
  await yagate.agents.create({ name: "Order desk", model: "scripted/keyword", exposed: true });
}, 300_000);

afterAll(() => gateway?.stop());

/** Calls one method of the gateway's `/mcp` by the inspector's command line, and returns what it printed. */
async function inspect(era: string, key: string, args: readonly string[]): Promise<unknown> {
  const target = ["--server-url", `${gateway.url}/mcp`, "--transport", "http", "--protocol-era", era];
  const output = await runCommand(
    process.execPath,
    [INSPECTOR, "--cli", ...target, "--header", `Authorization: Bearer ${key}`, "--format", "json", ...args],
    // It stores what it learns of servers in the home folder.
    { cwd: FOLDER, env: { ...process.env, HOME: join(FOLDER, ".cache"), NODE_OPTIONS: "" } },
  );
  return JSON.parse(output);
}

describe.each(["legacy", "modern"])("the inspector's command line, in the era %s", (era) => {
  it("lists the exposed agents as tools, and finds nothing that another host could refuse", async () => {
    const listed = await inspect(era, gateway.key, ["--method", "tools/list", "--strict"]);
    expect(listed).toMatchObject({ result: { tools: [{ name: "order_desk" }, { name: "execution_result" }] } });
  }, 60_000);

  it("executes an agent", async () => {
    const args = ["--method", "tools/call", "--tool-name", "order_desk", "--tool-arg", "input=hello"];
    expect(await inspect(era, gateway.key, args)).toMatchObject({
      result: { content: [{ type: "text", text: expect.stringContaining("I am scripted/keyword") }] },
    });
  }, 60_000);

  // Its status 3 says that the server wants authentication.
  it("reports that it must authenticate when its key is unknown", async () => {
    await expect(inspect(era, "yk_unknown", ["--method", "tools/list"])).rejects.toThrow("ended with status 3");
  }, 60_000);
});
