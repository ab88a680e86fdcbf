import { describe, expect, it } from "vitest";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

describe("yagate keys update", () => {
  it("changes the name, the expiry and the bounds, and nothing else", async () => {
    const { env } = await startGateway();
    const run = async (...args: string[]) => runWithInput(["keys", ...args], env);
    const created = await run("create", "shop", "--scopes", "executions", "--json");
    const { id } = JSON.parse(created.output.slice(0, created.output.lastIndexOf("}") + 1));
    const read = async () => {
      const { output } = await run("list", "--json");
      return JSON.parse(output).find((key: { id: string }) => key.id === id);
    };
    expect(await run("update", id, "--routing", '{"scopes":["orders"],"dataClass":"internal"}')).toEqual({
      ...{ status: 0, output: `${id} was updated.\n` },
    });
    expect(await read()).toMatchObject({ name: "shop", routing: { scopes: ["orders"], dataClass: "internal" } });
    await run("update", id, "--name", "shop backend", "--expires", "12h");
    expect(await read()).toMatchObject({ name: "shop backend", expiresAt: expect.any(String) });
    await run("update", id, "--expires", "never", "--routing", "null");
    const bare = await read();
    expect(bare).toMatchObject({ name: "shop backend", expiresAt: null, scopes: ["executions"] });
    expect(bare.routing ?? null).toBeNull();
  });

  it.each([
    ["no change", [], /expected at least one change/],
    ["an unknown bound", ["--routing", '{"scope":["orders"]}'], /scope/],
    ["an unknown data class", ["--routing", '{"dataClass":"secret"}'], /dataClass/],
  ])("refuses %s before anything is sent", async (_what, options, message) => {
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: "yk_0123456789abcdef0123456789abcdef" };
    const { status, output } = await runWithInput(
      ["keys", "update", "key_01jd3v0c8me9kxt3f6r2p5q7sa", ...options],
      env,
    );
    expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(message) });
  });
});
