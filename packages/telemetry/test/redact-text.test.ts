import { redactText } from "@yagate/lib/redaction/redact-text";
import * as protocol from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { loggedPath } from "../src/logged-path.ts";
import { contentPreview } from "../src/spans/content-preview.ts";

const WEB_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ5YWdhdGUifQ.c2lnbmF0dXJlc2ln";
const prefixes = Object.entries(protocol).flatMap(([name, value]) =>
  /(?:TOKEN|KEY|SECRET)_PREFIX$/.test(name) ? [String(value)] : [],
);

it("the protocol names what tokens begin with", () => {
  expect(prefixes).toEqual(expect.arrayContaining(["yc_", "yt_"]));
});

describe.each([...prefixes, "yk_", "whsec_"])("what begins with %s", (prefix) => {
  it.each(["", "at /v1/callbacks/", "key_", '{"a":"'])("is taken out after %o", (before) => {
    for (const secret of [WEB_TOKEN, "a1b2c3d4e5f6g7h8"]) {
      expect(redactText(`${before}${prefix}${secret}`)).toBe(`${before}[redacted]`);
    }
  });
});

it.each([
  ["a web token", `x ${WEB_TOKEN} y`, "x [redacted] y"],
  ["a web token behind another word", `x_${WEB_TOKEN}`, "x_[redacted]"],
  ["a web token that was cut off", WEB_TOKEN.slice(0, 40), "[redacted]"],
  ["a field with a secret", '{"password":"a\\"b","n":1}', '{"password":"[redacted]","n":1}'],
  ["a field with a secret that was cut off", '{"password":"a\\', '{"password":"[redacted]"'],
  ["what only begins like a web token", "eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9"],
])("of %s only the secret is taken out", (_name, text, expected) => {
  expect(redactText(text)).toBe(expected);
});

describe("a path in the log", () => {
  const id = "exec_01arz3ndektsv4rrffq69g5fav";
  it.each([
    [`/v1/callbacks/yc_${WEB_TOKEN}`, "/v1/callbacks/[redacted]"],
    [`/v1/executions/${"3fA9".repeat(10)}/events`, "/v1/executions/[redacted]/events"],
    [`/v1/executions/${id}/events`, `/v1/executions/${id}/events`],
    ["/.well-known/jwks/ws_01arz3ndektsv4rrffq69g5fav.json", "/.well-known/jwks/ws_01arz3ndektsv4rrffq69g5fav.json"],
    ["/v1/secrets/STRIPE_KEY_OF_THE_SHOP_IN_THE_SOUTH", "/v1/secrets/STRIPE_KEY_OF_THE_SHOP_IN_THE_SOUTH"],
  ])("%s is %s", (path, expected) => {
    expect(loggedPath(path)).toBe(expected);
  });
});

it("a secret at the end of a preview is taken out, however much of it the preview would show", () => {
  for (const length of [950, 980, 990, 999]) {
    const text = `${"a ".repeat(length / 2)} ${WEB_TOKEN} ${"b ".repeat(100)}`;
    expect(contentPreview(text)).not.toMatch(/eyJ/);
  }
  expect(contentPreview({ password: "p".repeat(20_000) })).toBe('{"password":"[redacted]"…');
});

it("a preview is never cut in the middle of a character", () => {
  for (const length of [997, 998, 999, 1_000, 7_998, 7_999, 8_000]) {
    for (const before of ["", '{"password":"p"}']) {
      const shown = contentPreview(`${before}${"a".repeat(length - before.length)}${"😀".repeat(20)}`);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).toMatch(/…$/);
    }
  }
});
