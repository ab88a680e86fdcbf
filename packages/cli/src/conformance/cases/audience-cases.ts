import type { ConformanceCase } from "../conformance-case.ts";
import { findingOf, notAsked } from "../finding.ts";
import { refusedFault } from "../judgements.ts";

/** Cases for a handler that shares its secret with another service: it must reject calls for that service. */
export const audienceCases: readonly ConformanceCase[] = [
  { id: "audience-other", audience: "https://another.example.com/tools", title: "rejects a call for another audience" },
  { id: "audience-missing", audience: undefined, title: "rejects a call without an audience" },
].map(({ id, audience, title }) => ({
  id,
  group: "forged",
  level: "required",
  title,
  advice: "compare the call's audience with the handler's URL exactly as saved in the tool",
  async run(probe) {
    if (!probe.settings.isAudienceChecked)
      return notAsked("--audience is missing: the handler may accept calls for any audience");
    return findingOf(refusedFault(await probe.sendCall(probe.call({ audience }))));
  },
}));
