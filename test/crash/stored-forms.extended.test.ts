import { describeStoredForms, KILL_NEW, KILL_OLD } from "./stored-forms.ts";

describeStoredForms(1_000, 600_000, [KILL_NEW, KILL_OLD]);
