import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { describeAdapter } from "../../packages/handler/test/adapters/adapter-suite.ts";
import { connectTo } from "../../packages/handler/test/adapters/connect.ts";
import { ask } from "../../packages/handler/test/adapters/suite-client.ts";
import { runCommand } from "../../scripts/command.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { type RuntimeProcess, startRuntime } from "./runtime-process.ts";

const next = join(import.meta.dirname, "node_modules", "next", "dist", "bin", "next");
const cwd = join(import.meta.dirname, "next");
// It would else report to its makers, and look in a registry for compilers of other platforms.
const env = { NEXT_TELEMETRY_DISABLED: "1", NEXT_IGNORE_INCORRECT_LOCKFILE: "1" };

let started: Promise<RuntimeProcess> | undefined;

/** Builds the application and serves it, once for all its routes. */
function server(): Promise<RuntimeProcess> {
  started ??= buildAndStart();
  return started;
}

async function buildAndStart(): Promise<RuntimeProcess> {
  await runCommand(process.execPath, [next, "build"], { cwd, env: { ...stepEnvironment(), ...env } });
  return startRuntime({
    command: process.execPath,
    args: [next, "start", "--hostname", "127.0.0.1", "--port", "0"],
    cwd,
    env,
    port: /http:\/\/127\.0\.0\.1:(\d+)/,
  });
}

afterAll(async () => {
  await (await started)?.stop();
});

for (const [name, path] of [
  ["Next.js, app router", "/api/app-router"],
  ["Next.js, app router, edge runtime", "/api/edge"],
  ["Next.js, pages router", "/api/pages-router"],
] as const) {
  describeAdapter({
    name,
    mount: async () => ({ ...connectTo({ port: (await server()).port, path }), async close() {} }),
  });
}

it("Next.js, pages router, with its body parser is found out, and said", async () => {
  const { status, error } = await ask(connectTo({ port: (await server()).port, path: "/api/parsed" }));
  expect([status, error.code]).toEqual([500, "BODY_ALREADY_PARSED"]);
});
