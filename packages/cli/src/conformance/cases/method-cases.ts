import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, PASS, passed } from "../finding.ts";
import { told } from "../judgements.ts";
import type { Probe } from "../probe.ts";
import { watchRuns } from "../watch-runs.ts";
import type { Exchange } from "../wire/exchange.ts";

const ADVICE = "respond with 405 to every method except POST, and run nothing";
const NOT_IMPLEMENTED = 501;

/** Methods that gateways do not use. They must not run the tool; a server's 501 is acceptable. */
export const methodCases: readonly ConformanceCase[] = [
  {
    id: "get",
    group: "http",
    level: "required",
    title: "runs nothing for a GET, whatever the response; 405 is best",
    advice: ADVICE,
    run: judgeGet,
  },
  ...["PUT", "DELETE"].map(
    (method): ConformanceCase => ({
      id: method.toLowerCase(),
      group: "http",
      level: "recommended",
      title: `rejects a signed ${method} with 4xx or 501, and runs nothing; 405 is best`,
      advice: ADVICE,
      async run(probe) {
        const { exchange, ran } = await watchRuns(probe, { ...(await probe.sign(probe.call())), method });
        if (ran !== undefined) return failed(ran);
        return isRefusal(exchange) ? passedWith(exchange) : failed(`it ${told(exchange)}; expected 4xx or 501`);
      },
    }),
  ),
  {
    id: "head",
    group: "http",
    level: "recommended",
    title: "responds to HEAD with a status below 500, or 501; 405 is best",
    advice: "respond with 405 to every method except POST, without a body for HEAD",
    async run(probe) {
      const exchange = await probe.send({ method: "HEAD", headers: [] });
      const isAnswered = exchange.kind === "answer" && (exchange.status < 500 || exchange.status === NOT_IMPLEMENTED);
      return isAnswered ? passedWith(exchange) : failed(`it ${told(exchange)}; expected a status below 500, or 501`);
    },
  },
];

async function judgeGet(probe: Probe): Promise<Finding> {
  const { exchange, ran } = await watchRuns(probe, { method: "GET", headers: [["accept", "application/json"]] });
  if (ran !== undefined) return failed(ran);
  if (exchange.kind === "answer") return passedWith(exchange);
  const fault = await probe.faultNow();
  return fault === undefined ? passedWith(exchange) : failed(`it ${told(exchange)}, and ${fault}`);
}

function isRefusal(exchange: Exchange): boolean {
  if (exchange.kind !== "answer") return false;
  const { status } = exchange;
  return (status >= 400 && status <= 499) || status === NOT_IMPLEMENTED;
}

/** Passes the case. A server error does not mean that the tool ran, but it is reported. */
function passedWith(exchange: Exchange): Finding {
  if (exchange.kind === "answer" && exchange.status < 500) return PASS;
  return passed(`it ${told(exchange)}: nothing ran, as required; 405 is recommended`);
}
