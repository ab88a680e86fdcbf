import { describe, expect, it } from "vitest";
import { createHandlerUrlCheck } from "../../src/checks/handler-url-check.ts";
import { openApiReader } from "../../src/openapi/import-openapi.ts";
import type { OpenApiImport } from "../../src/openapi/openapi-import.ts";
import { checkRestTool } from "../../src/rest/check-rest-tool.ts";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restParameters } from "../../src/rest/rest-parameters.ts";
import { LEDGER } from "./ledger.ts";
import { PET_SHOP } from "./pet-shop.ts";

const draftOf = ({ drafts }: OpenApiImport, operation: string) => {
  const draft = drafts.find((one) => one.operation === operation);
  if (draft === undefined) throw new Error(`expected a draft of ${operation}`);
  return draft;
};

/** Every draft can be saved with the credential that it proposes. */
async function errorsOf({ drafts }: OpenApiImport) {
  const findings = await Promise.all(
    drafts.map(({ definition, auth }) =>
      checkRestTool({ ...definition, ...(auth === null ? {} : { credential: "API_KEY" }) }, definition.name, {
        urlProblem: createHandlerUrlCheck({}),
        findSecret: async () => (auth === null ? undefined : { auth: auth.auth, hosts: [auth.host] }),
      }),
    ),
  );
  return findings.flat().filter(({ severity }) => severity === "error");
}

describe("a shop for pets in OpenAPI 3.0 and YAML", async () => {
  const imported = await openApiReader.import(PET_SHOP);

  it("becomes drafts that can be saved, and says what did not", async () => {
    expect(imported.title).toBe("Pet shop");
    expect(imported.problems).toEqual([]);
    expect(imported.drafts.map(({ operation, definition }) => [operation, definition.name])).toEqual([
      ["GET /pets", "find_pets"],
      ["POST /pets", "add_pet"],
      ["GET /pets/{petId}", "get_pet_by_id"],
      ["DELETE /pets/{petId}", "delete_pet"],
      ["PATCH /pets/{petId}", "patch_pets_pet_id"],
      ["POST /session", "login_user"],
    ]);
    expect(imported.skipped).toEqual([
      {
        operation: "HEAD /pets/{petId}",
        path: "/paths/~1pets~1{petId}/head",
        reason: "HEAD requests are not supported",
      },
      {
        operation: "PUT /pets/{petId}/photo",
        path: "/paths/~1pets~1{petId}~1photo/put/requestBody/content",
        reason: "expected a JSON or form-encoded body, not image/png",
      },
    ]);
    expect(await errorsOf(imported)).toEqual([]);
  });

  it("has its server's variables filled in, and its parameters in their places", () => {
    const { definition, auth, notes } = draftOf(imported, "GET /pets");
    expect(auth).toMatchObject({
      scheme: "api_key",
      auth: { type: "header", name: "api_key" },
      host: "eu.pets.example.com",
    });
    expect(notes).toEqual([
      "session is omitted: cookies can't be sent",
      "old is omitted: it is deprecated",
      "filter is omitted: an object can't be sent there",
    ]);
    const parameters = { limit: 5, status: ["available", "sold"], tags: ["a", "b"] };
    expect(compileRestTool(definition).render(parameters, () => "")).toEqual({
      method: "GET",
      url: "https://eu.pets.example.com/v2/pets?limit=5&status=available,sold&tags=a&tags=b",
      headers: {},
    });
  });

  it("has the fields of all parts of a body, without read-only ones", () => {
    const { definition, auth } = draftOf(imported, "POST /pets");
    expect(auth).toMatchObject({ scheme: "oauth", auth: { type: "bearer" } });
    const { properties, required } = restParameters(definition);
    expect(properties).toMatchObject({
      name: { type: "string", pattern: "^\\S" },
      kind: { type: ["string", "null"], enum: ["cat", "dog", null] },
      price: { type: "number", exclusiveMinimum: 0 },
      parents: { type: "array", maxItems: 2 },
      owner: { type: "object" },
    });
    expect(Object.keys(Object(properties))).not.toContain("id");
    expect(required).toEqual(["name", "kind"]);
  });

  it("cuts off a schema that refers to itself, with a note", () => {
    const { notes } = draftOf(imported, "POST /pets");
    expect(notes).toContainEqual(expect.stringMatching(/parents refers to itself/));
  });

  it("says what its operations do to the world, and which are deprecated", () => {
    const effects = imported.drafts.map(({ definition }) => definition.sideEffect);
    expect(effects).toEqual([
      undefined,
      "non_idempotent_write",
      undefined,
      "destructive",
      "non_idempotent_write",
      "non_idempotent_write",
    ]);
    expect(draftOf(imported, "DELETE /pets/{petId}").definition.warnings).toMatchObject([{ severity: "warning" }]);
  });

  it("lets an operation's parameter stand for that of its path", () => {
    const types = ["GET", "DELETE"].map(
      (method) => draftOf(imported, `${method} /pets/{petId}`).definition.parameters[0]?.type,
    );
    expect(types).toEqual(["integer", "string"]);
  });

  it("sends JSON of another name, and forms", () => {
    const patch = compileRestTool(draftOf(imported, "PATCH /pets/{petId}").definition);
    expect(patch.render({ petId: 7, name: null }, () => "")).toEqual({
      method: "PATCH",
      url: "https://eu.pets.example.com/v2/pets/7",
      headers: { "content-type": "application/merge-patch+json" },
      body: { name: null },
    });
    const login = compileRestTool(draftOf(imported, "POST /session").definition);
    expect(login.render({ user: "ada", remember: true }, () => "").body).toBe("user=ada&remember=true");
  });
});

describe("a ledger in OpenAPI 3.1 and JSON", async () => {
  const imported = await openApiReader.import(LEDGER, { server: "https://ledger.example.com/api/" });

  it("becomes drafts behind the server that the importer named", async () => {
    expect(imported.problems).toEqual([{ path: "", message: expect.stringMatching(/only internal refs/) }]);
    expect(imported.drafts.map(({ definition }) => [definition.name, definition.url])).toEqual([
      ["accounts_list", "https://ledger.example.com/v1/accounts"],
      ["accounts_list_2", "https://ledger.example.com/v1/accounts/{account-id}/entries"],
      ["post_accounts_account_id_entries", "https://ledger.example.com/v1/accounts/{account-id}/entries"],
      ["op_2fa", "https://codes.example.net/2fa"],
    ]);
    expect(await errorsOf(imported)).toEqual([]);
  });

  it("gives a reason and a path for each skipped operation", () => {
    expect(imported.skipped.map(({ operation, reason }) => [operation, reason])).toEqual([
      ["/remote", expect.stringMatching(/^expected "https:\/\/example.com\/openapi.json" in documents/)],
      ["GET /circle", "expected a reference without a cycle"],
      ["GET /missing", "expected #/components/parameters/Nobody to exist in the document"],
      ["POST /list", "expected a body that is an object with named fields, not a list"],
      ["GET /tree", "path is required, but an object can't be sent there"],
      ["GET /matrix/{id}", "id is required, but the style matrix is not supported"],
      ["TRACE /trace", "TRACE requests are not supported"],
    ]);
    for (const { path } of imported.skipped) expect(path).toMatch(/^\/(paths|components)\//);
  });

  it("gives parameters names that models accept, and keeps the names of the request", () => {
    const { definition, notes, auth } = draftOf(imported, "POST /accounts/{account-id}/entries");
    expect(auth).toMatchObject({ scheme: "signed", auth: { type: "query_param", name: "key" } });
    expect(notes).toEqual([
      "the operation also needs partner, but a request can contain only one credential",
      "the body has 2 alternatives: the tool offers the fields of all of them",
      "__proto__ is omitted: this name is not allowed",
      expect.stringMatching(/^the pattern at .* is omitted/),
      "kind has several types: the tool uses a string",
    ]);
    expect(definition.parameters.map(({ name, wireName, in: place }) => [name, wireName, place])).toEqual([
      ["account-id", undefined, "path"],
      ["Idempotency-Key", undefined, "header"],
      ["amount", undefined, "body"],
      ["account-id_body", "account-id", "body"],
      ["value_date", "value date", "body"],
      ["kind", undefined, "body"],
      ["iban", undefined, "body"],
    ]);
    const values = { "account-id": "a/b", amount: 5, "account-id_body": "c", value_date: "2026-11-21" };
    const request = compileRestTool(definition).render(values, () => "");
    expect(request).toMatchObject({
      url: "https://ledger.example.com/v1/accounts/a%2Fb/entries",
      body: { amount: 5, "account-id": "c", "value date": "2026-11-21" },
    });
  });
});
