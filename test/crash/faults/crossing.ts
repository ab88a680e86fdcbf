import { appendFileSync } from "node:fs";
import { type AttemptName, type Boundary, type Death, FAULT_VARIABLES, type Fault } from "./boundaries.ts";

const { [FAULT_VARIABLES.fault]: faultJson = "{}", [FAULT_VARIABLES.deaths]: deathsFile = "" } = process.env;
// Written by the test that started this process.
const fault = JSON.parse(faultJson) as Partial<Fault>;

let crossings = 0;

/** Says that a boundary is crossed now; nothing comes after it where the process was to end here. */
export function cross(boundary: Boundary, attempts: readonly AttemptName[] = []): void {
  if (boundary !== fault.boundary) return;
  crossings += 1;
  if (crossings !== fault.crossing) return;
  const death: Death = { boundary, attempts };
  appendFileSync(deathsFile, `${JSON.stringify(death)}\n`);
  process.kill(process.pid, "SIGKILL");
}
