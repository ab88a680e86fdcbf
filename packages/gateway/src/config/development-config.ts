import * as z from "zod";

interface ReportedSource {
  /** When it happened, in ISO 8601. */
  readonly at: string;
  readonly source: { readonly id: string; readonly name: string };
}

/** What a gateway reports of its tool sources during development. Tools have the names that models read. */
export type ToolSourceReport =
  | (ReportedSource & {
      readonly type: "changed";
      readonly added: readonly string[];
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      /** The added and changed tools that wait to be accepted. */
      readonly held: readonly string[];
      /**
       * The fields that changed in each changed tool, such as `description`, `parameters` and `url`: since it was
       * accepted or, for a tool without an accepted definition, since the previous sync.
       */
      readonly changedFields: Readonly<Record<string, readonly string[]>>;
    })
  | (ReportedSource & { readonly type: "failed"; readonly code: string; readonly message: string });

/** A client's request that failed. */
export interface FailedRequest {
  /** When the response was sent, in ISO 8601. */
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  /** Without the query. Anything that looks like a secret is redacted. */
  readonly path: string;
  /** 400 to 599. */
  readonly status: number;
  readonly code: string;
  /** The error message that the client reads. */
  readonly message: string;
  /** The `User-Agent` of the client; undefined if it sent none. */
  readonly userAgent: string | undefined;
}

const reportListenerSchema = z.custom<(report: ToolSourceReport) => void>(
  (value) => typeof value === "function",
  "expected a function that takes a report",
);

const requestListenerSchema = z.custom<(request: FailedRequest) => void>(
  (value) => typeof value === "function",
  "expected a function that takes a request",
);

const logWriterSchema = z.custom<(line: string) => void>(
  (value) => typeof value === "function",
  "expected a function that takes a line",
);

/**
 * Settings for the development of handlers, not for production. The gateway reads handlers on loopback addresses every
 * second and accepts what they publish.
 */
export const developmentSchema = z.strictObject({
  /** Called when the tools of a source have changed, and when a source cannot be read. Must return quickly. */
  onToolSource: reportListenerSchema.optional(),
  /** Called for each request that fails. Must return quickly. */
  onFailedRequest: requestListenerSchema.optional(),
  /** Called with each line of the log, a JSON object, instead of writing it to standard output. */
  onLog: logWriterSchema.optional(),
});
