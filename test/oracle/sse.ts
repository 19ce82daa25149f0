/** An event stream read whole and slowly, by WHATWG HTML section 9.2.6. */

/** The data of each event that is dispatched, also where that is empty. Bytes, since an event may be no UTF-8. */
export function eventsOf(stream: Uint8Array): readonly Uint8Array[] {
  // Each byte a character: line ends and field names are ASCII.
  const text = Buffer.from(stream)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const lines = text.split(/\r\n|\r|\n/);
  // What no line end closes is no line.
  lines.pop();
  const events: Uint8Array[] = [];
  let data: string[] = [];
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push(Buffer.from(data.join('\n'), 'latin1'));
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
  }
  return events;
}
