import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { startService } from "@yagate/example-stage/start-service";
import { createGateway, providersFromEnvironment } from "@yagate/gateway";
import { describeAgent, PAYMENT_KEY } from "./agent.ts";

/** The refund desk, running. */
export interface RefundDesk {
  readonly yagate: Yagate;
  readonly agentId: string;
  /** The provider's key, which must turn up nowhere. */
  readonly paymentKey: string;
  /** Stops everything, and removes what it left on the disk. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway and what stands in for the payment provider, on loopback.
 *
 * @param storedKey - another key than the provider expects, to see what comes of that.
 */
export async function setUp(model: string, storedKey?: string): Promise<RefundDesk> {
  const directory = await mkdtemp(join(tmpdir(), "yagate-refund-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.reverse()) await next();
  };
  try {
    const paymentKey = `pk_live_${randomBytes(16).toString("hex")}`;
    const file = new URL("payment-service.ts", import.meta.url);
    const service = await startService(file, { PAYMENT_API_KEY: paymentKey }, () => {});
    stops.push(() => service.stop());

    const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
    const gateway = createGateway({
      port: 0,
      dataDir: directory,
      apiKey,
      providers: providersFromEnvironment(process.env),
      // The stand-in listens on this machine; a real provider is on https and needs no such thing.
      allowCidrs: ["127.0.0.0/8"],
    });
    const { url } = await gateway.start();
    stops.push(() => gateway.stop());

    const yagate = new Yagate({ baseUrl: url, apiKey });
    await yagate.secrets.set(PAYMENT_KEY, { value: storedKey ?? paymentKey, hosts: [new URL(service.url).hostname] });
    const agent = await yagate.agents.create({ ...describeAgent(service.url), model });
    return { yagate, agentId: agent.id, paymentKey: storedKey ?? paymentKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
