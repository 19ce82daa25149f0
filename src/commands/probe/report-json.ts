/** One JSON object a line, nothing in it that a terminal could act on. */
import { isUtf8 } from 'node:buffer';
import { displayJson } from '../../client/display.js';
import type { ProbeEvent, Reporter } from './events.js';

export function createJsonReporter(out: (text: string) => void): Reporter {
  return { report: (event) => out(`${displayJson(shown(event))}\n`) };
}

function shown(event: ProbeEvent): object {
  switch (event.event) {
    case 'wire': {
      const { bytes, ...rest } = event;
      return isUtf8(bytes)
        ? { ...rest, text: bytes.toString() }
        : { ...rest, base64: bytes.toString('base64') };
    }
    case 'input_required': {
      const { requests, ...rest } = event;
      return { ...rest, requests: Object.fromEntries(requests.map(({ key, value }) => [key, value])) };
    }
    case 'answer': {
      const { answer, ...rest } = event;
      return answer === undefined ? { ...rest, omitted: true } : { ...rest, answer };
    }
    default:
      return event;
  }
}
