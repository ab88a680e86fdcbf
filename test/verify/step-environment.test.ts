import { delimiter, dirname } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { stepEnvironment } from "../../scripts/step-environment.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  "OPENAI_API_KEY",
  "ANTHROPIC_BASE_URL",
  "YAGATE_MASTER_KEYS",
  "DATABASE_URL",
  "npm_config_local_prefix",
  "NPM_CONFIG_WORKSPACE",
  "FORCE_COLOR",
])("a developer's %s does not reach the steps", (name) => {
  vi.stubEnv(name, "1");
  expect(stepEnvironment()).not.toHaveProperty(name);
});

it.each([
  "npm_config_registry",
  "NPM_CONFIG_CACHE",
  "npm_config_userconfig",
  "npm_config_globalconfig",
  "npm_execpath",
  "HOME",
  "CI",
])("%s does", (name) => {
  vi.stubEnv(name, "/x");
  expect(stepEnvironment()).toMatchObject({ [name]: "/x" });
});

it("the Node that runs verification is the first in PATH", () => {
  expect(stepEnvironment()["PATH"]?.split(delimiter)[0]).toBe(dirname(process.execPath));
});
