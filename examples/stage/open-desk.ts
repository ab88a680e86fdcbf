import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { createGateway, type GatewayConfig, providersFromEnvironment } from "@yagate/gateway";

/** A gateway on loopback while an example sets it up. */
export interface Desk {
  readonly yagate: Yagate;
  /** The gateway's URL. */
  readonly url: string;
  /** Returns the secret with which the gateway signs the calls of handlers. */
  revealSigningSecret(): Promise<string>;
  /** Registers a function to call when the desk closes. Functions are called in reverse order. */
  onStop(end: () => Promise<unknown>): void;
}

/** Something that runs until it is stopped. */
export interface Running {
  /** Stops everything, and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway with an empty data directory and sets it up. If either step fails, everything that has started is
 * stopped.
 */
export async function openDesk<Furniture extends object>(
  name: string,
  config: GatewayConfig,
  furnish: (desk: Desk) => Promise<Furniture>,
): Promise<Furniture & Running & Pick<Desk, "yagate">> {
  const directory = await mkdtemp(join(tmpdir(), `yagate-${name}-`));
  const ends: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const onStop = (end: () => Promise<unknown>) => void ends.push(end);
  const stop = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
    const providers = providersFromEnvironment(process.env);
    const gateway = createGateway({ port: 0, dataDir: directory, apiKey, providers, ...config });
    const { url } = await gateway.start();
    onStop(() => gateway.stop());
    const yagate = new Yagate({ baseUrl: url, apiKey });
    return {
      ...(await furnish({ yagate, url, onStop, revealSigningSecret: () => gateway.revealSigningSecret() })),
      yagate,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
