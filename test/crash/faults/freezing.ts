import { appendFileSync } from "node:fs";
import { type AttemptName, type Death, FAULT_VARIABLES, type Freeze } from "./boundaries.ts";

const { [FAULT_VARIABLES.freeze]: freezeJson = "{}", [FAULT_VARIABLES.deaths]: deathsFile = "" } = process.env;
// Written by the test that started this process.
const { heldRequests = 0 } = JSON.parse(freezeJson) as Partial<Freeze>;

const held: AttemptName[] = [];
const gate = Promise.withResolvers<void>();
let isThawed = false;

/**
 * Holds requests until enough are held to freeze the process with all of them. After the thaw they go on with the first
 * renewal of the lease: then nothing but its term tells that somebody may have taken over.
 */
export async function holdRequest(attempt: AttemptName): Promise<void> {
  if (isThawed || heldRequests === 0) return;
  held.push(attempt);
  if (held.length === heldRequests) {
    const freeze: Death = { boundary: "frozen", attempts: held };
    appendFileSync(deathsFile, `${JSON.stringify(freeze)}\n`);
    process.kill(process.pid, "SIGSTOP");
    isThawed = true;
  }
  await gate.promise;
}

/** Lets the held requests go right after a renewal that was begun after the thaw. */
export async function openAfterRenewal(renew: () => Promise<void>): Promise<void> {
  const isNew = isThawed;
  await renew();
  if (isNew) setImmediate(gate.resolve);
}
