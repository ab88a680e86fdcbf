import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
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

const folder = join(repositoryRoot, ".cache", "workerd");

const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-07-01",
    ),
  )],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

describeRuntime({
  name: "Cloudflare Workers",
  binary: platformBinary(packages, "bin/workerd"),
  leavingUnseen: "workerd, outside of Cloudflare's network, does not say so",
  async toCommand(command) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "config.capnp"), configuration);
    // Bundled as their own tool does it: no Node built-ins, and these conditions.
    await build({
      entryPoints: [join(import.meta.dirname, "server.ts")],
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
