import { keySetSchema, type Receipt, receiptQuerySchema, receiptSchema } from "@yagate/protocol";
import type { ReceiptService } from "../../receipts/receipt-service.ts";
import { receiptText } from "../../receipts/receipt-text.ts";
import { prefersText } from "../requests/text-preference.ts";
import { defineRoute, type Route } from "../route.ts";

/** How long a key set may be kept: it changes when an operator adds or takes away a master key. */
const KEY_SET_MAX_AGE_SECONDS = 300;

export interface ReceiptRouteOptions {
  readonly receipts: ReceiptService;
  /** Told of each receipt whose record is not as it was sealed. */
  readonly onUnverified: (executionId: string, difference: NonNullable<Receipt["difference"]>) => void;
}

export function receiptRoutes({ receipts, onUnverified }: ReceiptRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "getReceipt",
      method: "get",
      path: "/v1/executions/:id/receipt",
      summary: "What an execution did, in plain words, and whether its record is as it was written",
      description:
        "Tells in sentences what the execution did, from a record whose entries are chained by hashes. The receipt of an ended execution is signed; `GET /.well-known/jwks/{workspaceId}.json` has the keys. With `Accept: text/plain` or `format=text` the response is text.",
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
      summary: "The public keys that a workspace's receipts are verified with",
      description: "Open to everybody, so that others can verify a receipt.",
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
