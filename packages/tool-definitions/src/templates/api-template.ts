import type { RestDefinition, RestParameter, SecretAuth } from "@yagate/protocol";

/** The credential that an API requires. */
export interface TemplateCredential {
  readonly auth: SecretAuth;
  /** Hosts that the secret may be sent to: all hosts of the template's tools. */
  readonly hosts: readonly string[];
  /** What the secret's value is and where to find it. */
  readonly setup: string;
}

/** A parameter with one value per user, to be fixed when the template is installed. */
export interface TemplateSetting {
  readonly parameter: string;
  readonly description: string;
}

/** Ready definitions for one public API. */
export interface ApiTemplate {
  /** Unique; lower case. */
  readonly id: string;
  /** Name of the service. */
  readonly service: string;
  /** Purpose of the tools in a few words. */
  readonly title: string;
  /** URL of the documentation that the definitions follow. */
  readonly source: string;
  /** Null for an API that needs no key. */
  readonly credential: TemplateCredential | null;
  readonly settings: readonly TemplateSetting[];
  /** Without a credential, which is named at installation. */
  readonly tools: readonly RestDefinition[];
}

type More = Partial<Omit<RestParameter, "name" | "in" | "type" | "description">>;
type Type = RestParameter["type"];

/** A string in the path. */
export function inPath(name: string, description: string): RestParameter {
  return { name, in: "path", type: "string", description };
}

/** A query parameter, optional unless `more` says otherwise. */
export function inQuery(name: string, type: Type, description: string, more: More = {}): RestParameter {
  return { name, in: "query", type, description, ...more };
}

/** A body field, optional unless `more` says otherwise. */
export function inBody(name: string, type: Type, description: string, more: More = {}): RestParameter {
  return { name, in: "body", type, description, ...more };
}

/** A header that is the same in every call. */
export function fixedHeader(wireName: string, value: string): RestParameter {
  return { name: wireName.toLowerCase().replaceAll("-", "_"), wireName, in: "header", type: "string", value };
}

/** A query parameter that is the same in every call. */
export function fixedQuery(name: string, value: string): RestParameter {
  return { name, in: "query", type: "string", value };
}
