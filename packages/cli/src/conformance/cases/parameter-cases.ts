import type { ConformanceCase } from "../conformance-case.ts";
import { failed, notAsked, PASS } from "../finding.ts";
import { errorCodeOf, told } from "../judgements.ts";

/** Cases with arguments that the tool's own schema rejects. */
export const parameterCases: readonly ConformanceCase[] = [
  {
    id: "wrong-parameters",
    group: "answers",
    level: "recommended",
    title: "responds with 422 INVALID_ARGUMENTS to arguments that the tool does not accept",
    advice: "validate the arguments against the tool's schema, and name the invalid fields in the message",
    async run(probe) {
      const { wrongParameters } = probe.settings;
      if (wrongParameters === undefined) return notAsked("--wrong-parameters is missing");
      const exchange = await probe.sendCall(probe.call({ parameters: wrongParameters }));
      const isRefused =
        exchange.kind === "answer" && exchange.status === 422 && errorCodeOf(exchange) === "INVALID_ARGUMENTS";
      return isRefused ? PASS : failed(`it ${told(exchange)}`);
    },
  },
];
