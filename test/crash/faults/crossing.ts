import { appendFileSync } from "node:fs";
import {
  ARMED,
  ARMING_SIGNAL,
  type AttemptName,
  type Boundary,
  type Death,
  FAULT_VARIABLES,
  type Fault,
} from "./boundaries.ts";

const { [FAULT_VARIABLES.fault]: faultJson = "{}", [FAULT_VARIABLES.deaths]: deathsFile = "" } = process.env;
// Written by the test that started this process.
const fault = JSON.parse(faultJson) as Partial<Fault>;

let isArmed = fault.isArmedAtOnce ?? false;
let crossings = 0;

process.on(ARMING_SIGNAL, () => {
  isArmed = true;
  process.stderr.write(`${ARMED}\n`);
});

/** Says that a boundary is crossed now; nothing comes after it where the process was to end here. */
export function cross(boundary: Boundary, attempts: readonly AttemptName[] = []): void {
  if (!isArmed || boundary !== fault.boundary) return;
  if (fault.attempt !== undefined && !attempts.some(({ number }) => number === fault.attempt)) return;
  crossings += 1;
  if (crossings !== fault.crossing) return;
  const death: Death = { boundary, attempts };
  appendFileSync(deathsFile, `${JSON.stringify(death)}\n`);
  process.kill(process.pid, "SIGKILL");
}
