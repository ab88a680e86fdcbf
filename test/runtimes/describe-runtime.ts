import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeAdapter } from "../../packages/handler/test/adapters/adapter-suite.ts";
import { connectTo } from "../../packages/handler/test/adapters/connect.ts";
import { ask } from "../../packages/handler/test/adapters/suite-client.ts";
import { SUITE_SECRET } from "../../packages/handler/test/adapters/suite-handler.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { codeBlocks } from "../docs-blocks/code-blocks.ts";
import type { PlatformBinary } from "./platform-binary.ts";
import { type RuntimeCommand, startRuntime } from "./runtime-process.ts";

/** A runtime that serves a module, whose default export has a `fetch`. */
export interface Runtime {
  readonly name: string;
  readonly binary: PlatformBinary;
  /** Why a tool can't learn that its client has left; absent where it can. */
  readonly leavingUnseen?: string;
  /** The page whose first example is a module for this runtime. */
  readonly page: string;
  toCommand(path: string, module: string): RuntimeCommand | Promise<RuntimeCommand>;
}

/** Holds a runtime to what every adapter is held to and its page to what it shows, or says why it can't be had here. */
export function describeRuntime({ name, binary, leavingUnseen, page, toCommand }: Runtime): void {
  if ("missing" in binary) {
    describe(name, () => it.skip(binary.missing, () => {}));
    return;
  }
  const start = async (module: string) => {
    const { env, ...command } = await toCommand(binary.path, module);
    const { port, stop } = await startRuntime({ ...command, env: { ...env, YAGATE_SIGNING_SECRET: SUITE_SECRET } });
    return { ...connectTo({ port, path: "/tools" }), close: stop };
  };
  describeAdapter({ name, leavingUnseen, mount: () => start(join(import.meta.dirname, "server.ts")) });

  it(`${name} runs the example of ${page}`, async () => {
    const server = await start(await writeExample(page));
    try {
      expect(await ask(server)).toEqual({
        status: 200,
        isSigned: true,
        result: { orderId: "ORD-12345", status: "shipped" },
      });
    } finally {
      await server.close();
    }
  });
}

/** Writes the first TypeScript of a page into a file of its own, and beside it a module that serves it on loopback alone. */
async function writeExample(page: string): Promise<string> {
  const blocks = codeBlocks(page, readFileSync(join(repositoryRoot, page), "utf8"));
  const example = blocks.find(({ language }) => language === "ts");
  if (example === undefined) throw new Error(`${page}: expected an example`);
  const folder = join(repositoryRoot, ".cache", "runtimes");
  await mkdir(folder, { recursive: true });
  const name = basename(page, ".md");
  await writeFile(join(folder, `${name}.ts`), example.text);
  const module = join(folder, `${name}-on-loopback.ts`);
  const lines = [`import server from "./${name}.ts";`, 'export default { ...server, hostname: "127.0.0.1" };', ""];
  await writeFile(module, lines.join("\n"));
  return module;
}
