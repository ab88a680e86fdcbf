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
    })
  | (ReportedSource & { readonly type: "failed"; readonly code: string; readonly message: string });

const reportListenerSchema = z.custom<(report: ToolSourceReport) => void>(
  (value) => typeof value === "function",
  "expected a function that takes a report",
);

/**
 * Settings for the development of handlers, not for production. The gateway reads handlers on loopback addresses every
 * second and accepts what they publish.
 */
export const developmentSchema = z.strictObject({
  /** Called when the tools of a source have changed, and when a source cannot be read. Must return quickly. */
  onToolSource: reportListenerSchema.optional(),
});
