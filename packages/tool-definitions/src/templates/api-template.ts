import type { RestDefinition, RestParameter, SecretAuth } from "@yagate/protocol";

/** The credential that an API requires. */
export interface TemplateCredential {
  readonly auth: SecretAuth;
  /** Hosts to which the secret may be sent: all hosts of the template's tools. */
  readonly hosts: readonly string[];
  /** What the secret's value is, and where to find it. */
  readonly setup: string;
}

/** A parameter whose value differs between users. It gets a fixed value when the template is installed. */
export interface TemplateSetting {
  readonly parameter: string;
  readonly description: string;
}

/** Predefined tools for one public API. */
export interface ApiTemplate {
  /** Unique id in lower case. */
  readonly id: string;
  /** Name of the service. */
  readonly service: string;
  /** Purpose of the tools in a few words. */
  readonly title: string;
  /** URL of the documentation on which the definitions are based. */
  readonly source: string;
  /** The credential; null for an API that requires none. */
  readonly credential: TemplateCredential | null;
  readonly settings: readonly TemplateSetting[];
  /** The tools, without a credential, which is chosen at installation. */
  readonly tools: readonly RestDefinition[];
}

type More = Partial<Omit<RestParameter, "name" | "in" | "type" | "description">>;
type Type = RestParameter["type"];

/** Declares a string in the path. */
export function inPath(name: string, description: string): RestParameter {
  return { name, in: "path", type: "string", description };
}

/** Declares a query parameter, optional unless `more` says otherwise. */
export function inQuery(name: string, type: Type, description: string, more: More = {}): RestParameter {
  return { name, in: "query", type, description, ...more };
}

/** Declares a body field, optional unless `more` says otherwise. */
export function inBody(name: string, type: Type, description: string, more: More = {}): RestParameter {
  return { name, in: "body", type, description, ...more };
}

/** Declares a header that is the same in every call. */
export function fixedHeader(wireName: string, value: string): RestParameter {
  return { name: wireName.toLowerCase().replaceAll("-", "_"), wireName, in: "header", type: "string", value };
}

/** Declares a query parameter that is the same in every call. */
export function fixedQuery(name: string, value: string): RestParameter {
  return { name, in: "query", type: "string", value };
}
