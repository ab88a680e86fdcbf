import type { Defect } from "./defects.ts";
import { startHandwritten } from "./handwritten-handler.ts";
import { failedIds, judged } from "./judged.ts";
import { OTHER_SECRET, SECRET } from "./signed-request.ts";

const AUDIENCE = "https://orders.example.com/tools";

/** What every case finds of a handler with one defect, or with none. */
export async function judgeDefect(defect?: Defect) {
  const { url } = await startHandwritten({ secrets: [SECRET, OTHER_SECRET], audience: AUDIENCE }, defect);
  const report = await judged(url, { audience: AUDIENCE, isAudienceChecked: true, previousSecret: OTHER_SECRET });
  return { report, required: failedIds(report, "required"), recommended: failedIds(report, "recommended") };
}

/** A defect, the required cases that find it, and the recommended ones. */
export type DefectRow = readonly [Defect, required: readonly string[], recommended: readonly string[]];
