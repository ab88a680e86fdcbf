import {
  type JsonObject,
  type JsonValue,
  type RestDefinition,
  type RestParameter,
  YagateError,
} from "@yagate/protocol";
import type { RenderedRequest, RequestTemplate } from "../request/port.ts";
import type { TextBudget } from "../request/request-limits.ts";
import { createRequestBudgets, withinRequestLimits } from "../request/request-limits.ts";
import { encodedText, formPairs, isStableSegment, joinPairs, queryPairs, refused, wireText } from "./encode-pairs.ts";
import { createAllowedCheck, type IsAllowed, isBodyOptional, isFixed, wireNameOf } from "./rest-parameters.ts";
import { parseRestUrl, type RestUrl } from "./rest-url.ts";

interface CompiledParameter {
  readonly parameter: RestParameter;
  readonly isAllowed: IsAllowed;
}

/** A parameter with its value in this call. */
interface ParameterValue {
  readonly parameter: RestParameter;
  readonly value: JsonValue;
}

const PRINTABLE = /^[\t\x20-\x7e]*$/;
/** Methods for which APIs expect a body even if all of its fields are optional. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Creates the template that renders the request of a REST tool from the arguments of a call. Fixed parameters are
 * merged last, so that no argument replaces them; arguments without a parameter are ignored. The template does not
 * contain the credential, which is added later as its authentication scheme requires.
 *
 * @param definition - a definition in which `checkRestTool` found no error.
 * @throws YagateError `INTERNAL` for an unchecked URL.
 */
export function compileRestTool(definition: RestDefinition): RequestTemplate {
  const parsed = parseRestUrl(definition.url);
  if (!("url" in parsed)) throw new YagateError("INTERNAL", "expected a url that was checked when the tool was saved");
  const { url } = parsed;
  const parameters = definition.parameters.map((parameter) => ({
    parameter,
    isAllowed: createAllowedCheck(parameter),
  }));
  // If several values have the same name, the last one is used.
  const inOrder = [
    ...parameters.filter(({ parameter }) => !isFixed(parameter)),
    ...parameters.filter(({ parameter }) => isFixed(parameter)),
  ];
  return {
    secretNames: [],
    render: (values) =>
      withinRequestLimits(
        render(
          definition,
          url,
          inOrder.flatMap((one) => given(one, values)),
        ),
      ),
  };
}

/** Returns a parameter with its value in this call; an empty list if the call omits the parameter. */
function given({ parameter, isAllowed }: CompiledParameter, values: JsonObject): readonly ParameterValue[] {
  if (parameter.value !== undefined) return [{ parameter, value: parameter.value }];
  const value = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
  if (value === undefined) return [];
  if (!isAllowed(value)) throw refused(parameter.name, "must be one of the allowed values");
  return [{ parameter, value }];
}

function render(definition: RestDefinition, url: RestUrl, values: readonly ParameterValue[]): RenderedRequest {
  const { method, bodyFormat } = definition;
  const budgets = createRequestBudgets();
  const path = renderRestPath(url, byWireName(ofPlace(values, "path")), budgets.url);
  const encoded = [...byWireName(ofPlace(values, "query")).values()].map(({ parameter, value }) => ({
    parameter,
    pairs: queryPairs(parameter, value, budgets.url),
  }));
  const query = [url.search.slice(1), joinPairs(encoded)].filter((part) => part !== "").join("&");
  const headers = Object.fromEntries(ofPlace(values, "header").map(toHeader));
  const body = hasBody(definition, values) ? renderBody(bodyFormat, ofPlace(values, "body"), budgets.body) : undefined;
  const request = { method, url: stableUrl(url.origin, path, query) };
  if (body === undefined) return { ...request, headers };
  const type = bodyFormat === "form" ? "application/x-www-form-urlencoded" : "application/json";
  return { ...request, headers: { "content-type": type, ...headers }, body };
}

function ofPlace(values: readonly ParameterValue[], place: RestParameter["in"]): readonly ParameterValue[] {
  return values.filter(({ parameter }) => parameter.in === place);
}

function byWireName(values: readonly ParameterValue[]): ReadonlyMap<string, ParameterValue> {
  return new Map(values.map((one) => [wireNameOf(one.parameter), one]));
}

function toHeader({ parameter, value }: ParameterValue): readonly [string, string] {
  const { name } = parameter;
  const text = Array.isArray(value) ? value.map((item) => wireText(item, name)).join(", ") : wireText(value, name);
  if (!PRINTABLE.test(text)) throw refused(name, "must be printable ASCII: it is sent as a header");
  return [wireNameOf(parameter).toLowerCase(), text];
}

function hasBody(definition: RestDefinition, values: readonly ParameterValue[]): boolean {
  if (ofPlace(values, "body").length > 0) return true;
  const { method, parameters } = definition;
  if (!WITH_BODY.has(method) || isBodyOptional(definition)) return false;
  return parameters.some((parameter) => parameter.in === "body");
}

function renderBody(
  format: RestDefinition["bodyFormat"],
  values: readonly ParameterValue[],
  budget: TextBudget,
): JsonValue {
  const fields = byWireName(values);
  if (format === "form") {
    const fieldPairs = ({ parameter, value }: ParameterValue) => ({
      parameter,
      pairs: formPairs(parameter, value, budget),
    });
    return joinPairs([...fields.values()].map(fieldPairs));
  }
  return Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
}

/**
 * Returns the URL in normal form.
 * @throws YagateError `INVALID_ARGUMENTS` if parsing changes its origin or path.
 */
function stableUrl(origin: string, path: string, query: string): string {
  const url = URL.parse(`${origin}${path}${query === "" ? "" : `?${query}`}`);
  if (url === null || url.origin !== origin || url.pathname !== (path === "" ? "/" : path) || url.hash !== "") {
    throw new YagateError("INVALID_ARGUMENTS", "the arguments change the destination of the url: correct them");
  }
  return url.href;
}

/** A path parameter with its value. */
interface PathValue {
  readonly parameter: RestParameter;
  readonly value: JsonValue;
}

/**
 * Renders the path of one call. Each value stays within one segment, whatever it contains. Errors from the budget are
 * passed on.
 *
 * @param values - values by their names in the path.
 * @param budget - the size that remains for the URL.
 * @throws YagateError `INVALID_ARGUMENTS` for a missing or empty value, or for a segment that a URL parser removes.
 */
function renderRestPath({ segments }: RestUrl, values: ReadonlyMap<string, PathValue>, budget: TextBudget): string {
  return segments
    .map((pieces) => {
      let last = "the path";
      const segment = pieces
        .map((piece) => {
          if ("text" in piece) return piece.text;
          last = values.get(piece.parameter)?.parameter.name ?? piece.parameter;
          const text = encodedValue(values.get(piece.parameter), last);
          budget.spend(text.length);
          return text;
        })
        .join("");
      if (!isStableSegment(segment)) throw refused(last, "must not be . or ..: it is part of the path");
      return segment;
    })
    .join("/");
}

function encodedValue(given: PathValue | undefined, name: string): string {
  const text = given === undefined ? "" : encodedText(given.value, name);
  if (text === "") throw refused(name, "must not be empty: it is part of the path");
  return text;
}
