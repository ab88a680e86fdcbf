import robotsModule from "robots-parser";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseRobots } from "../../../src/web/robots/robots-rules.ts";

/** RFC 9309 §5.1. */
const SIMPLE = `
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`;

/** §5.2: the longest match decides. */
const LONGEST = `
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
`;

/** §2.2.1: groups of one robot count as one. */
const SPLIT = `
user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz
`;

type MakeRobots = (url: string, text: string) => { isAllowed(url: string, agent: string): boolean | undefined };
// Its types describe another module than the one that it is.
const robotsParser = z.custom<MakeRobots>((value) => typeof value === "function").parse(robotsModule);

const allowed = (text: string, product: string, path: string) => parseRobots(text, product).allows(path);

describe("the examples of RFC 9309", () => {
  it.each<[string, string, string, boolean]>([
    ["foobot", SIMPLE, "/", false],
    ["foobot", SIMPLE, "/example/page.html", true],
    ["foobot", SIMPLE, "/example/allowed.gif", true],
    ["foobot", SIMPLE, "/publications/", false],
    ["barbot", SIMPLE, "/example/page.html", false],
    ["bazbot", SIMPLE, "/example/page.html", false],
    ["bazbot", SIMPLE, "/example/other.gif", true],
    ["quxbot", SIMPLE, "/example/x.gif", true],
    ["otherbot", SIMPLE, "/a.gif", false],
    ["otherbot", SIMPLE, "/a.gif?x", true],
    ["otherbot", SIMPLE, "/example/a", false],
    ["otherbot", SIMPLE, "/publications/a.html", true],
    ["foobot", LONGEST, "/example/page/", true],
    ["foobot", LONGEST, "/example/page/disallowed.gif", false],
    ["foobot", LONGEST, "/other", true],
    ["ExampleBot", SPLIT, "/foo", false],
    ["examplebot", SPLIT, "/bar/x", false],
    ["EXAMPLEBOT", SPLIT, "/baz", false],
    ["ExampleBot", SPLIT, "/qux", true],
  ])("%s (%#): %s", (product, text, path, isAllowed) => {
    expect(allowed(text, product, path)).toBe(isAllowed);
  });
});

describe("the rules of RFC 9309 §2.2", () => {
  it.each<[string, string, string, boolean]>([
    ["an empty pattern matches nothing", "User-agent: *\nDisallow:", "/a", true],
    ["of two of one length, the allowing one counts", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
    ["names of directives have no case", "USER-AGENT: *\nDISALLOW: /a", "/a", false],
    ["paths have one", "User-agent: *\nDisallow: /A", "/a", true],
    ["comments are left out", "User-agent: * # all\nDisallow: /a # not this", "/a", false],
    ["rules before the first group are nobody's", "Disallow: /\nUser-agent: *\nAllow: /", "/a", true],
    ["a version after the name does not count", "User-agent: yagate/2.0\nDisallow: /", "/a", false],
    ["another robot of a longer name is another one", "User-agent: yagatex\nDisallow: /", "/a", true],
    ["other records do not end a group", "User-agent: yagate\nSitemap: https://a.test/s.xml\nDisallow: /", "/a", false],
    ["Unicode in a pattern is percent-encoded", "User-agent: *\nDisallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false],
    ["so is Unicode in a path", "User-agent: *\nDisallow: /foo/bar/%e3%83%84", "/foo/bar/ツ", false],
    [
      "unreserved characters are compared as they are",
      "User-agent: *\nDisallow: /foo/bar/%62%61%7A",
      "/foo/bar/baz",
      false,
    ],
    ["a reserved one stays encoded", "User-agent: *\nDisallow: /a%2Fb", "/a/b", true],
    ["hex digits have no case", "User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false],
    ["an asterisk is any text", "User-agent: *\nDisallow: /*/private/*.html", "/x/y/private/a/b.html?c", false],
    ["a dollar is the end", "User-agent: *\nDisallow: /*.php$", "/a.php?x=1", true],
    ["a dollar inside is a dollar", "User-agent: *\nDisallow: /a$b", "/a$b", false],
    ["an anchored pattern may overlap nothing", "User-agent: *\nDisallow: /ab*ba$", "/aba", true],
    ["carriage returns end lines", "User-agent: *\rDisallow: /a\r", "/a", false],
    ["a byte order mark is nothing", "\uFEFFUser-agent: *\nDisallow: /a", "/a", false],
    ["robots.txt itself is for everybody", "User-agent: *\nDisallow: /", "/robots.txt", true],
  ])("%s", (_name, text, path, isAllowed) => {
    expect(allowed(text, "Yagate", path)).toBe(isAllowed);
  });
});

/** robots-parser 3.0.1, written by others after the same standard. */
describe("robots-parser says the same", () => {
  const files = [
    SIMPLE,
    LONGEST,
    SPLIT,
    "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c$\nAllow: /*.html$\nDisallow: /x*y*z",
    "User-agent: yagate\nDisallow: /*?\nAllow: /*?ok=1\nUser-agent: *\nDisallow: /",
    "User-agent: *\nDisallow: /*/\nAllow: /a/*/b/\nDisallow: *c\nAllow: /$",
  ];
  const paths = [
    "/",
    "/a",
    "/a/b",
    "/a/b/c",
    "/a/b/c/",
    "/x.html",
    "/x.html?q",
    "/xyz",
    "/x1y2z3",
    "/zyx",
    "/?ok=1",
    "/?no",
  ];
  const more = ["/a//b/", "/a/q/b/", "/abc", "/foo", "/baz/x", "/example/", "/example/page/disallowed.gif", "/p.gif"];

  it.each(["Yagate", "foobot", "bazbot", "ExampleBot", "other"])("to %s, of every file and path", (product) => {
    const differing = files.flatMap((text, index) =>
      [...paths, ...more]
        .filter(
          (path) =>
            allowed(text, product, path) !==
            robotsParser("https://a.test/robots.txt", text).isAllowed(`https://a.test${path}`, product),
        )
        .map((path) => `${index} ${path}`),
    );
    expect(differing).toEqual([]);
  });
});

it.each<[string, () => string]>([
  ["names of many robots before many rules", () => "User-agent: a\n".repeat(20_000) + "Disallow: /a\n".repeat(20_000)],
  ["names of all robots before many rules", () => "User-agent: *\n".repeat(10_000) + "Disallow: /a\n".repeat(25_000)],
  ["patterns that have to be encoded", () => `User-agent: *\n${`Disallow: /${"ツ".repeat(500)}\n`.repeat(340)}`],
])("reads %s while nobody has to wait", (_name, make) => {
  const text = make();
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    parseRobots(text, "Yagate").allows(`/${"b".repeat(8_000)}`);
    return performance.now() - startedAt;
  });
  // On a quiet machine a tenth of it.
  expect(Math.min(...times)).toBeLessThan(200);
});

it("answers in little time, whatever the file asks for", () => {
  const hostile = `User-agent: *\n${"Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*b\n".repeat(12_000)}`;
  const rules = parseRobots(hostile, "Yagate");
  const before = process.threadCpuUsage();
  // Past what may be compared, the answer is no.
  expect(rules.allows(`/${"a".repeat(8_000)}`)).toBe(false);
  expect(process.threadCpuUsage(before).user).toBeLessThan(800_000);
});
