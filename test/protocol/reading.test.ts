import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, type Reading, readRequest, readResponse } from '../../src/protocol/reading.js';

type Definitions = Record<string, { properties?: Record<string, unknown>; anyOf?: { $ref: string }[] }>;

const SCHEMA = new URL('../data/mcp-2026-07-28.schema.json', import.meta.url);
const DEFINITIONS = (JSON.parse(readFileSync(SCHEMA, 'utf8')) as { $defs: Definitions }).$defs;

const READERS = [
  ['readRequest', readRequest],
  ['readResponse', readResponse],
] as const;

function request(text: string): Reading {
  return readRequest(Buffer.from(text));
}

function response(text: string): Reading {
  return readResponse(Buffer.from(text));
}

/** The names of a definition's members, and of those that it may be instead. */
function membersOf(...definitions: readonly string[]): string[] {
  return definitions.flatMap((definition) => {
    const { properties = {}, anyOf = [] } = DEFINITIONS[definition] ?? {};
    return [
      ...Object.keys(properties),
      ...anyOf.flatMap(({ $ref }) => membersOf($ref.split('/').at(-1) ?? '')),
    ];
  });
}

/** The members of the params of each message in a union. */
function paramsOf(union: string): string[] {
  return (DEFINITIONS[union]?.anyOf ?? []).flatMap(({ $ref }) =>
    membersOf(`${$ref.split('/').at(-1)}Params`),
  );
}

/** The name with its first small letter large. */
function variantOf(name: string): string {
  return name.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe.each(READERS)('%s', (_, read) => {
  it('reads one JSON value', () => {
    const bytes = Buffer.from(' {"id":1,"x":["é",{"__proto__":2}]}\r\n');
    const reading = read(bytes);
    expect(reading).toMatchObject({ text: bytes.toString(), depth: 3, fault: undefined, at: '' });
    expect(reading.bytes).toBe(bytes);
    expect(JSON.stringify(reading.value)).toBe('{"id":1,"x":["é",{"__proto__":2}]}');
  });

  it.each([
    ['', 'empty'],
    [' \r\n\t', 'empty'],
    ['{"a":1', 'not-json'],
    ['{"a":1} {"b":2}', 'not-json'],
    ['{"a":1}{"b":2}', 'not-json'],
    ["{'a':1}", 'not-json'],
    ['{"a":1,}', 'not-json'],
    ['// a\n1', 'not-json'],
    ['NaN', 'not-json'],
    ['"\t"', 'not-json'],
    ['\ufeff{"a":1}', 'bom'],
    ['\ufeff', 'bom'],
  ])('takes %j as %s', (text, fault) => {
    expect(read(Buffer.from(text))).toMatchObject({ fault, value: undefined, depth: 0, at: '' });
  });

  it.each([
    [[0x22, 0xff, 0x22]],
    [[0x22, 0xc3, 0x22]],
    [[0x22, 0xc0, 0xaf, 0x22]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0xff, 0xfe, 0x31, 0x00]],
  ])('takes the bytes %j as no UTF-8', (bytes) => {
    expect(read(Buffer.from(bytes))).toMatchObject({ fault: 'not-utf8', value: undefined, text: '' });
  });

  it('says where a member is named twice, and keeps the value for its id', () => {
    const reading = read(Buffer.from('{"id":7,"params":{"arguments":{"a":1,"\\u0061":2}}}'));
    expect(reading).toMatchObject({ fault: 'duplicate-member', at: '/params/arguments/a' });
    expect(reading.value).toMatchObject({ id: 7 });
  });
});

describe('readRequest', () => {
  it('leaves the depth to be judged, and still finds what stands around', () => {
    const reading = request(`{"params":${nested(MAX_DEPTH)},"id":7}`);
    expect(reading).toMatchObject({ fault: undefined, depth: MAX_DEPTH + 1 });
    expect(request(`{"params":${nested(300_000)},"id":7}`)).toMatchObject({
      fault: undefined,
      depth: 300_001,
    });
  });

  it.each([
    ['{"Method":"tools/call"}', '/Method'],
    ['{"method":"a","METHOD":"b"}', '/METHOD'],
    ['{"Id":1}', '/Id'],
    ['{"ıd":1}', '/ıd'],
    ['{"İd":1}', '/İd'],
    ['{"RequestState":""}', '/RequestState'],
    ['{"params":{"RequestState":""}}', '/params/RequestState'],
    ['{"params":{"requeſtState":""}}', '/params/requeſtState'],
    ['{"params":{"\\u0052equestState":""}}', '/params/RequestState'],
    ['{"params":{"ｒequestState":""}}', '/params/ｒequestState'],
    ['{"params":{"request_state":""}}', '/params/request_state'],
    ['{"params":{"Request-State":""}}', '/params/Request-State'],
    ['{"params":{"input_responses":{}}}', '/params/input_responses'],
    ['{"params":{"_meta":{"request_state":""}}}', '/params/_meta/request_state'],
    ['{"request_state":""}', '/request_state'],
    ['{"params":{"_Meta":{}}}', '/params/_Meta'],
    ['{"params":{"_meta":{"RequestState":""}}}', '/params/_meta/RequestState'],
    [
      '{"params":{"_meta":{"io.modelcontextprotocol/ProtocolVersion":""}}}',
      '/params/_meta/io.modelcontextprotocol~1ProtocolVersion',
    ],
    [
      '{"params":{"_meta":{"IO.modelcontextprotocol/logLevel":""}}}',
      '/params/_meta/IO.modelcontextprotocol~1logLevel',
    ],
    [
      '{"params":{"inputResponses":{"a":{"action":"accept"},"b":{"Action":"x"}}}}',
      '/params/inputResponses/b/Action',
    ],
    ['{"params":{"inputResponses":{"a":{"Content":{}}}}}', '/params/inputResponses/a/Content'],
  ])('takes %s as ambiguous', (text, at) => {
    const reading = request(text);
    expect(reading).toMatchObject({ fault: 'variant-member', at });
    expect(reading.value).toBeDefined();
  });

  it.each([
    '{"params":{"arguments":{"Method":1,"requeststate":2,"Name":{"ID":3}}}}',
    '{"params":{"inputResponses":{"Action":{"action":"accept"},"METHOD":{},"requeststate":{}}}}',
    '{"params":{"inputResponses":{"a":{"action":"accept","content":{"Action":"x","CONTENT":"y"}}}}}',
    '{"params":{"_meta":{"com.example/ProgressToken":1,"Name":2,"io.modelcontextprotocol/other":3}}}',
    '{"params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"Elicitation":{}}}}}',
    '{"params":{"_meta":{"requestState":"s","inputResponses":{"a":{"Action":"x"}}}}}',
    '{"params":{"meta":{},"clie_nt_info":{},"progress_token":1,"state":1,"Ñame":1}}',
    '{"params":{"arguments":{"request_state":""},"inputResponses":{"request_state":{"input_responses":{}}}}}',
    '{"params":[{"Name":1}],"extra":{"Method":1}}',
    '{"params":{"inputResponses":[{"Action":1}]}}',
    '[{"Method":1}]',
    '{"__proto__":{"Method":1},"constructor":1,"":2}',
  ])('takes %s as it is', (text) => {
    expect(request(text)).toMatchObject({ fault: undefined, at: '' });
  });

  it('knows the variants of every name that the revision defines for requests', () => {
    const names = [
      ...paramsOf('ClientRequest'),
      ...membersOf('PaginatedRequestParams', 'CancelledNotificationParams'),
    ];
    expect(names).toEqual(
      expect.arrayContaining(['requestId', 'name', 'arguments', 'cursor', 'inputResponses']),
    );
    for (const name of names) {
      expect(request(`{"params":{"${variantOf(name)}":1}}`).fault, name).toBe('variant-member');
    }
    for (const name of membersOf('RequestMetaObject')) {
      expect(request(`{"params":{"_meta":{"${variantOf(name)}":1}}}`).fault, name).toBe('variant-member');
    }
    for (const name of membersOf('InputResponse')) {
      expect(request(`{"params":{"inputResponses":{"a":{"${variantOf(name)}":1}}}}`).fault, name).toBe(
        'variant-member',
      );
    }
    for (const name of membersOf('JSONRPCRequest', 'JSONRPCResponse')) {
      expect(request(`{"${variantOf(name)}":1}`).fault, name).toBe('variant-member');
    }
  });
});

describe('readResponse', () => {
  it('takes what nests too deeply as a fault', () => {
    expect(response(`{"result":${nested(MAX_DEPTH - 1)}}`)).toMatchObject({
      fault: undefined,
      depth: MAX_DEPTH,
    });
    expect(response(`{"result":${nested(MAX_DEPTH)}}`)).toMatchObject({ fault: 'too-deep', at: '' });
    expect(response(nested(300_000))).toMatchObject({ fault: 'too-deep' });
    const schemas = `{"properties":${'{"a":{"properties":'.repeat(100_000)}1${'}}'.repeat(100_000)}}`;
    const asked = `{"result":{"inputRequests":{"a":{"params":{"requestedSchema":${schemas}}}}}}`;
    expect(response(asked)).toMatchObject({ fault: 'too-deep' });
  });

  it.each([
    ['{"Result":{}}', '/Result'],
    ['{"jsonrpc":"2.0","ID":1,"result":{}}', '/ID'],
    ['{"InputRequests":{}}', '/InputRequests'],
    ['{"result":{"ResultType":"input_required"}}', '/result/ResultType'],
    ['{"result":{"inputrequests":{}}}', '/result/inputrequests'],
    ['{"result":{"RequestState":""}}', '/result/RequestState'],
    ['{"result":{"Tools":[]}}', '/result/Tools'],
    [
      '{"result":{"_meta":{"io.modelcontextprotocol/SubscriptionId":1}}}',
      '/result/_meta/io.modelcontextprotocol~1SubscriptionId',
    ],
    ['{"result":{"inputRequests":{"a":{"Method":"elicitation/create"}}}}', '/result/inputRequests/a/Method'],
    ['{"result":{"inputRequests":{"a":{"params":{"Mode":"url"}}}}}', '/result/inputRequests/a/params/Mode'],
    [
      '{"result":{"inputRequests":{"a":{"params":{"requestedSchema":{"Properties":{}}}}}}}',
      '/result/inputRequests/a/params/requestedSchema/Properties',
    ],
    [
      '{"result":{"inputRequests":{"a":{"params":{"requestedSchema":{"properties":{"p":{"Format":"password"}}}}}}}}',
      '/result/inputRequests/a/params/requestedSchema/properties/p/Format',
    ],
    [
      '{"result":{"inputRequests":{"a":{"params":{"requestedSchema":{"properties":{"p":{"oneOf":[{},{"Title":"x"}]}}}}}}}}',
      '/result/inputRequests/a/params/requestedSchema/properties/p/oneOf/1/Title',
    ],
    ['{"result":{"status":"completed","result":{"ResultType":"x"}}}', '/result/result/ResultType'],
    ['{"result":{"Status":"input_required"}}', '/result/Status'],
    ['{"result":{"error":{"Code":-32042}}}', '/result/error/Code'],
    ['{"result":{"tools":[{},{"InputSchema":{}}]}}', '/result/tools/1/InputSchema'],
    ['{"result":{"tools":[{"inputSchema":{"Required":[]}}]}}', '/result/tools/0/inputSchema/Required'],
    ['{"error":{"code":-32042,"Code":1}}', '/error/Code'],
    ['{"error":{"code":-32022,"data":{"Supported":[]}}}', '/error/data/Supported'],
    [
      '{"method":"notifications/tasks","params":{"inputRequests":{"a":{"params":{"Url":1}}}}}',
      '/params/inputRequests/a/params/Url',
    ],
    [
      '{"method":"notifications/tasks","params":{"inputRequests":[{"params":{"Url":1}}]}}',
      '/params/inputRequests/0/params/Url',
    ],
    ['{"method":"notifications/tasks","params":{"TaskId":1}}', '/params/TaskId'],
    ['{"method":"notifications/progress","params":{"ProgressToken":1}}', '/params/ProgressToken'],
    [
      '{"method":"elicitation/create","params":{"requestedSchema":{"TYPE":1}}}',
      '/params/requestedSchema/TYPE',
    ],
  ])('takes %s as ambiguous', (text, at) => {
    expect(response(text)).toMatchObject({ fault: 'variant-member', at });
  });

  it.each([
    '{"result":{"inputRequests":{"Method":{"method":"x"},"RESULTTYPE":{}}}}',
    '{"result":{"inputRequests":{"a":{"params":{"requestedSchema":{"properties":{"Type":{"type":"string"},"Properties":{}}}}}}}}',
    '{"result":{"inputRequests":{"a":{"params":{"requestedSchema":{"properties":{"p":{"enum":["A","a"],"default":{"Type":1}}}}}}}}}',
    '{"result":{"structuredContent":{"ResultType":1,"Tools":[]},"content":[{"Type":"text"}]}}',
    '{"result":{"_meta":{"com.example/ProgressToken":1,"ResultType":2}}}',
    '{"result":{"tools":[{"name":"a","inputSchema":{"properties":{"Required":{"Type":1}},"$defs":{"Required":1}},"outputSchema":{"Type":1}}]}}',
    '{"result":{"tools":[null,[],"a",{"inputSchema":[{"Required":1}]}],"prompts":[{"Name":1}]}}',
    '{"error":{"code":-32000,"data":{"Supported":[],"Requested":1}}}',
    '{"error":{"code":"x","data":{"Code":1}}}',
    '{"method":"notifications/message","params":{"level":"info","data":{"Level":1,"data":{"Data":2}}}}',
    '{"error":"invalid_token","error_description":"x"}',
    '{"result":{"contents":[{"Uri":1}],"completion":{"Values":[]}}}',
  ])('takes %s as it is', (text) => {
    expect(response(text)).toMatchObject({ fault: undefined, at: '' });
  });

  it('knows the variants of every name that the revision defines for results and notifications', () => {
    const results = Object.keys(DEFINITIONS).filter((name) => /Result$/.test(name));
    const answers = [
      'ElicitResult',
      'ListRootsResult',
      'CreateMessageResult',
      'ServerResult',
      'ClientResult',
    ];
    const names = membersOf(...results.filter((name) => !answers.includes(name)));
    expect(names).toEqual(expect.arrayContaining(['resultType', 'tools', 'contents', 'supportedVersions']));
    for (const name of names) {
      expect(response(`{"result":{"${variantOf(name)}":1}}`).fault, name).toBe('variant-member');
    }
    for (const name of paramsOf('ServerNotification')) {
      expect(response(`{"method":"a","params":{"${variantOf(name)}":1}}`).fault, name).toBe('variant-member');
    }
    for (const name of membersOf('InputRequest')) {
      expect(response(`{"result":{"inputRequests":{"a":{"${variantOf(name)}":1}}}}`).fault, name).toBe(
        'variant-member',
      );
    }
    for (const name of membersOf('ElicitRequestParams', 'CreateMessageRequestParams')) {
      const asked = `{"result":{"inputRequests":{"a":{"params":{"${variantOf(name)}":1}}}}}`;
      expect(response(asked).fault, name).toBe('variant-member');
    }
    for (const name of membersOf('PrimitiveSchemaDefinition')) {
      const form = `{"requestedSchema":{"properties":{"p":{"${variantOf(name)}":1}}}}`;
      const asked = `{"result":{"inputRequests":{"a":{"params":${form}}}}}`;
      expect(response(asked).fault, name).toBe('variant-member');
    }
    for (const name of membersOf('Tool')) {
      expect(response(`{"result":{"tools":[{"${variantOf(name)}":1}]}}`).fault, name).toBe('variant-member');
    }
  });
});
