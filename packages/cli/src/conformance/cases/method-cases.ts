import { field } from "../../verify/json-fields.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, PASS, passed } from "../finding.ts";
import { jsonOf, told } from "../judgements.ts";
import type { Probe } from "../probe.ts";
import type { Exchange, Message } from "../wire/exchange.ts";

const ADVICE = "answer 405 to everything but POST, and run nothing";
const NOT_IMPLEMENTED = 501;

/** Methods that no gateway uses. What counts is that nothing runs; servers that answer 501 by themselves do well. */
export const methodCases: readonly ConformanceCase[] = [
  {
    id: "get",
    group: "http",
    level: "required",
    title: "runs nothing for a GET, whatever it answers; 405 is best",
    advice: ADVICE,
    run: judgeGet,
  },
  ...["PUT", "DELETE"].map(
    (method): ConformanceCase => ({
      id: method.toLowerCase(),
      group: "http",
      level: "recommended",
      title: `refuses a signed ${method} with 4xx or 501, and runs nothing; 405 is best`,
      advice: ADVICE,
      async run(probe) {
        const { exchange, ran } = await watch(probe, { ...(await probe.sign(probe.call())), method });
        if (ran !== undefined) return failed(ran);
        return isRefusal(exchange) ? passedWith(exchange) : failed(`it ${told(exchange)}; expected 4xx or 501`);
      },
    }),
  ),
  {
    id: "head",
    group: "http",
    level: "recommended",
    title: "answers a HEAD with a status below 500, or 501; 405 is best",
    advice: "answer 405 to everything but POST, without a body to HEAD",
    async run(probe) {
      const exchange = await probe.send({ method: "HEAD", headers: [] });
      const isAnswered = exchange.kind === "answer" && (exchange.status < 500 || exchange.status === NOT_IMPLEMENTED);
      return isAnswered ? passedWith(exchange) : failed(`it ${told(exchange)}; expected a status below 500, or 501`);
    },
  },
];

async function judgeGet(probe: Probe): Promise<Finding> {
  const { exchange, ran } = await watch(probe, { method: "GET", headers: [["accept", "application/json"]] });
  if (ran !== undefined) return failed(ran);
  if (exchange.kind === "answer") return passedWith(exchange);
  const fault = await probe.faultNow();
  return fault === undefined ? passedWith(exchange) : failed(`it ${told(exchange)}, and ${fault}`);
}

/** What became of a request that must run nothing, and what shows that it did run. */
async function watch(probe: Probe, message: Message): Promise<{ exchange: Exchange; ran: string | undefined }> {
  const before = await probe.counter.read?.();
  const exchange = await probe.send(message);
  const after = await probe.counter.read?.();
  const isResult =
    exchange.kind === "answer" && exchange.status < 300 && field(jsonOf(exchange), "result") !== undefined;
  if (!isResult && before === after) return { exchange, ran: undefined };
  const seen = isResult ? "with a result: the call was run" : "and the tool ran";
  return { exchange, ran: `it ${told(exchange)} ${seen}; required is that nothing runs` };
}

function isRefusal(exchange: Exchange): boolean {
  if (exchange.kind !== "answer") return false;
  const { status } = exchange;
  return (status >= 400 && status <= 499) || status === NOT_IMPLEMENTED;
}

/** A failure of the server is no run, and still nothing to leave unsaid. */
function passedWith(exchange: Exchange): Finding {
  if (exchange.kind === "answer" && exchange.status < 500) return PASS;
  return passed(`it ${told(exchange)}: nothing ran, as is required; 405 is recommended`);
}
