import { expect, it } from "vitest";
import { createLeakScan } from "../../src/redaction/leak-scan.ts";

const VALUE = "k3Q7zhT2w";
const scan = createLeakScan([{ name: "KEY", value: VALUE }]);
const escaped = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

it.each([
  ["a character of two units", "\u{1f600}"],
  ["half of such a character", "\ud83d"],
  ["a letter beyond ASCII", "é"],
])("a secret in escapes of JSON is found behind %s", (_what, before) => {
  const body = `{"note":"${escaped(before + VALUE)}"}`;
  expect(scan.scan({ url: "https://example.net/", headers: {}, body })).toEqual({ name: "KEY", place: "body" });
});

it("a letter whose code ends like that of a secret's is another letter", () => {
  const body = `{"note":"${escaped(`\u016b${VALUE.slice(1)}`)}"}`;
  expect(scan.scan({ url: "https://example.net/", headers: {}, body })).toBeUndefined();
});
