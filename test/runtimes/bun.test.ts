import { describeRuntime } from "./describe-runtime.ts";
import { platformBinary } from "./platform-binary.ts";

const packages = {
  "darwin-arm64": "@oven/bun-darwin-aarch64",
  "darwin-x64": "@oven/bun-darwin-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "linux-x64": "@oven/bun-linux-x64",
  "win32-x64": "@oven/bun-windows-x64",
};

describeRuntime({
  name: "Bun",
  binary: platformBinary(packages, "bin/bun"),
  page: "docs/frameworks/bun.md",
  toCommand: (command, module) => ({
    command,
    args: ["run", "--no-install", module],
    env: { BUN_PORT: "0", PORT: "0", DO_NOT_TRACK: "1" },
    port: /http:\/\/127\.0\.0\.1:(\d+)/,
  }),
});
