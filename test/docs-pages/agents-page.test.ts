import {
  BUILTIN_NAMES,
  createAgentSchema,
  createExecutionSchema,
  DEFAULT_FALLBACK_WAIT_MS,
  DEFAULT_LIMITS,
  DEFAULT_TOOL_TIMEOUT_MS,
  executionEventSchema,
  handlerToolSchema,
  limitNameSchema,
  stopReasonSchema,
  textDeltaSchema,
} from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

const REFERENCE = "docs/agents-reference.md";
const HANDLER_TOOLS = "docs/handler-tools.md";
const EXECUTIONS = "docs/executions.md";
const EXECUTIONS_REFERENCE = "docs/executions-reference.md";
const FIELDS = ["field", "default", "meaning"];

const column = (page: string, name: string, columns: readonly string[], section?: string) =>
  tableRows(page, columns, section).map((row) => row[name]);
const requiredFields = (page: string, section: string) =>
  tableRows(page, FIELDS, section).flatMap((row) => (row["default"] === "required" ? [row["field"]] : []));

describe(REFERENCE, () => {
  it("has every field of an agent", () => {
    expect(column(REFERENCE, "field", FIELDS, "Fields of an agent")).toEqual(Object.keys(createAgentSchema.shape));
  });

  it("has every field of a policy", () => {
    const policy = createAgentSchema.shape.policy.unwrap();
    expect(column(REFERENCE, "field", FIELDS, "Policy")).toEqual(Object.keys(policy.shape));
  });

  it("says which fields are required", () => {
    const missing = createAgentSchema.safeParse({}).error?.issues.map(({ path }) => path[0]);
    expect(requiredFields(REFERENCE, "Fields of an agent")).toEqual(missing);
  });

  it("has every built-in tool", () => {
    expect(column(REFERENCE, "builtin", ["builtin", "function"]).toSorted()).toEqual(BUILTIN_NAMES.toSorted());
  });

  it("has every limit and its default", () => {
    const rows = tableRows(REFERENCE, ["limit", "default", "meaning"]).map((row) => [row["limit"], row["default"]]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, String(value)])),
    );
  });
});

describe(HANDLER_TOOLS, () => {
  it("has every field of a handler tool", () => {
    expect(column(HANDLER_TOOLS, "field", FIELDS, "Fields")).toEqual(Object.keys(handlerToolSchema.shape));
  });

  it("says which fields are required", () => {
    const missing = handlerToolSchema.safeParse({}).error?.issues.map(({ path }) => path[0]);
    expect(requiredFields(HANDLER_TOOLS, "Fields")).toEqual(missing);
  });

  it("has the default timeout of a tool", () => {
    const timeout = tableRows(HANDLER_TOOLS, FIELDS, "Fields").find(({ field }) => field === "timeout");
    expect(timeout?.["default"]).toBe(String(DEFAULT_TOOL_TIMEOUT_MS));
  });
});

describe(EXECUTIONS, () => {
  it("has every field of a new execution", () => {
    const fields = column(EXECUTIONS, "field", ["field", "meaning"]);
    expect(fields.toSorted()).toEqual(Object.keys(createExecutionSchema.shape).toSorted());
  });

  it("has the default time for which a failed call is held", () => {
    const fallback = tableRows(EXECUTIONS, ["field", "meaning"]).find(({ field }) => field === "fallback");
    expect(fallback?.["meaning"]).toContain(`{ "waitMs": ${DEFAULT_FALLBACK_WAIT_MS} }`);
  });
});

describe(EXECUTIONS_REFERENCE, () => {
  it("has every reason to stop", () => {
    const reasons = column(EXECUTIONS_REFERENCE, "stopReason", ["stopReason", "status", "meaning"]).flatMap((reason) =>
      reason === "a limit's name" ? limitNameSchema.options : [reason],
    );
    expect(reasons.toSorted()).toEqual(stopReasonSchema.options.toSorted());
  });

  it("has every reason to wait, and the client's page all but a restart", () => {
    const reasons = executionEventSchema.options.flatMap(({ shape }) =>
      shape.type.value === "execution.waiting" && "reason" in shape && "options" in shape.reason
        ? shape.reason.options
        : [],
    );
    const row = tableRows(EXECUTIONS_REFERENCE, ["event", "occurrence and fields"]).find(
      ({ event }) => event === "execution.waiting",
    );
    const [, stated = ""] = /`reason` \(([^)]*)\)/.exec(row?.["occurrence and fields"] ?? "") ?? [];
    expect(Array.from(stated.matchAll(/`(\w+)`/g), ([, name]) => name).toSorted()).toEqual(reasons.toSorted());
    const ofClient = column("packages/client/README.md", "reason", ["reason", "the execution waits for"]);
    expect([...ofClient, "restart"].toSorted()).toEqual(reasons.toSorted());
  });

  it("has every event", () => {
    const types = executionEventSchema.options.map(({ shape }) => shape.type.value);
    const events = column(EXECUTIONS_REFERENCE, "event", ["event", "occurrence and fields"]);
    expect(events.toSorted()).toEqual([...types, textDeltaSchema.shape.type.value].toSorted());
  });
});
