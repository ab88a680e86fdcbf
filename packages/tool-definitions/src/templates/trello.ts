import { type ApiTemplate, inPath, inQuery } from "./api-template.ts";

export const trello: ApiTemplate = {
  id: "trello",
  service: "Trello",
  title: "Cards on boards",
  source: "https://developer.atlassian.com/cloud/trello/rest/",
  credential: {
    auth: { type: "header", name: "Authorization" },
    hosts: ["api.trello.com"],
    setup: 'The complete header: OAuth oauth_consumer_key="<API key>", oauth_token="<token>".',
  },
  settings: [{ parameter: "board_id", description: "Id of a board, to restrict the tools to this board." }],
  tools: [
    {
      name: "trello.list_lists",
      description: "Lists the lists on a board.",
      method: "GET",
      url: "https://api.trello.com/1/boards/{board_id}/lists",
      parameters: [inPath("board_id", "Id of the board.")],
    },
    {
      name: "trello.list_cards",
      description: "Lists the cards in a list.",
      method: "GET",
      url: "https://api.trello.com/1/lists/{list_id}/cards",
      parameters: [inPath("list_id", "Id of the list.")],
    },
    {
      name: "trello.create_card",
      description: "Creates a card at the end of a list.",
      method: "POST",
      url: "https://api.trello.com/1/cards",
      sideEffect: "non_idempotent_write",
      parameters: [
        inQuery("list_id", "string", "Id of the list.", { wireName: "idList", required: true }),
        inQuery("name", "string", "Title of the card.", { required: true }),
        inQuery("description", "string", "Text of the card.", { wireName: "desc" }),
        inQuery("due", "string", "Due date.", { schema: { format: "date-time" } }),
      ],
    },
  ],
};
