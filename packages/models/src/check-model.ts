import { missingProvider } from "./missing-provider.ts";
import { MODEL_NAME_FORMS, type ModelName, parseModelName } from "./model-name.ts";
import type { HostedTool, ModelIssue, ModelTool, WorkspaceBaseUrls } from "./port.ts";
import { preflight } from "./preflight/preflight.ts";
import type { Prices } from "./prices/prices.ts";
import { isKnownProvider } from "./provider-names.ts";
import type { ProvidersSettings } from "./provider-settings.ts";
import { isOpenAiOwn, toBaseUrl } from "./provider-urls.ts";
import { settingsOf } from "./settings-of.ts";
import { findToolNameCollisions } from "./tool-names.ts";

/** The providers and prices that a model is checked against. */
export interface ModelCheckContext {
  readonly providers: ProvidersSettings;
  readonly ofWorkspace?: WorkspaceBaseUrls | undefined;
  readonly prices: Prices;
  /** The current time, in ms since the epoch. */
  readonly now: number;
}

/** Finds problems with a model and its tools, without sending a request. */
export function checkModel(
  model: string,
  tools: readonly (ModelTool | HostedTool)[],
  context: ModelCheckContext,
): readonly ModelIssue[] {
  const name = parseModelName(model);
  const ofNames = checkToolNames(tools);
  if (name === undefined) {
    return [{ severity: "error", path: "model", code: "UNKNOWN_MODEL", message: MODEL_NAME_FORMS }, ...ofNames];
  }
  const { provider } = name;
  const isOwnApi = provider !== "openai" || isOpenAiOwn(toBaseUrl(provider, baseUrlOf(provider, context)));
  const ofProvider = checkProvider(name, context);
  const isKnown = ofProvider.every(({ severity }) => severity === "warning");
  return [
    ...ofProvider,
    ...(isKnown ? checkPrice(name, context) : []),
    ...ofNames,
    ...preflight(tools, { ...name, isOwnApi }),
  ];
}

const NONE: WorkspaceBaseUrls = new Map();

/**
 * Returns the base URL that requests would be sent to. A workspace's provider takes precedence, even if it sets only a
 * key.
 */
function baseUrlOf(provider: string, { providers, ofWorkspace = NONE }: ModelCheckContext): string | undefined {
  return ofWorkspace.get(provider) ?? settingsOf(providers, provider)?.baseUrl;
}

function checkProvider(
  { provider }: ModelName,
  { providers, ofWorkspace = NONE }: ModelCheckContext,
): readonly ModelIssue[] {
  if (provider === "scripted" || ofWorkspace.has(provider)) return [];
  const settings = settingsOf(providers, provider);
  if (settings !== undefined && (settings.apiKey !== undefined || !isKnownProvider(provider))) return [];
  const message = missingProvider(provider);
  return isKnownProvider(provider)
    ? [{ severity: "warning", path: "model", code: "NOT_CONFIGURED", message }]
    : [{ severity: "error", path: "model", code: "UNKNOWN_MODEL", message }];
}

function checkPrice({ provider, model }: ModelName, { prices, now }: ModelCheckContext): readonly ModelIssue[] {
  if (provider === "scripted" || prices.find(provider, model, now) !== undefined) return [];
  const message =
    `the price of ${model} of ${provider} is not known (prices of ${prices.asOf}): the cost of its executions will be ` +
    "too low and marked isPartial; set its price, or 0, in the file of YAGATE_PRICES_FILE";
  return [{ severity: "warning", path: "model", code: "PRICE_UNKNOWN", message }];
}

function checkToolNames(tools: readonly (ModelTool | HostedTool)[]): readonly ModelIssue[] {
  return findToolNameCollisions(tools.map((tool) => tool.name)).map(({ index, name, other }) => ({
    severity: "error",
    path: `tools[${index}].name`,
    code: "TOOL_NAME_CONFLICT",
    message:
      name === other
        ? `expected a name that no other tool of the agent uses; ${name} is taken`
        : `expected a name that differs from ${other} in more than case and dots, which models and providers ignore`,
  }));
}
