import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

const linesOf = (path: string) => readFileSync(join(repositoryRoot, path), "utf8").split("\n");

it.each(["npm ci && npm run demo", "npm ci && npm test"])("README has the line: %s", (command) => {
  expect(linesOf("README.md")).toContain(command);
});

it("continuous integration runs what README says, and the extended tests", () => {
  const services = "bash scripts/install-test-services.sh";
  const commands = linesOf(".ci/run").filter((line) => line !== "" && !line.startsWith("#"));
  const tests = ["npm ci && npm test", "npm run test:extended"];
  expect(commands).toEqual(["set -euo pipefail", 'cd "$(dirname "$0")/.."', services, ...tests]);
  expect(linesOf("README.md").filter((line) => line.includes(services))).toHaveLength(1);
  expect(statSync(join(repositoryRoot, ".ci/run")).mode & 0o111).toBe(0o111);
});
