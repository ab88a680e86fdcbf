import { expect, it } from "vitest";
import { openApiReader } from "../../src/openapi/import-openapi.ts";

const IMPOSSIBLE = ["the operation requires an authentication scheme that is not supported"];

/** Security requirements of an operation, the scheme that is proposed for them, and what is noted. */
const OPERATIONS: Readonly<Record<string, readonly [security: readonly object[], string | undefined, string[]]>> = {
  "/nothing": [[], undefined, []],
  "/certificate": [[{ certificate: [] }], undefined, IMPOSSIBLE],
  "/cookie-or-certificate": [[{ cookie: [] }, { certificate: [] }], undefined, IMPOSSIBLE],
  "/undefined-scheme": [[{ elsewhere: [] }], undefined, IMPOSSIBLE],
  "/certificate-or-token": [[{ certificate: [] }, { token: [] }], "token", []],
  "/certificate-or-nothing": [[{ certificate: [] }, {}], undefined, []],
};

it("an operation gets the first authentication that a secret can give, and a note when there is none", async () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example.com" }],
    paths: Object.fromEntries(
      Object.entries(OPERATIONS).map(([path, [security]]) => [path, { get: { security, responses: {} } }]),
    ),
    components: {
      securitySchemes: {
        certificate: { type: "mutualTLS" },
        cookie: { type: "apiKey", in: "cookie", name: "session" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
  const { drafts } = await openApiReader.import(JSON.stringify(document));
  expect(drafts.map(({ operation, auth, notes }) => [operation, auth?.scheme, notes])).toEqual(
    Object.entries(OPERATIONS).map(([path, [, scheme, notes]]) => [`GET ${path}`, scheme, notes]),
  );
});
