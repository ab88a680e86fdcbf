import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { PACKAGE_RULES } from "./rules/package-directions.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const page = read("docs/architecture.md");
const names = Object.keys(PACKAGE_RULES);

/** The page says above the table that every package may import these. */
const BASE: ReadonlySet<string> = new Set(["protocol", "lib"]);
const othersOf = (packages: readonly string[] = []) => packages.filter((name) => !BASE.has(name)).sort();

/** The rows of the table of packages. */
const rows = [...page.matchAll(/^\| \[`([\w-]+)`\]\(\S+\) \| (\S+) \| .* \|(.*)\|$/gm)].map(
  ([, name = "", published = "", imports = ""]) => ({ name, published, imports: imports.trim() }),
);
const bundled = rows.filter(({ published }) => published === "bundled").map(({ name }) => name);

/** The packages that a cell allows, such as `egress, types of store`. */
function allowedBy(cell: string, owner: string) {
  const [code = [], typesOf = []] = cell.split("types of").map(spansOf);
  const packages = cell.startsWith("all except")
    ? names.filter((name) => name !== owner && !code.includes(name))
    : [...code, ...(cell.startsWith("all bundled packages") ? bundled : [])];
  return { packages: othersOf(packages), typesOf: othersOf(typesOf) };
}

function spansOf(text: string): readonly string[] {
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, span = ""]) => span);
}

it("the page has a row for each package", () => {
  expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
});

it.each(rows)("the row of $name says what it may import, and whether it is published", (row) => {
  const { name, published, imports } = row;
  const rule = PACKAGE_RULES[name];
  const typesOf = rule?.typesOf?.filter((other) => names.includes(other));
  expect(allowedBy(imports, name)).toEqual({ packages: othersOf(rule?.packages), typesOf: othersOf(typesOf) });
  expect(published === "yes").toBe(!read(`packages/${name}/package.json`).includes('"private": true'));
});

it("the page names every folder of the gateway", () => {
  const folders = readdirSync(join(repositoryRoot, "packages/gateway/src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders).toContain("compose");
  expect(folders.filter((name) => !page.includes(`packages/gateway/src/${name}`))).toEqual([]);
});
