import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../src/port.ts";
import { describeAgents } from "./conformance/agents.ts";
import { describeAppending } from "./conformance/appending.ts";
import { describeApprovals } from "./conformance/approvals.ts";
import { describeConsoleSessions } from "./conformance/console-sessions.ts";
import { describeCreating } from "./conformance/creating.ts";
import { describeInputRequests } from "./conformance/input-requests.ts";
import { describeIntegrations } from "./conformance/integrations.ts";
import { describeLargeTexts } from "./conformance/large-texts.ts";
import { describeLeasing } from "./conformance/leasing.ts";
import { describeLookingUp } from "./conformance/looking-up.ts";
import { describeOAuth } from "./conformance/oauth.ts";
import { describePaging } from "./conformance/paging.ts";
import { describePublishing } from "./conformance/publishing.ts";
import { describeRateLimits } from "./conformance/rate-limits.ts";
import { describeReadModels } from "./conformance/read-models.ts";
import { describeRecords } from "./conformance/records.ts";
import { describeRedeliveries } from "./conformance/redeliveries.ts";
import { describeRetaining } from "./conformance/retaining.ts";
import { describeRoutingEntries } from "./conformance/routing-entries.ts";
import { describeRuledVersions } from "./conformance/ruled-versions.ts";
import { describeSealedTexts } from "./conformance/sealed-texts.ts";
import { describeSleeping } from "./conformance/sleeping.ts";
import { describeSmallTables } from "./conformance/small-tables.ts";
import type { StoreHarness } from "./conformance/store-harness.ts";
import { describeStoredBytes } from "./conformance/stored-bytes.ts";
import { describeSurviving } from "./conformance/surviving.ts";
import { describeToolSources } from "./conformance/tool-sources.ts";
import { describeTools } from "./conformance/tools.ts";
import { describeWorkspaceSecrets } from "./conformance/workspace-secrets.ts";
import { describeWorkspaces } from "./conformance/workspaces.ts";

/**
 * What every implementation of `Store` must do, run against a new, empty place for each test.
 *
 * The store is opened with a clock that stands at `NOW` of the fixtures.
 *
 * @param kills - after how many appends a process that writes is killed, each in a test of its own.
 */
export function describeStore(
  name: string,
  createHarness: () => Promise<StoreHarness>,
  kills: readonly number[] = [40],
): void {
  describeOpened(name, createHarness, (store, harness) => {
    describeCreating(store);
    describeAppending(store);
    describePaging(store);
    describePublishing(store);
    describeLeasing(store);
    describeSleeping(store);
    describeLookingUp(store);
    describeRetaining(store);
    describeLargeTexts(store);
    describeRecords(store);
    describeAgents(store);
    describeApprovals(store);
    describeInputRequests(store);
    describeWorkspaces(store);
    describeWorkspaceSecrets(store);
    describeTools(store);
    describeOAuth(store);
    describeConsoleSessions(store);
    describeToolSources(store);
    describeRuledVersions(store);
    describeSealedTexts(store);
    describeIntegrations(store);
    describeRoutingEntries(store);
    describeRateLimits(store);
    describeSmallTables(store);
    describeReadModels(store, harness);
    describeRedeliveries(store);
    describeSurviving(store, harness, kills);
    describeStoredBytes(store, harness, kills);
  });
}

/** What depends on the form in which appends are stored; run it for a form other than the newest. */
export function describeStoredForm(name: string, createHarness: () => Promise<StoreHarness>): void {
  describeOpened(name, createHarness, (store, harness) => {
    describeAppending(store);
    describeLookingUp(store);
    describeRetaining(store);
    describeStoredBytes(store, harness, []);
  });
}

function describeOpened(
  name: string,
  createHarness: () => Promise<StoreHarness>,
  describeAll: (store: () => Store, harness: () => StoreHarness) => void,
): void {
  describe(name, () => {
    let harness: StoreHarness;
    let opened: Store;

    beforeEach(async () => {
      harness = await createHarness();
      opened = await harness.open();
    });
    afterEach(async () => {
      await opened.close();
      await harness.dispose();
    });

    describeAll(
      () => opened,
      () => harness,
    );
  });
}
