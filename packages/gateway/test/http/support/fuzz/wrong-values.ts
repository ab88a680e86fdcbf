import fc from "fast-check";
import * as z from "zod";
import { type Draw, happens, pick } from "./draw.ts";

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, -1, 0, 0.5, 1e308, 2 ** 53, "", " ", "\u0000", "\ud800", "\u202e", "x".repeat(5_000)],
  ...[{}, [], [[[[[]]]]], { a: { b: {} } }, Array.from({ length: 300 }, () => 0)],
  ...["__proto__", "${secrets.KEY}", "$..*", "../..", "%00", "agt_none", "2026-02-30T00:00:00Z"],
];

const objectSchema = z.record(z.string(), z.unknown());

/** The value with one or a few places made wrong: a value of another kind, a field too many or too few. */
export function wrongValue(value: unknown, draw: Draw): unknown {
  let wrong = value;
  for (let count = draw(fc.integer({ min: 1, max: 3 })); count > 0; count -= 1) wrong = spoil(wrong, draw);
  return wrong;
}

function spoil(value: unknown, draw: Draw): unknown {
  if (Array.isArray(value) && value.length > 0 && happens(draw, 80)) {
    const at = draw(fc.nat(value.length - 1));
    return value.map((part, index) => (index === at ? spoil(part, draw) : part));
  }
  const object = objectSchema.safeParse(value);
  if (!object.success || Array.isArray(value) || happens(draw, 10)) return pick(draw, ODD_VALUES);
  const entries = Object.entries(object.data);
  const [name] = entries.length === 0 ? [undefined] : pick(draw, entries);
  if (name === undefined || happens(draw, 20)) return { ...object.data, unexpected: pick(draw, ODD_VALUES) };
  if (happens(draw, 20)) return Object.fromEntries(entries.filter(([key]) => key !== name));
  return { ...object.data, [name]: spoil(object.data[name], draw) };
}

/** Bodies that are no JSON of this API, with the headers that they come with. */
export const RAW_BODIES: readonly { readonly body: string | Uint8Array<ArrayBuffer>; readonly type?: string }[] = [
  ...[{ body: "" }, { body: "{" }, { body: '{"a":1,}' }, { body: "\ufeff{}" }, { body: "NaN" }, { body: "[]" }],
  ...[
    { body: "null" },
    { body: '"text"' },
    { body: "{}" },
    { body: '{"__proto__":{"a":1}}' },
    { body: '{"name":"\\ud800"}' },
  ],
  { body: '{"constructor":{"prototype":{}}}' },
  { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) },
  { body: "{}", type: "text/plain" },
  { body: "a=b", type: "application/x-www-form-urlencoded" },
  { body: "{}", type: "application/problem+json" },
  { body: `${"[".repeat(5_000)}${"]".repeat(5_000)}` },
  { body: `{"input":${"9".repeat(400)}}` },
];
