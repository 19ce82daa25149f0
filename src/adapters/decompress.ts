/** A compressed event stream on its way to being judged: each event comes out as soon as its last byte went in. */
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Answer, BodySink } from './answer.js';
import type { Coding } from './collect.js';
import type { UpstreamTrouble } from './upstream-trouble.js';

export interface PlainSink extends BodySink {
  /** The bytes are not what the answer's Content-Encoding says. */
  undecodable(): void;
}

// Flushing at the end, too: a stream that was cut is judged for what it lacks, not for how it was cut.
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
};

const MAKERS: Readonly<Record<Exclude<Coding, 'identity'>, () => Transform>> = {
  gzip: () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress(BROTLI),
};

/** Holds a few buffers at most: a sink that asks for a pause holds back the upstream. */
export class Decompression implements BodySink {
  readonly #plain: Transform;
  #trouble: UpstreamTrouble | undefined;

  constructor(coding: Exclude<Coding, 'identity'>, answer: Answer, sink: PlainSink) {
    this.#plain = MAKERS[coding]();
    this.#plain.on('data', (bytes: Buffer) => {
      if (!sink.chunk(bytes)) this.#plain.pause();
    });
    this.#plain.on('drain', () => answer.resume());
    this.#plain.on('end', () => (this.#trouble === undefined ? sink.end() : sink.failed(this.#trouble)));
    this.#plain.on('error', () => sink.undecodable());
  }

  chunk(bytes: Buffer): boolean {
    return this.#plain.destroyed || this.#plain.write(bytes);
  }

  end(): void {
    this.#plain.end();
  }

  /** What came before the trouble is still judged. */
  failed(trouble: UpstreamTrouble): void {
    this.#trouble = trouble;
    this.#plain.end();
  }

  resume(): void {
    this.#plain.resume();
  }

  stop(): void {
    this.#plain.destroy();
  }
}
