import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { argumentsHash, type RecordedResult, type Recording } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const TURNS = 150;
/** The model turns after which the gateway is killed. */
const KILLS = [20, 60, 110];

/** A service that no recorded call may reach. */
async function startSilentService() {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    response.end('{"result":"live"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** One call a turn; every third one with the same arguments, and every fifth one fails. */
async function makeRecording(): Promise<Recording> {
  const calls = Array.from({ length: TURNS }, (_value, at) => ({ step: at % 3 === 0 ? 0 : at }));
  const seen = new Map<number, number>();
  const toolResults: RecordedResult[] = [];
  for (const [at, parameters] of calls.entries()) {
    const occurrence = (seen.get(parameters.step) ?? 0) + 1;
    seen.set(parameters.step, occurrence);
    const key = { name: "work", argumentsHash: await argumentsHash(parameters), occurrence };
    const error = { code: "BUSY", message: "busy", retryable: false, outcome: "none", source: "handler" } as const;
    toolResults.push(at % 5 === 4 ? { ...key, error } : { ...key, result: at });
  }
  const modelTurns = calls.map((parameters) => ({ toolCalls: [{ name: "work", parameters }] }));
  return { modelTurns: [...modelTurns, { text: "done" }], toolResults };
}

async function killDuringRecordedRun(environment: Readonly<Record<string, string>>): Promise<void> {
  const service = await startSilentService();
  const recording = await makeRecording();
  const gateway = await GatewayProcess.prepare(environment);
  await gateway.start();
  const { client } = gateway;
  const agent = await client.agents.create({
    name: "Recorded",
    model: "anthropic/claude-sonnet-4",
    webhookUrls: [service.url],
    tools: [
      {
        ...{ name: "work", description: "Works.", handler: service.url, sideEffect: "non_idempotent_write" },
        parameters: { type: "object", properties: { step: { type: "integer" } } },
      },
    ],
    limits: { maxToolIterations: TURNS + 10, maxSameToolRetries: 100 },
  });
  const { id } = await client.agents.start(agent.id, { input: "go", recording });
  await expectRecorded(gateway, id, KILLS);
  // A replay copies the model turns before, and continues with the outcomes of the record.
  const replay = await client.executions.replay(id, { fromTurn: 100 });
  await expectRecorded(gateway, replay.id, [50, 120]);
  expect(service.arrivals).toEqual([]);
  expect(gateway.defects).toEqual([]);
}

/** Kills the gateway after these model turns of an execution, and expects its complete record at the end. */
async function expectRecorded(gateway: GatewayProcess, id: string, kills: readonly number[]): Promise<void> {
  const { client } = gateway;
  let turns = 0;
  let lastEventId = 0;
  for (const kill of kills) {
    const stream = client.executions.events(id, { lastEventId });
    for await (const event of stream) {
      if (event.type !== "text.delta") lastEventId = event.seq;
      if (event.type === "model.responded") turns += 1;
      if (turns >= kill) break;
    }
    await gateway.kill();
    await gateway.start();
  }
  const events = await followToEnd(gateway, id);
  expect(events.at(-1)).toMatchObject({ type: "execution.completed", output: { text: "done" } });
  const calls = await client.executions.toolCalls(id).toArray();
  expect(calls.map(({ status, via, result, error }) => [status, via, error?.code ?? result])).toEqual(
    Array.from({ length: TURNS }, (_value, at) =>
      // Only results say where they come from.
      at % 5 === 4 ? ["failed", undefined, "BUSY"] : ["completed", "recording", at],
    ),
  );
  expect(await client.executions.get(id)).toMatchObject({ mode: "recorded", cost: { usd: 0, credits: 0 } });
  const { verified, isFinal, difference } = await client.executions.receipt(id);
  expect({ verified, isFinal, difference }).toEqual({ verified: true, isFinal: true, difference: null });
}

describe("a gateway that is killed during an execution with a recording", () => {
  it("continues with the recorded outcomes and sends nothing, on SQLite", { timeout: 300_000 }, () =>
    killDuringRecordedRun({}),
  );

  it.skipIf(!hasPostgres())("continues in the same way on PostgreSQL", { timeout: 300_000 }, async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    await killDuringRecordedRun({ DATABASE_URL: await server.createDatabase() });
  });
});
