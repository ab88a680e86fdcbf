import { describe, expect, it } from "vitest";
import { listeningPlace } from "../src/gateway/listening-place.ts";
import { KEYS, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

describe("where a gateway listens", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:4820", "http://127.0.0.1:4820"],
    ["::1", "http://[::1]:4820", "http://[::1]:4820"],
    [
      "::",
      "http://localhost:4820",
      "http://localhost:4820 and every other address of this machine (bound to [::]:4820)",
    ],
    ["0.0.0.0", "http://localhost", "http://localhost and every other address of this machine (bound to 0.0.0.0:80)"],
  ])("on %s is said in full", (host, url, text) => {
    expect(listeningPlace(url, host)).toBe(text);
  });

  it.each([
    ["dev", {}],
    ["serve", KEYS],
  ])("is printed by %s, with the address it is bound to", async (command, keys) => {
    const env = { ...keys, YAGATE_HOST: "0.0.0.0", YAGATE_PORT: "0" };
    const { url, output } = await startListening([command], { cwd: await makeFolder(), env });
    const { port } = new URL(url);
    expect(url).toBe(`http://localhost:${port}`);
    expect(output()).toContain(`listens on ${url} and every other address of this machine (bound to 0.0.0.0:${port}) `);
  });
});
