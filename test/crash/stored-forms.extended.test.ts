import { describeStoredForms } from "./stored-forms.ts";

describeStoredForms(1_000, 600_000);
