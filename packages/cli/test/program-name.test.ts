import { expect, it } from "vitest";
import { programName } from "../src/gateway/program-name.ts";

it.each<[string, readonly string[], string]>([
  ["a program", ["/usr/sbin/nginx", "-g", "daemon off;"], "nginx"],
  ["a script of Node", ["/usr/bin/node", "/srv/node_modules/.bin/yagate", "dev"], "yagate"],
  ["a script of Node behind options with values", ["node", "--conditions=@x/source", "src/main.ts"], "main.ts"],
  ["Node with a text to run", ["node", "-e", "listen('/secret')"], "node"],
  ["Node alone", ["node"], "node"],
  ["a process with a title of its own", ["vitest 1", "", ""], "vitest 1"],
  ["a process without words", [], "another process"],
])("the name of %s", (_name, words, name) => {
  expect(programName(words.map((word) => `${word}\0`).join(""))).toBe(name);
});
