import type { AdmitInput } from '../../../src/engine/exchange.js';
import { contentTypeJson } from '../../../src/rules/admit/content-type-json.js';
import { judges, PEER_VALUE } from '../cases.js';
import { admitInput } from '../fixtures.js';

const type = (value: string | string[] | undefined): AdmitInput =>
  admitInput({ headers: { 'content-type': value } });

judges(contentTypeJson, {
  refuses: [
    ['plain text', type('text/plain'), 'content-type'],
    ['a form', type('application/x-www-form-urlencoded'), 'content-type'],
    ['an unknown type', type(`application/${PEER_VALUE}`), 'content-type'],
    ['a JSON suffix', type('application/problem+json'), 'content-type'],
    ['a type that only begins like JSON', type('application/json5'), 'content-type'],
    ['a missing type', type(undefined), 'content-type'],
    ['an empty type', type(''), 'content-type'],
    ['no subtype', type('json'), 'content-type'],
    ['two headers', type(['application/json', 'application/json']), 'content-type'],
    ['two types in one header', type('application/json, text/plain'), 'content-type'],
    ['UTF-16', type('application/json; charset=utf-16'), 'content-type'],
    ['Latin-1', type('application/json;charset=iso-8859-1'), 'content-type'],
    ['an empty charset', type('application/json; charset=""'), 'content-type'],
    ['two charsets', type('application/json; charset=utf-8; charset=utf-16'), 'content-type'],
    ['an unfinished quote', type('application/json; charset="utf-8'), 'content-type'],
    ['a content coding', admitInput({ headers: { 'content-encoding': 'gzip' } }), 'content-encoding'],
  ],
  passes: [
    ['application/json', type('application/json')],
    ['a type in mixed case', type('Application/JSON')],
    ['charset utf-8', type('application/json; charset=utf-8')],
    ['charset in capitals without white space', type('application/json;CHARSET=UTF-8')],
    ['a quoted charset', type('application/json; charset="Utf-8"')],
    ['another parameter', type('application/json; profile="a;b"; charset=utf-8')],
    ['a closing semicolon', type('application/json;')],
    [
      'a request that carries no message',
      admitInput({ carriesMessage: false, headers: { 'content-type': 'text/plain' } }),
    ],
  ],
});
