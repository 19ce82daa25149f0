/** WHATWG HTML, section 9.2.6, one byte after another over the whole stream: what the decoder of chunks is held against. */

const EVENT = 'event ';

export interface SlowItems {
  /** `event …` and `comment …`, their bytes as Latin-1. */
  readonly items: readonly string[];
  /** Bytes of the largest event, and of the largest line that is a comment. */
  readonly largest: number;
}

/** What a stream says up to its last byte. An event that no blank line ends is not among it. */
export function readStreamSlowly(stream: Uint8Array): SlowItems {
  const items: string[] = [];
  let data: string | undefined;
  let line = '';
  let eventBytes = 0;
  let largest = 0;
  let first = true;
  const endLine = () => {
    const whole = first && line.startsWith('\u00ef\u00bb\u00bf') ? line.slice(3) : line;
    first = false;
    largest = Math.max(largest, eventBytes + line.length);
    if (whole === '') {
      if (data !== undefined) items.push(EVENT + data);
      data = undefined;
      eventBytes = 0;
    } else if (whole.startsWith(':')) items.push(`comment ${whole.slice(1)}`);
    else {
      eventBytes += whole.length;
      data = withField(data, whole);
    }
    line = '';
  };
  for (let at = 0; at < stream.length; at += 1) {
    const byte = stream[at];
    if (byte === 0x0a) endLine();
    else if (byte === 0x0d) {
      endLine();
      if (stream[at + 1] === 0x0a) at += 1;
    } else line += String.fromCharCode(byte ?? 0);
  }
  return { items, largest: Math.max(largest, eventBytes + line.length) };
}

/** The data of each event that is dispatched, also where that is empty. Bytes, since an event may be no UTF-8. */
export function eventsOf(stream: Uint8Array): readonly Uint8Array[] {
  const events = readStreamSlowly(stream).items.filter((item) => item.startsWith(EVENT));
  return events.map((item) => Buffer.from(item.slice(EVENT.length), 'latin1'));
}

function withField(data: string | undefined, line: string): string | undefined {
  const colon = line.indexOf(':');
  const field = colon < 0 ? line : line.slice(0, colon);
  if (field !== 'data') return data;
  let value = colon < 0 ? '' : line.slice(colon + 1);
  if (value.startsWith(' ')) value = value.slice(1);
  return data === undefined ? value : `${data}\n${value}`;
}
