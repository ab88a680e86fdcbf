import type { RestDefinition, SecretAuth } from "@yagate/protocol";

/** The authentication that an API requires. */
export interface ProposedAuth {
  /** Name of the security scheme in the document. */
  readonly scheme: string;
  readonly auth: SecretAuth;
  /** The host that the secret is for. */
  readonly host: string;
  /** A description of the secret's value. */
  readonly setup: string;
}

/** A draft tool from one operation, for a person to review. */
export interface OpenApiDraft {
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly definition: RestDefinition;
  /** The secret to create and name as the definition's credential; null if the document requires none. */
  readonly auth: ProposedAuth | null;
  /** The security requirements, see {@link ListedOperation}. */
  readonly security: readonly SecurityAlternative[];
  /** What the conversion omitted or changed. */
  readonly notes: readonly string[];
}

/** The required scopes of each security scheme that a request needs; empty without authentication. */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>;

/** An operation as described in the document. */
export interface ListedOperation {
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** The alternatives, of which one suffices; empty without authentication. */
  readonly security: readonly SecurityAlternative[];
}

export interface OpenApiListing {
  readonly title: string;
  readonly operations: readonly ListedOperation[];
  readonly skipped: readonly SkippedOperation[];
}

/** An operation that could not become a definition. */
export interface SkippedOperation {
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** JSON pointer of the place in the document. */
  readonly path: string;
  readonly reason: string;
}

/** A violation of the OpenAPI specification that did not prevent the import. */
export interface DocumentProblem {
  /** JSON pointer of the place in the document. */
  readonly path: string;
  readonly message: string;
}

/** Invisible characters that were removed from one place of the document. */
export interface RemovedCharacters {
  /** JSON pointer of the place. */
  readonly path: string;
  /** Such as `U+200B`, each once. */
  readonly codePoints: readonly string[];
  readonly count: number;
}

export interface OpenApiImport {
  readonly title: string;
  readonly drafts: readonly OpenApiDraft[];
  readonly skipped: readonly SkippedOperation[];
  readonly problems: readonly DocumentProblem[];
  readonly removed: readonly RemovedCharacters[];
}

/** Selects the operations that match all given lists. */
export interface OperationSelection {
  /** Ids of operations, or `GET /pets/{petId}`. */
  readonly operations?: readonly string[] | undefined;
  /** Names of tags, of which an operation has at least one. */
  readonly tags?: readonly string[] | undefined;
  /** Paths of the API, such as `/pets` and `/pets/*`, where `*` matches any characters. */
  readonly paths?: readonly string[] | undefined;
}

export interface OpenApiImportOptions extends OperationSelection {
  /** Texts of further documents that references point to, by name relative to the main one. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
  /** The main document's name, for references back to it. */
  readonly documentName?: string | undefined;
  /** Preferred security schemes where an operation accepts one of several. */
  readonly schemes?: readonly string[] | undefined;
  /** Base URL of the API if the document has none, such as `https://api.example.com/v1`. */
  readonly server?: string | undefined;
}

/** Limits of an import. */
export const OPENAPI_LIMITS = {
  /** Maximum length of the document's text, in characters. */
  maxCharacters: 16_777_216,
  /** The same for YAML, which takes much longer to parse. */
  maxYamlCharacters: 4_194_304,
  /** Maximum number of objects, lists and values in the document. */
  maxNodes: 1_000_000,
  maxDepth: 100,
  /** Maximum number of drafts of one import. */
  maxOperations: 200,
  timeoutMs: 20_000,
  memoryMegabytes: 512,
  /** Maximum number of imports that wait while another one runs. */
  maxWaiting: 20,
  /** Maximum length of all waiting documents, in characters: two of the largest. */
  maxWaitingCharacters: 33_554_432,
  maxWaitMs: 60_000,
} as const;
