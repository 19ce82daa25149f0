import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { formHasNoLink } from '../../../src/rules/outbound/form-has-no-link.js';
import { judges, PEER_VALUE } from '../cases.js';
import { event, inputRequired, outbound } from '../fixtures.js';

const LINK = `https://${PEER_VALUE}.example/`;
const SCHEMA = '/result/inputRequests/q/params/requestedSchema';

function ask(params: JsonValue) {
  return inputRequired({ q: { method: 'elicitation/create', params } });
}

function form(field: JsonObject, more: JsonObject = {}) {
  return ask({ mode: 'form', message: 'Details', requestedSchema: { properties: { a: field }, ...more } });
}

judges(formHasNoLink, {
  refuses: [
    [
      'a message',
      ask({ message: `See ${LINK}`, requestedSchema: {} }),
      '/result/inputRequests/q/params/message',
    ],
    ['a title', form({ title: LINK }), `${SCHEMA}/properties/a/title`],
    ['a description', form({ description: 'Go to www.example.com' }), `${SCHEMA}/properties/a/description`],
    ["the schema's description", form({}, { description: '[help](/help)' }), `${SCHEMA}/description`],
    ['a boolean', form({ type: 'boolean', title: `I read ${LINK}` }), `${SCHEMA}/properties/a/title`],
    ['an option', form({ oneOf: [{ const: 1, title: LINK }] }), `${SCHEMA}/properties/a/oneOf/0/title`],
    [
      'a named option',
      form({ enum: ['a'], enumNames: ['mailto:a@b.example'] }),
      `${SCHEMA}/properties/a/enumNames/0`,
    ],
    ['a nested title', form({ items: { title: LINK } }), `${SCHEMA}/properties/a/items/title`],
    [
      'what a task asks for',
      event('notifications/tasks', {
        inputRequests: { q: { method: 'elicitation/create', params: { message: LINK } } },
      }),
      '/params/inputRequests/q/params/message',
    ],
  ],
  passes: [
    ['a form without links', form({ type: 'string', title: 'Website', format: 'uri' })],
    ['a default', form({ type: 'string', format: 'uri', default: LINK })],
    ['an example of data', form({ description: 'For example postgres://user@host/db' })],
    ['a file name', form({ description: 'Path of README.md' })],
    ['a URL elicitation', ask({ mode: 'url', message: `See ${LINK}`, url: LINK })],
    [
      'a sampling request',
      inputRequired({ q: { method: 'sampling/createMessage', params: { message: LINK } } }),
    ],
    ['a result that asks nothing', outbound({ result: { content: [{ type: 'text', text: LINK }] } })],
  ],
});
