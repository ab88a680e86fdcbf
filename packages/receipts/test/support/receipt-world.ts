import type { TraceContext } from "@yagate/lib/http/trace-context";
import { newId } from "@yagate/lib/ids/ids";
import { appendTo } from "@yagate/store/events/event-store";
import type { Store } from "@yagate/store/port";
import { parseMasterKeys } from "../../../secrets/src/keyring.ts";
import { agentOf } from "../../../store/test/support/fixtures.ts";
import { createReceiptService } from "../../src/receipt-service.ts";
import { createRecordKeys } from "../../src/record-keys.ts";
import { createSealedEventStore } from "../../src/sealed-event-store.ts";
import { BEGAN, IDS, storyAppends, storyExecution, storySummary } from "./story.ts";

const keyText = (byte: number) => Buffer.alloc(32, byte).toString("base64");

/** Master keys as an operator configures them: the first one is active. */
export const MASTER_KEYS = {
  old: `old:${keyText(1)}`,
  next: `next:${keyText(2)}`,
  other: `old:${keyText(9)}`,
} as const;

/** What of the gateway makes and reads receipts, on a store. */
export function receiptsOn(store: Store, masterKeys: string = MASTER_KEYS.old) {
  const keys = createRecordKeys(parseMasterKeys(masterKeys));
  const { records, agents, workspaces } = store;
  const eventStore = createSealedEventStore({ eventStore: store.eventStore, records, agents, keys });
  return { eventStore, keys, service: createReceiptService({ eventStore, records, agents, workspaces, keys }) };
}

export async function makeAgentAndWorkspace(store: Store): Promise<void> {
  const secret = { id: newId("signingSecret"), workspaceId: IDS.workspace, name: "default", sealed: "sealed" };
  await store.workspaces.create(
    { id: IDS.workspace, name: "shop", plan: "standard", createdAt: BEGAN },
    { ...secret, createdAt: BEGAN, expiresAt: null, isSeen: false },
  );
  await store.agents.create(IDS.workspace, agentOf({ id: IDS.agent }));
}

/** Plays the story, or its first appends. */
export async function play(
  store: Store,
  executionId: string,
  options: { suffix?: string; appends?: number; masterKeys?: string; trace?: TraceContext } = {},
) {
  const { suffix, appends = Number.POSITIVE_INFINITY, masterKeys, trace } = options;
  const { eventStore } = receiptsOn(store, masterKeys);
  await eventStore.create({ ...storyExecution(executionId), ...(trace === undefined ? {} : { trace }) });
  await playOn(eventStore, executionId, storyAppends(executionId, suffix).slice(0, appends));
}

/** Appends what follows. */
export async function playOn(
  eventStore: Pick<Store["eventStore"], "append">,
  executionId: string,
  appends: ReturnType<typeof storyAppends>,
): Promise<void> {
  for (const entries of appends) {
    const expectedSeq = (entries[0]?.event.seq ?? 1) - 1;
    const outcome = await appendTo(eventStore, {
      executionId,
      expectedSeq,
      epoch: 1,
      entries,
      summary: storySummary(entries),
    });
    if (outcome !== "appended") throw new Error(`expected the append to succeed, got ${outcome}`);
  }
}
