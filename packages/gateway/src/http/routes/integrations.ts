import {
  createIntegrationSchema,
  type FieldError,
  type Integration,
  integrationSchema,
  pageSchema,
  toWarning,
  updateIntegrationSchema,
  type Warning,
} from "@yagate/protocol";
import type { HandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { Integrations } from "../../tools/integrations/integrations.ts";
import { withWarnings } from "../../workspace-tools/with-warnings.ts";
import { namePageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface IntegrationRouteOptions {
  readonly integrations: Pick<Integrations, "create" | "get" | "list" | "update" | "delete">;
  readonly planNames: readonly string[];
  /** Checks URLs on any port against the networks of a workspace. */
  readonly urlCheckOf: (workspaceId: string) => HandlerUrlCheck;
}

export function integrationRoutes({ integrations, planNames, urlCheckOf }: IntegrationRouteOptions): readonly Route[] {
  const tag = "integrations";

  /** Rejects limits for a plan that does not exist. Without this check, such limits would be saved but never apply. */
  function assertPlans(limits: object | null | undefined): void {
    const errors: FieldError[] = Object.keys(limits ?? {})
      .filter((plan) => !planNames.includes(plan))
      .map((plan) => ({
        path: `limits.${plan}`,
        code: "UNKNOWN_PLAN",
        message: `expected a plan of this gateway: ${planNames.join(", ")}`,
      }));
    if (errors.length > 0) throw new InvalidRequestError(errors);
  }

  /**
   * Warns about domains to which the egress guard blocks every request on every port. They have no effect until the
   * operator allowlists their network.
   */
  async function warningsOf(workspaceId: string, { allowedDomains, ports }: Integration): Promise<readonly Warning[]> {
    const warnings: Warning[] = [];
    const problemOf = urlCheckOf(workspaceId);
    for (const [index, domain] of allowedDomains.entries()) {
      const host = domain.includes(":") ? `[${domain}]` : domain.replace("*", "any");
      const problems = await Promise.all(ports.map((port) => problemOf(`https://${host}:${port}/`)));
      const [problem] = problems;
      if (problem === undefined || problems.includes(undefined)) continue;
      const message =
        `every request to ${domain} will be blocked: ${problem}; use a public host, or ask the operator to allowlist its ` +
        "network with YAGATE_ALLOW_CIDRS";
      warnings.push(toWarning("DOMAIN_ALWAYS_BLOCKED", `allowedDomains[${index}]`, message));
    }
    return warnings;
  }

  return [
    defineRoute({
      name: "createIntegration",
      method: "post",
      path: "/v1/integrations",
      summary: "Create an integration",
      description:
        "An integration is a named list of domains. Agents that enable it by its name may reach those domains.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: createIntegrationSchema,
      status: 201,
      response: integrationSchema,
      async handle({ principal, recorder, body }) {
        assertPlans(body.limits);
        const { workspaceId } = principal;
        const created = await integrations.create(workspaceId, body, recorder);
        return { status: 201, body: withWarnings(created, await warningsOf(workspaceId, created)) };
      },
    }),
    defineRoute({
      name: "listIntegrations",
      method: "get",
      path: "/v1/integrations",
      summary: "List integrations by name",
      description: "Returns the integrations of the workspace in alphabetical order.",
      tag,
      scopes: ["tools"],
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(integrationSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await integrations.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      name: "getIntegration",
      method: "get",
      path: "/v1/integrations/:name",
      summary: "Get an integration",
      description: "Returns the domains, ports and limits of the integration.",
      tag,
      scopes: ["tools"],
      status: 200,
      response: integrationSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await integrations.get(principal.workspaceId, params["name"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateIntegration",
      method: "patch",
      path: "/v1/integrations/:name",
      summary: "Update an integration",
      description:
        "The change applies to all later calls. Omitted fields keep their values. Send `version` to get `CONFLICT` if the integration has changed since you read it.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: updateIntegrationSchema,
      status: 200,
      response: integrationSchema,
      async handle({ principal, recorder, params, body }) {
        assertPlans(body.limits);
        const { workspaceId } = principal;
        const updated = await integrations.update(workspaceId, params["name"] ?? "", body, recorder);
        return { status: 200, body: withWarnings(updated, await warningsOf(workspaceId, updated)) };
      },
    }),
    defineRoute({
      name: "deleteIntegration",
      method: "delete",
      path: "/v1/integrations/:name",
      summary: "Delete an integration",
      description: "Agents that enable it are not changed, but can no longer reach its domains.",
      tag,
      scopes: ["tools"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        await integrations.delete(principal.workspaceId, params["name"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}
