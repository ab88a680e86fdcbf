import type { ConformanceCase } from "../conformance-case.ts";
import { findingOf, notAsked } from "../finding.ts";
import { refusedFault } from "../judgements.ts";

/** A handler that shares its secret with another service refuses what was meant for that one. */
export const audienceCases: readonly ConformanceCase[] = [
  { id: "audience-other", audience: "https://another.example.com/tools", title: "refuses a call for another audience" },
  { id: "audience-missing", audience: undefined, title: "refuses a call without an audience" },
].map(({ id, audience, title }) => ({
  id,
  group: "forged",
  level: "required",
  title,
  advice: "compare the call's audience with the handler's URL as saved with the tool",
  async run(probe) {
    if (!probe.settings.isAudienceChecked)
      return notAsked("--audience was not given: the handler may take calls for any");
    return findingOf(refusedFault(await probe.sendCall(probe.call({ audience }))));
  },
}));
