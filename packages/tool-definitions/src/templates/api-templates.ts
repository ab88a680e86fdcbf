import { airtable } from "./airtable.ts";
import type { ApiTemplate } from "./api-template.ts";
import { asana } from "./asana.ts";
import { cloudflare } from "./cloudflare.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { hubspot } from "./hubspot.ts";
import { jira } from "./jira.ts";
import { nominatim } from "./nominatim.ts";
import { notion } from "./notion.ts";
import { openMeteo } from "./open-meteo.ts";
import { openweather } from "./openweather.ts";
import { restCountries } from "./rest-countries.ts";
import { sendgrid } from "./sendgrid.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { todoist } from "./todoist.ts";
import { trello } from "./trello.ts";
import { twilio } from "./twilio.ts";

/** The templates for public APIs, ordered by id. */
export const API_TEMPLATES: readonly ApiTemplate[] = [
  airtable,
  asana,
  cloudflare,
  discord,
  github,
  gitlab,
  hubspot,
  jira,
  nominatim,
  notion,
  openMeteo,
  openweather,
  restCountries,
  sendgrid,
  slack,
  stripe,
  todoist,
  trello,
  twilio,
];
