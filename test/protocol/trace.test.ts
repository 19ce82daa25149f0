import { describe, expect, it } from 'vitest';
import { HeaderFields } from '../../src/protocol/headers.js';
import { traceContextOf } from '../../src/protocol/trace.js';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = PARENT.replace('4bf9', 'aaaa');
const STATE = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE';

function contextOf(fields: readonly string[], meta = {}) {
  return traceContextOf(new HeaderFields(fields), meta);
}

describe('the trace of a caller', () => {
  it.each([
    ['from the field', ['Traceparent', PARENT], {}, [PARENT, undefined, false]],
    ['with its state', ['traceparent', PARENT, 'tracestate', STATE], {}, [PARENT, STATE, false]],
    [
      'whose state stands in several lines',
      ['traceparent', PARENT, 'tracestate', 'a=1', 'tracestate', 'b=2'],
      {},
      [PARENT, 'a=1,b=2', false],
    ],
    ['from the message', [], { traceparent: PARENT, tracestate: STATE }, [PARENT, STATE, true]],
    [
      'from the field rather than the message',
      ['traceparent', PARENT],
      { traceparent: OTHER, tracestate: STATE },
      [PARENT, undefined, false],
    ],
    [
      'from the message, without the state of a field that belongs to none',
      ['tracestate', 'a=1'],
      { traceparent: PARENT },
      [PARENT, undefined, true],
    ],
    [
      'of a later version',
      ['traceparent', PARENT.replace('00', 'cc')],
      {},
      [PARENT.replace('00', 'cc'), undefined, false],
    ],
    ['whose state is no text', [], { traceparent: PARENT, tracestate: 7 }, [PARENT, undefined, true]],
    [
      'whose state would break a field',
      [],
      { traceparent: PARENT, tracestate: 'a=1\r\nx: y' },
      [PARENT, undefined, true],
    ],
    [
      'whose state is too long',
      [],
      { traceparent: PARENT, tracestate: 'a'.repeat(513) },
      [PARENT, undefined, true],
    ],
  ])('is read %s', (_, fields, meta, [traceparent, tracestate, inMessage]) => {
    expect(contextOf(fields, meta)).toEqual({ traceparent, tracestate, inMessage });
  });

  it.each([
    ['nothing', [], {}],
    ['two fields', ['traceparent', PARENT, 'traceparent', OTHER], {}],
    ['a malformed field, whatever the message says', ['traceparent', '00-zz'], { traceparent: PARENT }],
    ['no text', [], { traceparent: 7 }],
    ['upper case', ['traceparent', PARENT.toUpperCase()], {}],
    ['a trace of zeros', ['traceparent', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`], {}],
    ['a parent of zeros', ['traceparent', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`], {}],
    ['a version that is none', ['traceparent', PARENT.replace(/^00/, 'ff')], {}],
    ['more than there is in it', ['traceparent', `${PARENT}-x`], {}],
    ['a member that is not its own', [], Object.create({ traceparent: PARENT })],
  ])('is not read from %s', (_, fields, meta) => {
    expect(contextOf(fields, meta)).toBeUndefined();
  });
});
