import { readdir } from "node:fs/promises";
import { configFromEnvironment, type Environment, type EnvironmentOptions } from "@yagate/gateway";
import { describe, expect, it } from "vitest";
import { KEYS, runCommand } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

const SERVE: EnvironmentOptions = { required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"] };

describe("a configuration that is not valid", () => {
  it("is refused with every problem at once, none with its value, before anything is made", async () => {
    const cwd = await makeFolder();
    const env = {
      YAGATE_PORT: "geheim-port",
      YAGATE_HOST: "",
      YAGATE_MASTER_KEYS: "geheim-master",
      YAGATE_SIGNING_SECRET: "whsec_geheim",
      YAGATE_ALLOW_CIDRS: "10.0.0.0/8, geheim-cidr",
      YAGATE_ALLOW_PORTS: "443,geheim",
      YAGATE_PUBLIC_URL: "geheim-url",
      YAGATE_LOG_LEVEL: "geheim-level",
      YAGATE_DRAIN_MS: "-1",
      YAGATE_TYPO: "geheim-typo",
      DATABASE_URL: "postgres://geheim@/yagate",
      OPENAI_API_KEY: "geheim key",
      ANTHROPIC_API_KEY: "sk-geheim",
      ANTHROPIC_BASE_URL: "geheim-base",
    };
    const { status, output } = await runCommand(["serve"], { cwd, env });
    expect(status).toBe(2);
    const named = [...output.matchAll(/^ {2}([A-Z_]+): (.+)$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([
      "ANTHROPIC_BASE_URL",
      "DATABASE_URL",
      "OPENAI_API_KEY",
      "YAGATE_ALLOW_CIDRS",
      "YAGATE_ALLOW_PORTS",
      "YAGATE_API_KEY",
      "YAGATE_DRAIN_MS",
      "YAGATE_LOG_LEVEL",
      "YAGATE_MASTER_KEYS",
      "YAGATE_PORT",
      "YAGATE_PUBLIC_URL",
      "YAGATE_SIGNING_SECRET",
      "YAGATE_TYPO",
    ]);
    expect(output).not.toContain("geheim");
    expect(output).toContain("YAGATE_API_KEY: it is missing");
    expect(output).toMatch(/\nTry: the variables are YAGATE_PORT, /);
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each<[string, EnvironmentOptions, Environment, RegExp]>([
    ["both keys missing", SERVE, {}, /YAGATE_API_KEY: it is missing\n {2}YAGATE_MASTER_KEYS: it is missing/],
    ["an API key that is empty", SERVE, { ...KEYS, YAGATE_API_KEY: "" }, /YAGATE_API_KEY: it is missing$/],
    ["an API key that is short", SERVE, { ...KEYS, YAGATE_API_KEY: "yk_1" }, /YAGATE_API_KEY: expected at least 16/],
    [
      "two master keys of one id",
      SERVE,
      { ...KEYS, YAGATE_MASTER_KEYS: `${KEYS.YAGATE_MASTER_KEYS},${KEYS.YAGATE_MASTER_KEYS}` },
      /YAGATE_MASTER_KEYS: expected every master key to have a different id/,
    ],
    ["a wrong option", { options: { port: "70000" } }, { YAGATE_PORT: "1" }, /--port: .*at most 65535/],
    ["an option of two words", { options: { dataDir: "" } }, {}, /--data-dir: /],
    ["a wrong variable beside an option", { options: { dataDir: "x" } }, { YAGATE_PORT: "x" }, /YAGATE_PORT: expected/],
    ["a typo", {}, { YAGATE_PROT: "1" }, /YAGATE_PROT: not a variable of the gateway/],
  ])("names %s", (_name, options, environment, message) => {
    expect(() => configFromEnvironment(environment, options)).toThrow(
      expect.objectContaining({ code: "INVALID_REQUEST", message: expect.stringMatching(message) }),
    );
  });
});

describe("a configuration from the environment", () => {
  it("takes an option before a variable, and a variable before a default", () => {
    const options = {
      defaults: { port: 1, logLevel: "info", host: "::1" } as const,
      options: { port: "3", dataDir: undefined },
    };
    const environment = { YAGATE_PORT: "2", YAGATE_LOG_LEVEL: "debug", YAGATE_DATA_DIR: "/data", YAGATE_HOST: "" };
    expect(configFromEnvironment(environment, options)).toMatchObject({
      port: 3,
      logLevel: "debug",
      host: "::1",
      dataDir: "/data",
    });
  });

  it("reads lists, numbers and the model providers, and drops white space around their keys", () => {
    const environment = {
      YAGATE_ALLOW_CIDRS: "10.0.0.0/8, fd00::/8,",
      YAGATE_ALLOW_PORTS: "443, 8443",
      OPENAI_API_KEY: " sk-1\n",
      OPENAI_BASE_URL: "http://models.internal/v1",
      ANTHROPIC_API_KEY: " ",
      GOOGLE_GENERATIVE_AI_BASE_URL: "http://for-workspaces",
      YAGATE_BASE_URL: "http://for-the-client",
    };
    expect(configFromEnvironment(environment)).toMatchObject({
      allowCidrs: ["10.0.0.0/8", "fd00::/8"],
      allowPorts: [443, 8443],
      providers: {
        openai: { apiKey: "sk-1", baseUrl: "http://models.internal/v1" },
        google: { baseUrl: "http://for-workspaces" },
      },
    });
  });
});
