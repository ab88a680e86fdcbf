import { fileURLToPath } from "node:url";
import { openDesk } from "@yagate/example-stage/open-desk";
import { researchAgent } from "./agent.ts";

/** Starts a gateway that searches the folder `corpus`. */
export function setUp(model: string) {
  // The same as YAGATE_SEARCH_FOLDER. The web is not searched, and no query leaves the machine.
  const search = { local: { folder: fileURLToPath(new URL("corpus", import.meta.url)) } };
  return openDesk("research", { search }, async ({ yagate }) => {
    const agent = await yagate.agents.create({ ...researchAgent, model });
    return { agentId: agent.id };
  });
}
