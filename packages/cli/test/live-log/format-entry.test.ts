import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { formatEntry } from "../../src/gateway/live-log/format-entry.ts";
import type { LogEntry } from "../../src/gateway/live-log/log-entry.ts";

const AT = "2026-11-20T12:00:00.000Z";
const TIME = new Date(AT).toTimeString().slice(0, 8);
const ID = "exec_01hzy3v9k2m4n6p8q0r2s4t6v8";
const entry = (fields: Partial<LogEntry>): LogEntry => ({
  ...{ at: AT, id: ID, kind: "step", text: "lookup_order → 200 23 ms", details: [] },
  ...fields,
});

beforeEach(() => void vi.stubEnv("NO_COLOR", "1").stubEnv("FORCE_COLOR", undefined));
afterEach(() => void vi.unstubAllEnvs());

it("is complete where there is no terminal", () => {
  const text = "x".repeat(500);
  expect(formatEntry(entry({ text }), undefined)).toBe(`${TIME} ${ID}   ${text}`);
});

it("fits the terminal, with a short id", () => {
  const line = formatEntry(entry({ text: "日本".repeat(60) }), 80);
  expect(line).toMatch(new RegExp(`^${TIME} exec_…t6v8   (日本)+日?…$`));
  expect([...line].reduce((sum, one) => sum + (/[日本]/.test(one) ? 2 : 1), 0)).toBeLessThanOrEqual(80);
});

it.each(["failed", "waiting"] as const)("is never cut if it reports that something has %s", (kind) => {
  const text = "x".repeat(500);
  expect(formatEntry(entry({ kind, text }), 80)).toContain(text);
});

it("shows escape sequences and line breaks of untrusted text instead of obeying them", () => {
  const hostile = "\u001b[2J\u202efake\n12:00:00 exec_0 ✓ completed";
  const formatted = formatEntry(entry({ text: hostile, details: [`cause: ${hostile}`] }), undefined);
  expect(formatted.split("\n")).toHaveLength(2);
  for (const character of ["\u001b", "\u202e"]) expect(formatted).not.toContain(character);
});

it("has no colour with NO_COLOR, and a colour with FORCE_COLOR", () => {
  expect(formatEntry(entry({ kind: "failed" }), 80)).not.toContain("\u001b");
  vi.stubEnv("NO_COLOR", undefined).stubEnv("FORCE_COLOR", "1");
  expect(formatEntry(entry({ kind: "failed" }), 80)).toContain("\u001b[31m✕ ");
});
