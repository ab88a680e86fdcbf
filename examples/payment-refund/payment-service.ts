import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Stands in for a payment provider: it expects a key in a header, and makes one refund for each idempotency key. */
const API_KEY = process.env["PAYMENT_API_KEY"] ?? "";

const payments = new Map([
  ["pay_1001", { id: "pay_1001", amount: 4_900, refunded: 0, currency: "eur" }],
  ["pay_1002", { id: "pay_1002", amount: 12_000, refunded: 12_000, currency: "eur" }],
]);
const refunds = new Map<string, { readonly status: number; readonly body: unknown }>();

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://service");
  if (request.headers.authorization !== `Bearer ${API_KEY}`) {
    // This API repeats the key that it received. The gateway redacts it before the model or the record gets the
    // response.
    return answer(response, 401, { error: `invalid key: ${request.headers.authorization ?? "none"}` });
  }
  const payment = payments.get(/^\/v1\/payments\/([^/]+)$/.exec(pathname)?.[1] ?? "");
  if (request.method === "GET" && payment !== undefined) return answer(response, 200, payment);
  if (request.method === "POST" && pathname === "/v1/refunds") {
    const { status, body } = await refund(request);
    return answer(response, status, body);
  }
  answer(response, 404, { error: "no such payment" });
});

async function refund(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { payment: id, amount } = JSON.parse(Buffer.concat(chunks).toString());
  const key = `${id}:${amount}`;
  const known = refunds.get(key);
  if (known !== undefined) return known;
  const outcome = tryRefund(id, amount);
  if (outcome.status === 201) refunds.set(key, outcome);
  return outcome;
}

function tryRefund(id: string, amount: number): { readonly status: number; readonly body: unknown } {
  const payment = payments.get(id);
  if (payment === undefined) return { status: 404, body: { error: "no such payment" } };
  const left = payment.amount - payment.refunded;
  if (amount > left) return { status: 422, body: { error: "more than is left of the payment", left } };
  payment.refunded += amount;
  return { status: 201, body: { id: `re_${id.slice(4)}`, payment: id, amount, left: left - amount } };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`listening on http://127.0.0.1:${address.port}`);
});
