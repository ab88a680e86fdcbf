import { randomBytes } from "node:crypto";
import { openDesk } from "@yagate/example-stage/open-desk";
import { startService } from "@yagate/example-stage/start-service";
import { describeAgent, PAYMENT_KEY } from "./agent.ts";

// The stand-in listens on this machine. A real provider uses https and does not need this setting.
const ON_LOOPBACK = { allowCidrs: ["127.0.0.0/8"] };

/**
 * Starts a gateway and a stand-in for the payment provider, on loopback.
 *
 * @param storedKey - a key that the provider does not expect, to show what happens then.
 */
export function setUp(model: string, storedKey?: string) {
  return openDesk("refund", ON_LOOPBACK, async ({ yagate, onStop }) => {
    const expectedKey = `pk_live_${randomBytes(16).toString("hex")}`;
    const file = new URL("payment-service.ts", import.meta.url);
    const service = await startService(file, { PAYMENT_API_KEY: expectedKey }, () => {});
    onStop(() => service.stop());

    // The provider's key, which must not appear anywhere.
    const paymentKey = storedKey ?? expectedKey;
    await yagate.secrets.set(PAYMENT_KEY, { value: paymentKey, hosts: [new URL(service.url).hostname] });
    const agent = await yagate.agents.create({ ...describeAgent(service.url), model });
    return { agentId: agent.id, paymentKey };
  });
}
