/** Reads HTTP answers, one at a time, and keeps of them the status and the number of body bytes. */

const HEAD_END = '\r\n\r\n';
const LINE_FEED = 10;

/** `head`, a body of known length, or the places within a chunked one. */
type Place = 'head' | 'counted' | 'size' | 'chunk' | 'chunk-end' | 'trailer';

export class AnswerReader {
  status = 0;
  bodyBytes = 0;
  /** The other side closes the connection after this answer. */
  closes = false;
  #place: Place = 'head';
  #left = 0;
  #carried = '';

  /** Something of an answer is there, and not yet its end. */
  get begun(): boolean {
    return this.#place !== 'head' || this.#carried !== '';
  }

  /** Takes what came; true when it ends the answer. Throws when more came than the answer. */
  take(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      at = this.#step(chunk, at);
      if (at >= 0) continue;
      if (~at !== chunk.length) throw new Error('more came than one answer');
      return true;
    }
    return false;
  }

  /** Where reading goes on; its complement when the answer ends there. */
  #step(chunk: Buffer, at: number): number {
    switch (this.#place) {
      case 'head':
        return this.#head(chunk, at);
      case 'counted':
      case 'chunk':
        return this.#body(chunk, at);
      default:
        return this.#line(chunk, at);
    }
  }

  #head(chunk: Buffer, at: number): number {
    const text = this.#carried + chunk.toString('latin1', at, Math.min(chunk.length, at + 16_384));
    const end = text.indexOf(HEAD_END);
    if (end < 0) {
      this.#carried = text;
      return chunk.length;
    }
    const next = at + end + HEAD_END.length - this.#carried.length;
    this.#carried = '';
    return this.#begin(text.slice(0, end + 2)) ? next : ~next;
  }

  /** False when there is no body. */
  #begin(head: string): boolean {
    this.status = Number(head.slice(9, 12));
    this.bodyBytes = 0;
    this.closes = /\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#left = Number(length ?? 0);
    if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) this.#place = 'size';
    else this.#place = this.#left > 0 ? 'counted' : 'head';
    return this.#place !== 'head';
  }

  #body(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#left, chunk.length - at);
    this.#left -= taken;
    this.bodyBytes += taken;
    const next = at + taken;
    if (this.#left > 0) return next;
    if (this.#place === 'chunk') {
      this.#place = 'chunk-end';
      return next;
    }
    this.#place = 'head';
    return ~next;
  }

  #line(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(LINE_FEED, at);
    if (end < 0) {
      this.#carried += chunk.toString('latin1', at);
      return chunk.length;
    }
    const line = (this.#carried + chunk.toString('latin1', at, end)).trimEnd();
    this.#carried = '';
    return this.#lineEnded(line) ? ~(end + 1) : end + 1;
  }

  /** True when the answer ends with this line. */
  #lineEnded(line: string): boolean {
    if (this.#place === 'trailer') {
      if (line === '') this.#place = 'head';
      return line === '';
    }
    if (this.#place === 'chunk-end') this.#place = 'size';
    else {
      this.#left = Number.parseInt(line, 16);
      this.#place = this.#left === 0 ? 'trailer' : 'chunk';
    }
    return false;
  }
}
