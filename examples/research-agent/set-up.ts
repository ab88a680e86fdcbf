import { fileURLToPath } from "node:url";
import { openDesk } from "@yagate/example-stage/open-desk";
import { researchAgent } from "./agent.ts";

/** Starts a gateway that searches in the folder `corpus`. */
export function setUp(model: string) {
  // The same as YAGATE_SEARCH_FOLDER. No web is searched, and nothing leaves the machine for it.
  const search = { local: { folder: fileURLToPath(new URL("corpus", import.meta.url)) } };
  return openDesk("research", { search }, async ({ yagate }) => {
    const agent = await yagate.agents.create({ ...researchAgent, model });
    return { agentId: agent.id };
  });
}
