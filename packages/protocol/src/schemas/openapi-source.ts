import * as z from "zod";
import { jsonObjectSchema } from "./json.ts";
import { secretNameSchema } from "./secret.ts";

const document = z.union([z.string().min(1), jsonObjectSchema]);
const documentName = z.string().min(1).max(500);

/** The fields of an uploaded OpenAPI document. */
export const uploadFields = {
  /** An OpenAPI 3.0 or 3.1 document, instead of `url`: a JSON object, or a string that contains JSON or YAML. */
  document: document.optional(),
  /** Other documents that references in `document` point to, by their names relative to it. */
  documents: z.record(documentName, document).optional(),
  /** Name of the document in `document`, for references from other documents to it. */
  documentName: documentName.optional(),
} as const;

/** Settings of OpenAPI documents. */
export const documentSettings = {
  /** `sha256:` and the hash of the uploaded document; null for a document with a URL. */
  documentHash: z.string().nullable(),
  /** How the gateway identifies itself when it fetches the document; null (default): not at all. */
  auth: z
    .strictObject({
      /** Name of a workspace secret that is bound to the host of the document. */
      credential: secretNameSchema,
    })
    .nullable(),
  /** The secret for calls of every tool to which `credentials` assigns none; null (default): none. */
  credential: secretNameSchema.nullable(),
  /** Secrets for calls, by the names of the document's security schemes. */
  credentials: z.record(z.string().min(1).max(200), secretNameSchema),
} as const;

/** An OpenAPI document, as a tool source read it. */
export const sourceDocumentSchema = z.looseObject({
  title: z.string(),
  /**
   * `sha256:` and the hash of the document: of the bytes that were fetched or, for an uploaded document, of its stored
   * form together with the documents to which it refers.
   */
  hash: z.string(),
  /** Number of operations that cannot become a tool. */
  skippedCount: z.int(),
  /** Locations where invisible characters were removed: the first 100. */
  removed: z.array(z.looseObject({ path: z.string(), codePoints: z.array(z.string()), count: z.int() })),
});
export type SourceDocument = z.infer<typeof sourceDocumentSchema>;
