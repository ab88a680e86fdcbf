import { afterEach, describe, expect, it, vi } from "vitest";
import { toolHandler } from "../../src/express.ts";
import { type CreateHandlerOptions, createHandler, createMemoryIdempotencyStore } from "../../src/index.ts";
import { SECRET } from "../support/calls.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { typedTool } from "../support/tools.ts";

afterEach(() => vi.unstubAllEnvs());

function linesOf(environment: string | undefined, options: Partial<CreateHandlerOptions> = {}) {
  vi.stubEnv("NODE_ENV", environment);
  const logger = createRecordingLogger();
  createHandler({ secrets: SECRET, tools: [typedTool], logger, ...options });
  return logger.lines;
}

describe("a handler to which nobody gave a store", () => {
  it("says in production what its memory is not enough for", () => {
    expect(linesOf("production")).toMatchObject([
      { level: "warn", message: expect.stringContaining("the option idempotency") },
    ]);
  });

  it("says so once, however many tools log to the same place", () => {
    vi.stubEnv("NODE_ENV", "production");
    const logger = createRecordingLogger();
    createHandler({ secrets: SECRET, tools: [typedTool], logger });
    toolHandler({ secrets: SECRET, ...typedTool, logger });
    expect(logger.lines).toHaveLength(1);
  });

  it.each(["development", "test", undefined])("says nothing with NODE_ENV=%s", (environment) => {
    expect(linesOf(environment)).toEqual([]);
  });

  it("is made all the same by a logger that fails", () => {
    vi.stubEnv("NODE_ENV", "production");
    const fail = () => {
      throw new Error("disk full");
    };
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    expect(createHandler({ secrets: SECRET, tools: [typedTool], logger })).toBeTypeOf("function");
  });
});

it("a memory store that was chosen is not warned of", () => {
  expect(linesOf("production", { idempotency: createMemoryIdempotencyStore() })).toEqual([]);
});
