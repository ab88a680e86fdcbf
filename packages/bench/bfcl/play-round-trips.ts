import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { type EvalReport, runEvals } from "@yagate/evals";
import { createGateway, type GatewayConfig } from "@yagate/gateway";
import { UNLIMITED_PLANS } from "../unlimited-plans.ts";
import type { BfclCase } from "./corpus.ts";
import { toRoundTrip } from "./eval-cases.ts";

const CONCURRENCY = 8;
/** Some cases have more calls than an agent may make in a turn by default. */
const limits = { maxToolCallsPerTurn: 100, maxToolIterations: 10 };

/** The result of playing cases, and those whose names the gateway does not accept. */
export interface PlayedCases {
  readonly report: EvalReport;
  readonly skipped: readonly string[];
}

/** Plays the expected calls of cases through a gateway with the model `scripted/turns`, and judges them as evals. */
export async function playRoundTrips(cases: readonly BfclCase[]): Promise<PlayedCases> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bfcl-"));
  const apiKey = `yk_${crypto.randomUUID().replaceAll("-", "")}`;
  const settings: GatewayConfig = { allowCidrs: ["127.0.0.0/8"], plans: UNLIMITED_PLANS, logLevel: "silent" };
  const gateway = createGateway({ port: 0, dataDir, apiKey, ...settings });
  const service = createServer((request, response) => {
    request.resume().once("end", () => response.end('{"result":"ok"}'));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  try {
    const handler = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    const client = new Yagate({ baseUrl: (await gateway.start()).url, apiKey });
    const trips = cases.map((one) => ({ id: one.id, trip: toRoundTrip(one, handler) }));
    const evalCases = [];
    for (const { trip } of trips) {
      if (trip === undefined) continue;
      const { tools, evalCase } = trip;
      const agent = { name: evalCase.case_id, model: "scripted/turns", tools, webhookUrls: [handler], limits };
      evalCases.push({ ...evalCase, agent: (await client.agents.create(agent)).id });
    }
    const report = await runEvals(evalCases, { client, concurrency: CONCURRENCY });
    return { report, skipped: trips.flatMap(({ id, trip }) => (trip === undefined ? [id] : [])) };
  } finally {
    await gateway.stop();
    service.close();
    service.closeAllConnections();
    await rm(dataDir, { recursive: true, force: true });
  }
}
