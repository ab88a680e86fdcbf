import { join } from "node:path";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { describeRuntime } from "./describe-runtime.ts";
import { platformBinary } from "./platform-binary.ts";

const packages = {
  "darwin-arm64": "@deno/darwin-arm64",
  "darwin-x64": "@deno/darwin-x64",
  "linux-arm64": "@deno/linux-arm64-glibc",
  "linux-x64": "@deno/linux-x64-glibc",
  "win32-x64": "@deno/win32-x64",
};

const ALLOWED = "--allow-env=NODE_ENV,YAGATE_SIGNING_SECRET";

describeRuntime({
  name: "Deno",
  binary: platformBinary(packages, "deno"),
  leavingUnseen: "Deno 2.9 says so only when the body was about a hundred bytes",
  page: "docs/frameworks/deno.md",
  toCommand: (command, module) => ({
    command,
    args: ["serve", "--no-remote", "--no-prompt", ALLOWED, "--host=127.0.0.1", "--port=0", module],
    env: { DENO_DIR: join(repositoryRoot, ".cache", "deno"), DENO_NO_UPDATE_CHECK: "1" },
    port: /http:\/\/127\.0\.0\.1:(\d+)/,
  }),
});
