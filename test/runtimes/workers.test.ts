import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { SUITE_SECRET } from "../../packages/handler/test/adapters/suite-handler.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { describeRuntime } from "./describe-runtime.ts";
import { platformBinary } from "./platform-binary.ts";

const packages = {
  "darwin-arm64": "@cloudflare/workerd-darwin-arm64",
  "darwin-x64": "@cloudflare/workerd-darwin-64",
  "linux-arm64": "@cloudflare/workerd-linux-arm64",
  "linux-x64": "@cloudflare/workerd-linux-64",
  "win32-x64": "@cloudflare/workerd-windows-64",
};

const cache = join(repositoryRoot, ".cache", "workerd");

/** As `wrangler` writes it for a Worker with one secret. */
const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-07-01",
      bindings = [(name = "YAGATE_SIGNING_SECRET", text = "${SUITE_SECRET}")],
    ),
  )],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

describeRuntime({
  name: "Cloudflare Workers",
  binary: platformBinary(packages, "bin/workerd"),
  leavingUnseen: "workerd, outside of Cloudflare's network, does not say so",
  page: "docs/frameworks/cloudflare-workers.md",
  async toCommand(command, module) {
    const folder = join(cache, basename(module, ".ts"));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "config.capnp"), configuration);
    // Bundled as their own tool does it: no Node built-ins, and these conditions.
    await build({
      entryPoints: [module],
      outfile: join(folder, "worker.js"),
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["workerd", "worker"],
      logLevel: "silent",
    });
    return {
      command,
      args: ["serve", join(folder, "config.capnp"), "--control-fd=3"],
      port: /"event":"listen","socket":"http","port":(\d+)/,
    };
  },
});
