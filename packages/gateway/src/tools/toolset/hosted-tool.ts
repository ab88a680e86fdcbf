import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { parseSite } from "@yagate/lib/hosts/site-filter";
import { defined } from "@yagate/lib/objects/defined";
import { riskOf } from "@yagate/lib/tools/risk-of";
import {
  type AgentPolicy,
  type BuiltinToolDefinition,
  type CompleteToolDefinition,
  type FieldError,
  isBuiltinTool,
  toFieldErrors,
} from "@yagate/protocol";
import * as z from "zod";
import { authorise } from "../../policy/authorise.ts";
import { primitiveOf } from "../http/primitives/primitives.ts";
import type { HostedTool } from "../port.ts";

const domains = z
  .array(
    z
      .stringFormat(
        "domain",
        (text) => parseSite(text) !== undefined,
        "expected a domain such as example.com, without scheme, path or asterisk",
      )
      .overwrite((text) => parseSite(text) ?? text),
  )
  .min(1)
  .max(100)
  .optional();

/** The `config` of a `web_search` that the model's provider runs itself. */
const hostedSearchSchema = z
  .strictObject({
    providerHosted: z.literal(true),
    maxUses: z.int().min(1).max(100).optional(),
    allowedDomains: domains,
    blockedDomains: domains,
  })
  .refine(
    ({ allowedDomains, blockedDomains }) => allowedDomains === undefined || blockedDomains === undefined,
    "expected either allowedDomains or blockedDomains",
  );

/** Checks whether a built-in tool is configured as a provider-run tool. */
export function wantsHosting({ builtin, config }: BuiltinToolDefinition): boolean {
  return (
    primitiveOf(builtin) === undefined && config?.["providerHosted"] !== undefined && config["providerHosted"] !== false
  );
}

/** Parses a provider-run tool, or returns the problems with its configuration. */
export function parseHostedTool(
  { builtin, config }: BuiltinToolDefinition,
  path: string,
): { readonly tool: HostedTool } | { readonly problems: readonly FieldError[] } {
  const name = resolveBuiltinName(builtin) ?? builtin;
  if (name !== "web_search") {
    const message = `expected web_search; list an intent such as url.fetch for other tools that providers run`;
    return { problems: [{ path: `${path}.config.providerHosted`, code: "HOSTED_TOOL_UNSUPPORTED", message }] };
  }
  return parseHostedConfig({ hosted: "web_search", name }, config, path);
}

/** Parses the settings of a provider-run tool, or returns the problems with them. */
export function parseHostedConfig(
  tool: Pick<HostedTool, "hosted" | "name">,
  config: BuiltinToolDefinition["config"],
  path: string,
): { readonly tool: HostedTool } | { readonly problems: readonly FieldError[] } {
  const parsed = hostedSearchSchema.safeParse(config);
  if (!parsed.success) {
    const place = (at: string) => (at === "" ? `${path}.config` : `${path}.config.${at}`);
    return { problems: toFieldErrors(parsed.error).map((error) => ({ ...error, path: place(error.path) })) };
  }
  const { maxUses, allowedDomains, blockedDomains } = parsed.data;
  return { tool: { ...tool, ...defined({ maxUses, allowedDomains, blockedDomains }) } };
}

/**
 * Returns the provider-run tools of an agent. Omits those that the policy denies or for which it requires an approval:
 * the gateway cannot stop their calls, so it can only withhold the tools from the model.
 */
export function hostedToolsOf(
  tools: readonly CompleteToolDefinition[],
  policy: AgentPolicy,
  builtins: ReadonlyMap<string, BuiltinTool>,
): readonly HostedTool[] {
  return tools.flatMap((definition) => {
    if (!isBuiltinTool(definition) || !wantsHosting(definition)) return [];
    const parsed = parseHostedTool(definition, "");
    const builtin = "tool" in parsed ? builtins.get(parsed.tool.name) : undefined;
    if (!("tool" in parsed) || builtin === undefined) return [];
    const { decision } = authorise(policy, { kind: builtin.kind, risk: riskOf(builtin), isOnByListing: true });
    return decision === "allowed" ? [parsed.tool] : [];
  });
}
