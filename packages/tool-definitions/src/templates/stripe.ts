import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const limit = inQuery("limit", "integer", "Results per page.", { schema: { minimum: 1, maximum: 100 } });

export const stripe: ApiTemplate = {
  id: "stripe",
  service: "Stripe",
  title: "Customers and refunds",
  source: "https://docs.stripe.com/api",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.stripe.com"],
    setup: "A restricted API key with the permissions that the tools need. To try the tools, use a test key.",
  },
  settings: [],
  tools: [
    {
      name: "stripe.list_customers",
      description: "Lists customers, the newest first.",
      method: "GET",
      url: "https://api.stripe.com/v1/customers",
      parameters: [
        inQuery("email", "string", "Returns only customers with exactly this e-mail address; case-sensitive."),
        limit,
        inQuery("starting_after", "string", "Id of the last customer on the previous page."),
      ],
    },
    {
      name: "stripe.get_customer",
      description: "Reads one customer.",
      method: "GET",
      url: "https://api.stripe.com/v1/customers/{customer}",
      parameters: [inPath("customer", "Id of the customer, such as cus_….")],
    },
    {
      name: "stripe.create_customer",
      description: "Creates a customer.",
      method: "POST",
      url: "https://api.stripe.com/v1/customers",
      bodyFormat: "form",
      sideEffect: "non_idempotent_write",
      parameters: [
        inBody("email", "string", "E-mail address."),
        inBody("name", "string", "Full name or business name."),
        inBody("description", "string", "Note that is visible only in the account."),
        inBody("metadata", "object", "Your own names and values.", {
          schema: { additionalProperties: { type: "string" } },
        }),
      ],
    },
    {
      name: "stripe.create_refund",
      description: "Refunds a payment, fully or partially.",
      method: "POST",
      url: "https://api.stripe.com/v1/refunds",
      bodyFormat: "form",
      sideEffect: "destructive",
      warnings: [{ severity: "warning", message: "Amounts are in the smallest unit of the currency, such as cents." }],
      parameters: [
        inBody("payment_intent", "string", "Id of the payment, such as pi_….", { required: true }),
        inBody("amount", "integer", "Amount to refund. Default: the entire remaining amount.", {
          schema: { minimum: 1 },
        }),
        inBody("reason", "string", "Reason for the refund.", {
          schema: { enum: ["duplicate", "fraudulent", "requested_by_customer"] },
        }),
      ],
    },
  ],
};
