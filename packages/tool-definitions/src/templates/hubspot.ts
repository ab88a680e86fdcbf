import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const names = { items: { type: "string" } };

export const hubspot: ApiTemplate = {
  id: "hubspot",
  service: "HubSpot",
  title: "Contacts of the CRM",
  source: "https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.hubapi.com"],
    setup: "The access token of a private app with the scopes crm.objects.contacts.read and .write.",
  },
  settings: [],
  tools: [
    {
      name: "hubspot.search_contacts",
      description: "Finds contacts by text or by the values of properties.",
      method: "POST",
      url: "https://api.hubapi.com/crm/v3/objects/contacts/search",
      sideEffect: "read_only",
      parameters: [
        inBody("query", "string", "Text to find in the default searchable properties."),
        inBody("filter_groups", "array", "Groups of filters; a contact must match all filters of one group.", {
          wireName: "filterGroups",
          schema: {
            items: {
              type: "object",
              properties: {
                filters: {
                  type: "array",
                  items: {
                    type: "object",
                    properties: {
                      propertyName: { type: "string" },
                      operator: { type: "string" },
                      value: { type: "string" },
                    },
                    required: ["propertyName", "operator"],
                  },
                },
              },
              required: ["filters"],
            },
          },
        }),
        inBody("properties", "array", "Properties to return.", { schema: names }),
        inBody("limit", "integer", "Results per page.", { schema: { minimum: 1, maximum: 200 } }),
        inBody("after", "string", "paging.next.after from the previous page."),
      ],
    },
    {
      name: "hubspot.get_contact",
      description: "Reads one contact.",
      method: "GET",
      url: "https://api.hubapi.com/crm/v3/objects/contacts/{contact_id}",
      parameters: [
        inPath("contact_id", "Id of the contact."),
        inQuery("properties", "array", "Properties to return.", { arrayFormat: "comma", schema: names }),
      ],
    },
    {
      name: "hubspot.create_contact",
      description: "Creates a contact.",
      method: "POST",
      url: "https://api.hubapi.com/crm/v3/objects/contacts",
      sideEffect: "non_idempotent_write",
      parameters: [
        inBody("properties", "object", "Values by property, such as email, firstname and lastname.", {
          required: true,
          schema: { additionalProperties: { type: "string" } },
        }),
      ],
    },
  ],
};
