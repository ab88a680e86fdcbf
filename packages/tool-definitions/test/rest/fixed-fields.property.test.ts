import { type JsonObject, type JsonValue, YagateError } from "@yagate/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restTool } from "./rest-world.ts";

const MAX_PAIRS_READ = 1_000;

type Tree = { [name: string]: Tree | string | string[] };

/** Reads a form as servers do that take brackets for structure, and no more than their first thousand pairs. */
function readForm(text: string): Tree {
  const root: Tree = Object.create(null);
  for (const [key, value] of [...new URLSearchParams(text)].slice(0, MAX_PAIRS_READ)) {
    const [first = "", ...rest] = key.replaceAll("]", "").split("[");
    const path = rest.at(-1) === "" ? [first, ...rest.slice(0, -1)] : [first, ...rest];
    const last = path.pop() ?? "";
    const place = path.reduce<Tree>((tree, name) => {
      const inner = tree[name];
      const known = typeof inner === "object" && !Array.isArray(inner) ? inner : Object.create(null);
      tree[name] = known;
      return known;
    }, root);
    const known = place[last];
    if (known === undefined || (typeof known === "object" && !Array.isArray(known))) place[last] = value;
    else place[last] = [...(Array.isArray(known) ? known : [known]), value];
  }
  return root;
}

const definition = restTool({
  method: "POST",
  url: "https://api.example.com/users",
  bodyFormat: "form",
  parameters: [
    { name: "user", in: "body", type: "object" },
    { name: "tags", in: "body", type: "object" },
    { name: "plan", in: "body", type: "object" },
    { name: "role", wireName: "user[role]", in: "body", type: "string", value: "user" },
    { name: "owner", wireName: "user[team][owner]", in: "body", type: "boolean", value: false },
    { name: "labels", wireName: "tags[]", in: "body", type: "array", value: ["a", "b"] },
    { name: "billing", wireName: "plan[billing]", in: "body", type: "object", value: { cycle: "year" } },
  ],
});

function readFixed(parameters: JsonObject): unknown {
  const { body } = compileRestTool(definition).render(parameters, () => "");
  const { user, tags, plan } = readForm(typeof body === "string" ? body : "");
  return { user, tags, plan };
}

const fixed = {
  user: { role: "user", team: { owner: "false" } },
  tags: ["a", "b"],
  plan: { billing: { cycle: "year" } },
};

it.each<[string, JsonObject]>([
  ["a list", { user: { role: ["admin"] } }],
  ["an object", { user: { role: { name: "admin" } } }],
  ["objects in a list", { user: { role: [{ x: "admin" }] } }],
  ["something above it", { user: { team: "admins" } }],
  ["places of a list", { tags: { 0: "z", 5: "z", length: "9" } }],
  ["more in a fixed object", { plan: { billing: { discount: "100" } } }],
])("a fixed field is not changed by %s under its name", (_case, parameters) => {
  expect(readFixed(parameters)).toEqual(fixed);
});

it("fixed fields are among the first that are read, however many others there are", () => {
  const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`m${index}`, 1]));
  expect(readFixed({ user: many })).toMatchObject({ user: { role: "user" }, tags: ["a", "b"] });
});

it.each(["role][", "role]", "[role", "x][role"])("an object's member can't be named %s", (name) => {
  expect(() => readFixed({ user: { [name]: "admin" } })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS" }),
  );
});

const name = fc.oneof(
  fc.constantFrom("role", "team", "owner", "billing", "cycle", "0", "", "role]", "role][", "[role]", " role", "role\0"),
  fc.string(),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));
const arbitraryParameters = fc.dictionary(fc.constantFrom("user", "tags", "plan"), fc.dictionary(name, value));

it("whatever the model gives, a server reads the fixed values exactly", () => {
  fc.assert(
    fc.property(arbitraryParameters, (parameters) => {
      try {
        expect(readFixed(parameters)).toMatchObject(fixed);
      } catch (error) {
        if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
      }
    }),
    { numRuns: 1_000 },
  );
});
