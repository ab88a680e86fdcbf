import { createHash } from "node:crypto";
import type { JsonObject } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createArgumentValidator } from "../../src/arguments/argument-validator.ts";
import type { RenderedRequest } from "../../src/request/port.ts";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restParameters } from "../../src/rest/rest-parameters.ts";
import { API_TEMPLATES } from "../../src/templates/api-templates.ts";

/** A call of a template's tool, and what is sent for it. */
interface TemplateRequest {
  readonly tool: string;
  readonly parameters: JsonObject;
  readonly request: RenderedRequest;
}

/** One call of every tool of every template. */
const TEMPLATE_REQUESTS: readonly TemplateRequest[] = [
  {
    tool: "airtable.list_records",
    parameters: {
      base_id: "appA",
      table: "Open tasks",
      filter: "{Status}='Done'",
      fields: ["Name", "Due"],
      page_size: 50,
    },
    request: {
      method: "GET",
      url: "https://api.airtable.com/v0/appA/Open%20tasks?filterByFormula=%7BStatus%7D%3D%27Done%27&fields%5B%5D=Name&fields%5B%5D=Due&pageSize=50",
      headers: {},
    },
  },
  {
    tool: "airtable.create_record",
    parameters: { base_id: "appA", table: "tblB", fields: { Name: "Ada" } },
    request: {
      method: "POST",
      url: "https://api.airtable.com/v0/appA/tblB",
      headers: { "content-type": "application/json" },
      body: { fields: { Name: "Ada" } },
    },
  },
  {
    tool: "airtable.update_record",
    parameters: { base_id: "appA", table: "tblB", record_id: "recC", fields: { Name: "Ada" } },
    request: {
      method: "PATCH",
      url: "https://api.airtable.com/v0/appA/tblB/recC",
      headers: { "content-type": "application/json" },
      body: { fields: { Name: "Ada" } },
    },
  },
  {
    tool: "asana.list_tasks",
    parameters: { project_gid: "12", opt_fields: ["name", "due_on"], limit: 20 },
    request: {
      method: "GET",
      url: "https://app.asana.com/api/1.0/projects/12/tasks?opt_fields=name,due_on&limit=20",
      headers: {},
    },
  },
  {
    tool: "asana.get_task",
    parameters: { task_gid: "34" },
    request: { method: "GET", url: "https://app.asana.com/api/1.0/tasks/34", headers: {} },
  },
  {
    tool: "asana.create_task",
    parameters: { data: { name: "Call back", projects: ["12"] } },
    request: {
      method: "POST",
      url: "https://app.asana.com/api/1.0/tasks",
      headers: { "content-type": "application/json" },
      body: { data: { name: "Call back", projects: ["12"] } },
    },
  },
  {
    tool: "cloudflare.list_zones",
    parameters: { name: "example.com" },
    request: { method: "GET", url: "https://api.cloudflare.com/client/v4/zones?name=example.com", headers: {} },
  },
  {
    tool: "cloudflare.list_dns_records",
    parameters: { zone_id: "z1", type: "A", name: "www.example.com", per_page: 50 },
    request: {
      method: "GET",
      url: "https://api.cloudflare.com/client/v4/zones/z1/dns_records?type=A&name.exact=www.example.com&per_page=50",
      headers: {},
    },
  },
  {
    tool: "cloudflare.create_dns_record",
    parameters: { zone_id: "z1", type: "A", name: "www.example.com", content: "192.0.2.1", ttl: 1 },
    request: {
      method: "POST",
      url: "https://api.cloudflare.com/client/v4/zones/z1/dns_records",
      headers: { "content-type": "application/json" },
      body: { type: "A", name: "www.example.com", content: "192.0.2.1", ttl: 1 },
    },
  },
  {
    tool: "cloudflare.purge_cache",
    parameters: { zone_id: "z1", files: ["https://example.com/a.css"] },
    request: {
      method: "POST",
      url: "https://api.cloudflare.com/client/v4/zones/z1/purge_cache",
      headers: { "content-type": "application/json" },
      body: { files: ["https://example.com/a.css"] },
    },
  },
  {
    tool: "discord.post_message",
    parameters: { channel_id: "77", content: "Hello" },
    request: {
      method: "POST",
      url: "https://discord.com/api/v10/channels/77/messages",
      headers: { "content-type": "application/json", "user-agent": "DiscordBot (yagate, 1)" },
      body: { content: "Hello", allowed_mentions: { parse: [] } },
    },
  },
  {
    tool: "discord.read_channel",
    parameters: { channel_id: "77", limit: 5 },
    request: {
      method: "GET",
      url: "https://discord.com/api/v10/channels/77/messages?limit=5",
      headers: { "user-agent": "DiscordBot (yagate, 1)" },
    },
  },
  {
    tool: "github.search_issues",
    parameters: { q: "repo:octo/hello is:open", per_page: 10 },
    request: {
      method: "GET",
      url: "https://api.github.com/search/issues?q=repo%3Aocto%2Fhello%20is%3Aopen&per_page=10",
      headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28", "user-agent": "yagate" },
    },
  },
  {
    tool: "github.get_issue",
    parameters: { owner: "octo", repo: "hello", issue_number: 7 },
    request: {
      method: "GET",
      url: "https://api.github.com/repos/octo/hello/issues/7",
      headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28", "user-agent": "yagate" },
    },
  },
  {
    tool: "github.create_issue",
    parameters: { owner: "octo", repo: "hello", title: "Bug", labels: ["bug"] },
    request: {
      method: "POST",
      url: "https://api.github.com/repos/octo/hello/issues",
      headers: {
        "content-type": "application/json",
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": "yagate",
      },
      body: { title: "Bug", labels: ["bug"] },
    },
  },
  {
    tool: "github.comment_on_issue",
    parameters: { owner: "octo", repo: "hello", issue_number: 7, body: "Thanks" },
    request: {
      method: "POST",
      url: "https://api.github.com/repos/octo/hello/issues/7/comments",
      headers: {
        "content-type": "application/json",
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": "yagate",
      },
      body: { body: "Thanks" },
    },
  },
  {
    tool: "gitlab.list_issues",
    parameters: { project: "group/name", state: "opened", labels: ["bug", "ui"] },
    request: {
      method: "GET",
      url: "https://gitlab.com/api/v4/projects/group%2Fname/issues?state=opened&labels=bug,ui",
      headers: {},
    },
  },
  {
    tool: "gitlab.get_issue",
    parameters: { project: "group/name", issue_iid: 3 },
    request: { method: "GET", url: "https://gitlab.com/api/v4/projects/group%2Fname/issues/3", headers: {} },
  },
  {
    tool: "gitlab.create_issue",
    parameters: { project: "42", title: "Bug" },
    request: {
      method: "POST",
      url: "https://gitlab.com/api/v4/projects/42/issues",
      headers: { "content-type": "application/json" },
      body: { title: "Bug" },
    },
  },
  {
    tool: "gitlab.comment_on_issue",
    parameters: { project: "42", issue_iid: 3, body: "Thanks" },
    request: {
      method: "POST",
      url: "https://gitlab.com/api/v4/projects/42/issues/3/notes",
      headers: { "content-type": "application/json" },
      body: { body: "Thanks" },
    },
  },
  {
    tool: "hubspot.search_contacts",
    parameters: {
      filter_groups: [{ filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }] }],
      limit: 5,
    },
    request: {
      method: "POST",
      url: "https://api.hubapi.com/crm/v3/objects/contacts/search",
      headers: { "content-type": "application/json" },
      body: {
        filterGroups: [{ filters: [{ propertyName: "email", operator: "EQ", value: "ada@example.com" }] }],
        limit: 5,
      },
    },
  },
  {
    tool: "hubspot.get_contact",
    parameters: { contact_id: "501", properties: ["email", "phone"] },
    request: {
      method: "GET",
      url: "https://api.hubapi.com/crm/v3/objects/contacts/501?properties=email,phone",
      headers: {},
    },
  },
  {
    tool: "hubspot.create_contact",
    parameters: { properties: { email: "ada@example.com" } },
    request: {
      method: "POST",
      url: "https://api.hubapi.com/crm/v3/objects/contacts",
      headers: { "content-type": "application/json" },
      body: { properties: { email: "ada@example.com" } },
    },
  },
  {
    tool: "jira.search_issues",
    parameters: { cloud_id: "c1", jql: "project = OPS", fields: ["summary", "status"], max_results: 20 },
    request: {
      method: "GET",
      url: "https://api.atlassian.com/ex/jira/c1/rest/api/3/search/jql?jql=project%20%3D%20OPS&fields=summary,status&maxResults=20",
      headers: {},
    },
  },
  {
    tool: "jira.get_issue",
    parameters: { cloud_id: "c1", issue: "OPS-12" },
    request: { method: "GET", url: "https://api.atlassian.com/ex/jira/c1/rest/api/3/issue/OPS-12", headers: {} },
  },
  {
    tool: "jira.create_issue",
    parameters: { cloud_id: "c1", fields: { project: { key: "OPS" }, issuetype: { name: "Task" }, summary: "Look" } },
    request: {
      method: "POST",
      url: "https://api.atlassian.com/ex/jira/c1/rest/api/3/issue",
      headers: { "content-type": "application/json" },
      body: { fields: { project: { key: "OPS" }, issuetype: { name: "Task" }, summary: "Look" } },
    },
  },
  {
    tool: "jira.comment_on_issue",
    parameters: { cloud_id: "c1", issue: "OPS-12", body: { type: "doc", version: 1, content: [] } },
    request: {
      method: "POST",
      url: "https://api.atlassian.com/ex/jira/c1/rest/api/3/issue/OPS-12/comment",
      headers: { "content-type": "application/json" },
      body: { body: { type: "doc", version: 1, content: [] } },
    },
  },
  {
    tool: "nominatim.find_address",
    parameters: { q: "Brandenburger Tor", countrycodes: ["de"], limit: 1 },
    request: {
      method: "GET",
      url: "https://nominatim.openstreetmap.org/search?format=jsonv2&q=Brandenburger%20Tor&countrycodes=de&limit=1",
      headers: { "user-agent": "yagate" },
    },
  },
  {
    tool: "nominatim.address_at",
    parameters: { lat: 52.5163, lon: 13.3777 },
    request: {
      method: "GET",
      url: "https://nominatim.openstreetmap.org/reverse?format=jsonv2&lat=52.5163&lon=13.3777",
      headers: { "user-agent": "yagate" },
    },
  },
  {
    tool: "notion.search",
    parameters: { query: "Roadmap", filter: { property: "object", value: "page" } },
    request: {
      method: "POST",
      url: "https://api.notion.com/v1/search",
      headers: { "content-type": "application/json", "notion-version": "2025-09-03" },
      body: { query: "Roadmap", filter: { property: "object", value: "page" } },
    },
  },
  {
    tool: "notion.get_page",
    parameters: { page_id: "p1" },
    request: { method: "GET", url: "https://api.notion.com/v1/pages/p1", headers: { "notion-version": "2025-09-03" } },
  },
  {
    tool: "notion.query_data_source",
    parameters: { data_source_id: "d1", page_size: 10 },
    request: {
      method: "POST",
      url: "https://api.notion.com/v1/data_sources/d1/query",
      headers: { "content-type": "application/json", "notion-version": "2025-09-03" },
      body: { page_size: 10 },
    },
  },
  {
    tool: "notion.append_blocks",
    parameters: { block_id: "p1", children: [{ type: "divider", divider: {} }] },
    request: {
      method: "PATCH",
      url: "https://api.notion.com/v1/blocks/p1/children",
      headers: { "content-type": "application/json", "notion-version": "2025-09-03" },
      body: { children: [{ type: "divider", divider: {} }] },
    },
  },
  {
    tool: "open_meteo.forecast",
    parameters: {
      latitude: 52.52,
      longitude: 13.41,
      current: ["temperature_2m", "wind_speed_10m"],
      timezone: "Europe/Berlin",
    },
    request: {
      method: "GET",
      url: "https://api.open-meteo.com/v1/forecast?latitude=52.52&longitude=13.41&current=temperature_2m,wind_speed_10m&timezone=Europe%2FBerlin",
      headers: {},
    },
  },
  {
    tool: "open_meteo.find_place",
    parameters: { name: "Berlin", count: 3 },
    request: { method: "GET", url: "https://geocoding-api.open-meteo.com/v1/search?name=Berlin&count=3", headers: {} },
  },
  {
    tool: "openweather.current_weather",
    parameters: { lat: 52.52, lon: 13.41, units: "metric" },
    request: {
      method: "GET",
      url: "https://api.openweathermap.org/data/2.5/weather?lat=52.52&lon=13.41&units=metric",
      headers: {},
    },
  },
  {
    tool: "openweather.forecast",
    parameters: { lat: 52.52, lon: 13.41, cnt: 8 },
    request: {
      method: "GET",
      url: "https://api.openweathermap.org/data/2.5/forecast?lat=52.52&lon=13.41&cnt=8",
      headers: {},
    },
  },
  {
    tool: "rest_countries.find_country",
    parameters: { name: "côte d'ivoire", fields: ["name", "capital"] },
    request: {
      method: "GET",
      url: "https://restcountries.com/v3.1/name/c%C3%B4te%20d'ivoire?fields=name,capital",
      headers: {},
    },
  },
  {
    tool: "rest_countries.get_country",
    parameters: { code: "de" },
    request: { method: "GET", url: "https://restcountries.com/v3.1/alpha/de", headers: {} },
  },
  {
    tool: "sendgrid.send_email",
    parameters: {
      personalizations: [{ to: [{ email: "ada@example.com" }] }],
      from: { email: "shop@example.com" },
      subject: "Hello",
      content: [{ type: "text/plain", value: "Hi" }],
    },
    request: {
      method: "POST",
      url: "https://api.sendgrid.com/v3/mail/send",
      headers: { "content-type": "application/json" },
      body: {
        personalizations: [{ to: [{ email: "ada@example.com" }] }],
        from: { email: "shop@example.com" },
        subject: "Hello",
        content: [{ type: "text/plain", value: "Hi" }],
      },
    },
  },
  {
    tool: "slack.post_message",
    parameters: { channel: "C01", text: "Hello" },
    request: {
      method: "POST",
      url: "https://slack.com/api/chat.postMessage",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: { channel: "C01", text: "Hello" },
    },
  },
  {
    tool: "slack.list_channels",
    parameters: { types: ["public_channel", "private_channel"], limit: 100 },
    request: {
      method: "GET",
      url: "https://slack.com/api/conversations.list?types=public_channel,private_channel&limit=100",
      headers: {},
    },
  },
  {
    tool: "slack.read_channel",
    parameters: { channel: "C01", limit: 20 },
    request: { method: "GET", url: "https://slack.com/api/conversations.history?channel=C01&limit=20", headers: {} },
  },
  {
    tool: "stripe.list_customers",
    parameters: { email: "ada@example.com", limit: 3 },
    request: { method: "GET", url: "https://api.stripe.com/v1/customers?email=ada%40example.com&limit=3", headers: {} },
  },
  {
    tool: "stripe.get_customer",
    parameters: { customer: "cus_1" },
    request: { method: "GET", url: "https://api.stripe.com/v1/customers/cus_1", headers: {} },
  },
  {
    tool: "stripe.create_customer",
    parameters: { email: "ada@example.com", metadata: { plan: "pro" } },
    request: {
      method: "POST",
      url: "https://api.stripe.com/v1/customers",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "email=ada%40example.com&metadata%5Bplan%5D=pro",
    },
  },
  {
    tool: "stripe.create_refund",
    parameters: { payment_intent: "pi_1", amount: 500 },
    request: {
      method: "POST",
      url: "https://api.stripe.com/v1/refunds",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "payment_intent=pi_1&amount=500",
    },
  },
  {
    tool: "todoist.list_tasks",
    parameters: { project_id: "6X", limit: 50 },
    request: { method: "GET", url: "https://api.todoist.com/api/v1/tasks?project_id=6X&limit=50", headers: {} },
  },
  {
    tool: "todoist.filter_tasks",
    parameters: { query: "today | overdue" },
    request: {
      method: "GET",
      url: "https://api.todoist.com/api/v1/tasks/filter?query=today%20%7C%20overdue",
      headers: {},
    },
  },
  {
    tool: "todoist.create_task",
    parameters: { content: "Buy milk", due_string: "tomorrow", priority: 4 },
    request: {
      method: "POST",
      url: "https://api.todoist.com/api/v1/tasks",
      headers: { "content-type": "application/json" },
      body: { content: "Buy milk", due_string: "tomorrow", priority: 4 },
    },
  },
  {
    tool: "todoist.complete_task",
    parameters: { task_id: "8Y" },
    request: { method: "POST", url: "https://api.todoist.com/api/v1/tasks/8Y/close", headers: {} },
  },
  {
    tool: "trello.list_lists",
    parameters: { board_id: "b1" },
    request: { method: "GET", url: "https://api.trello.com/1/boards/b1/lists", headers: {} },
  },
  {
    tool: "trello.list_cards",
    parameters: { list_id: "l1" },
    request: { method: "GET", url: "https://api.trello.com/1/lists/l1/cards", headers: {} },
  },
  {
    tool: "trello.create_card",
    parameters: { list_id: "l1", name: "Call back", due: "2026-12-01T09:00:00Z" },
    request: {
      method: "POST",
      url: "https://api.trello.com/1/cards?idList=l1&name=Call%20back&due=2026-12-01T09%3A00%3A00Z",
      headers: {},
    },
  },
  {
    tool: "twilio.send_message",
    parameters: { account_sid: "AC1", to: "+491701234567", from: "+15005550006", body: "Hi & bye" },
    request: {
      method: "POST",
      url: "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "To=%2B491701234567&From=%2B15005550006&Body=Hi%20%26%20bye",
    },
  },
  {
    tool: "twilio.list_messages",
    parameters: { account_sid: "AC1", page_size: 20 },
    request: {
      method: "GET",
      url: "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json?PageSize=20",
      headers: {},
    },
  },
];

const tools = API_TEMPLATES.flatMap((template) => template.tools);

it("there is a request for every tool of every template", () => {
  expect(TEMPLATE_REQUESTS.map(({ tool }) => tool)).toEqual(tools.map(({ name }) => name));
});

it.each(TEMPLATE_REQUESTS.map((row) => [row.tool, row] as const))(
  "%s sends what its documentation asks for",
  (name, { parameters, request }) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`expected a tool named ${name}`);
    const schema = restParameters(tool);
    const hash = createHash("sha256").update(JSON.stringify(schema)).digest("hex");
    expect(createArgumentValidator().validate(hash, schema, parameters)).toEqual({ valid: true });
    expect(compileRestTool(tool).render(parameters, () => "")).toEqual(request);
  },
);
