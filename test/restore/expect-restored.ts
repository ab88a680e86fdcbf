import { expect } from "vitest";
import { followToEnd } from "../crash/applicant.ts";
import { callHistories } from "../crash/call-history.ts";
import { GatewayProcess } from "../crash/gateway-process.ts";
import { storedEventsOf } from "../crash/stored-events.ts";
import { toolNamed } from "../crash/tools.ts";
import { brokenExecutionRules } from "../crash/verdict.ts";
import { idsOf, type Load, requestedCalls } from "./load.ts";

/**
 * Starts a gateway on a copy that was taken under load, lets it finish what the copy has unfinished, and compares.
 *
 * @param environment - leads it to the copy; the rest is as of the first gateway.
 * @param place - the copy, as `storedEventsOf` takes it.
 * @returns how many calls that the first gateway had made were made again under the same id.
 */
export async function expectRestored(
  { service, gateway: first }: Load,
  environment: Readonly<Record<string, string>>,
  place: string,
): Promise<number> {
  const arrivedBefore = new Set(service.arrivals.map(({ toolCallId }) => toolCallId));
  const countBefore = service.arrivals.length;
  const gateway = await GatewayProcess.prepare({ YAGATE_SIGNING_SECRET: first.signingSecret, ...environment });
  await gateway.start();
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  const ids = await idsOf(gateway);
  await Promise.all(ids.map((id) => followToEnd(gateway, id)));
  expect(await gateway.end("SIGTERM")).toBe(0);

  const storedEvents = await storedEventsOf(place, ids);
  expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
  const again = service.arrivals.slice(countBefore).filter(({ toolCallId }) => arrivedBefore.has(toolCallId));
  const known = new Set([...storedEvents.values()].flatMap(requestedCalls));
  // What is sent at all is in the journal that sends it, and what arrives twice is run once: the kit remembers it.
  expect(service.arrivals.slice(countBefore).filter(({ toolCallId }) => !known.has(toolCallId))).toEqual([]);
  expect([...service.results].filter(([, count]) => count > 1)).toEqual([]);
  // An attempt that the copy knows of is repeated only where its author said that repeats are safe.
  const histories = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
  const interrupted = histories.filter(({ attempts }) => attempts.some(({ end }) => end?.isInterruption === true));
  for (const { name, attempts, ends } of interrupted) {
    const isUnknown = ends[0]?.type === "tool_call.failed" && ends[0].error.code === "OUTCOME_UNKNOWN";
    expect([name, attempts.length > 1 || isUnknown]).toEqual([name, true]);
    if (!toolNamed(name).isRepeatable) expect([name, isUnknown]).toEqual([name, true]);
  }
  return new Set(again.map(({ toolCallId }) => toolCallId)).size;
}
