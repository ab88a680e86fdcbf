import type { Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { argumentsHash } from "@yagate/protocol";
import type { EvalCase } from "../cases/eval-case.ts";
import { type Cassette, cassettePath } from "./cassette.ts";
import { writeCassette } from "./write-cassette.ts";

/** The run that becomes a cassette. */
export interface RecordedCase {
  readonly executionId: string;
  readonly judgements: Cassette["judgements"];
  /** Whether the cassette contains the input, the caller and the metadata. */
  readonly withInput: boolean;
}

/**
 * Writes the cassette of a case from a live run. The gateway masks the secrets of the workspace.
 *
 * @throws YagateError `SECRET_IN_CASSETTE`, and the errors of the gateway.
 */
export async function recordCassette(client: Yagate, one: EvalCase, recorded: RecordedCase): Promise<void> {
  const { executionId, judgements, withInput } = recorded;
  const include = withInput ? (["input", "caller", "metadata"] as const) : [];
  const { recording, input, caller, metadata } = await client.executions.recording(executionId, { include });
  await writeCassette(cassettePath(one), {
    ...{ version: 1, caseId: one.case_id, recordedAt: new Date().toISOString() },
    inputHash: await argumentsHash(one.input),
    ...(one.script === undefined ? {} : { scriptHash: await argumentsHash(one.script) }),
    ...{ recording, judgements: [...judgements] },
    ...defined({ input, caller, metadata }),
  });
}
