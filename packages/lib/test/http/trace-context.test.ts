import { describe, expect, it } from "vitest";
import { attemptSpanId, executionTraceId, readTraceContext } from "../../src/http/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("the trace of a request", () => {
  it.each([
    ["sampled", `00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    ["not sampled", `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ["sampled, with a random id", `00-${TRACE}-${SPAN}-03`, `00-${TRACE}-${SPAN}-03`],
    ["with flags of later versions", `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-03`],
    ["of a later version with more behind it", `01-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-01`],
    ["with white space around it", ` 00-${TRACE}-${SPAN}-01 `, `00-${TRACE}-${SPAN}-01`],
  ])("is read %s", (_name, traceparent, expected) => {
    expect(readTraceContext({ traceparent })).toEqual({ traceparent: expected });
  });

  it.each([
    ["none", undefined],
    ["two of them", [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
    ["upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["the forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["more behind version 00", `00-${TRACE}-${SPAN}-01-more`],
    ["no trace", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["no span", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["a line break", `00-${TRACE}-${SPAN}-01\r\nx: y`],
    ["nothing", ""],
  ])("is none for %s", (_name, traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: "a=1" })).toBeUndefined();
  });

  it.each([
    ["one line", "a=1,b=2", "a=1,b=2"],
    ["several lines", ["a=1", "b=2"], "a=1,b=2"],
    ["too long a line", "a".repeat(513), undefined],
    ["what no header holds", "a=ü", undefined],
    ["nothing", "", undefined],
  ])("has a state of %s", (_name, tracestate, expected) => {
    const read = readTraceContext({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate });
    expect(read?.tracestate).toBe(expected);
  });
});

it("ids that follow from others are those of a trace and of a span", () => {
  expect(executionTraceId("exec_1")).toMatch(/^[0-9a-f]{32}$/);
  expect(attemptSpanId("tc_1", 1)).toMatch(/^[0-9a-f]{16}$/);
  expect(attemptSpanId("tc_1", 1)).not.toBe(attemptSpanId("tc_1", 2));
});
