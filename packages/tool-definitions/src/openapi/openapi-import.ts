import type { RestDefinition, SecretAuth } from "@yagate/protocol";

/** How an API that a document describes wants to be authenticated at. */
export interface ProposedAuth {
  /** Name of the security scheme in the document. */
  readonly scheme: string;
  readonly auth: SecretAuth;
  /** The host that the secret is for. */
  readonly host: string;
  /** What the secret's value is. */
  readonly setup: string;
}

/** A definition made of one operation, for a person to read before anything else. */
export interface OpenApiDraft {
  /** As `GET /pets/{petId}`. */
  readonly operation: string;
  readonly definition: RestDefinition;
  /** The secret to set up and name as the definition's credential; null where the document asks for none. */
  readonly auth: ProposedAuth | null;
  /** What the document asks for, see {@link ListedOperation}. */
  readonly security: readonly SecurityAlternative[];
  /** What was left out or changed on the way. */
  readonly notes: readonly string[];
}

/** The scopes of each security scheme of which a request needs all; none: it needs no authentication. */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>;

/** An operation as the document describes it. */
export interface ListedOperation {
  /** As `GET /pets/{petId}`. */
  readonly operation: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** The alternatives, of which one is enough; empty: it needs none. */
  readonly security: readonly SecurityAlternative[];
}

export interface OpenApiListing {
  readonly title: string;
  readonly operations: readonly ListedOperation[];
  readonly skipped: readonly SkippedOperation[];
}

/** An operation that no definition could be made of. */
export interface SkippedOperation {
  /** As `GET /pets/{petId}`. */
  readonly operation: string;
  /** JSON pointer of the place in the document. */
  readonly path: string;
  readonly reason: string;
}

/** What the document's own specification has against it; none of it kept a draft from being made. */
export interface DocumentProblem {
  /** JSON pointer of the place in the document. */
  readonly path: string;
  readonly message: string;
}

/** Characters that a reader could not see, taken out of one place of the document. */
export interface RemovedCharacters {
  /** JSON pointer of the place. */
  readonly path: string;
  /** As `U+200B`, each once. */
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

/** Which operations of a document are meant: those that match each of the lists that are given. */
export interface OperationSelection {
  /** Ids of operations, or `GET /pets/{petId}`. */
  readonly operations?: readonly string[] | undefined;
  /** Names of tags: the operations that have one of them. */
  readonly tags?: readonly string[] | undefined;
  /** Paths of the API, as `/pets` and `/pets/*`, where `*` stands for any characters. */
  readonly paths?: readonly string[] | undefined;
}

export interface OpenApiImportOptions extends OperationSelection {
  /** Texts of the further documents that references lead to, by their names as seen from the main one. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
  /** The main document's own name, for references back to it. */
  readonly documentName?: string | undefined;
  /** Security schemes to prefer where an operation can do with one of several. */
  readonly schemes?: readonly string[] | undefined;
  /** Where the API is, for a document that does not say so, as `https://api.example.com/v1`. */
  readonly server?: string | undefined;
}

/** What an import may take. */
export const OPENAPI_LIMITS = {
  /** Characters of the document's text. */
  maxCharacters: 16_777_216,
  /** The same of YAML, which takes much longer to read. */
  maxYamlCharacters: 4_194_304,
  /** Objects, lists and values in the document. */
  maxNodes: 1_000_000,
  maxDepth: 100,
  /** Drafts of one import. */
  maxOperations: 200,
  timeoutMs: 20_000,
  memoryMegabytes: 512,
  /** Imports that wait while another one runs. */
  maxWaiting: 20,
  /** Characters of all documents that wait: two of the largest. */
  maxWaitingCharacters: 33_554_432,
  maxWaitMs: 60_000,
} as const;
