import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const table = [inPath("base_id", "Id of the base, app…."), inPath("table", "Id (tbl…) or name of the table.")];
const URL_OF_TABLE = "https://api.airtable.com/v0/{base_id}/{table}";

export const airtable: ApiTemplate = {
  id: "airtable",
  service: "Airtable",
  title: "Records in a base",
  source: "https://airtable.com/developers/web/api/list-records",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.airtable.com"],
    setup: "A personal access token with the scopes data.records:read and data.records:write for the base.",
  },
  settings: [
    { parameter: "base_id", description: "Id of the base, app…." },
    { parameter: "table", description: "Id or name of a table, to restrict the tools to this table." },
  ],
  tools: [
    {
      name: "airtable.list_records",
      description: "Lists records in a table.",
      method: "GET",
      url: URL_OF_TABLE,
      usageNotes: "At most 100 records per page; an offset in the response means that there are more.",
      parameters: [
        ...table,
        inQuery("filter", "string", "A formula that records must satisfy, such as {Status}='Done'.", {
          wireName: "filterByFormula",
        }),
        inQuery("fields", "array", "Names of the fields to return.", {
          wireName: "fields[]",
          schema: { items: { type: "string" } },
        }),
        inQuery("page_size", "integer", "Records per page.", {
          wireName: "pageSize",
          schema: { minimum: 1, maximum: 100 },
        }),
        inQuery("offset", "string", "offset from the previous page."),
      ],
    },
    {
      name: "airtable.create_record",
      description: "Creates a record in a table.",
      method: "POST",
      url: URL_OF_TABLE,
      sideEffect: "non_idempotent_write",
      parameters: [...table, inBody("fields", "object", "Values by field name.", { required: true })],
    },
    {
      name: "airtable.update_record",
      description: "Changes fields of a record and leaves the others as they are.",
      method: "PATCH",
      url: `${URL_OF_TABLE}/{record_id}`,
      sideEffect: "idempotent_write",
      parameters: [
        ...table,
        inPath("record_id", "Id of the record, rec…."),
        inBody("fields", "object", "New values by field name.", { required: true }),
      ],
    },
  ],
};
