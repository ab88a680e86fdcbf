import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const paging = [
  inQuery("limit", "integer", "Tasks per page.", { schema: { minimum: 1, maximum: 200 } }),
  inQuery("cursor", "string", "next_cursor from the previous page."),
];

export const todoist: ApiTemplate = {
  id: "todoist",
  service: "Todoist",
  title: "Tasks",
  source: "https://developer.todoist.com/api/v1/",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.todoist.com"],
    setup: "The API token from the account's settings, under Integrations.",
  },
  settings: [],
  tools: [
    {
      name: "todoist.list_tasks",
      description: "Lists open tasks.",
      method: "GET",
      url: "https://api.todoist.com/api/v1/tasks",
      parameters: [inQuery("project_id", "string", "Returns only tasks in this project."), ...paging],
    },
    {
      name: "todoist.filter_tasks",
      description: "Lists open tasks that match a filter in Todoist's filter language.",
      method: "GET",
      url: "https://api.todoist.com/api/v1/tasks/filter",
      parameters: [inQuery("query", "string", "The filter, such as today | overdue.", { required: true }), ...paging],
    },
    {
      name: "todoist.create_task",
      description: "Creates a task.",
      method: "POST",
      url: "https://api.todoist.com/api/v1/tasks",
      sideEffect: "non_idempotent_write",
      parameters: [
        inBody("content", "string", "What to do.", { required: true }),
        inBody("description", "string", "Details."),
        inBody("project_id", "string", "Id of the project. Default: the inbox."),
        inBody("due_string", "string", "Due date in words, such as tomorrow at 12."),
        inBody("priority", "integer", "From 1 (normal) to 4 (urgent).", { schema: { minimum: 1, maximum: 4 } }),
      ],
    },
    {
      name: "todoist.complete_task",
      description: "Marks a task as done.",
      method: "POST",
      url: "https://api.todoist.com/api/v1/tasks/{task_id}/close",
      sideEffect: "idempotent_write",
      parameters: [inPath("task_id", "Id of the task.")],
    },
  ],
};
