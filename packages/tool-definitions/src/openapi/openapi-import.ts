import type { RestDefinition, SecretAuth } from "@yagate/protocol";

/** The authentication that an API requires. */
export interface ProposedAuth {
  /** Name of the security scheme in the document. */
  readonly scheme: string;
  readonly auth: SecretAuth;
  /** The host to which the secret may be sent. */
  readonly host: string;
  /** Describes the value of the secret. */
  readonly setup: string;
}

/** A draft tool that was created from one operation, for a person to review. */
export interface OpenApiDraft {
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly operationId: string | null;
  readonly definition: RestDefinition;
  /** The secret to create and to set as the definition's credential; null if the document requires none. */
  readonly auth: ProposedAuth | null;
  /** The security requirements, as in {@link ListedOperation}. */
  readonly security: readonly SecurityAlternative[];
  /** What the conversion omitted or changed. */
  readonly notes: readonly string[];
}

/**
 * The required scopes by security scheme, for the schemes that a request needs together; empty if it needs no
 * authentication.
 */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>;

/** An operation as the document describes it. */
export interface ListedOperation {
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** The alternatives, of which a request needs one; empty if the operation needs no authentication. */
  readonly security: readonly SecurityAlternative[];
}

export interface OpenApiListing {
  readonly title: string;
  readonly operations: readonly ListedOperation[];
  readonly skipped: readonly SkippedOperation[];
}

/** An operation that could not be converted to a definition. */
export interface SkippedOperation {
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** JSON pointer to the cause in the document. */
  readonly path: string;
  readonly reason: string;
}

/** A violation of the OpenAPI specification that did not prevent the import. */
export interface DocumentProblem {
  /** JSON pointer to the violation in the document. */
  readonly path: string;
  readonly message: string;
}

/** Invisible characters that were removed from one string in the document. */
export interface RemovedCharacters {
  /** JSON pointer to the text. */
  readonly path: string;
  /** The removed characters, such as `U+200B`, each once. */
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

/** Selects the operations that match at least one entry of every given list. */
export interface OperationSelection {
  /** Ids of operations, or a method and path such as `GET /pets/{petId}`. */
  readonly operations?: readonly string[] | undefined;
  /** Names of tags, of which an operation must have at least one. */
  readonly tags?: readonly string[] | undefined;
  /** Paths of the API, such as `/pets` and `/pets/*`, where `*` matches any characters. */
  readonly paths?: readonly string[] | undefined;
}

export interface OpenApiImportOptions extends OperationSelection {
  /** Texts of further documents to which references point, by their names relative to the main document. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
  /** Name of the main document, for references back to it. */
  readonly documentName?: string | undefined;
  /** Security schemes that are preferred if an operation accepts one of several. */
  readonly schemes?: readonly string[] | undefined;
  /** Base URL of the API, such as `https://api.example.com/v1`, if the document contains none. */
  readonly server?: string | undefined;
  /** Maximum number of drafts. Default: `OPENAPI_LIMITS.maxOperations`. */
  readonly maxOperations?: number | undefined;
  /** Whether to list the document's violations of the OpenAPI specification. Default true. */
  readonly listsProblems?: boolean | undefined;
}

/** Limits of an import. */
export const OPENAPI_LIMITS = {
  /** Maximum length of the document's text, in characters. */
  maxCharacters: 16_777_216,
  /** Maximum length of YAML text, in characters. YAML takes much longer to parse than JSON. */
  maxYamlCharacters: 4_194_304,
  /** Maximum number of objects, lists and values in the document. */
  maxNodes: 1_000_000,
  maxDepth: 100,
  /** Maximum number of drafts in one import, unless the import sets another. */
  maxOperations: 200,
  timeoutMs: 20_000,
  memoryMegabytes: 512,
  /** Maximum number of imports that wait while another one runs. */
  maxWaiting: 20,
  /** Maximum total length of all waiting documents, in characters: twice the largest document. */
  maxWaitingCharacters: 33_554_432,
  maxWaitMs: 60_000,
} as const;
