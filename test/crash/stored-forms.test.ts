import { describeStoredForms, KILL_OLD } from "./stored-forms.ts";

// The survivor waits for the lease of the replica that was killed.
describeStoredForms(50, 90_000, [KILL_OLD]);
