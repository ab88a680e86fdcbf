import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { readSourceGraph } from "./source-graph.ts";

interface Block {
  /** How a copy of it looks. */
  readonly shape: RegExp;
  /** Sources besides lib's that may look so, each for a reason of its own. */
  readonly except?: RegExp;
  readonly sample: string;
}

const BLOCKS: Readonly<Record<string, Block>> = {
  "a parser of Retry-After": {
    shape: /function \w*[rR]etryAfter\w*\(\w+: (?:string|Readonly|Headers)/,
    sample: "function parseRetryAfter(header: string | null): number {",
  },
  "a parser of HTTP dates": {
    shape: /(?:Date\.parse|new Date)\([^\n;]*headers/,
    sample: 'const date = Date.parse(response.headers.get("date") ?? "");',
  },
  "a parser of hosts": {
    shape:
      /URL(?:\.parse|\.canParse)?\(`https:\/\/\$\{[^`]*\}\/?`\)\??\.hostname|a-z0-9_?-\]\{1,63\}|\bhostname\s*\.replace\(|`\.\$\{domain\}`/,
    // lib depends on the protocol, not the other way round.
    except: /^packages\/protocol\//,
    sample: "const host = URL.parse(`https://${domain}/`)?.hostname;",
  },
  "a rule for retryable statuses": {
    shape: /408 \|\| \w*\.?status === 425|\[408, 4\d\d, 429\]/,
    // What the conformance suite expects of a handler is written down on its own.
    except: /^packages\/cli\/src\/conformance\//,
    sample: "status === 408 || status === 425 || status === 429",
  },
  "a list of codes, which ERROR_TABLE has as a trait": {
    shape:
      /new Set<ErrorCode>\(|Set<string> = new Set\(\[\s*"(?:INVALID_ARGUMENTS|UNKNOWN_TOOL|RATE_LIMITED|SIGNATURE_MISSING)"/,
    sample: 'const REFUSALS: ReadonlySet<string> = new Set(["INVALID_ARGUMENTS"]);',
  },
  "members that are left out if they are undefined": {
    shape: /\.\.\.\(([\w.?]+) === undefined \? \{\} : \{ (?:\w+: )?\1 \}\)/,
    // The protocol can't import lib. In the machine, which folds every event, and in each request of the client, a spread
    // takes 0.13 µs where defined() takes 0.2 to 0.4.
    except: /^packages\/(?:protocol|client|execution-machine)\//,
    sample: "...(timeoutMs === undefined ? {} : { timeoutMs })",
  },
  "a test of objects": {
    shape: /typeof ([\w.[\]"]+) (?:===|!==) "object" (?:&&|\|\|) \1 (?:===|!==) null/,
    // lib depends on the protocol, not the other way round.
    except: /^packages\/protocol\//,
    sample: 'typeof value === "object" && value !== null',
  },
  "a cutter of texts": {
    shape: /\.slice\(0, [^`\n(]*\)\}…`|uD800-\\uDBFF|0xd8_?00 &&/,
    sample: `text.length > 9 ? \`\${text.slice(0, 8)}…\` : text`,
  },
  "a yield to the event loop": {
    shape: /setImmediate\(resolve\)|new Promise\(setImmediate\)|setImmediate[^\n]*"node:timers\/promises"/,
    sample: "await new Promise((resolve) => setImmediate(resolve));",
  },
  "an estimate of tokens": {
    shape: /(?:byteLength\([^)\n]*\)|[cC]haracters|\.length) \/ 4\b/,
    sample: "Math.ceil(text.length / 4)",
  },
  "a parser of JSON that may be none": {
    except: /^packages\/protocol\//,
    shape: /try \{\s*return JSON\.parse\([^;]*\);\s*\} catch \{\s*return undefined;/,
    sample: "try {\n    return JSON.parse(text);\n  } catch {\n    return undefined;\n  }",
  },
  "a bounded map": {
    shape: /const \[oldest\] = |for \(const \[?oldest|\.delete\(\w+\.keys\(\)\.next\(\)\.value/,
    sample: "const [oldest] = kept.keys();",
  },
};

const sources = [...readSourceGraph().keys()]
  .filter((file) => /^packages\/[\w-]+\/src\//.test(file) && !file.startsWith("packages/lib/"))
  .map((file) => ({ file, text: readFileSync(join(repositoryRoot, file), "utf8") }));

describe("outside of lib stands no copy of", () => {
  it.each(Object.entries(BLOCKS))("%s", (_name, { shape, except, sample }) => {
    expect(sample).toMatch(shape);
    const copies = sources.filter(({ file, text }) => shape.test(text) && except?.test(file) !== true);
    expect(copies.map(({ file, text }) => `${file}: ${shape.exec(text)?.[0]}`)).toEqual([]);
  });
});
