import { Yagate } from "@yagate/client";
import { expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

const PAGE = "packages/client/README.md";

function methodsOf(namespace: object): readonly string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(namespace)).filter((name) => name !== "constructor");
}

it(`${PAGE} has every method of every namespace`, () => {
  const client = new Yagate({ baseUrl: "http://127.0.0.1:4820", apiKey: "yk_of_a_test_0000" });
  const expected = Object.entries(client)
    .filter((entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null)
    .map(([name, namespace]) => `client.${name}: ${methodsOf(namespace).toSorted().join(", ")}`);
  const documented = tableRows(PAGE, ["namespace", "methods"]).map(({ namespace, methods = "" }) => {
    // A cell of one code span alone comes without its quotes.
    const names = /^\w+$/.test(methods) ? [methods] : [...methods.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    return `${namespace}: ${names.toSorted().join(", ")}`;
  });
  expect(documented.toSorted()).toEqual(expected.toSorted());
});
