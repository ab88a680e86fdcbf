import type { AgentDefinition } from "@yagate/client";

/** The name of the secret that contains the payment provider's key. */
export const PAYMENT_KEY = "PAYMENT_API_KEY";

const headers = { authorization: `Bearer \${secrets.${PAYMENT_KEY}}` };
const payment = {
  type: "string",
  pattern: "^pay_[0-9]+$",
  description: "the payment's number, such as pay_1001",
} as const;

/** @param api - the base URL of the payment provider's API. */
export function describeAgent(api: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Refund desk",
    systemPrompt: "You look payments up and refund them. Amounts are in cents.",
    policy: { network: true },
    tools: [
      {
        name: "find_payment",
        description: "Look a payment up: its amount, and how much of it was refunded, in cents.",
        parameters: { type: "object", properties: { payment }, required: ["payment"], additionalProperties: false },
        // A parameter is always one segment of the path, whatever it contains.
        implementation: {
          primitive: "http_request",
          args: { method: "GET", url: `${api}/v1/payments/\${payment}`, headers },
        },
      },
      {
        name: "refund_payment",
        description: "Refund a part of a payment, or all of it.",
        parameters: {
          type: "object",
          properties: {
            payment,
            amount: { type: "integer", minimum: 1, maximum: 50_000, description: "how much to refund, in cents" },
          },
          required: ["payment", "amount"],
          additionalProperties: false,
        },
        implementation: {
          primitive: "http_request",
          args: {
            method: "POST",
            url: `${api}/v1/refunds`,
            headers,
            // The amount stays a number, because the placeholder is the entire value. The other values are fixed.
            body: { payment: "${payment}", amount: "${amount}", reason: "requested_by_customer" },
          },
        },
        // The provider refunds the same payment and amount only once, so a call may be sent again after a crash.
        sideEffect: "idempotent_write",
      },
    ],
  };
}
