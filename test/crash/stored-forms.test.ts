import { describeStoredForms } from "./stored-forms.ts";

describeStoredForms(50, 90_000);
