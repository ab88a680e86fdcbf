import { keySetSchema, type Receipt, receiptQuerySchema, receiptSchema } from "@yagate/protocol";
import type { ReceiptService } from "@yagate/receipts/receipt-service";
import { receiptText } from "@yagate/receipts/receipt-text";
import { prefersText } from "../requests/request-preferences.ts";
import { defineRoute, type Route } from "../route.ts";

/**
 * How long clients may cache a key set, in seconds. The key set changes when an operator adds or removes a master key.
 */
const KEY_SET_MAX_AGE_SECONDS = 300;

export interface ReceiptRouteOptions {
  readonly receipts: ReceiptService;
  /** Called for each receipt whose stored record differs from the sealed one. */
  readonly onUnverified: (executionId: string, difference: NonNullable<Receipt["difference"]>) => void;
}

export function receiptRoutes({ receipts, onUnverified }: ReceiptRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "getReceipt",
      method: "get",
      path: "/v1/executions/:id/receipt",
      summary: "Get an execution's receipt",
      description:
        "Describes in sentences what the execution did, and verifies that its record has not changed since it was written: a hash chain connects its entries. The receipt of an ended execution is signed with a key from `GET /.well-known/jwks/{workspaceId}.json`. With `Accept: text/plain` or `format=text`, the response is plain text.",
      tag: "executions",
      scopes: ["executions"],
      query: receiptQuerySchema,
      headers: { Accept: "text/plain: the receipt as text" },
      isText: true,
      isLargeRead: true,
      status: 200,
      response: receiptSchema,
      async handle({ principal, params, query, headers }) {
        const { workspaceId } = principal;
        const id = params["id"] ?? "";
        const tell = ({ executionId, difference }: Receipt) => {
          if (difference !== null) onUnverified(executionId, difference);
        };
        if (query.format === undefined ? prefersText(headers.accept) : query.format === "text") {
          const receipt = await receipts.receipt(workspaceId, id);
          tell(receipt);
          return { status: 200, text: receiptText(receipt) };
        }
        const { receipt, json } = await receipts.receiptAndJson(workspaceId, id);
        tell(receipt);
        return { status: 200, text: json, headers: { "Content-Type": "application/json" } };
      },
    }),
    defineRoute({
      name: "getKeySet",
      method: "get",
      path: "/.well-known/jwks/:workspaceId.json",
      summary: "Get the public keys for a workspace's receipts",
      description: "Requires no API key, so that third parties can verify a receipt.",
      tag: "operations",
      scopes: null,
      status: 200,
      response: keySetSchema,
      handle: async ({ params }) => ({
        status: 200,
        body: await receipts.keySet(params["workspaceId"] ?? ""),
        headers: { "Cache-Control": `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` },
      }),
    }),
  ];
}
