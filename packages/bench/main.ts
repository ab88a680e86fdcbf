import { benchAgents } from "./agents/compare.ts";
import { benchCounts } from "./counts/compare.ts";
import { benchDispatch } from "./dispatch/compare.ts";
import { benchExecution } from "./execution/compare.ts";
import { benchExpress } from "./express/compare.ts";
import { benchExtraction } from "./extraction/bench-extraction.ts";
import { benchGuard } from "./guard/compare.ts";
import { benchMillion } from "./million/compare.ts";
import { benchPostgres } from "./postgres/compare.ts";
import { benchReadModels } from "./read-models/compare.ts";
import { benchRetention } from "./retention/compare.ts";
import { benchSaturation } from "./saturation/compare.ts";
import { benchSearch } from "./search/compare.ts";
import { benchSlowDisk } from "./slow-disk/compare.ts";
import { runSoak } from "./soak/run.ts";
import { benchStreams } from "./streams/compare.ts";
import { benchSummaries } from "./summaries/compare.ts";
import { benchToolSearch } from "./tool-search/compare.ts";
import { benchVerification } from "./verification/compare.ts";
import { benchWaiting } from "./waiting/compare.ts";

const BENCHES = {
  verification: benchVerification,
  express: benchExpress,
  agents: benchAgents,
  dispatch: benchDispatch,
  extraction: benchExtraction,
  guard: benchGuard,
  execution: benchExecution,
  counts: benchCounts,
  retention: benchRetention,
  "read-models": benchReadModels,
  postgres: benchPostgres,
  "slow-disk": benchSlowDisk,
  million: benchMillion,
  waiting: benchWaiting,
  streams: benchStreams,
  saturation: benchSaturation,
  summaries: benchSummaries,
  search: benchSearch,
  "tool-search": benchToolSearch,
};

const SOAK_MINUTES = 10;

const wanted = process.argv.slice(2);
if (wanted[0] === "soak") {
  const minutes = Number(wanted[1] ?? SOAK_MINUTES);
  if (!(minutes > 0) || wanted.length > 2) refuse("expected: soak, and for how many minutes");
  process.exit((await runSoak(minutes)) ? 0 : 1);
}
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  refuse(`unknown bench: ${unknown.join(", ")}; expected soak or some of ${Object.keys(BENCHES).join(", ")}`);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // Some print nothing else for minutes.
  console.error(`${name}: running`);
  await bench();
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
