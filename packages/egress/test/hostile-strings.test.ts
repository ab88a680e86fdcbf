import { createEgressGuard } from "@yagate/egress";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { isPublicByArithmetic } from "./support/bigint-classifier.ts";
import { failureOf, get } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer } from "./support/servers.ts";
import vectors from "./vectors/egress.json" with { type: "json" };

/** Ways to write 127.0.0.1, its neighbours and this machine, as parsers of URLs and addresses have taken them. */
const HOSTS = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "１２７.０.０.１",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0",
  "0.0.0.0",
  "127.0.0.2",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "localhost",
  "LOCALHOST.",
  "x.localhost",
  "private.test",
  "mixed.test",
  "mapped.test",
  "zoned.test",
  "text.test",
  "octal.test",
  "empty.test",
];

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "private.test": ["127.0.0.1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "zoned.test": ["::1%lo"],
  "text.test": ["localhost"],
  "octal.test": ["0177.0.0.1"],
  "empty.test": [],
};

it("no string leads to this machine: nothing of any request arrives", { timeout: 60_000 }, async () => {
  const first = await startServer((_request, response) => response.end());
  const servers = [first];
  for (const address of ["127.0.0.2", "::1"]) {
    const more = startServer((_request, response) => response.end(), { address, port: first.port });
    // Not every machine has IPv6.
    servers.push(...(await more.then((server) => [server]).catch(() => [])));
  }
  const resolver = scriptedLookup((name) => ANSWERS[name] ?? ["127.0.0.1", "::1"]);
  // As open as a policy without networks can be.
  const guard = createEgressGuard({ ports: "any", allowHttp: true, lookup: resolver.lookup });
  onTestFinished(() => guard.close());

  const { port } = first;
  const text = fc
    .tuple(
      fc.constantFrom(
        "http://",
        "https://",
        "HTTP:",
        "http:/",
        "http:\\\\",
        "\thttp://",
        "ws://",
        "http:///",
        "//",
        "",
      ),
      fc.constantFrom("", "", "", "a@", "a:b@", "1.1.1.1@", "1.1.1.1\\@", "1.1.1.1#@", "1.1.1.1:80@"),
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...HOSTS) }, fc.string({ maxLength: 8 })),
      fc.constantFrom(`:${port}`, `:${port}`, `:0${port}`, "", ":", `:${port}#`, `:${port}?@1.1.1.1`),
      fc.constantFrom("/", "", "/..", "\\@1.1.1.1/", "/\n", " "),
    )
    .map((parts) => parts.join(""));
  let refusedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 6, arbitrary: text }, fc.constantFrom(...vectors.cases.map(({ url }) => url)), fc.string()),
      async (url) => {
        const decision = await guard.check(url);
        if (decision.allowed) {
          // Of these none is sent: it would leave this machine.
          expect(decision.addresses.filter(({ address }) => !isPublicByArithmetic(address))).toEqual([]);
          expect(new URL(url)).toMatchObject({ username: "", password: "" });
          return;
        }
        refusedCount += 1;
        const { code } = decision;
        expect(await failureOf(guard.request(get(url)))).toMatchObject({ code, bytesMayHaveLeft: false });
        expect(await failureOf(guard.fetch(url))).toMatchObject({ code, bytesMayHaveLeft: false });
      },
    ),
    { numRuns: 2_500 },
  );
  expect(refusedCount).toBeGreaterThan(1_000);
  expect(servers.map(({ connections }) => connections.length)).toEqual(servers.map(() => 0));
});
