import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, PASS } from "../finding.ts";
import type { Probe, Seen } from "../probe.ts";
import type { Answer } from "../wire/exchange.ts";

/** What traces of a stack look like in the languages that handlers are written in. */
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

/** What no answer may hold. These cases look at all answers of the run, and so come last. */
export const leakCases: readonly ConformanceCase[] = [
  {
    id: "no-secret",
    group: "answers",
    level: "required",
    title: "never answers with the signing secret",
    advice: "anyone who reads it can forge calls: rotate the secret, and find what prints it",
    run: async ({ seen, settings: { secret, previousSecret = secret } }) => {
      const texts = [secret, previousSecret].flatMap((value) => [value, value.replace("whsec_", "")]);
      return judgeAll(seen, ({ body }) => texts.some((text) => body.includes(text)), "it holds the signing secret");
    },
  },
  {
    id: "no-right-signature",
    group: "answers",
    level: "required",
    title: "never answers with the signature that it expected",
    advice: 'an answer such as "expected sha256=…" signs whatever a stranger sends: say only SIGNATURE_MISMATCH',
    run: async ({ seen }) => judgeAll(seen, holdsRightDigest, "it holds the right signature of the request"),
  },
  {
    id: "no-stack-trace",
    group: "answers",
    level: "required",
    title: "never answers with a stack trace",
    advice: "answer INTERNAL without the error's text, and write that to the log; in Express set NODE_ENV=production",
    run: async ({ seen }) =>
      judgeAll(seen, ({ body }) => STACK_TRACES.some((trace) => trace.test(textOf(body))), "it holds a stack trace"),
  },
  {
    id: "no-payload",
    group: "answers",
    level: "recommended",
    title: "never repeats the payload of a refused call",
    advice: "name the field that is wrong, not its value: logs and proxies keep answers",
    run: async ({ seen, canary }) =>
      judgeAll(seen, ({ status, body }) => status >= 400 && body.includes(canary), "it repeats a value of the payload"),
  },
];

function judgeAll(seen: Probe["seen"], isLeak: (answer: Answer, seen: Seen) => boolean, what: string): Finding {
  for (const each of seen) {
    if (each.exchange.kind === "answer" && isLeak(each.exchange, each)) {
      return failed(`an answer with status ${each.exchange.status}: ${what}`);
    }
  }
  return PASS;
}

/** In its body, or as the signature of the answer: that one covers another text. */
function holdsRightDigest(answer: Answer, { rightDigest }: Seen): boolean {
  if (rightDigest === undefined) return false;
  return answer.body.includes(rightDigest) || [...answer.headers.values()].some((value) => value.includes(rightDigest));
}

/** Stack traces are in JSON strings too, with their line ends escaped. */
function textOf(body: Buffer): string {
  return body.subarray(0, 65_536).toString("utf8").replaceAll("\\n", "\n").replaceAll('\\"', '"');
}
