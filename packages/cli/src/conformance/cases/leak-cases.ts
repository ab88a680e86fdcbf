import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, PASS } from "../finding.ts";
import type { Probe, Seen } from "../probe.ts";
import type { Answer } from "../wire/exchange.ts";

/** Patterns of stack traces in the languages in which handlers are written. */
const STACK_TRACES: readonly RegExp[] = [
  /\bat [^\n]{1,200}\([^\n)]{1,300}:\d+:\d+\)/,
  /\bat (?:async )?(?:file:\/\/|\/|[A-Z]:\\)[^\n]{1,300}:\d+:\d+/,
  /Traceback \(most recent call last\)/,
  /File "[^"\n]{1,300}", line \d+/,
  /^\s*goroutine \d+ \[/m,
  /[\w/.-]{1,200}\.go:\d+ \+0x/,
  /\bat [\w$.]{1,200}\((?:[\w$]{1,100}\.java:\d+|Native Method|Unknown Source)\)/,
  /[\w/.-]{1,200}\.rb:\d+:in [`']/,
  /#\d+ [^\n]{1,300}\.php\(\d+\)/,
];

/** Cases for content that no response may contain. They inspect all responses of the run, so they come last. */
export const leakCases: readonly ConformanceCase[] = [
  {
    id: "no-secret",
    group: "answers",
    level: "required",
    title: "never returns the signing secret",
    advice: "anyone who reads it can forge calls: rotate the secret, and find what prints it",
    run: async ({ seen, settings: { secret, previousSecret = secret } }) => {
      const texts = [secret, previousSecret].flatMap((value) => [value, value.replace("whsec_", "")]);
      return judgeAll(seen, ({ body }) => texts.some((text) => body.includes(text)), "it contains the signing secret");
    },
  },
  {
    id: "no-right-signature",
    group: "answers",
    level: "required",
    title: "never returns the signature that it expected",
    advice: 'a response such as "expected sha256=…" signs any text for an attacker: return only SIGNATURE_MISMATCH',
    run: async ({ seen }) => judgeAll(seen, holdsRightDigest, "it contains the correct signature of the request"),
  },
  {
    id: "no-stack-trace",
    group: "answers",
    level: "required",
    title: "never returns a stack trace",
    advice: "respond with INTERNAL without the error's text, and log the text; in Express set NODE_ENV=production",
    run: async ({ seen }) =>
      judgeAll(seen, ({ body }) => STACK_TRACES.some((trace) => trace.test(textOf(body))), "it contains a stack trace"),
  },
  {
    id: "no-payload",
    group: "answers",
    level: "recommended",
    title: "never repeats the payload of a rejected call",
    advice: "report the name of the invalid field, not its value: logs and proxies keep responses",
    run: async ({ seen, canary }) =>
      judgeAll(
        seen,
        ({ status, body }) => status >= 400 && body.includes(canary),
        "it repeats a value from the payload",
      ),
  },
];

function judgeAll(seen: Probe["seen"], isLeak: (answer: Answer, seen: Seen) => boolean, what: string): Finding {
  for (const each of seen) {
    if (each.exchange.kind === "answer" && isLeak(each.exchange, each)) {
      return failed(`a response with status ${each.exchange.status}: ${what}`);
    }
  }
  return PASS;
}

/**
 * Checks whether a response contains the correct signature of the request, in its body or as its own signature, which
 * must cover a different text.
 */
function holdsRightDigest(answer: Answer, { rightDigest }: Seen): boolean {
  if (rightDigest === undefined) return false;
  return answer.body.includes(rightDigest) || [...answer.headers.values()].some((value) => value.includes(rightDigest));
}

/** Returns a body as text. In JSON strings, the line breaks of stack traces are escaped. */
function textOf(body: Buffer): string {
  return body.subarray(0, 65_536).toString("utf8").replaceAll("\\n", "\n").replaceAll('\\"', '"');
}
