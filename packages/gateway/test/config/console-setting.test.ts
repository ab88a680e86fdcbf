import { describe, expect, it } from "vitest";
import { servesConsole } from "../../src/config/console-setting.ts";
import { parseConfig } from "../../src/config/gateway-config.ts";

describe("a console", () => {
  it.each<[string, string, string | undefined, boolean]>([
    ["on this machine", "127.0.0.1", undefined, true],
    ["on this machine by name", "localhost", undefined, true],
    ["on this machine in IPv6", "::1", undefined, true],
    ["behind a proxy with https", "0.0.0.0", "https://agents.example", true],
    ["in a container whose port is forwarded", "0.0.0.0", "http://localhost:4820", true],
    ["on every address", "0.0.0.0", undefined, false],
    ["on a name of the network", "gateway.internal", undefined, false],
    ["at a public URL without https", "0.0.0.0", "http://agents.example", false],
    ["on this machine, published without https", "127.0.0.1", "http://agents.example", false],
  ])("%s", (_name, host, publicUrl, isSafe) => {
    const settings = { host, ...(publicUrl === undefined ? {} : { publicUrl }) };
    const on = parseConfig({ ...settings, console: "on" });
    expect(on.problems.map(({ path }) => path)).toEqual(isSafe ? [] : ["console"]);
    expect(servesConsole({ ...settings, console: "auto" })).toBe(isSafe);
    expect(parseConfig({ ...settings, console: "auto" }).problems).toEqual([]);
    expect(servesConsole({ ...settings, console: "off" })).toBe(false);
  });
});
