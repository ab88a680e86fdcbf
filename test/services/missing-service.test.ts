import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findProgram } from "./find-program.ts";
import { missingService } from "./missing-service.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("a program that is not there", () => {
  it("says what to install, and lets the test be skipped", () => {
    vi.stubEnv("CI", undefined);
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(missingService("redis-server")).toBeUndefined();
    expect(written).toHaveBeenCalledExactlyOnceWith(
      'tests are skipped: redis-server is not installed: run "bash scripts/install-test-services.sh"\n',
    );
  });

  it("fails with CI=true", () => {
    vi.stubEnv("CI", "true");
    expect(() => missingService("redis-server")).toThrow('run "bash scripts/install-test-services.sh"');
  });
});

describe("looking for a program", () => {
  async function folderWith(name: string, mode: number): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "yagate-path-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, name), "");
    await chmod(join(folder, name), mode);
    return folder;
  }

  it("finds the first of the names that PATH has", async () => {
    const folder = await folderWith("second", 0o755);
    const path = ["", "/no/such/folder", folder].join(delimiter);
    expect(findProgram(["first", "second"], path)).toBe(join(folder, "second"));
  });

  it.each([
    ["has another name", "other", 0o755],
    ["can't be executed", "second", 0o644],
  ])("finds nothing in a file that %s", async (_name, name, mode) => {
    expect(findProgram(["first", "second"], await folderWith(name, mode))).toBeUndefined();
  });
});
