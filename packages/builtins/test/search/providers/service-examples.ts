import { braveExample } from "./examples/brave.ts";
import { exaExample } from "./examples/exa.ts";
import { googleExample } from "./examples/google.ts";
import { searxngExample } from "./examples/searxng.ts";
import { serperExample } from "./examples/serper.ts";
import { tavilyExample } from "./examples/tavily.ts";
import type { ServiceExample } from "./service-example.ts";

/** All services on the network. */
export const SERVICE_EXAMPLES: readonly ServiceExample[] = [
  braveExample,
  tavilyExample,
  searxngExample,
  serperExample,
  googleExample,
  exaExample,
];
