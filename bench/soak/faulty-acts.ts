/** What the upstream of a soak can be told to do wrong. */
import type { Socket } from 'node:net';
import { type Act, type Asked, begin, json, wait } from './acts.js';
import { progress, question, result, said } from './messages.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

function socketOf({ response }: Asked): Socket {
  const { socket } = response;
  if (socket === null) throw new Error('the gateway has gone');
  return socket;
}

/** These bytes, as they are, and then a reset. */
function raw(bytes: string): Act {
  return (asked) => {
    const socket = socketOf(asked);
    if (bytes === '') socket.resetAndDestroy();
    else socket.write(bytes, () => socket.resetAndDestroy());
  };
}

/** As it should be, but for what `edit` makes of the text. */
function edited(edit: (text: string) => string | Buffer): Act {
  return (asked) => json(asked, edit(result(asked.id, said('Booked.'))));
}

function form(properties: object): Act {
  return (asked) => {
    const requestedSchema = { type: 'object', properties };
    const params = { mode: 'form', message: 'For whom?', requestedSchema };
    const inputRequests = { guest: { method: 'elicitation/create', params } };
    json(asked, result(asked.id, { resultType: 'input_required', inputRequests }));
  };
}

const serverRequest = JSON.stringify({
  jsonrpc: '2.0',
  id: 'server-1',
  method: 'elicitation/create',
  params: (question(1, undefined) as { inputRequests: { guest: { params: object } } }).inputRequests.guest
    .params,
});

const slow: Act = async (asked) => {
  await wait(Number(asked.words[0]));
  json(asked, result(asked.id, said('Booked.')));
};

const inPieces: Act = async (asked) => {
  const text = result(asked.id, said('Booked.'));
  const size = Math.ceil(text.length / Number(asked.words[0]));
  asked.response.writeHead(200, { 'content-type': 'application/json' });
  for (let at = 0; at < text.length; at += size) {
    asked.response.write(text.slice(at, at + size));
    await wait(5);
  }
  asked.response.end();
};

const stalled: Act = async (asked) => {
  asked.response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",');
  await asked.closed;
};

const brokenStream: Act = async (asked) => {
  begin(asked)(progress('p', 1));
  await wait(20);
  socketOf(asked).resetAndDestroy();
};

export const FAULTY_ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['reset-before-head', raw('')],
  ['close-before-head', (asked) => socketOf(asked).destroy()],
  ['reset-in-head', raw('HTTP/1.1 200 OK\r\ncontent-ty')],
  ['reset-in-body', raw(`${HEAD}content-length: 99\r\n\r\n{"jsonrpc"`)],
  ['close-in-chunks', raw(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n{"jsonrpc"`)],
  [
    'reset-in-event',
    raw(
      `${HEAD.replace('json', 'x')}`
        .replace('application/x', 'text/event-stream')
        .concat('transfer-encoding: chunked\r\n\r\nff\r\ndata: {'),
    ),
  ],
  [
    'end-before-event',
    (asked) => {
      begin(asked);
      asked.response.end();
    },
  ],
  ['garbage', raw('220 mail.example ESMTP\r\n\r\n')],
  [
    'status',
    ({ words: [status, type], response }) =>
      response
        .writeHead(Number(status), { 'content-type': type, location: 'http://127.0.0.1/' })
        .end('Something broke.'),
  ],
  ['half-json', edited((text) => text.slice(0, -9))],
  ['twice-named', edited((text) => text.replace('"resultType"', '"resultType":"task","resultType"'))],
  ['bad-utf8', edited((text) => Buffer.from(text.replace('Booked', '\xff'), 'latin1'))],
  ['empty', edited(() => '')],
  [
    'bad-zip',
    (asked) => {
      asked.response.setHeader('content-encoding', 'gzip');
      json(asked, 'this is no gzip');
    },
  ],
  ['wrong-id', (asked) => json(asked, result('nobody asked', said('Booked.')))],
  ['server-request', (asked) => json(asked, serverRequest)],
  [
    'server-request-in-stream',
    async (asked) => {
      begin(asked)(serverRequest);
      await asked.closed;
    },
  ],
  ['secret-form', form({ api_key: { type: 'string', title: 'API key' } })],
  ['nested-form', form({ guest: { type: 'object', properties: { name: { type: 'string' } } } })],
  ['slow', slow],
  ['in-pieces', inPieces],
  ['silent', ({ closed }) => closed],
  ['stalled', stalled],
  ['broken-stream', brokenStream],
]);
