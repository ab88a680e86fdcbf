import { benchDispatch } from "./dispatch/compare.ts";
import { benchExecution } from "./execution/compare.ts";
import { benchExpress } from "./express/compare.ts";
import { benchRetention } from "./retention/compare.ts";
import { benchVerification } from "./verification/compare.ts";
import { benchWaiting } from "./waiting/compare.ts";

const BENCHES = {
  verification: benchVerification,
  express: benchExpress,
  dispatch: benchDispatch,
  execution: benchExecution,
  retention: benchRetention,
  waiting: benchWaiting,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`unknown bench: ${unknown.join(", ")}; expected some of ${Object.keys(BENCHES).join(", ")}`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
