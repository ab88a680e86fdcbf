import { BUILTIN_NAMES, createCapabilitySchema, GATEWAY_INTENTS } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { GATEWAY_CAPABILITIES, GATEWAY_CAPABILITIES_AS_OF } from "../src/gateway-capabilities.ts";

describe("the gateway's table", () => {
  it("says when it was last compared with the documentation of the providers", () => {
    expect(Date.parse(GATEWAY_CAPABILITIES_AS_OF)).toBeGreaterThan(Date.parse("2026-11-01"));
  });

  it("has every key once", () => {
    const keys = GATEWAY_CAPABILITIES.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(GATEWAY_CAPABILITIES.map((entry) => [entry.key, entry] as const))(
    "%s serves a known intent",
    (key, entry) => {
      expect(GATEWAY_INTENTS.map(({ name }) => name)).toContain(entry.intent);
      expect(createCapabilitySchema.shape.key.parse(key)).toBe(key);
      expect(createCapabilitySchema.shape.target.parse(entry.target)).toEqual(entry.target);
      if ("builtin" in entry.target) expect(BUILTIN_NAMES).toContain(entry.target.builtin);
    },
  );
});
